//! `svc webhooks`: manage webhooks and verify signatures.

mod manage;
mod rows;
mod verify;

use clap::Subcommand;

use crate::error::Result;
use crate::settings::Settings;

/// `svc webhooks`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Manage(manage::Command),
    /// Verify the signature of a request, and explain why it fails.
    Verify(verify::VerifyFlags),
}

/// Runs `svc webhooks`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Manage(command) => manage::run(command, settings).await,
        Command::Verify(flags) => verify::run(flags, settings),
    }
}
