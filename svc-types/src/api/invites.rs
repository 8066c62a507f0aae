//! Invites: with one, somebody may sign up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use crate::endpoints;
use crate::id::InviteId;
use crate::page::{Cursor, Limit, paged};
use crate::secret::InviteCode;
use crate::time::{Span, Timestamp};

/// Shortest, usual and longest life of an invite, in days.
const DAY: u64 = 24 * 60 * 60;

/// How long an invite works when nothing else is said.
pub const INVITE_LIFE_DEFAULT: Span = Span::from_secs(30 * DAY);

/// The bounds of the life of an invite.
pub const INVITE_LIFE: std::ops::RangeInclusive<Span> =
    Span::from_secs(60 * 60)..=Span::from_secs(90 * DAY);

endpoints! {
    /// List your invites, newest first.
    GET "/invites" as invites.list by Account scope Account => OK InvitePage;
    ListInvites {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Create an invite, with which one account may sign up.
    ///
    /// Its code is shown once and works once. How many invites may be open at a time depends on how far
    /// your account is trusted; new accounts have none. Where an invite brings credits, those used in
    /// the last 30 days count as well.
    POST "/invites" as invites.create by Account scope Account cost Write
        => CREATED NewInvite as secret as strict, fails [LimitReached];
    CreateInvite {
        /// How long it works: 1h to 90d, 30d when omitted.
        expires_in: Option<Span>,
    }

    /// Delete an invite that nobody has used.
    DELETE "/invites/{inviteId}" as invites.delete by Account scope Account cost Free
        => OK Deleted, fails [WrongState];
    DeleteInvite {
        /// Id of the invite: `inv_…`.
        invite_id: InviteId,
    }
}

paged! {
    ListInvites: invites of Invite;
}

/// An invite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Invite {
    /// Its id.
    pub invite_id: InviteId,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When somebody signed up with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_at: Option<Timestamp>,
    /// Username of the account that signed up with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_by: Option<String>,
}

/// A new invite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NewInvite {
    /// The invite.
    pub invite: Invite,
    /// Its code. It is shown only once.
    pub code: InviteCode,
    /// The link to the sign-up with this code.
    pub url: InviteCode,
}

/// A page of invites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct InvitePage {
    /// The invites, newest first.
    pub invites: Vec<Invite>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
