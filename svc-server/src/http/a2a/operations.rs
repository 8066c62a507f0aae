//! What both bindings offer: the operations of the protocol on tasks.

use std::sync::Arc;

use svc_types::api::orders::{CancelOrder, ListOrders, OrderStatus, ServiceOrder, WAIT_MAX};
use svc_types::{Code, Cursor};

use super::bridge::{self, Started};
use super::call::Call;
use super::fault::{Fault, Kind};
use super::flow::{Flow, Opening};
use super::task;
use super::types::{Event, GetTask, ListTasks, NamedTask, SendMessage, Task, TaskPage, TaskState};

/// Tasks of a page when the caller names no size, and most of them (§3.1.4).
const PAGE_SIZE: i32 = 50;
const PAGE_SIZE_MAX: i32 = 100;

/// Most pages of orders that are read for a page of tasks: a filter that orders don't know may skip
/// any number of them.
const PAGES_MAX: usize = 5;

/// What a message opens for a caller that streams.
pub(super) enum Streamed {
    /// One event, which says all.
    Once(Box<Event>),
    /// The updates of an order.
    Flow(Box<Flow>),
}

/// `SendMessage`: answers when the task ends or asks, unless the caller does not wait.
pub(super) async fn send(call: &Call, request: &SendMessage) -> Result<Event, Fault> {
    let configuration = request.configuration.as_ref();
    let length = task::history_length(configuration.and_then(|it| it.history_length))?;
    let returns = configuration.and_then(|it| it.return_immediately).unwrap_or_default();
    let order = match bridge::start(call, request).await? {
        Started::Quote(task) => return Ok(Event::Task(task)),
        Started::Order(order) if returns => *order,
        Started::Order(order) => wait(call, *order).await?,
    };
    Ok(Event::Task(Box::new(task::whole(call, &order, length).await?)))
}

/// The order when it ends or asks, or as it stands after a minute. Like waiting for an order, this is
/// for 20 calls of an account at a time; more are answered at once.
async fn wait(call: &Call, mut order: ServiceOrder) -> Result<ServiceOrder, Fault> {
    let app = Arc::clone(&call.api.app);
    let until = app.clock.now().plus(WAIT_MAX);
    let waits = &app.post_commit.waits;
    let Some(mut wait) = waits.wait(&call.account.id, order.id.as_str(), order.version) else {
        return Ok(order);
    };
    loop {
        order = call.order(order.id.as_str()).await?;
        if task::is_at_rest(&order) {
            return Ok(order);
        }
        tokio::select! {
            () = wait.called() => {}
            () = app.clock.sleep_until(until) => return Ok(order),
            () = app.stopped() => return Ok(order),
        }
    }
}

/// `SendStreamingMessage`.
pub(super) async fn stream(call: Call, request: &SendMessage) -> Result<Streamed, Fault> {
    let length = request.configuration.as_ref().and_then(|it| it.history_length);
    let length = task::history_length(length)?;
    match bridge::start(&call, request).await? {
        Started::Quote(task) => Ok(Streamed::Once(Box::new(Event::Task(task)))),
        Started::Order(order) => {
            let flow = Flow::begin(call, *order, Opening::Message, length).await?;
            Ok(Streamed::Flow(Box::new(flow)))
        }
    }
}

/// `SubscribeToTask`: not for tasks that have ended.
pub(super) async fn subscribe(call: Call, request: &NamedTask) -> Result<Flow, Fault> {
    let order = call.order(&request.id).await?;
    if task::state(&order.status).is_terminal() {
        let message = "the task has ended and has no more updates";
        return Err(Fault::new(Kind::UnsupportedOperation, message).hint("use GetTask"));
    }
    Flow::begin(call, order, Opening::Subscription, None).await
}

/// `GetTask`.
pub(super) async fn get(call: &Call, request: &GetTask) -> Result<Task, Fault> {
    let length = task::history_length(request.history_length)?;
    if let Some(service) = bridge::quoted(&request.id) {
        return bridge::quote_again(call, &service).await;
    }
    let order = call.order(&request.id).await?;
    task::whole(call, &order, length).await
}

/// `CancelTask`.
pub(super) async fn cancel(call: &Call, request: &NamedTask) -> Result<Task, Fault> {
    if bridge::quoted(&request.id).is_some() {
        let message = "no order was placed, so there is nothing to cancel";
        return Err(Fault::new(Kind::TaskNotCancelable, message));
    }
    let order = call.order(&request.id).await?;
    let cancel = CancelOrder { order_id: order.id, reason: None };
    let cancelled = call.api.ask(&cancel, None).await.map_err(|error| {
        Fault::named(error, Kind::TaskNotCancelable, &[Code::WrongState, Code::RequestClosed])
    })?;
    task::whole(call, &cancelled.order, None).await
}

/// `ListTasks`: the caller's tasks with the agent, newest first.
pub(super) async fn list(call: &Call, request: &ListTasks) -> Result<TaskPage, Fault> {
    let size = request.page_size.unwrap_or(PAGE_SIZE);
    if !(1..=PAGE_SIZE_MAX).contains(&size) {
        let rule = format!("pageSize must be 1 to {PAGE_SIZE_MAX}");
        return Err(Fault::invalid("pageSize", rule));
    }
    let length = task::history_length(request.history_length)?;
    let size = size.unsigned_abs();
    let mut asked = bridge::orders(call, size);
    asked.status = request.status.and_then(only_status);
    let (before, cursor) = place(request.page_token.as_deref())?;
    asked.cursor = cursor;
    let (found, next) = pages(call, request, asked).await?;
    let extension = call.api.extension();
    let with_artifacts = request.include_artifacts.unwrap_or_default();
    let tasks: Vec<Task> = found
        .iter()
        .map(|order| {
            // Partial results may be large; they are in the task itself.
            let artifacts = task::output(order).filter(|_| with_artifacts);
            task::task(&extension, order, artifacts.into_iter().collect(), length)
        })
        .collect();
    let so_far = before.saturating_add(tasks.len());
    Ok(TaskPage {
        page_size: usize::try_from(size).unwrap_or(usize::MAX),
        total_size: so_far.saturating_add(usize::from(next.is_some())),
        next_page_token: next.map(|cursor| format!("{so_far}.{cursor}")).unwrap_or_default(),
        tasks,
    })
}

/// How many tasks come before a page, and where it begins, as the token of the page before says.
fn place(token: Option<&str>) -> Result<(usize, Option<Cursor>), Fault> {
    let Some(token) = token else { return Ok((0, None)) };
    let parts = token.split_once('.').and_then(|(before, cursor)| {
        let before = before.parse().ok()?;
        Some((before, Some(Cursor::from(cursor))))
    });
    parts.ok_or_else(wrong_token)
}

/// Orders that fit a request, from as many pages as it takes to find one.
async fn pages(
    call: &Call,
    request: &ListTasks,
    mut asked: ListOrders,
) -> Result<(Vec<ServiceOrder>, Option<Cursor>), Fault> {
    for _ in 0..PAGES_MAX {
        let page = call.api.ask(&asked, None).await.map_err(about_token)?;
        let found: Vec<ServiceOrder> =
            page.orders.into_iter().filter(|order| fits(order, request)).collect();
        asked.cursor = page.next_cursor;
        if !found.is_empty() || asked.cursor.is_none() {
            return Ok((found, asked.cursor));
        }
    }
    Ok((Vec::new(), asked.cursor))
}

/// The token of a page holds a cursor of the list of orders.
fn about_token(error: svc_store::error::Error) -> Fault {
    if error.code() == Code::InvalidCursor { wrong_token() } else { error.into() }
}

fn wrong_token() -> Fault {
    Fault::invalid("pageToken", "pageToken does not belong to this list and filter")
        .hint("ask again without pageToken")
}

fn fits(order: &ServiceOrder, request: &ListTasks) -> bool {
    let state = request.status.filter(|state| *state != TaskState::Unspecified);
    let context = request.context_id.as_deref();
    state.is_none_or(|state| task::state(&order.status) == state)
        && context.is_none_or(|context| order.conversation_id.as_str() == context)
        && request.status_timestamp_after.is_none_or(|after| task::changed_at(order) >= after)
}

/// The status of the orders in this state, where that is one.
const fn only_status(state: TaskState) -> Option<OrderStatus> {
    match state {
        TaskState::Submitted => Some(OrderStatus::Open),
        TaskState::Completed => Some(OrderStatus::Completed),
        TaskState::Canceled => Some(OrderStatus::Cancelled),
        TaskState::InputRequired => Some(OrderStatus::InputRequired),
        TaskState::Rejected => Some(OrderStatus::Rejected),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_that_stands_for_a_state_has_that_state() {
        for word in OrderStatus::WORDS {
            let status = OrderStatus::from(*word);
            let state = task::state(&status);
            assert_ne!(state, TaskState::Unspecified, "{status}");
            assert!(only_status(state).is_none_or(|only| only == status), "{status}");
        }
    }
}
