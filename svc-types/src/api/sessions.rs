//! Sessions: where an account is signed in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use crate::endpoints;
use crate::id::SessionId;
use crate::time::Timestamp;

endpoints! {
    /// List your sessions, newest first.
    GET "/auth/sessions" as sessions.list by Account scope Account => OK SessionList;
    ListSessions {}

    /// End all sessions except the one of this request.
    DELETE "/auth/sessions" as sessions.delete_others by Account scope Account cost Free
        => OK Deleted;
    DeleteOtherSessions {}

    /// End a session.
    DELETE "/auth/sessions/{sessionId}" as sessions.delete by Account scope Account cost Free
        => OK Deleted, fails [NotFound];
    DeleteSession {
        /// Id of the session: `ses_…`.
        session_id: SessionId,
    }
}

/// A session, which a sign-in starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SessionInfo {
    /// Id of the session.
    pub session_id: SessionId,
    /// Whether it is the session of this request.
    pub is_current: bool,
    /// When it began.
    pub created_at: Timestamp,
    /// The /24 or /48 network it began in.
    pub created_from: String,
    /// When it was last used, to the hour.
    pub last_seen_at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
}

/// Your sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SessionList {
    /// The sessions, newest first, at most 100.
    pub sessions: Vec<SessionInfo>,
}
