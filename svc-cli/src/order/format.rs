//! Orders and answers as people read them.

use svc_client::types::api::messages::Message;
use svc_client::types::api::orders::{OrderPartial, OrderProgress, OrderPrompt, ServiceOrder};
use svc_client::types::service_message::{REQUEST, RESPONSE, ResponseStatus};
use svc_client::types::{Credits, ServiceMessage, ServiceRequest, ServiceResponse};

use crate::output::one_line;
use crate::time;

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
    let charged = message.request.as_ref().and_then(|state| state.charged_credits);
    let line = format!("{REQUEST} {name}  {}", charged.unwrap_or(order.offered_credits).in_words());
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

/// An order on one line, with what was charged once that is known.
pub(crate) fn row(order: &ServiceOrder) -> String {
    let percent = order.progress.as_ref().and_then(|progress| progress.percent);
    let percent =
        percent.filter(|_| order.closed_at.is_none()).map(|percent| format!(" {percent} %"));
    format!(
        "{}  {}  @{} to @{}  {}  {}  {}{}",
        order.id,
        time::minute(order.created_at),
        order.buyer.username,
        order.provider.username,
        one_line(&order.service_name),
        order.charged_credits.unwrap_or(order.offered_credits).in_words(),
        order.status,
        percent.unwrap_or_default(),
    )
}

/// An order with its input, its progress and its outcome.
pub(super) fn whole(order: &ServiceOrder) -> String {
    let until = |end| time::minute(end);
    let json = |value: &_| serde_json::to_string(value).unwrap_or_default();
    let lines = [
        Some(format!("service: {}", order.service_id)),
        Some(format!("input: {}", json(&order.input))),
        order.escrow_id.as_ref().map(|escrow| format!("escrow: {escrow}")),
        order.client_order_id.as_ref().map(|id| format!("your id: {}", one_line(id))),
        order.progress.as_ref().map(progress),
        order.prompt.as_ref().map(prompt),
        Some(order.partials_count)
            .filter(|count| *count > 0)
            .map(|count| format!("partial results: {count}")),
        order
            .wants_until
            .filter(|_| order.closed_at.is_none())
            .map(|end| format!("more time wanted: until {}", until(end))),
        order.expires_at.map(|end| format!("answer until: {}", until(end))),
        order.output.as_ref().map(|output| format!("output: {}", json(output))),
        order.reason.as_ref().map(|reason| format!("reason: {}", one_line(reason))),
        order.error.as_ref().map(|error| format!("error: {}", one_line(error))),
        Some(order.offered_credits)
            .filter(|offered| order.charged_credits.is_some_and(|charged| charged != *offered))
            .map(|offered| format!("offered: {}", offered.in_words())),
        order.charged_credits.map(|charged| format!("charged: {}", charged.in_words())),
        order.closed_at.map(|end| format!("ended: {}", until(end))),
    ];
    lines.into_iter().flatten().fold(row(order), |all, line| format!("{all}\n  {line}"))
}

/// A partial result on one line.
pub(super) fn partial(partial: &OrderPartial) -> String {
    format!("{}  {}  {}", partial.n, time::minute(partial.created_at), partial.partial)
}

fn progress(progress: &OrderProgress) -> String {
    let percent = progress.percent.map(|percent| format!("  {percent} %")).unwrap_or_default();
    let note = progress.note.as_deref().map(|note| format!("  {}", one_line(note)));
    format!("progress: {}{percent}{}", time::minute(progress.at), note.unwrap_or_default())
}

fn prompt(prompt: &OrderPrompt) -> String {
    let asked = format!("question {}: {}", prompt.id, one_line(&prompt.text));
    match &prompt.input {
        Some(input) => format!("{asked}  answered: {input}"),
        None => asked,
    }
}
