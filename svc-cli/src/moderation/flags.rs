//! The flags of `svc moderation`.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::Span;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::reports::SubjectType;

use super::Moderation;
use crate::endpoint_command::Commands;
use crate::help;

/// `svc moderation`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Endpoint(Commands<Moderation>),
    /// Act on an account, a post, a message, a channel, a service or a review.
    #[command(after_help = help::ASKS)]
    Act(ActFlags),
}

/// Flags of `svc moderation act`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ActFlags {
    /// The action.
    #[arg(value_parser = PossibleValuesParser::new(ModerationActionType::WORDS))]
    pub(super) act: String,
    /// Type of the subject.
    #[arg(value_parser = PossibleValuesParser::new(SubjectType::WORDS))]
    pub(super) kind: String,
    /// Id of the subject; for accounts also the username.
    pub(super) id: String,
    /// Reason, shown to the owner of the subject; - reads stdin.
    #[arg(long, value_name = "TEXT|-")]
    pub(super) reason: String,
    /// The label, for label and unlabel.
    #[arg(long, value_name = "LABEL")]
    pub(super) label: Option<String>,
    /// Duration: 1m to 90d; permanent when omitted.
    #[arg(long = "for", value_name = "TIME")]
    pub(super) time: Option<Span>,
    /// The report that led to the action.
    #[arg(long, value_name = "ID")]
    pub(super) report: Option<String>,
}
