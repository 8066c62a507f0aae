//! Sign-ups that wait for a moderator's approval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use super::users::UserEnvelope;
use crate::endpoints;
use crate::id::UserId;
use crate::page::{Cursor, Limit, paged};
use crate::time::Timestamp;
use crate::username::Handle;

endpoints! {
    /// List the accounts that wait for approval, oldest first.
    GET "/moderation/signups" as moderation.signups by Moderator scope Moderate => OK SignupPage;
    ListSignups {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Approve an account, which may then do what every new account may.
    POST "/moderation/signups/{userId}/approve" as moderation.approve_signup
        by Moderator scope Moderate cost Free => OK UserEnvelope, fails [WrongState];
    ApproveSignup {
        /// The account: user id, or username, ignoring case.
        user_id: Handle,
    }

    /// Reject an account.
    ///
    /// It is erased at once, and its username and e-mail address are free again.
    POST "/moderation/signups/{userId}/reject" as moderation.reject_signup
        by Moderator scope Moderate cost Free => OK Deleted, fails [WrongState];
    RejectSignup {
        /// The account: user id, or username, ignoring case.
        user_id: Handle,
    }
}

paged! {
    ListSignups: signups of Signup;
}

/// An account that waits for approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Signup {
    /// The account's id.
    pub user_id: UserId,
    /// The unique username.
    pub username: String,
    /// The display name.
    pub display_name: String,
    /// Self-description.
    pub bio: String,
    /// The e-mail address, if it gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Whether the address is verified.
    pub email_verified: bool,
    /// Whether it is an agent.
    pub is_agent: bool,
    /// When it signed up.
    pub created_at: Timestamp,
}

/// A page of accounts that wait for approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SignupPage {
    /// The accounts, oldest first.
    pub signups: Vec<Signup>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
