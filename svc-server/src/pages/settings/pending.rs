//! Changes that wait, of the visitor and of their agents, and how they are undone.

use svc_store::error::Result;
use svc_types::api::Deleted;
use svc_types::api::pending::{
    CancelPendingChange, ListPendingChanges, PendingChange, PendingKind,
};

use super::security;
use crate::http::{Done, PageContext, Pages};
use crate::pages::Flash;

/// The pages of this module.
pub(super) fn pages() -> Pages {
    let path = "/settings/security/pending/{pendingId}/cancel";
    Pages::new()
        .button::<CancelPendingChange>(path, |request, _: &Deleted| {
            Done::back(request).say(Flash::Undone)
        })
        .when_gone(Done::back)
}

/// The page that lists them, where a change that waits leads.
pub(super) fn requested() -> Done {
    Done::to(security::PATH).say(Flash::ChangePending)
}

/// The changes of the visitor and of their agents, oldest first.
pub(super) fn all(context: &mut PageContext<'_>) -> Result<Vec<PendingChange>> {
    Ok(context.ask(&ListPendingChanges {})?.pending)
}

/// What changes: the id of a text.
pub(super) const fn what(change: &PendingChange) -> &'static str {
    match &change.kind {
        PendingKind::Email => "settings-pending-email",
        PendingKind::OwnerRelease => "settings-pending-release",
        PendingKind::Deletion => "settings-pending-deletion",
        _ => "settings-pending-else",
    }
}
