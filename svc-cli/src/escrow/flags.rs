//! The commands of `svc escrow`.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::api::escrow::DisputeOutcome;
use svc_client::types::{EscrowId, PositiveCredits, Rating, Span};

use super::Escrows;
use crate::discover::Wanted;
use crate::endpoint_command::Commands;
use crate::help;
use crate::input::{positive_credits, rating};

/// `svc escrow`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Endpoint(Commands<Escrows>),
    /// Create an escrow; its credits are held if your balance suffices.
    #[command(after_help = help::MOVES_CREDITS)]
    Create(CreateFlags),
    /// Create an escrow for each milestone of a large task, all funded or none.
    #[command(after_help = help::MOVES_CREDITS)]
    Plan(PlanFlags),
    /// Fund an escrow that was created without enough credits.
    #[command(after_help = help::MOVES_CREDITS)]
    Fund {
        /// Id of the escrow: `esc_…`.
        id: String,
    },
    /// Deliver the work, or deliver it again.
    Deliver(DeliverFlags),
    /// Accept the work and pay the provider.
    #[command(after_help = help::MOVES_CREDITS)]
    Release(ReleaseFlags),
    /// Dispute the delivered work; a moderator mediates, and all deadlines stop.
    #[command(after_help = help::ASKS)]
    Dispute {
        /// Id of the escrow: `esc_…`.
        id: String,
        /// Reason for the dispute, or - for stdin.
        #[arg(long, value_name = "TEXT|-")]
        reason: String,
        /// Evidence: JSON, @FILE, or - for stdin.
        #[arg(long, value_name = "JSON")]
        evidence: Option<String>,
    },
    /// Refund the buyer after the delivery.
    #[command(after_help = help::MOVES_CREDITS)]
    Refund {
        /// Id of the escrow: `esc_…`.
        id: String,
        /// Reason for the refund.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Resolve a dispute; for moderators.
    #[command(after_help = help::MOVES_CREDITS)]
    Resolve {
        /// Id of the escrow: `esc_…`.
        id: String,
        /// Who gets the credits: release for the provider, refund for the buyer, split for both.
        #[arg(value_name = "OUTCOME", value_parser = PossibleValuesParser::new(DisputeOutcome::WORDS))]
        outcome: String,
        /// What the provider receives, with split.
        #[arg(
            long,
            value_name = "CREDITS",
            value_parser = positive_credits,
            allow_negative_numbers = true,
            required_if_eq("outcome", "split")
        )]
        provider_amount: Option<PositiveCredits>,
        /// Explanation for both parties.
        #[arg(long, value_name = "TEXT")]
        note: String,
    },
}

/// Flags of `svc escrow create`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CreateFlags {
    /// A bot and its service, by name or id.
    #[arg(value_name = "USER/SERVICE")]
    pub(super) what: Wanted,
    /// Description of the task, or - for stdin.
    #[arg(long, value_name = "TEXT|-")]
    pub(super) description: String,
    /// Amount in credits; the price of the service when omitted.
    #[arg(long, value_name = "CREDITS", value_parser = positive_credits, allow_negative_numbers = true)]
    pub(super) amount: Option<PositiveCredits>,
    /// Time for the delivery: 1m to 90d; 7d when omitted.
    #[arg(long, value_name = "TIME")]
    pub(super) expires_in: Option<Span>,
}

/// Flags of `svc escrow plan`.
#[derive(Clone, Debug, Args)]
pub(crate) struct PlanFlags {
    /// A bot and its service, by name or id.
    #[arg(value_name = "USER/SERVICE")]
    pub(super) what: Wanted,
    /// The 2 to 20 milestones, each with amount, description and, if not 7d, expiresIn: JSON, @FILE, or -
    /// for stdin.
    #[arg(long, value_name = "JSON")]
    pub(super) milestones: String,
}

/// Flags of `svc escrow deliver`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DeliverFlags {
    /// Id of the escrow: `esc_…`.
    pub(super) id: String,
    /// The whole deliverable: JSON with a type, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["kind", "repository", "branch", "checksum"])]
    pub(super) deliverable: Option<String>,
    /// Type of the deliverable; code when omitted.
    #[arg(long = "type", value_name = "NAME")]
    pub(super) kind: Option<String>,
    /// URL of the repository.
    #[arg(long, value_name = "URL")]
    pub(super) repository: Option<String>,
    /// The branch.
    #[arg(long, value_name = "NAME")]
    pub(super) branch: Option<String>,
    /// SHA-256 of the work, as sha256: and 64 hexadecimal digits.
    #[arg(long, value_name = "CHECKSUM")]
    pub(super) checksum: Option<String>,
    /// Notes for the buyer.
    #[arg(long, value_name = "TEXT")]
    pub(super) notes: Option<String>,
}

/// Flags of `svc escrow release`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReleaseFlags {
    /// Id of the escrow: `esc_…`.
    pub(super) id: String,
    /// Rating of the work, 1 to 5 in half steps; it counts for the service.
    #[arg(long, value_name = "DECIMAL", value_parser = rating)]
    pub(super) rating: Option<Rating>,
    /// Feedback in words.
    #[arg(long, value_name = "TEXT")]
    pub(super) feedback: Option<String>,
    /// The version of the delivery that you accept; others are refused.
    #[arg(long, value_name = "NUMBER")]
    pub(super) deliverable_version: Option<u32>,
}

impl Command {
    /// The escrow it is about, if there is one already.
    pub(super) fn id(&self) -> Option<EscrowId> {
        let id = match self {
            Self::Endpoint(_) | Self::Create(_) | Self::Plan(_) => return None,
            Self::Deliver(flags) => &flags.id,
            Self::Release(flags) => &flags.id,
            Self::Fund { id }
            | Self::Dispute { id, .. }
            | Self::Refund { id, .. }
            | Self::Resolve { id, .. } => id,
        };
        Some(id.as_str().into())
    }
}
