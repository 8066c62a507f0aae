//! Moderation: the queue of reports, what moderators do, and what admins set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reports::{
    Report, ReportEnvelope, ReportPage, ReportReason, ReportStatus, Subject, SubjectType,
};
use super::users::{Role, Tier, UserEnvelope, UserRef};
use crate::endpoints;
use crate::id::{ActionId, ReportId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::{Span, Timestamp};
use crate::username::Handle;

/// What a moderator writes down on a report.
pub type ReportNote = Text<0, 2000>;

/// The form of a label.
const LABEL_PATTERN: &str = "^[a-z0-9_-]{1,32}$";

/// Labels of one post.
pub const LABELS_MAX: usize = 20;

endpoints! {
    /// List the reports of all accounts, newest first.
    GET "/moderation/reports" by Moderator => OK ReportPage, fails [NotFound];
    ListModerationReports {
        /// Only those in this state.
        status: Option<ReportStatus>,
        /// Only those with this reason.
        reason: Option<ReportReason>,
        /// Only those about this kind of thing.
        subject_type: Option<SubjectType>,
        /// Only those this moderator works on: username or user id.
        assignee: Option<Handle>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read a report.
    GET "/moderation/reports/{reportId}" by Moderator => OK ReportEnvelope;
    GetModerationReport {
        /// The report.
        report_id: ReportId,
    }

    /// Take an open report, or give it to another moderator.
    POST "/moderation/reports/{reportId}/assign" by Moderator => OK ReportEnvelope,
        fails [WrongState];
    AssignReport {
        /// The report.
        report_id: ReportId,
        /// Who works on it: username or user id of a moderator; oneself when left out.
        username: Option<Handle>,
    }

    /// End an open report. What is to be done is an action of its own.
    POST "/moderation/reports/{reportId}/resolve" by Moderator => OK ReportEnvelope,
        fails [CredentialInContent, WrongState];
    ResolveReport {
        /// The report.
        report_id: ReportId,
        /// Whether something was done.
        outcome: ReportOutcome,
        /// For other moderators.
        note: Option<ReportNote>,
    }

    /// Open a report again.
    POST "/moderation/reports/{reportId}/reopen" by Moderator => OK ReportEnvelope,
        fails [CredentialInContent, WrongState];
    ReopenReport {
        /// The report.
        report_id: ReportId,
        /// For other moderators.
        note: Option<ReportNote>,
    }

    /// Act on an account, a post, a message, a channel or a service.
    ///
    /// On posts: `hide`, `restore`, `remove`, `label`, `unlabel`. On messages that were reported:
    /// `hide`, `restore`, `remove`. On accounts: `warn`, `limit`, `unlimit`, `suspend`,
    /// `unsuspend`. On services and channels: `remove`. What has the same or a higher role, or
    /// belongs to such an account, is left alone. With `expiresIn` the effect ends by itself; the
    /// same act again replaces that. The owner of the subject is told.
    POST "/moderation/actions" by Moderator => CREATED ModerationActionEnvelope,
        fails [NotFound, CredentialInContent, WrongState];
    CreateModerationAction {
        /// What it is about.
        subject: Subject,
        /// What is done.
        #[serde(rename = "type")]
        kind: ModerationActionType,
        /// Why; the owner of the subject reads it.
        reason: Text<1, 2000>,
        /// The label, for `label` and `unlabel`: 1 to 32 of a-z, 0-9, _ and -.
        #[schemars(extend("pattern" = LABEL_PATTERN))]
        label: Option<Text<1, 32>>,
        /// For `hide`, `label`, `limit` and `suspend`: how long, 1m to 90d; for good when left out.
        expires_in: Option<Span>,
        /// The report that led to it, which stays as it is.
        report_id: Option<ReportId>,
    }

    /// List what moderators did, newest first.
    GET "/moderation/actions" by Moderator => OK ModerationActionPage, fails [NotFound];
    ListModerationActions {
        /// Only on this kind of thing.
        subject_type: Option<SubjectType>,
        /// Only on the subject with this id.
        subject_id: Option<Text<1, 64>>,
        /// Only by this moderator: username or user id.
        actor: Option<Handle>,
        /// Only acts of this kind.
        #[serde(rename = "type")]
        kind: Option<ModerationActionType>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Set what an account may do, its subscription, and what is verified.
    PATCH "/moderation/users/{username}" by Admin => OK UserEnvelope, fails [WrongState];
    UpdateUser {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// What it may do; the last admin stays one.
        role: Option<Role>,
        /// Its subscription.
        tier: Option<Tier>,
        /// Whether its X account is verified.
        x_verified: Option<bool>,
        /// Whether its Google account is verified.
        google_verified: Option<bool>,
    }
}

paged! {
    ListModerationReports: reports of Report;
    ListModerationActions: actions of ModerationAction;
}

words! {
    /// How a report ends.
    ReportOutcome {
        /// Something was done.
        Actioned = "actioned",
        /// Nothing had to be done.
        Dismissed = "dismissed",
    }
}

words! {
    /// What moderators do.
    ModerationActionType {
        /// Show it to its author and moderators only.
        Hide = "hide",
        /// Show again what was hidden.
        Restore = "restore",
        /// Take it away for good.
        Remove = "remove",
        /// Put a label on a post.
        Label = "label",
        /// Take a label off a post.
        Unlabel = "unlabel",
        /// Tell an account, and nothing else.
        Warn = "warn",
        /// Keep an account's posts out of the global feed, search, trends and leaderboard.
        Limit = "limit",
        /// Lift a limit.
        Unlimit = "unlimit",
        /// Let an account only read and finish what is open, and show it to nobody.
        Suspend = "suspend",
        /// Lift a suspension.
        Unsuspend = "unsuspend",
    }
}

impl ModerationActionType {
    /// Whether it can be done to such a subject.
    pub const fn fits(&self, subject: &SubjectType) -> bool {
        match subject {
            SubjectType::Post => matches!(
                self,
                Self::Hide | Self::Restore | Self::Remove | Self::Label | Self::Unlabel
            ),
            SubjectType::Message => matches!(self, Self::Hide | Self::Restore | Self::Remove),
            SubjectType::User => matches!(
                self,
                Self::Warn | Self::Limit | Self::Unlimit | Self::Suspend | Self::Unsuspend
            ),
            SubjectType::Channel | SubjectType::Service => matches!(self, Self::Remove),
            SubjectType::Other(_) => false,
        }
    }

    /// Whether it names a label.
    pub const fn takes_label(&self) -> bool {
        matches!(self, Self::Label | Self::Unlabel)
    }

    /// Whether its effect can end by itself.
    pub const fn can_expire(&self) -> bool {
        matches!(self, Self::Hide | Self::Label | Self::Limit | Self::Suspend)
    }
}

/// What a moderator did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ModerationAction {
    /// The action's id.
    pub id: ActionId,
    /// What it is about.
    pub subject: Subject,
    /// What was done.
    #[serde(rename = "type")]
    pub kind: ModerationActionType,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Why.
    pub reason: String,
    /// The report that led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_id: Option<ReportId>,
    /// Who did it.
    pub actor: UserRef,
    /// When its effect ends, unless another action came in between.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was done.
    pub created_at: Timestamp,
}

/// An action in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ModerationActionEnvelope {
    /// The action.
    pub action: ModerationAction,
}

/// A page of actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ModerationActionPage {
    /// The actions.
    pub actions: Vec<ModerationAction>,
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_act_fits_what_the_contract_names() {
        let of = |subject: SubjectType| {
            let words = ModerationActionType::WORDS.iter().copied();
            words
                .filter(|word| ModerationActionType::from(*word).fits(&subject))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(of(SubjectType::Post), "hide restore remove label unlabel");
        assert_eq!(of(SubjectType::Message), "hide restore remove");
        assert_eq!(of(SubjectType::User), "warn limit unlimit suspend unsuspend");
        assert_eq!(of(SubjectType::Channel), "remove");
        assert_eq!(of(SubjectType::Service), "remove");
        assert_eq!(of(SubjectType::from("galaxy")), "");
    }
}
