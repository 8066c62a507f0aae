//! One job, from the journal until nothing of it is left to do.

use std::time::Duration;

use svc_client::types::api::connect::Event;
use svc_client::types::api::messages::Message;
use svc_client::types::{Credits, MessageId};

use super::handle::{carefully, context};
use super::hooks::Answered;
use super::order::{STARTS_MAX, take_order};
use super::send::send;
use super::shared::{Bound, Shared};
use crate::error::Result;
use crate::journal::{Job, Kind, Place, State};
use crate::service::Ctx;

/// How long the handler of a message or an event may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Does a job as far as it is not done: decides what is to be answered, then sends it.
pub(super) async fn work(shared: Bound, place: Place) -> (Place, Result<()>) {
    let done = async {
        let Some(job) = shared.journal.job(&place.id).await? else { return Ok(()) };
        let is_fresh = job.state != State::Done;
        match (job.state, job.kind) {
            (State::Done, _) => {}
            (_, Kind::Message) => take_message(&shared, job).await?,
            (_, Kind::Event) => take_event(&shared, job).await?,
            (_, Kind::Request) => take_order(&shared, job).await?,
        }
        send(&shared, &place.id, is_fresh).await
    };
    let done = done.await;
    (place, done)
}

async fn take_message(shared: &Shared, job: Job) -> Result<()> {
    let message = serde_json::from_str::<Message>(&job.event);
    let (Some(handler), Ok(message)) = (&shared.hooks.on_message, message) else {
        return finish(shared, &job).await;
    };
    let (id, sender) = (message.message_id.clone(), message.sender.username.clone());
    let cx = context(shared, id, sender, Credits::default(), None);
    take(shared, job, cx, |cx| handler(cx, message)).await
}

async fn take_event(shared: &Shared, job: Job) -> Result<()> {
    let event = serde_json::from_str::<Event>(&job.event);
    let (Some(handler), Ok(event)) = (&shared.hooks.on_event, event) else {
        return finish(shared, &job).await;
    };
    let id = MessageId::from(job.id.as_str());
    let cx = context(shared, id, String::new(), Credits::default(), None);
    take(shared, job, cx, |cx| handler(cx, event)).await
}

/// Hands something to its handler; what comes of it is nobody's but ours.
async fn take(
    shared: &Shared,
    mut job: Job,
    cx: Ctx,
    handler: impl FnOnce(Ctx) -> Answered,
) -> Result<()> {
    if job.starts >= STARTS_MAX {
        return finish(shared, &job).await;
    }
    let Some(_turn) = shared.turn(&shared.turns).await else { return Ok(()) };
    shared.journal.start(&job.id, job.starts).await?;
    job.starts += 1;
    if shared.is_stopping() {
        return shared.journal.put_back(&job.id, job.starts).await;
    }
    shared.crash.point("a handler of messages starts").await;
    if let Err(unwell) = carefully(async { handler(cx).await }, TIMEOUT).await {
        tracing::error!(id = job.id, ?unwell, "a message or an event was not handled");
    }
    shared.crash.point("a message is handled").await;
    finish(shared, &job).await
}

async fn finish(shared: &Shared, job: &Job) -> Result<()> {
    shared.journal.finish(&job.id, job.starts, Vec::new(), shared.clock.now()).await
}
