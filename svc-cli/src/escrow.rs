//! `svc escrow`: credits held until the work is accepted.
//!
//! `flags` has the commands, `act` and `plan` those that ask with the amount, `format` how escrows print.

mod act;
mod flags;
mod format;
mod plan;

use svc_client::types::EscrowId;
use svc_client::types::api::escrow::{
    AcceptSplit, CancelEscrow, DeclineEscrow, EscrowEnvelope, ExtendEscrow, GetEscrow,
    GetEscrowAttestation, ListEscrowEvents, ListEscrows, OfferSplit, RespondToDispute,
};

use crate::endpoint_command::{EndpointCommand, Given, Table, command, page};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::list;
use crate::settings::Settings;

pub(crate) use self::flags::Command;

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Escrows;

impl Table for Escrows {
    fn commands() -> Vec<EndpointCommand> {
        let commands = [
            page::<ListEscrows>("svc escrow list", |escrows, _| {
                list::rows(escrows.iter().map(format::row), "no escrows")
            })
            .flag("counterparty", "with")
            .flag("planId", "plan"),
            command::<GetEscrow>("svc escrow show", |answer, _| format::whole(&answer.escrow)),
            page::<ListEscrowEvents>("svc escrow events", |events, _| {
                list::rows(events.iter().map(format::event), "no events")
            }),
            command::<GetEscrowAttestation>("svc escrow attestation", |answer, _| {
                answer.attestation.clone()
            }),
            command::<RespondToDispute>("svc escrow respond", row).flag("response", "response"),
            command::<DeclineEscrow>("svc escrow decline", row),
            command::<CancelEscrow>("svc escrow cancel", row),
            command::<ExtendEscrow>("svc escrow extend", row),
            command::<OfferSplit>("svc escrow split", row),
            command::<AcceptSplit>("svc escrow accept-split", row)
                .ask(|caller, given| Box::pin(act::splits(caller, given))),
        ];
        let explain = |error: Box<Error>, given: &Given<'_>| {
            let id = Some(given.text("escrowId")).filter(|id| !id.is_empty());
            explained(error, id.map(EscrowId::from))
        };
        commands.into_iter().map(|command| command.explain(explain)).collect()
    }
}

fn row(answer: &EscrowEnvelope, _: &Given<'_>) -> String {
    format::row(&answer.escrow)
}

/// Runs `svc escrow`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = || settings.caller();
    let done = match command {
        Command::Endpoint(command) => return command.run(settings).await,
        Command::Create(flags) => act::create(flags, &caller()?, settings).await,
        Command::Plan(flags) => plan::create(flags, &caller()?, settings).await,
        Command::Fund { id } => act::fund(id.as_str().into(), &caller()?, settings).await,
        Command::Deliver(flags) => act::deliver(flags, &caller()?).await,
        Command::Release(flags) => act::release(flags, &caller()?).await,
        Command::Dispute { id, reason, evidence } => {
            act::dispute(id.as_str().into(), reason, evidence.as_deref(), &caller()?).await
        }
        Command::Refund { id, reason } => {
            act::refund(id.as_str().into(), reason.as_deref(), &caller()?).await
        }
        Command::Resolve { id, outcome, provider_amount, note } => {
            let id = id.as_str().into();
            act::resolve(id, outcome, *provider_amount, note, &caller()?).await
        }
    };
    done.map_err(|error| explained(error, command.id()))
}

/// Names the missing escrow, or the state that is wrong.
fn explained(mut error: Box<Error>, id: Option<EscrowId>) -> Box<Error> {
    let Some(id) = id else {
        return error;
    };
    match (&error.exit, error.code.as_str()) {
        (Exit::NotFound, "not_found") => {
            error.message = format!("no such escrow: {id}");
            error.hint("svc escrow list")
        }
        (Exit::Conflict, "wrong_state") => {
            error.with_state("escrow").hint(format!("svc escrow show {id}"))
        }
        _ => error,
    }
}
