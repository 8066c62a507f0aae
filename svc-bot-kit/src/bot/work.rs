//! One job, from the journal until its last call is sent.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use svc_client::types::api::connect::Event;
use svc_client::types::{Credits, MessageId};
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::callbacks::HandlerFuture;
use super::chat::ChatMessage;
use super::handler_error::HandlerKind;
use super::handler_retry::{Failed, Restart, postpone};
use super::isolate::{chat_context, context, run_isolated};
use super::order::{STARTS_MAX, take_order};
use super::send::send;
use super::shared::{Bound, Shared};
use crate::error::Result;
use crate::journal::{Ending, Job, Kind, QueuedJob, State};
use crate::service::Ctx;

/// How long the handler of a message or an event may run.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The outcome of one attempt at a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing is left to decide, or the bot is stopping.
    Finished,
    /// The handler runs again later.
    Retry,
}

/// Completes a job: decides on the answer unless that is done, then sends it.
pub(super) async fn work(shared: Bound, job: QueuedJob) -> (QueuedJob, Result<()>) {
    let done = run_attempts(&shared, &job.id).await;
    (job, done)
}

async fn run_attempts(shared: &Shared, id: &str) -> Result<()> {
    loop {
        let Some(job) = shared.journal.job(id).await? else { return Ok(()) };
        let is_due = match job.retry_at {
            Some(at) if job.state != State::Done => shared.wait_until(at).await,
            _ => true,
        };
        if !is_due {
            return Ok(());
        }
        let span = span(&job);
        if attempt_job(shared, job).instrument(span).await? == Step::Finished {
            return Ok(());
        }
    }
}

/// The span of an attempt. Sender, service and kind are recorded once the event is parsed.
fn span(job: &Job) -> Span {
    let (id, attempt) = (job.id.as_str(), job.failures + 1);
    match job.kind {
        Kind::Request => {
            tracing::info_span!("job", order = id, buyer = Empty, service = Empty, attempt)
        }
        Kind::Message | Kind::Channel => {
            tracing::info_span!("job", message_id = id, sender = Empty, attempt)
        }
        Kind::Event => tracing::info_span!("job", event = id, kind = Empty, attempt),
    }
}

async fn attempt_job(shared: &Shared, job: Job) -> Result<Step> {
    let (id, is_fresh) = (job.id.clone(), job.state != State::Done);
    let step = match (job.state, job.kind) {
        (State::Done, _) => Step::Finished,
        (_, Kind::Message | Kind::Channel) => take_message(shared, job).await?,
        (_, Kind::Event) => take_event(shared, job).await?,
        (_, Kind::Request) => take_order(shared, job).await?,
    };
    if step == Step::Finished {
        send(shared, &id, is_fresh).await?;
    }
    Ok(step)
}

async fn take_message(shared: &Shared, job: Job) -> Result<Step> {
    let message = match job.kind {
        Kind::Channel => serde_json::from_str(&job.event).map(ChatMessage::Channel),
        _ => serde_json::from_str(&job.event).map(ChatMessage::Direct),
    };
    let Ok(message) = message else { return finish(shared, &job).await };
    let sender = message.sender();
    Span::current().record("sender", &*sender.username);
    if !has_handler(shared, &message) {
        return finish(shared, &job).await;
    }
    if sender.is_agent && !shared.agents.may_be_answered(sender) {
        tracing::debug!("skipped: the sender is over the limit for answers to agents");
        return finish(shared, &job).await;
    }
    let kind = match message {
        ChatMessage::Direct(_) => HandlerKind::Message,
        ChatMessage::Channel(_) => HandlerKind::ChannelMessage,
    };
    let cx = chat_context(shared, &message);
    run_handler(shared, job, kind, cx, |cx| shared.handlers.handle(cx, message)).await
}

/// Whether a message has a handler. A filter that panics does so again where handlers run, and its panic
/// counts as theirs.
fn has_handler(shared: &Shared, message: &ChatMessage) -> bool {
    let choose = || shared.hooks.chat.choose(message.clone(), &shared.me.username).is_some();
    catch_unwind(AssertUnwindSafe(choose)).unwrap_or(true)
}

async fn take_event(shared: &Shared, job: Job) -> Result<Step> {
    let event = serde_json::from_str::<Event>(&job.event);
    let (Some(handler), Ok(event)) = (&shared.hooks.on_event, event) else {
        return finish(shared, &job).await;
    };
    Span::current().record("kind", &*event.event);
    let id = MessageId::from(job.id.as_str());
    let cx = context(shared, id, String::new(), Credits::default(), None);
    run_handler(shared, job, HandlerKind::Event, cx, |cx| handler(cx, event)).await
}

/// Runs the handler of a message or an event.
async fn run_handler(
    shared: &Shared,
    mut job: Job,
    kind: HandlerKind,
    cx: Ctx,
    handler: impl FnOnce(Ctx) -> HandlerFuture,
) -> Result<Step> {
    if job.starts >= STARTS_MAX {
        tracing::error!("skipped: the process ended every time the handler ran");
        return finish(shared, &job).await;
    }
    let Some(permit) = shared.acquire(&shared.permits).await else { return Ok(Step::Finished) };
    shared.journal.start(&job.id, job.starts).await?;
    job.starts += 1;
    if shared.is_stopping() {
        shared.journal.cancel_start(&job.id, job.starts).await?;
        return Ok(Step::Finished);
    }
    shared.crash.point("a handler of messages starts").await;
    let ended = run_isolated(async { handler(cx.clone()).await }, TIMEOUT).await;
    drop(permit);
    shared.crash.point("a message is handled").await;
    match ended {
        Ok(()) => {
            tracing::debug!("handled");
            let ending = Ending { dialogue: cx.take_dialogue(), ..Ending::default() };
            shared.journal.finish_with(&job.id, job.starts, ending, shared.clock.now()).await?;
            return Ok(Step::Finished);
        }
        Err(failure) => {
            let (requester, restart) = (cx.requester.as_str(), Restart::Allowed);
            let failed = Failed { job: &job, handler: kind, requester, restart, failure };
            if postpone(shared, failed).await? {
                return Ok(Step::Retry);
            }
        }
    }
    finish(shared, &job).await
}

async fn finish(shared: &Shared, job: &Job) -> Result<Step> {
    shared.journal.finish(&job.id, job.starts, Vec::new(), shared.clock.now()).await?;
    Ok(Step::Finished)
}
