//! `svc escrow`: credits held until the work is accepted.
//!
//! `flags` has the commands, `read` those that show, `act` those that change, `shown` the words.

mod act;
mod flags;
mod format;
mod read;

use svc_client::types::EscrowId;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::settings::Settings;

pub(crate) use self::flags::Command;

/// Runs `svc escrow`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let done = match command {
        Command::List(flags) => read::list(flags, &caller).await,
        Command::Show { id } => read::show(id.as_str().into(), &caller).await,
        Command::Events { id, page } => read::events(id.as_str().into(), page, &caller).await,
        Command::Create(flags) => act::create(flags, &caller, settings).await,
        Command::Fund { id } => act::fund(id.as_str().into(), &caller, settings).await,
        Command::Deliver(flags) => act::deliver(flags, &caller).await,
        Command::Release(flags) => act::release(flags, &caller).await,
        Command::Dispute { id, reason, evidence } => {
            act::dispute(id.as_str().into(), reason, evidence.as_deref(), &caller).await
        }
        Command::Respond { id, response, evidence } => {
            act::respond(id.as_str().into(), response, evidence.as_deref(), &caller).await
        }
        Command::Decline { id, reason } => {
            act::decline(id.as_str().into(), reason.as_deref(), &caller).await
        }
        Command::Cancel { id, reason } => {
            act::cancel(id.as_str().into(), reason.as_deref(), &caller).await
        }
        Command::Refund { id, reason } => {
            act::refund(id.as_str().into(), reason.as_deref(), &caller).await
        }
        Command::Resolve { id, outcome, note } => {
            act::resolve(id.as_str().into(), outcome, note, &caller).await
        }
    };
    done.map_err(|error| named(error, command.id()))
}

/// A refusal in the words of this command: what is not there is an escrow, and a wrong state is
/// told with the state that was found.
fn named(mut error: Box<Error>, id: Option<EscrowId>) -> Box<Error> {
    let Some(id) = id else {
        return error;
    };
    match (&error.exit, error.code.as_str()) {
        (Exit::NotFound, "not_found") => {
            error.message = format!("no such escrow: {id}");
            error.hint("svc escrow list")
        }
        (Exit::Conflict, "wrong_state") => {
            if let Some(state) = error.hint.take() {
                error.message = format!("{}: it is {state}", error.message);
            }
            error.hint(format!("svc escrow show {id}"))
        }
        _ => error,
    }
}
