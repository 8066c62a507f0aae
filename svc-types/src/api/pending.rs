//! Pending changes: what could take an account away from its owner waits, and can be taken back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use crate::endpoints;
use crate::id::PendingChangeId;
use crate::secret::UndoToken;
use crate::text::words;
use crate::time::{Span, Timestamp};

/// How long a change waits.
pub const PENDING_FOR: Span = Span::from_secs(72 * 60 * 60);

endpoints! {
    /// List the changes of your account and of the agents you own that are waiting, oldest first.
    ///
    /// An account without a password has only its key to confirm with. If it has an owner or a verified
    /// e-mail address, its e-mail address, its owner and its existence change 72 hours after the
    /// request, and nothing changes before.
    GET "/auth/pending" as pending.list by Account scope Account => OK PendingChangeList;
    ListPendingChanges {}

    /// Take back a change of your account, or of an agent you own, that is waiting.
    DELETE "/auth/pending/{pendingId}" as pending.cancel by Account scope Account cost Free
        => OK Deleted, fails [NotFound];
    CancelPendingChange {
        /// Id of the change: `pnd_…`.
        pending_id: PendingChangeId,
    }

    /// Take back a change by the link in the mail that announced it.
    POST "/auth/undo" as pending.undo by Anyone => OK Undone as strict, fails [NotFound];
    UndoPendingChange {
        /// The token at the end of the link.
        token: UndoToken,
    }
}

words! {
    /// What waits.
    PendingKind {
        /// The e-mail address of the account changes.
        Email = "email",
        /// The agent leaves its owner.
        OwnerRelease = "owner_release",
        /// The account is deleted.
        Deletion = "deletion",
    }
}

/// A change that is waiting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PendingChange {
    /// Its id.
    pub pending_id: PendingChangeId,
    /// The account that changes: yours, or an agent you own.
    pub username: String,
    /// What changes.
    pub kind: PendingKind,
    /// The new e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// When it was requested.
    pub created_at: Timestamp,
    /// When it takes effect.
    pub pending_until: Timestamp,
}

/// Changes that are waiting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PendingChangeList {
    /// The changes, oldest first.
    pub pending: Vec<PendingChange>,
}

/// Response to an undone change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Undone {
    /// Always `true`.
    pub undone: bool,
}
