//! From orders to tasks.

use serde_json::{Value, json};
use svc_core::page::Page;
use svc_types::api::orders::{
    ListOrderPartials, OrderPartial, OrderPartialPage, OrderStatus, PARTIALS_MAX, ServiceOrder,
};
use svc_types::{Limit, Timestamp};

use super::call::Call;
use super::fault::Fault;
use super::types::{Artifact, Message, Object, Part, Role, Task, TaskState, TaskStatus};

/// The state of a task, as an order's status gives it.
pub(super) const fn state(status: &OrderStatus) -> TaskState {
    match status {
        OrderStatus::Open => TaskState::Submitted,
        OrderStatus::Working | OrderStatus::Delivered | OrderStatus::Disputed => TaskState::Working,
        OrderStatus::InputRequired => TaskState::InputRequired,
        OrderStatus::Completed => TaskState::Completed,
        OrderStatus::Rejected => TaskState::Rejected,
        OrderStatus::Error | OrderStatus::Refunded | OrderStatus::Expired => TaskState::Failed,
        OrderStatus::Cancelled => TaskState::Canceled,
        _ => TaskState::Unspecified,
    }
}

/// Whether it waits for its buyer, or has ended.
pub(super) fn is_at_rest(order: &ServiceOrder) -> bool {
    let state = state(&order.status);
    state.is_terminal() || state == TaskState::InputRequired
}

/// The status of an order, with the words of its provider, or of the buyer who cancelled it.
pub(super) fn status(order: &ServiceOrder) -> TaskStatus {
    let (state, parts) = (state(&order.status), status_parts(order));
    let role = if state == TaskState::Canceled { Role::User } else { Role::Agent };
    let id = format!("{}-{}", order.id, order.version);
    let message = (!parts.is_empty()).then(|| message(order, id, role, parts));
    TaskStatus { state, message, timestamp: changed_at(order) }
}

/// When the status was recorded, as far as the order shows it.
pub(super) fn changed_at(order: &ServiceOrder) -> Timestamp {
    let progress = order.progress.as_ref().map(|progress| progress.at);
    let input = order.prompt.as_ref().and_then(|prompt| prompt.input_at);
    order.closed_at.or(progress.max(input)).unwrap_or(order.created_at)
}

/// The words of the side that acted: the provider's question, a reason, or the provider's note.
fn status_parts(order: &ServiceOrder) -> Vec<Part> {
    if let (TaskState::InputRequired, Some(prompt)) = (state(&order.status), &order.prompt) {
        let mut parts = vec![Part::text(&prompt.text)];
        parts.extend(prompt.schema.as_ref().map(|it| Part::data(json!({ "schema": it }))));
        return parts;
    }
    let note = || order.progress.as_ref().and_then(|progress| progress.note.as_ref());
    let text = order.reason.as_ref().or(order.error.as_ref());
    text.or_else(|| note().filter(|_| order.closed_at.is_none()))
        .map(Part::text)
        .into_iter()
        .collect()
}

fn message(order: &ServiceOrder, message_id: String, role: Role, parts: Vec<Part>) -> Message {
    Message {
        message_id,
        context_id: Some(order.conversation_id.to_string()),
        task_id: Some(order.id.to_string()),
        role,
        parts,
        metadata: None,
        extensions: Vec::new(),
    }
}

/// What an order is beside a task: its exact status, its price, its progress.
pub(super) fn metadata(extension: &str, order: &ServiceOrder) -> Object {
    let mut facts = json!({
        "status": order.status,
        "serviceId": order.service_id,
        "offeredCredits": order.offered_credits,
    });
    let percent = order.progress.as_ref().and_then(|progress| progress.percent);
    let optional = [
        ("chargedCredits", order.charged_credits.map(|credits| json!(credits))),
        ("escrowId", order.escrow_id.as_ref().map(|id| json!(id))),
        ("percent", percent.map(|percent| json!(percent))),
        ("expiresAt", order.expires_at.map(|at| json!(at))),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            facts[name] = value;
        }
    }
    Object::from_iter([(extension.to_owned(), facts)])
}

/// The output of an order that is completed.
pub(super) fn output(order: &ServiceOrder) -> Option<Artifact> {
    let output = order.output.clone()?;
    if state(&order.status) != TaskState::Completed {
        return None;
    }
    let parts = vec![Part::data(Value::Object(output))];
    Some(Artifact { artifact_id: "output".to_owned(), name: order.service_name.clone(), parts })
}

/// A partial result.
pub(super) fn partial(partial: OrderPartial) -> Artifact {
    let artifact_id = format!("partial-{}", partial.n);
    Artifact { name: artifact_id.clone(), artifact_id, parts: vec![Part::data(partial.partial)] }
}

/// The latest messages of both sides, at most `most`, oldest first.
fn history(order: &ServiceOrder, most: Option<usize>) -> Vec<Message> {
    let asked = json!({ "serviceId": order.service_id, "input": order.input });
    let id = order.client_order_id.clone().unwrap_or_else(|| order.id.to_string());
    let mut history = vec![message(order, id, Role::User, vec![Part::data(asked)])];
    if let Some(prompt) = &order.prompt {
        let id = |side: &str| format!("{}-{side}-{}", order.id, prompt.id);
        history.push(message(order, id("prompt"), Role::Agent, vec![Part::text(&prompt.text)]));
        let input = prompt.input.clone().map(|input| vec![Part::data(input)]);
        history.extend(input.map(|parts| message(order, id("input"), Role::User, parts)));
    }
    let surplus = most.map_or(0, |most| history.len().saturating_sub(most));
    history.split_off(surplus)
}

/// How many messages of the history a caller wants; `None` for all.
pub(super) fn history_length(asked: Option<i32>) -> Result<Option<usize>, Fault> {
    let length = asked.map(usize::try_from).transpose();
    length.map_err(|_| Fault::invalid("historyLength", "historyLength must be 0 or more"))
}

/// An order as a task, with these results.
pub(super) fn task(
    extension: &str,
    order: &ServiceOrder,
    artifacts: Vec<Artifact>,
    history_length: Option<usize>,
) -> Task {
    Task {
        id: order.id.to_string(),
        context_id: order.conversation_id.to_string(),
        status: status(order),
        artifacts,
        history: history(order, history_length),
        metadata: metadata(extension, order),
    }
}

/// An order as a task, with all its results.
pub(super) async fn whole(
    call: &Call,
    order: &ServiceOrder,
    history_length: Option<usize>,
) -> Result<Task, Fault> {
    let mut artifacts = Vec::new();
    if order.partials_count > 0 {
        let page = partials(call, order, 0, PARTIALS_MAX.unsigned_abs()).await?;
        artifacts.extend(page.partials.into_iter().map(partial));
    }
    artifacts.extend(output(order));
    Ok(task(&call.api.extension(), order, artifacts, history_length))
}

/// Partial results after the one with this number.
pub(super) async fn partials(
    call: &Call,
    order: &ServiceOrder,
    after: i64,
    limit: u64,
) -> Result<OrderPartialPage, Fault> {
    let limit = Limit::from(u32::try_from(limit).unwrap_or(u32::MAX));
    let order_id = order.id.clone();
    let mut request = ListOrderPartials { order_id, limit: Some(limit), cursor: None };
    if after > 0 {
        let page = Page::of(&request, request.limit, None, 1)?;
        request.cursor = Some(page.cursor(&[after.to_string()]));
    }
    Ok(call.api.ask(&request, None).await?)
}
