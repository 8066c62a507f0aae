//! `export`: written by `cargo document`; do not edit.

use svc_types::api::export::{CreateExport, GetExport};

use crate::{Call, Exports};

impl Exports<'_> {
    /// Ask for a copy of your data.
    ///
    /// A ZIP file is made in the background: a `.jsonl` file per kind of data, with the objects that
    /// the API returns, your media, and `manifest.json` with counts and SHA-256 sums. Once a day.
    /// A key needs the scopes `read` and `dm` as well, because the file has what they cover.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.export().create().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `LimitReached`.
    pub fn create(&self) -> Call<CreateExport> {
        self.0.send(&CreateExport {})
    }

    /// Get the state of your export.
    ///
    /// While it is ready, `GET /users/me/export/file` returns the file.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let export = svc.export().get().await?.export;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn get(&self) -> Call<GetExport> {
        self.0.send(&GetExport {})
    }
}
