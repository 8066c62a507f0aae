//! Streams of a task's updates, as server-sent events.
//!
//! A stream registers for changes of the order before it reads, so that it misses none, and reads
//! by the endpoints with the credential that opened it.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event as Sent, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use http::header::{CACHE_CONTROL, HeaderValue};
use serde_json::{Value, json};
use svc_core::app::App;
use svc_core::waits::{WAITS_MAX, Waiter};
use svc_store::error::{Error, Refusal, Window};
use svc_types::api::orders::ServiceOrder;
use svc_types::{Code, Timestamp};

use super::call::Call;
use super::fault::Fault;
use super::types::{Artifact, ArtifactUpdate, Event, Object, Part, StatusUpdate, TaskState};
use super::{rpc, task};
use crate::http::beat::Beat;

/// Interval of keep-alive comments. The HTTP client of a2a-sdk gives up after 5 seconds of silence.
const COMMENT_EVERY: Duration = Duration::from_secs(4);

/// How long an account with too many streams has to wait before it tries again.
const RETRY: Duration = Duration::from_secs(2);

/// Partial results that are read at a time.
const PARTIALS_AT_ONCE: u64 = 10;

/// When a stream begins by a message, a question that waits ends it; one that subscribes waits for
/// what comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// By a message.
    Message,
    /// By a subscription.
    Subscription,
}

/// The updates of a task.
pub(super) struct Flow {
    call: Call,
    wait: Waiter,
    order: ServiceOrder,
    ready: VecDeque<Event>,
    /// Number of the last partial result that was sent.
    partials: i64,
    /// Whether there may be more than what is in `ready`.
    is_behind: bool,
    is_over: bool,
    beat: Beat,
}

/// What comes next.
enum Next {
    Event(Box<Event>),
    Comment,
}

impl Flow {
    /// Begins with the task as it is.
    pub(super) async fn begin(
        call: Call,
        order: ServiceOrder,
        opening: Opening,
        history_length: Option<usize>,
    ) -> Result<Self, Fault> {
        let app = Arc::clone(&call.api.app);
        let waits = &app.post_commit.waits;
        let wait = waits
            .wait(&call.account.id, order.id.as_str(), order.version)
            .ok_or_else(|| too_many(app.clock.now()))?;
        let first = task::whole(&call, &order, history_length).await?;
        let is_over = opening == Opening::Message && task::is_at_rest(&order);
        let partials = first.artifacts.iter().filter(|it| it.artifact_id != "output").count();
        Ok(Self {
            call,
            wait,
            // Kept ones are numbered from 1 without gaps.
            partials: i64::try_from(partials).unwrap_or(i64::MAX),
            order,
            ready: VecDeque::from([Event::Task(Box::new(first))]),
            is_behind: true,
            is_over,
            beat: Beat::begin(&app.clock, COMMENT_EVERY),
        })
    }

    /// The next event; `None` after the last one, and when the server stops.
    async fn next(&mut self) -> Result<Option<Next>, Fault> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(Next::Event(Box::new(event))));
            }
            if self.is_over {
                return Ok(None);
            }
            if !self.is_behind {
                match self.pause().await {
                    None => return Ok(None),
                    Some(true) => return Ok(Some(Next::Comment)),
                    Some(false) => {}
                }
            }
            self.read().await?;
        }
    }

    /// Waits for a change or for the next keep-alive comment, for which it returns true. `None` when
    /// the server stops.
    async fn pause(&mut self) -> Option<bool> {
        let app = &self.call.api.app;
        tokio::select! {
            () = self.wait.called() => Some(false),
            is_comment = self.beat.next(&app.clock) => Some(is_comment),
            () = app.stopped() => None,
        }
    }

    /// Reads the order, and turns what changed into events.
    async fn read(&mut self) -> Result<(), Fault> {
        self.beat.checked(&self.call.api.app.clock);
        let order = self.call.order(self.order.id.as_str()).await?;
        // Where a task rests, its results come first; where it goes on, they follow its status.
        let is_at_rest = task::is_at_rest(&order);
        if !is_at_rest {
            self.update(order.clone());
        }
        self.read_partials(&order).await?;
        if is_at_rest && !self.is_behind {
            self.update(order);
        }
        Ok(())
    }

    async fn read_partials(&mut self, order: &ServiceOrder) -> Result<(), Fault> {
        self.is_behind = false;
        if order.partials_count <= self.partials {
            return Ok(());
        }
        let page = task::partials(&self.call, order, self.partials, PARTIALS_AT_ONCE).await?;
        self.is_behind = page.next_cursor.is_some();
        for partial in page.partials {
            self.partials = partial.n;
            self.push_artifact(task::partial(partial));
        }
        Ok(())
    }

    /// Adds the events of a change of the order itself.
    fn update(&mut self, order: ServiceOrder) {
        let is_new = self.facts(&order) != self.facts(&self.order);
        self.order = order;
        if !is_new {
            return;
        }
        if let Some(output) = task::output(&self.order) {
            self.push_artifact(output);
        }
        let (task_id, context_id) = self.ids();
        let status = task::status(&self.order);
        let metadata = task::metadata(&self.call.api.extension(), &self.order);
        let update = StatusUpdate { task_id, context_id, status, metadata };
        self.ready.push_back(Event::StatusUpdate(update));
        self.is_over = task::is_at_rest(&self.order);
    }

    /// What a status update shows of an order, but its time.
    fn facts(&self, order: &ServiceOrder) -> (TaskState, Option<Vec<Part>>, Object) {
        let status = task::status(order);
        let metadata = task::metadata(&self.call.api.extension(), order);
        (status.state, status.message.map(|message| message.parts), metadata)
    }

    fn push_artifact(&mut self, artifact: Artifact) {
        let (task_id, context_id) = self.ids();
        let update = ArtifactUpdate { task_id, context_id, artifact, last_chunk: true };
        self.ready.push_back(Event::ArtifactUpdate(update));
    }

    fn ids(&self) -> (String, String) {
        (self.order.id.to_string(), self.order.conversation_id.to_string())
    }
}

/// The refusal of one more wait.
fn too_many(now: Timestamp) -> Fault {
    let limit = u64::try_from(WAITS_MAX).unwrap_or(u64::MAX);
    let window = Window { limit, remaining: 0, reset: now.plus(RETRY) };
    let message = format!("an account may wait for {WAITS_MAX} tasks at a time");
    let refusal = Refusal::new(Code::RateLimited, message).hint("close a stream");
    Error::from(refusal.window(window, now)).into()
}

/// How events are written.
pub(super) enum Binding {
    /// As responses to the JSON-RPC request with this id.
    Rpc(Value),
    /// As they are.
    Rest,
}

impl Binding {
    fn event(&self, event: &Event) -> Sent {
        let data = match self {
            Self::Rpc(id) => rpc::result(id, event),
            Self::Rest => json!(event),
        };
        Sent::default().data(data.to_string())
    }

    /// The event of the error that ends a stream.
    fn fault(&self, fault: &Fault, app: &App, request_id: &str) -> Sent {
        match self {
            Self::Rpc(id) => {
                let error = rpc::error(app, id, fault, request_id);
                Sent::default().data(error.to_string())
            }
            Self::Rest => {
                let body = fault.body(app, request_id);
                Sent::default().event("error").data(body.to_string())
            }
        }
    }
}

/// The response that streams a task's updates.
pub(super) fn respond(flow: Flow, binding: Binding) -> Response {
    let events = stream::unfold(Some((flow, binding)), |state| async move {
        let (mut flow, binding) = state?;
        let sent = match flow.next().await {
            Ok(None) => return None,
            Ok(Some(Next::Comment)) => Sent::default().comment("still here"),
            Ok(Some(Next::Event(event))) => binding.event(&event),
            Err(fault) => return Some((last(&flow, &binding, fault), None)),
        };
        Some((sent, Some((flow, binding))))
    });
    answer(events)
}

/// The last event of a stream that fails.
fn last(flow: &Flow, binding: &Binding, fault: Fault) -> Sent {
    let (app, request_id) = (&flow.call.api.app, flow.call.api.request_id());
    let sent = binding.fault(&fault, app, &request_id);
    if let Some(error @ (Error::Internal(_) | Error::Overdue(_) | Error::TooLong)) =
        fault.into_cause()
    {
        tracing::error!(request_id, %error, "a stream of a task failed");
    }
    sent
}

/// The response that streams one event.
pub(super) fn respond_once(event: &Event, binding: &Binding) -> Response {
    answer(stream::iter([binding.event(event)]))
}

fn answer(events: impl Stream<Item = Sent> + Send + 'static) -> Response {
    let mut response = Sse::new(events.map(Ok::<_, Infallible>)).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // nginx would otherwise buffer events.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
