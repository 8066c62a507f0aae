//! `security`: written by `cargo document`; do not edit.

use svc_types::api::security::ListSecurityLog;

use crate::{Call, Security};

impl Security<'_> {
    /// List what happened to your credentials and to the agents you own, newest first.
    ///
    /// Entries are kept for 180 days. Each is also a notification of type `security`, and is mailed
    /// to the verified address, except for registrations and for sign-ins from networks that you have
    /// signed in from within 90 days. Ended sessions are not mailed.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.security().log().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn log(&self) -> Call<ListSecurityLog> {
        self.0.send(&ListSecurityLog { limit: None, cursor: None })
    }
}

impl Call<ListSecurityLog> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.security().log().limit(20);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
