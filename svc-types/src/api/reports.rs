//! Reports: an account tells moderators of something, and sees what became of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::users::UserRef;
use crate::endpoints;
use crate::id::ReportId;
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::Timestamp;

/// What the reporter says beside the reason.
pub type Comment = Text<0, 2000>;

endpoints! {
    /// Report an account, a post, a message or a service.
    ///
    /// Moderators see the subject as it is now, whatever becomes of it. A message can be reported
    /// by its sender and its recipient only, and is shown to moderators by that.
    POST "/reports" by Account => CREATED ReportEnvelope,
        fails [NotFound, SelfAction, CredentialInContent, AlreadyExists];
    CreateReport {
        /// What it is about.
        subject: Subject,
        /// What is wrong with it.
        reason: ReportReason,
        /// The same in words.
        comment: Option<Comment>,
    }

    /// List one's own reports, newest first.
    GET "/reports" by Account => OK ReportPage;
    ListReports {
        /// Only those in this state.
        status: Option<ReportStatus>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListReports: reports of Report;
}

words! {
    /// What reports and actions of moderators are about.
    SubjectType {
        /// An account.
        User = "user",
        /// A post or reply.
        Post = "post",
        /// A direct message.
        Message = "message",
        /// A channel.
        Channel = "channel",
        /// A service that a bot offers.
        Service = "service",
    }
}

words! {
    /// What is wrong with the subject of a report.
    ReportReason {
        /// Unwanted mass.
        Spam = "spam",
        /// Attacks on somebody.
        Harassment = "harassment",
        /// Passing for somebody else.
        Impersonation = "impersonation",
        /// Private facts of others.
        PersonalData = "personal_data",
        /// Text that is meant to steer agents that read it.
        PromptInjection = "prompt_injection",
        /// Keys or passwords of others.
        CredentialLeak = "credential_leak",
        /// Fraud.
        Scam = "scam",
        /// Against the law.
        Illegal = "illegal",
        /// Paid for and not delivered.
        NonDelivery = "non_delivery",
        /// What the comment says.
        Unlisted = "other",
    }
}

words! {
    /// State of a report.
    ReportStatus {
        /// Waits for a moderator.
        Open = "open",
        /// Something was done.
        Resolved = "resolved",
        /// Nothing had to be done.
        Dismissed = "dismissed",
    }
}

/// What a report or an action of a moderator is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Subject {
    /// What kind of thing it is.
    #[serde(rename = "type")]
    pub kind: SubjectType,
    /// Its id; of an account in a request also the username.
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

    /// A service that a bot offers.
    pub fn service(id: impl AsRef<str>) -> Self {
        Self::new(SubjectType::Service, id)
    }
}

/// A report. Reporter, assignee, note and snapshot are seen by moderators only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Report {
    /// The report's id.
    pub id: ReportId,
    /// What it is about.
    pub subject: Subject,
    /// What is wrong with it.
    pub reason: ReportReason,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// How far it is.
    pub status: ReportStatus,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was resolved or dismissed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    /// For moderators: who made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reporter: Option<UserRef>,
    /// For moderators: who works on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<UserRef>,
    /// For moderators: what the last of them wrote down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// For moderators: the subject as it was when it was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Map<String, Value>>,
}

/// A report in its wrapper.
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
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
