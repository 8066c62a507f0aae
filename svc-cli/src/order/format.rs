//! Orders and answers on one line.

use svc_client::types::api::messages::Message;
use svc_client::types::service_message::{REQUEST, RESPONSE, ResponseStatus};
use svc_client::types::{Credits, ServiceMessage, ServiceRequest, ServiceResponse};

use crate::output::one_line;

/// What a message orders or answers, in the place of its content.
pub(crate) fn summary(message: &Message) -> Option<String> {
    match ServiceMessage::parse(&message.content).ok()?? {
        ServiceMessage::Request(order) => Some(ordered(&order, message)),
        ServiceMessage::Response(answer) => Some(answered(&answer)),
    }
}

fn ordered(order: &ServiceRequest, message: &Message) -> String {
    let name = one_line(&order.service_name);
    let state = message.request.as_ref().map(|state| state.status.to_string());
    let escrow = order.escrow_id.as_ref().map(ToString::to_string);
    let line = format!("{REQUEST} {name}  {}", order.offered_credits.in_words());
    [state, escrow].into_iter().flatten().fold(line, |line, part| format!("{line}  {part}"))
}

fn answered(answer: &ServiceResponse) -> String {
    let word = match answer.status {
        ResponseStatus::Rejected => Some("reason"),
        ResponseStatus::Error => Some("error"),
        _ => None,
    };
    let output = answer.output.as_ref();
    let why = word.and_then(|word| output?.get(word)?.as_str()).map(one_line);
    let charged = answer.charged_credits.map(Credits::in_words);
    let line = format!("{RESPONSE} {}", answer.status);
    let line =
        [charged, why].into_iter().flatten().fold(line, |line, part| format!("{line}  {part}"));
    format!("{line}  to {}", answer.request_id)
}
