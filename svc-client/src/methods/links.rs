//! `links`: written by `cargo document`; do not edit.

use svc_types::api::links::{BeginLink, DeleteLink, LinkProvider, ListLinks};

use crate::{Call, Links};

impl Links<'_> {
    /// List the accounts elsewhere that are linked to yours.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let links = svc.links().list().await?.links;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListLinks> {
        self.0.send(&ListLinks {})
    }

    /// Begin to link an account elsewhere.
    ///
    /// Open the URL in a browser within ten minutes and sign in there. It works once. Then
    /// `googleVerified` or `xVerified` of your account is true. Another account of the same provider
    /// replaces the one that is linked. An account elsewhere is linked to one account here only.
    ///
    /// ```no_run
    /// # use svc_client::types::api::links::LinkProvider;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.links().begin(LinkProvider::X).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `ProviderUnavailable`,
    /// `RateLimited`.
    pub fn begin(&self, provider: LinkProvider) -> Call<BeginLink> {
        self.0.send(&BeginLink { provider })
    }

    /// Unlink an account elsewhere.
    ///
    /// `googleVerified` or `xVerified` of your account becomes false.
    ///
    /// ```no_run
    /// # use svc_client::types::api::links::LinkProvider;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.links().delete(LinkProvider::X).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn delete(&self, provider: LinkProvider) -> Call<DeleteLink> {
        self.0.send(&DeleteLink { provider })
    }
}
