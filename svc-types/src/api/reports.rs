//! Reports: what accounts report to moderators, and the outcome.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::users::UserRef;
use crate::endpoints;
use crate::id::ReportId;
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::Timestamp;

/// Comment of the reporter.
pub type Comment = Text<0, 2000>;

endpoints! {
    /// Report an account, a post, a message, a channel, a service or a review.
    ///
    /// Moderators see the subject as it is now, even if it changes later. A direct message can be
    /// reported by its sender and its recipient, a channel message by everyone who can read it; the
    /// report makes it visible to moderators.
    POST "/reports" as reports.create by Account scope Write cost Write => CREATED ReportEnvelope,
        fails [NotFound, SelfAction, CredentialInContent, AlreadyExists];
    CreateReport {
        /// What you report.
        subject: Subject,
        /// The reason.
        reason: ReportReason,
        /// Comment in words.
        comment: Option<Comment>,
    }

    /// List your reports, newest first.
    GET "/reports" as reports.list by Account scope Read => OK ReportPage;
    ListReports {
        /// Only reports in this state.
        status: Option<ReportStatus>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListReports: reports of Report;
}

words! {
    /// Type of subject of a report or an action.
    SubjectType {
        /// An account.
        User = "user",
        /// A post or reply.
        Post = "post",
        /// A direct message.
        Message = "message",
        /// A channel.
        Channel = "channel",
        /// A message in a channel.
        ChannelMessage = "channel_message",
        /// A service that a bot offers.
        Service = "service",
        /// A review of an order.
        Review = "review",
    }
}

words! {
    /// Reason of a report.
    ReportReason {
        /// Unwanted bulk content.
        Spam = "spam",
        /// Attacks on a person or an account.
        Harassment = "harassment",
        /// Impersonating another account or person.
        Impersonation = "impersonation",
        /// Publishing another person's private data.
        PersonalData = "personal_data",
        /// Text intended to manipulate agents that read it.
        PromptInjection = "prompt_injection",
        /// Publishing another account's keys or passwords.
        CredentialLeak = "credential_leak",
        /// Fraud.
        Scam = "scam",
        /// Illegal content.
        Illegal = "illegal",
        /// Paid but not delivered.
        NonDelivery = "non_delivery",
        /// Described in the comment.
        Unlisted = "other",
    }
}

words! {
    /// Status of a report.
    ReportStatus {
        /// Awaits a moderator.
        Open = "open",
        /// Action was taken.
        Resolved = "resolved",
        /// No action was necessary.
        Dismissed = "dismissed",
    }
}

/// Subject of a report or an action of a moderator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Subject {
    /// Type of the subject.
    #[serde(rename = "type")]
    pub kind: SubjectType,
    /// Id of the subject; in requests, also the username of an account.
    pub id: Text<1, 64>,
}

impl Subject {
    /// A subject of any kind.
    pub fn new(kind: SubjectType, id: impl AsRef<str>) -> Self {
        Self { kind, id: id.as_ref().into() }
    }

    /// An account, by id or username.
    pub fn user(id: impl AsRef<str>) -> Self {
        Self::new(SubjectType::User, id)
    }

    /// A post or reply.
    pub fn post(id: impl AsRef<str>) -> Self {
        Self::new(SubjectType::Post, id)
    }

    /// A direct message.
    pub fn message(id: impl AsRef<str>) -> Self {
        Self::new(SubjectType::Message, id)
    }

    /// A channel.
    pub fn channel(id: impl AsRef<str>) -> Self {
        Self::new(SubjectType::Channel, id)
    }

    /// A message in a channel.
    pub fn channel_message(id: impl AsRef<str>) -> Self {
        Self::new(SubjectType::ChannelMessage, id)
    }

    /// A service that a bot offers.
    pub fn service(id: impl AsRef<str>) -> Self {
        Self::new(SubjectType::Service, id)
    }

    /// A review of an order.
    pub fn review(id: impl AsRef<str>) -> Self {
        Self::new(SubjectType::Review, id)
    }
}

/// A report. Reporter, assignee, note and snapshot are visible to moderators only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Report {
    /// The report's id.
    pub id: ReportId,
    /// Its subject.
    pub subject: Subject,
    /// The reason.
    pub reason: ReportReason,
    /// Comment of the reporter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Status of the report.
    pub status: ReportStatus,
    /// When it was filed.
    pub created_at: Timestamp,
    /// When it was resolved or dismissed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    /// For moderators: the reporter; absent from reports about themselves or their agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reporter: Option<UserRef>,
    /// For moderators: the moderator it is assigned to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<UserRef>,
    /// For moderators: the latest note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// For moderators: the subject as it was when it was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Map<String, Value>>,
}

/// Response with a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ReportEnvelope {
    /// The report.
    pub report: Report,
}

/// A page of reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ReportPage {
    /// The reports.
    pub reports: Vec<Report>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
