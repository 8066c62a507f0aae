//! The file of an export.

use http::Method;

use crate::{Download, Exports, Result};

impl Exports<'_> {
    /// Downloads the ZIP file of your export, piece by piece, once it is ready.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> Result<(), Box<dyn std::error::Error>> {
    /// use std::io::Write;
    ///
    /// let mut file = std::fs::File::create("export.zip")?;
    /// let mut download = svc.export().file().await?;
    /// while let Some(piece) = download.chunk().await? {
    ///     file.write_all(&piece)?;
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn file(&self) -> Result<Download> {
        self.0.request(Method::GET, "/users/me/export/file").download().await
    }
}
