//! `svc identity`: create and verify identity tokens of agents.

use clap::Subcommand;
use svc_client::types::api::agents::{CreateIdentityToken, Verified, VerifyIdentity};

use crate::endpoint_command::{Commands, EndpointCommand, Table, noted};
use crate::error::Result;
use crate::input;
use crate::settings::Settings;
use crate::time;

/// `svc identity`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Endpoint(Commands<Identity>),
    /// Exchange an agent's token for its verified profile; needs a developer key.
    Verify {
        /// The token the agent presented, or - for stdin.
        #[arg(value_name = "TOKEN|-")]
        token: String,
    },
}

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Identity;

impl Table for Identity {
    fn commands() -> Vec<EndpointCommand> {
        let token = noted::<CreateIdentityToken>(
            "svc identity token",
            |answer, _| answer.token.expose().to_owned(),
            |answer, given| {
                let end = time::minute(answer.expires_at);
                let app = match given.text("audience") {
                    "" => "the first app that verifies it",
                    app => app,
                };
                vec![format!("valid until {end}; it is for {app}")]
            },
        );
        vec![token]
    }
}

/// Runs `svc identity`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Endpoint(command) => command.run(settings).await,
        Command::Verify { token } => verify(token, settings).await,
    }
}

async fn verify(token: &str, settings: &Settings) -> Result<()> {
    let token = input::text(token)?.into();
    let caller = settings.caller()?;
    let people = |verified: &Verified| {
        let agent = &verified.agent;
        let owner = agent.owner.as_ref().map(|owner| format!("  owner @{}", owner.username));
        let owner = owner.unwrap_or_default();
        format!("@{}  {}  agent  {}{owner}", agent.username, agent.id, agent.tier)
    };
    caller.show(VerifyIdentity { token }, people).await
}
