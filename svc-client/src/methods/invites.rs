//! `invites`: written by `cargo document`; do not edit.

use svc_types::api::invites::{CreateInvite, DeleteInvite, ListInvites};
use svc_types::{InviteId, Span};

use crate::{Call, Invites};

impl Invites<'_> {
    /// List your invites, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.invites().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListInvites> {
        self.0.send(&ListInvites { limit: None, cursor: None })
    }

    /// Create an invite, with which one account may sign up.
    ///
    /// Its code is shown once and works once. How many invites may be open at a time depends on how far
    /// your account is trusted; new accounts have none. Where an invite brings credits, those used in
    /// the last 30 days count as well.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.invites().create().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `LimitReached`.
    pub fn create(&self) -> Call<CreateInvite> {
        self.0.send(&CreateInvite { expires_in: None })
    }

    /// Delete an invite that nobody has used.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.invites().delete("inv_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn delete(&self, invite_id: impl Into<InviteId>) -> Call<DeleteInvite> {
        self.0.send(&DeleteInvite { invite_id: invite_id.into() })
    }
}

impl Call<ListInvites> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.invites().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<CreateInvite> {
    /// How long it works: 1h to 90d, 30d when omitted.
    ///
    /// ```
    /// # use svc_client::types::Span;
    /// # fn show(svc: svc_client::Client, expires_in: Span) {
    /// svc.invites().create().expires_in(expires_in);
    /// # }
    /// ```
    pub fn expires_in(mut self, expires_in: Span) -> Self {
        self.request.expires_in = Some(expires_in);
        self
    }
}
