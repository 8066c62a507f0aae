//! The commands of `svc moderation`.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::Span;
use svc_client::types::api::moderation::{ModerationActionType, ReportOutcome};
use svc_client::types::api::reports::{ReportReason, ReportStatus, SubjectType};
use svc_client::types::api::users::{Role, Tier};

use crate::help;
use crate::list::Page;

/// `svc moderation`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// List the reports of all accounts, newest first.
    Queue(QueueFlags),
    /// Show a report, and its subject as it was.
    Show {
        /// The report.
        id: String,
    },
    /// Take an open report, or give it to another moderator.
    Assign {
        /// The report.
        id: String,
        /// Who works on it; yourself when left out.
        #[arg(long, value_name = "USER")]
        to: Option<String>,
    },
    /// End an open report; what is to be done is an act of its own.
    Resolve {
        /// The report.
        id: String,
        /// Whether something was done.
        #[arg(value_name = "OUTCOME", value_parser = PossibleValuesParser::new(ReportOutcome::WORDS))]
        outcome: String,
        /// For other moderators.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Open a report again.
    Reopen {
        /// The report.
        id: String,
        /// For other moderators.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Act on an account, a post, a message, a channel or a service.
    #[command(after_help = help::ASKS)]
    Act(ActFlags),
    /// List what moderators did, newest first.
    Actions(ActionsFlags),
    /// Set what an account may do, its subscription, and what is verified; for admins.
    User(UserFlags),
}

/// Flags of `svc moderation queue`.
#[derive(Clone, Debug, Args)]
pub(crate) struct QueueFlags {
    /// Only those in this state.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(ReportStatus::WORDS))]
    pub(super) status: Option<String>,
    /// Only those with this reason.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(ReportReason::WORDS))]
    pub(super) reason: Option<String>,
    /// Only those about this kind of thing.
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(SubjectType::WORDS))]
    pub(super) about: Option<String>,
    /// Only those this moderator works on.
    #[arg(long, value_name = "USER")]
    pub(super) assignee: Option<String>,
    #[command(flatten)]
    pub(super) page: Page,
}

/// Flags of `svc moderation act`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ActFlags {
    /// What is done.
    #[arg(value_parser = PossibleValuesParser::new(ModerationActionType::WORDS))]
    pub(super) act: String,
    /// To what kind of thing.
    #[arg(value_parser = PossibleValuesParser::new(SubjectType::WORDS))]
    pub(super) kind: String,
    /// Its id; of an account also the username.
    pub(super) id: String,
    /// Why, or - for stdin; the owner of the subject reads it.
    #[arg(long, value_name = "TEXT|-")]
    pub(super) reason: String,
    /// The label, for label and unlabel.
    #[arg(long, value_name = "LABEL")]
    pub(super) label: Option<String>,
    /// For how long, 1m to 90d; for good when left out.
    #[arg(long = "for", value_name = "TIME")]
    pub(super) time: Option<Span>,
    /// The report that led to it.
    #[arg(long, value_name = "ID")]
    pub(super) report: Option<String>,
}

/// Flags of `svc moderation actions`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ActionsFlags {
    /// Only on this kind of thing.
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(SubjectType::WORDS))]
    pub(super) about: Option<String>,
    /// Only on the subject with this id.
    #[arg(long, value_name = "ID")]
    pub(super) id: Option<String>,
    /// Only by this moderator.
    #[arg(long, value_name = "USER")]
    pub(super) by: Option<String>,
    /// Only acts of this kind.
    #[arg(long = "type", value_name = "WORD", value_parser = PossibleValuesParser::new(ModerationActionType::WORDS))]
    pub(super) kind: Option<String>,
    #[command(flatten)]
    pub(super) page: Page,
}

/// Flags of `svc moderation user`.
#[derive(Clone, Debug, Args)]
pub(crate) struct UserFlags {
    /// Username or user id.
    #[arg(value_name = "USER")]
    pub(super) name: String,
    /// What it may do; the last admin stays one.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(Role::WORDS))]
    pub(super) role: Option<String>,
    /// Its subscription.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(Tier::WORDS))]
    pub(super) tier: Option<String>,
    /// Whether its X account is verified.
    #[arg(long, value_name = "BOOL")]
    pub(super) x_verified: Option<bool>,
    /// Whether its Google account is verified.
    #[arg(long, value_name = "BOOL")]
    pub(super) google_verified: Option<bool>,
}
