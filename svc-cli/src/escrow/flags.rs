//! The commands of `svc escrow`.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::api::escrow::{DisputeOutcome, EscrowRole, EscrowStatus};
use svc_client::types::{EscrowId, PositiveCredits, Rating, Span};

use crate::discover::{Wanted, rating};
use crate::help;
use crate::list::Page;

/// `svc escrow`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// List your escrows, newest first.
    List(ListFlags),
    /// Show an escrow with its work and its dispute.
    Show {
        /// The escrow.
        id: String,
    },
    /// List what happened to an escrow, oldest first.
    Events {
        /// The escrow.
        id: String,
        #[command(flatten)]
        page: Page,
    },
    /// Open an escrow; with enough credits they are held at once.
    #[command(after_help = help::MOVES_CREDITS)]
    Create(CreateFlags),
    /// Pay for an escrow that was opened with too few credits.
    #[command(after_help = help::MOVES_CREDITS)]
    Fund {
        /// The escrow.
        id: String,
    },
    /// Deliver the work, or deliver it again.
    Deliver(DeliverFlags),
    /// Accept the work: the credits go to the provider.
    #[command(after_help = help::MOVES_CREDITS)]
    Release(ReleaseFlags),
    /// Refuse the work; the platform mediates, and every clock stops.
    #[command(after_help = help::ASKS)]
    Dispute {
        /// The escrow.
        id: String,
        /// Why, or - for stdin.
        #[arg(long, value_name = "TEXT|-")]
        reason: String,
        /// What shows it: JSON, @FILE, or - for stdin.
        #[arg(long, value_name = "JSON")]
        evidence: Option<String>,
    },
    /// Answer a dispute.
    Respond {
        /// The escrow.
        id: String,
        /// The provider's side, or - for stdin.
        #[arg(long, value_name = "TEXT|-")]
        response: String,
        /// What shows it: JSON, @FILE, or - for stdin.
        #[arg(long, value_name = "JSON")]
        evidence: Option<String>,
    },
    /// Refuse the work before the delivery.
    Decline {
        /// The escrow.
        id: String,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Give the credits back after the delivery.
    #[command(after_help = help::MOVES_CREDITS)]
    Refund {
        /// The escrow.
        id: String,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Take an order back before the delivery.
    Cancel {
        /// The escrow.
        id: String,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Decide a dispute between others; for moderators.
    #[command(after_help = help::MOVES_CREDITS)]
    Resolve {
        /// The escrow.
        id: String,
        /// Who gets the credits: release for the provider, refund for the buyer.
        #[arg(value_name = "OUTCOME", value_parser = PossibleValuesParser::new(DisputeOutcome::WORDS))]
        outcome: String,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        note: String,
    },
}

/// Flags of `svc escrow list`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ListFlags {
    /// On which side one stands; either when left out.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(EscrowRole::WORDS))]
    pub(super) role: Option<String>,
    /// Only those in this state.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(EscrowStatus::WORDS))]
    pub(super) status: Option<String>,
    /// Only those with this account.
    #[arg(long = "with", value_name = "USER")]
    pub(super) counterparty: Option<String>,
    #[command(flatten)]
    pub(super) page: Page,
}

/// Flags of `svc escrow create`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CreateFlags {
    /// What is to be paid: a bot, and a service of it by name or id.
    #[arg(value_name = "USER/SERVICE")]
    pub(super) what: Wanted,
    /// What is to be done, or - for stdin.
    #[arg(long, value_name = "TEXT|-")]
    pub(super) description: String,
    /// What the work is worth; the service's price when left out.
    #[arg(long, value_name = "CREDITS")]
    pub(super) amount: Option<PositiveCredits>,
    /// Time for the delivery, 1m to 90d; 7d when left out.
    #[arg(long, value_name = "TIME")]
    pub(super) expires_in: Option<Span>,
}

/// Flags of `svc escrow deliver`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DeliverFlags {
    /// The escrow.
    pub(super) id: String,
    /// The whole work: JSON with a type, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["kind", "repository", "branch", "checksum"])]
    pub(super) deliverable: Option<String>,
    /// What the work is; code when left out.
    #[arg(long = "type", value_name = "NAME")]
    pub(super) kind: Option<String>,
    /// Where the work lies.
    #[arg(long, value_name = "URL")]
    pub(super) repository: Option<String>,
    /// The branch.
    #[arg(long, value_name = "NAME")]
    pub(super) branch: Option<String>,
    /// SHA-256 of the work, as sha256: and 64 hexadecimal digits.
    #[arg(long, value_name = "CHECKSUM")]
    pub(super) checksum: Option<String>,
    /// What the buyer should know.
    #[arg(long, value_name = "TEXT")]
    pub(super) notes: Option<String>,
}

/// Flags of `svc escrow release`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReleaseFlags {
    /// The escrow.
    pub(super) id: String,
    /// How good the work is, 1 to 5 in half steps; it counts for the service.
    #[arg(long, value_name = "DECIMAL", value_parser = rating)]
    pub(super) rating: Option<Rating>,
    /// The same in words.
    #[arg(long, value_name = "TEXT")]
    pub(super) feedback: Option<String>,
    /// The delivery that is accepted; another one is refused.
    #[arg(long, value_name = "NUMBER")]
    pub(super) deliverable_version: Option<u32>,
}

impl Command {
    /// The escrow it is about, if there is one already.
    pub(super) fn id(&self) -> Option<EscrowId> {
        let id = match self {
            Self::List(_) | Self::Create(_) => return None,
            Self::Deliver(flags) => &flags.id,
            Self::Release(flags) => &flags.id,
            Self::Show { id }
            | Self::Events { id, .. }
            | Self::Fund { id }
            | Self::Dispute { id, .. }
            | Self::Respond { id, .. }
            | Self::Decline { id, .. }
            | Self::Refund { id, .. }
            | Self::Cancel { id, .. }
            | Self::Resolve { id, .. } => id,
        };
        Some(id.as_str().into())
    }
}
