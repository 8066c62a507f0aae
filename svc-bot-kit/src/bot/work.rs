//! One job, from the journal until nothing of it is left to do.

use std::time::Duration;

use svc_client::types::api::connect::Event;
use svc_client::types::api::messages::Message;
use svc_client::types::{Credits, MessageId};
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::callbacks::Answered;
use super::handler_error::HandlerKind;
use super::handler_retry::{Failed, Restart, put_off};
use super::isolate::{carefully, context, context_of};
use super::order::{STARTS_MAX, take_order};
use super::send::send;
use super::shared::{Bound, Shared};
use crate::error::Result;
use crate::journal::{Job, Kind, Place, State};
use crate::service::Ctx;

/// How long the handler of a message or an event may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What a try at a job came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// There is nothing left to decide, or the bot is to stop.
    Over,
    /// The handler starts again later.
    Again,
}

/// Does a job as far as it is not done: decides what is to be answered, then sends it.
pub(super) async fn work(shared: Bound, place: Place) -> (Place, Result<()>) {
    let done = tries(&shared, &place.id).await;
    (place, done)
}

async fn tries(shared: &Shared, id: &str) -> Result<()> {
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
        if one_try(shared, job).instrument(span).await? == Step::Over {
            return Ok(());
        }
    }
}

/// What logs of a try have in common; who asks, and for what, is filled in once it was read.
fn span(job: &Job) -> Span {
    let (id, attempt) = (job.id.as_str(), job.failures + 1);
    match job.kind {
        Kind::Request => {
            tracing::info_span!("job", order = id, buyer = Empty, service = Empty, attempt)
        }
        Kind::Message => tracing::info_span!("job", message_id = id, sender = Empty, attempt),
        Kind::Event => tracing::info_span!("job", event = id, kind = Empty, attempt),
    }
}

async fn one_try(shared: &Shared, job: Job) -> Result<Step> {
    let (id, is_fresh) = (job.id.clone(), job.state != State::Done);
    let step = match (job.state, job.kind) {
        (State::Done, _) => Step::Over,
        (_, Kind::Message) => take_message(shared, job).await?,
        (_, Kind::Event) => take_event(shared, job).await?,
        (_, Kind::Request) => take_order(shared, job).await?,
    };
    if step == Step::Over {
        send(shared, &id, is_fresh).await?;
    }
    Ok(step)
}

async fn take_message(shared: &Shared, job: Job) -> Result<Step> {
    let message = serde_json::from_str::<Message>(&job.event);
    let (Some(handler), Ok(message)) = (&shared.hooks.on_message, message) else {
        return finish(shared, &job).await;
    };
    Span::current().record("sender", &*message.sender.username);
    if message.sender.is_agent && !shared.agents.may_be_answered(&message.sender) {
        tracing::debug!("not handled: its sender was answered too often");
        return finish(shared, &job).await;
    }
    let cx = context_of(shared, &message);
    take(shared, job, HandlerKind::Message, cx, |cx| handler(cx, message)).await
}

async fn take_event(shared: &Shared, job: Job) -> Result<Step> {
    let event = serde_json::from_str::<Event>(&job.event);
    let (Some(handler), Ok(event)) = (&shared.hooks.on_event, event) else {
        return finish(shared, &job).await;
    };
    Span::current().record("kind", &*event.event);
    let id = MessageId::from(job.id.as_str());
    let cx = context(shared, id, String::new(), Credits::default(), None);
    take(shared, job, HandlerKind::Event, cx, |cx| handler(cx, event)).await
}

/// Hands something to its handler; what comes of it is nobody's but ours.
async fn take(
    shared: &Shared,
    mut job: Job,
    kind: HandlerKind,
    cx: Ctx,
    handler: impl FnOnce(Ctx) -> Answered,
) -> Result<Step> {
    if job.starts >= STARTS_MAX {
        tracing::error!("given up: the process ended at each start of the handler");
        return finish(shared, &job).await;
    }
    let Some(turn) = shared.turn(&shared.turns).await else { return Ok(Step::Over) };
    shared.journal.start(&job.id, job.starts).await?;
    job.starts += 1;
    if shared.is_stopping() {
        shared.journal.put_back(&job.id, job.starts).await?;
        return Ok(Step::Over);
    }
    shared.crash.point("a handler of messages starts").await;
    let requester = cx.requester.clone();
    let ended = carefully(async { handler(cx).await }, TIMEOUT).await;
    drop(turn);
    shared.crash.point("a message is handled").await;
    match ended {
        Ok(()) => tracing::debug!("handled"),
        Err(unwell) => {
            let (requester, restart) = (requester.as_str(), Restart::Allowed);
            let failed = Failed { job: &job, handler: kind, requester, restart, unwell };
            if put_off(shared, failed).await? {
                return Ok(Step::Again);
            }
        }
    }
    finish(shared, &job).await
}

async fn finish(shared: &Shared, job: &Job) -> Result<Step> {
    shared.journal.finish(&job.id, job.starts, Vec::new(), shared.clock.now()).await?;
    Ok(Step::Over)
}
