//! Moderation: the report queue, actions of moderators, settings of admins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reports::{
    Report, ReportEnvelope, ReportPage, ReportReason, ReportStatus, Subject, SubjectType,
};
use super::users::{Role, TierSetting, UserEnvelope, UserRef};
use crate::endpoints;
use crate::id::{ActionId, ReportId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::{Span, Timestamp};
use crate::username::Handle;

/// Note of a moderator on a report.
pub type ReportNote = Text<0, 2000>;

/// Pattern of a label.
const LABEL_PATTERN: &str = "^[a-z0-9_-]{1,32}$";

/// Maximum number of labels per post.
pub const LABELS_MAX: usize = 20;

endpoints! {
    /// List the reports of all accounts, newest first.
    GET "/moderation/reports" as moderation.reports by Moderator scope Moderate
        => OK ReportPage, fails [NotFound];
    ListModerationReports {
        /// Only reports in this state.
        status: Option<ReportStatus>,
        /// Only reports with this reason.
        reason: Option<ReportReason>,
        /// Only reports about this type of subject.
        subject_type: Option<SubjectType>,
        /// Only reports assigned to this moderator: username or user id.
        assignee: Option<Handle>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a report.
    GET "/moderation/reports/{reportId}" as moderation.report by Moderator scope Moderate
        => OK ReportEnvelope;
    GetModerationReport {
        /// Id of the report: `rpt_…`.
        report_id: ReportId,
    }

    /// Assign an open report to yourself or another moderator.
    POST "/moderation/reports/{reportId}/assign" as moderation.assign
        by Moderator scope Moderate cost Free
        => OK ReportEnvelope,
        fails [WrongState];
    AssignReport {
        /// Id of the report: `rpt_…`.
        report_id: ReportId,
        /// The assignee: username or user id of a moderator; you when omitted.
        username: Option<Handle>,
    }

    /// Close an open report.
    ///
    /// Closing takes no action; use the actions endpoint for that.
    POST "/moderation/reports/{reportId}/resolve" as moderation.resolve
        by Moderator scope Moderate cost Free
        => OK ReportEnvelope,
        fails [CredentialInContent, WrongState];
    ResolveReport {
        /// Id of the report: `rpt_…`.
        report_id: ReportId,
        /// Whether action was taken.
        outcome: ReportOutcome,
        /// Note for other moderators.
        note: Option<ReportNote>,
    }

    /// Reopen a report.
    POST "/moderation/reports/{reportId}/reopen" as moderation.reopen
        by Moderator scope Moderate cost Free
        => OK ReportEnvelope,
        fails [CredentialInContent, WrongState];
    ReopenReport {
        /// Id of the report: `rpt_…`.
        report_id: ReportId,
        /// Note for other moderators.
        note: Option<ReportNote>,
    }

    /// Act on an account, a post, a message, a channel, a service or a review.
    ///
    /// On posts: `hide`, `restore`, `remove`, `label`, `unlabel`. On direct messages that were reported
    /// or sent to you: `hide`, `restore`, `remove`. On accounts: `warn`, `limit`, `unlimit`, `suspend`,
    /// `unsuspend`. On services, channels, reviews, and channel messages that were reported or that you
    /// can read: `remove`. Accounts with the same or a higher role, and their content, are protected.
    /// With `expiresIn` the effect ends automatically; repeating the action replaces the end. The owner
    /// of the subject is notified, unless neither the effect nor its end changes.
    POST "/moderation/actions" as moderation.act by Moderator scope Moderate cost Free
        => CREATED ModerationActionEnvelope,
        fails [NotFound, CredentialInContent, WrongState];
    CreateModerationAction {
        /// What the action is about.
        subject: Subject,
        /// The action.
        #[serde(rename = "type")]
        kind: ModerationActionType,
        /// Reason, shown to the owner of the subject.
        reason: Text<1, 2000>,
        /// The label, for `label` and `unlabel`: 1–32 characters of a-z, 0-9, _ and -.
        #[schemars(extend("pattern" = LABEL_PATTERN))]
        label: Option<Text<1, 32>>,
        /// Duration of `hide`, `label`, `limit` and `suspend`: 1m to 90d; permanent when omitted.
        expires_in: Option<Span>,
        /// The report that led to the action; its status does not change.
        report_id: Option<ReportId>,
    }

    /// List actions of moderators, newest first.
    GET "/moderation/actions" as moderation.actions by Moderator scope Moderate
        => OK ModerationActionPage, fails [NotFound];
    ListModerationActions {
        /// Only actions on this type of subject.
        subject_type: Option<SubjectType>,
        /// Only actions on the subject with this id.
        subject_id: Option<Text<1, 64>>,
        /// Only actions by this moderator: username or user id.
        actor: Option<Handle>,
        /// Only actions of this type.
        #[serde(rename = "type")]
        kind: Option<ModerationActionType>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Set role, tier and verifications of an account.
    PATCH "/moderation/users/{username}" as moderation.update_user by Admin scope Moderate cost Free
        => OK UserEnvelope, fails [WrongState];
    UpdateUser {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// The role. The last admin keeps it.
        role: Option<Role>,
        /// The tier, whatever is paid for; `auto` leaves it to what is paid.
        tier: Option<TierSetting>,
        /// Whether the X account is verified.
        x_verified: Option<bool>,
        /// Whether the Google account is verified.
        google_verified: Option<bool>,
    }
}

paged! {
    ListModerationReports: reports of Report;
    ListModerationActions: actions of ModerationAction;
}

words! {
    /// Outcome of a report.
    ReportOutcome {
        /// A moderator took action.
        Actioned = "actioned",
        /// No action was necessary.
        Dismissed = "dismissed",
    }
}

words! {
    /// Action of a moderator.
    ModerationActionType {
        /// Show it only to its author and to moderators.
        Hide = "hide",
        /// Show hidden content again.
        Restore = "restore",
        /// Remove it permanently.
        Remove = "remove",
        /// Add a label to a post.
        Label = "label",
        /// Remove a label from a post.
        Unlabel = "unlabel",
        /// Notify an account without further effect.
        Warn = "warn",
        /// Exclude an account's posts from global feed, search, trends and leaderboard.
        Limit = "limit",
        /// Lift a limit.
        Unlimit = "unlimit",
        /// Hide an account and restrict it to reading and finishing open orders.
        Suspend = "suspend",
        /// Lift a suspension.
        Unsuspend = "unsuspend",
    }
}

impl ModerationActionType {
    /// Whether the action applies to this type of subject.
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
            SubjectType::Channel
            | SubjectType::ChannelMessage
            | SubjectType::Service
            | SubjectType::Review => matches!(self, Self::Remove),
            SubjectType::Other(_) => false,
        }
    }

    /// Whether the action needs a label.
    pub const fn takes_label(&self) -> bool {
        matches!(self, Self::Label | Self::Unlabel)
    }

    /// Whether the effect of the action can expire.
    pub const fn can_expire(&self) -> bool {
        matches!(self, Self::Hide | Self::Label | Self::Limit | Self::Suspend)
    }
}

/// An action of a moderator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ModerationAction {
    /// The action's id.
    pub id: ActionId,
    /// The subject of the action.
    pub subject: Subject,
    /// Type of the action.
    #[serde(rename = "type")]
    pub kind: ModerationActionType,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The reason.
    pub reason: String,
    /// The report that led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_id: Option<ReportId>,
    /// The moderator.
    pub actor: UserRef,
    /// When the effect ends, unless another action changes it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When the action was taken.
    pub created_at: Timestamp,
}

/// Response with an action.
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
    /// Whether no action on the subject is possible any more: it was deleted or removed, or is none that
    /// you know of. Present with `subjectType` and `subjectId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject_gone: Option<bool>,
    /// Cursor of the next page; absent on the last page.
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
        assert_eq!(of(SubjectType::ChannelMessage), "remove");
        assert_eq!(of(SubjectType::Service), "remove");
        assert_eq!(of(SubjectType::Review), "remove");
        assert_eq!(of(SubjectType::from("galaxy")), "");
    }
}
