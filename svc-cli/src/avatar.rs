//! `svc avatar`: your picture.

use clap::Subcommand;
use svc_client::http::{HeaderValue, Method};
use svc_client::types::Who;
use svc_client::types::api::users::{AVATAR_BYTES_MAX, DeleteAvatar, UserEnvelope};

use crate::endpoint_command::{Commands, EndpointCommand, Table, command};
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
    #[command(flatten)]
    Endpoint(Commands<Avatar>),
}

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Avatar;

impl Table for Avatar {
    fn commands() -> Vec<EndpointCommand> {
        vec![command::<DeleteAvatar>("svc avatar remove", |answer, _| answer.user.avatar.clone())]
    }
}

/// Runs `svc avatar`; the address of the picture is printed.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let file = match command {
        Command::Set { file } => file,
        Command::Endpoint(command) => return command.run(settings).await,
    };
    let caller = settings.caller()?;
    let picture = input::bytes(file, AVATAR_BYTES_MAX)?;
    if caller.is_shown("PUT", PATH, None)? {
        return Ok(());
    }
    caller.require_key(Who::Account)?;
    let any = HeaderValue::from_static("application/octet-stream");
    let raw =
        caller.send_untyped(caller.client.request(Method::PUT, PATH).bytes(any, picture)).await?;
    let answer = WithRaw::<UserEnvelope>::read(raw)?;
    caller.out.answer(&answer, |answer| answer.user.avatar.clone())
}
