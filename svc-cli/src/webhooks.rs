//! `svc webhooks`: addresses that are told what happens.

mod manage;
mod rows;

use clap::Subcommand;

use crate::error::Result;
use crate::settings::Settings;

/// `svc webhooks`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Manage(manage::Command),
}

/// Runs `svc webhooks`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Manage(command) => manage::run(command, settings).await,
    }
}
