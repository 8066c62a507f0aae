//! `svc webhooks`: addresses that are told what happens.

mod verify;

use clap::Subcommand;

use crate::error::Result;
use crate::settings::Settings;

/// `svc webhooks`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Tell why the signature of a request fits, or does not.
    Verify(verify::VerifyFlags),
}

/// Runs `svc webhooks`.
pub(crate) fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Verify(flags) => verify::run(flags, settings),
    }
}
