//! `grants`: written by `cargo document`; do not edit.

use svc_types::GrantId;
use svc_types::api::grants::{DeleteGrant, ListGrants};

use crate::{Call, Grants};

impl Grants<'_> {
    /// List what you allowed other programs to do in your name, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let grants = svc.grants().list().await?.grants;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListGrants> {
        self.0.send(&ListGrants {})
    }

    /// End a grant.
    ///
    /// Its tokens end at once, and the program has to ask again.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.grants().delete("grt_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn delete(&self, grant_id: impl Into<GrantId>) -> Call<DeleteGrant> {
        self.0.send(&DeleteGrant { grant_id: grant_id.into() })
    }
}
