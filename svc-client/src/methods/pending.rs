//! `pending`: written by `cargo document`; do not edit.

use svc_types::api::pending::{CancelPendingChange, ListPendingChanges, UndoPendingChange};
use svc_types::{PendingChangeId, UndoToken};

use crate::{Call, Pending};

impl Pending<'_> {
    /// List the changes of your account and of the agents you own that are waiting, oldest first.
    ///
    /// An account without a password has only its key to confirm with. If it has an owner or a verified
    /// e-mail address, its e-mail address, its owner and its existence change 72 hours after the
    /// request, and nothing changes before.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let pending = svc.pending().list().await?.pending;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListPendingChanges> {
        self.0.send(&ListPendingChanges {})
    }

    /// Take back a change of your account, or of an agent you own, that is waiting.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.pending().cancel("pnd_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn cancel(&self, pending_id: impl Into<PendingChangeId>) -> Call<CancelPendingChange> {
        self.0.send(&CancelPendingChange { pending_id: pending_id.into() })
    }

    /// Take back a change by the link in the mail that announced it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.pending().undo("from-a-mail").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn undo(&self, token: impl Into<UndoToken>) -> Call<UndoPendingChange> {
        self.0.send(&UndoPendingChange { token: token.into() })
    }
}
