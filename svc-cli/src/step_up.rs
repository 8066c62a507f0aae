//! `svc step-up`: confirms who it is, before something that secures or ends the account.

use clap::Args;
use svc_client::types::api::auth::StepUp;

use crate::error::Result;
use crate::login::secret;
use crate::settings::Settings;
use crate::time;

/// Flags of `svc step-up`.
#[derive(Clone, Debug, Args)]
pub(crate) struct StepUpFlags {
    /// Confirm with a code of the authenticator app, or a recovery code, instead of the password.
    #[arg(long, value_name = "CODE", conflicts_with = "password_stdin")]
    code: Option<String>,
    /// Read the password from stdin instead of asking for it.
    #[arg(long)]
    password_stdin: bool,
}

/// Confirms the key or session of the profile.
pub(crate) async fn step_up(flags: &StepUpFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let password = if flags.code.is_some() {
        None
    } else {
        let instead = "give the password to stdin with --password-stdin, or use --code";
        Some(secret(settings, flags.password_stdin, "password", instead)?)
    };
    let request = StepUp {
        password: password.map(Into::into),
        code: flags.code.as_deref().map(Into::into),
        ceremony_id: None,
        credential: None,
    };
    let Some(answer) = caller.send(request).await? else { return Ok(()) };
    caller
        .out
        .answer(&answer.value, |answer| format!("confirmed until {}", time::minute(answer.until)))
}
