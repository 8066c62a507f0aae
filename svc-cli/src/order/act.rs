//! Commands about one order: shown, worked on, answered, cancelled.

use svc_client::types::api::orders::{
    AnswerOrder, CancelOrder, ExtendOrder, GetOrder, InputOrder, ListOrderPartials, OrderEnvelope,
    ProgressOrder,
};

use super::format;
use crate::endpoint_command::{EndpointCommand, Given, Table, command, page};
use crate::error::Error;
use crate::list;

/// The commands of `svc order`.
#[derive(Clone, Debug)]
pub(crate) struct Acts;

impl Table for Acts {
    fn commands() -> Vec<EndpointCommand> {
        let commands = [
            command::<GetOrder>("svc order show", |answer, _| format::whole(&answer.order)),
            page::<ListOrderPartials>("svc order partials", |partials, _| {
                list::rows(partials.iter().map(format::partial), "no partial results")
            }),
            command::<ProgressOrder>("svc order progress", row).or_in("wantsUntil", "wants-until"),
            answer("svc order answer"),
            command::<InputOrder>("svc order input", row),
            command::<CancelOrder>("svc order cancel", row),
            command::<ExtendOrder>("svc order extend", row),
        ];
        commands.into_iter().map(|command| command.explain(explained)).collect()
    }
}

/// `svc answer`, which is short for `svc order answer`.
#[derive(Clone, Debug)]
pub(crate) struct Answer;

impl Table for Answer {
    fn commands() -> Vec<EndpointCommand> {
        vec![answer("svc answer").explain(explained)]
    }
}

fn answer(line: &'static str) -> EndpointCommand {
    command::<AnswerOrder>(line, row).flag("chargedCredits", "charge")
}

/// Names the state that is wrong, and the command that shows the order.
pub(crate) fn explained(error: Box<Error>, given: &Given<'_>) -> Box<Error> {
    if !["wrong_state", "request_closed"].contains(&error.code.as_str()) {
        return error;
    }
    error.with_state("order").hint(format!("svc order show {}", given.text("orderId")))
}

fn row(answer: &OrderEnvelope, _: &Given<'_>) -> String {
    format::row(&answer.order)
}
