//! `sessions`: written by `cargo document`; do not edit.

use svc_types::SessionId;
use svc_types::api::sessions::{DeleteOtherSessions, DeleteSession, ListSessions};

use crate::{Call, Sessions};

impl Sessions<'_> {
    /// List your sessions, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let sessions = svc.sessions().list().await?.sessions;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListSessions> {
        self.0.send(&ListSessions {})
    }

    /// End all sessions except the one of this request.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.sessions().delete_others().await?;
    /// # Ok(()) }
    /// ```
    pub fn delete_others(&self) -> Call<DeleteOtherSessions> {
        self.0.send(&DeleteOtherSessions {})
    }

    /// End a session.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.sessions().delete("ses_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn delete(&self, session_id: impl Into<SessionId>) -> Call<DeleteSession> {
        self.0.send(&DeleteSession { session_id: session_id.into() })
    }
}
