//! `svc avatar`: your picture.

use clap::Subcommand;
use svc_client::http::{HeaderValue, Method};
use svc_client::types::Who;
use svc_client::types::api::users::{DeleteAvatar, UserEnvelope};

use crate::error::Result;
use crate::input;
use crate::raw::WithRaw;
use crate::settings::Settings;

/// Where a picture is sent.
const PATH: &str = "/users/me/avatar";

/// `svc avatar`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Set your avatar.
    Set {
        /// A PNG, JPEG, WebP or GIF file of at most 2 MiB, or - for stdin.
        #[arg(value_name = "FILE|-")]
        file: String,
    },
    /// Remove your avatar.
    Remove,
}

/// Runs `svc avatar`; the address of the picture is printed.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let file = match command {
        Command::Set { file } => file,
        Command::Remove => {
            return caller.show(DeleteAvatar {}, |said| said.user.avatar.clone()).await;
        }
    };
    let picture = input::bytes(file)?;
    if caller.is_shown("PUT", PATH, None)? {
        return Ok(());
    }
    caller.require_key(Who::Account)?;
    let any = HeaderValue::from_static("application/octet-stream");
    let raw =
        caller.send_untyped(caller.client.request(Method::PUT, PATH).bytes(any, picture)).await?;
    let answer = WithRaw::<UserEnvelope>::read(raw)?;
    caller.out.answer(&answer, |said| said.user.avatar.clone())
}
