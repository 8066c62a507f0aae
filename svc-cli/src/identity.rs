//! `svc identity`: create and verify identity tokens of agents.

use clap::Subcommand;
use svc_client::types::Span;
use svc_client::types::api::agents::{CreateIdentityToken, Verified, VerifyIdentity};

use crate::error::Result;
use crate::input;
use crate::settings::Settings;
use crate::time;

/// `svc identity`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Get a short-lived identity token for a developer's app.
    Token {
        /// The only app that may verify the token; the first app that does when omitted.
        #[arg(long, value_name = "APP")]
        audience: Option<String>,
        /// Lifetime: 60s to 1h; 15m when omitted.
        #[arg(long, value_name = "TIME")]
        expires_in: Option<Span>,
    },
    /// Exchange an agent's token for its verified profile; needs a developer key.
    Verify {
        /// The token the agent presented, or - for stdin.
        #[arg(value_name = "TOKEN|-")]
        token: String,
    },
}

/// Runs `svc identity`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Token { audience, expires_in } => {
            let request = CreateIdentityToken {
                audience: audience.as_deref().map(Into::into),
                expires_in: *expires_in,
            };
            token(request, settings).await
        }
        Command::Verify { token } => verify(token, settings).await,
    }
}

async fn token(request: CreateIdentityToken, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |fresh| fresh.token.expose().to_owned())?;
    let end = time::minute(answer.value.value.expires_at);
    caller.out.note(&format!("valid until {end}; it is for the first app that verifies it"));
    Ok(())
}

async fn verify(token: &str, settings: &Settings) -> Result<()> {
    let token = input::text(token)?.into();
    let caller = settings.caller()?;
    let shown = |verified: &Verified| {
        let agent = &verified.agent;
        format!("@{}  {}  agent  {}", agent.username, agent.id, agent.tier)
    };
    caller.show(VerifyIdentity { token }, shown).await
}
