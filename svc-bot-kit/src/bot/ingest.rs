//! Reads events and stores their jobs in the journal.

use svc_client::types::Code;
use svc_client::types::api::messages::{ListMessages, Message, Order, RequestStatus};
use svc_client::{Call, Client, Result as ClientResult};

use super::classify::{Backlog, Classifier};
use super::shared::Bound;
use crate::Listener;
use crate::error::Result;
use crate::journal::{Kind, NewJob, Position};

/// Unfinished jobs in the journal at most; the platform keeps the rest.
pub(super) const WAITING_MAX: u32 = 1_000;

/// Ingests events for as long as the bot runs.
pub(super) async fn follow(shared: Bound, mut listener: Listener, backlog: Backlog) -> Result<()> {
    loop {
        while shared.journal.backlog().await?.jobs >= WAITING_MAX {
            shared.capacity.notified().await;
        }
        let events = match listener.batch().await {
            Ok(events) => events,
            Err(error) if error.code() == Some(&Code::CursorExpired) => {
                tracing::warn!("the platform no longer has older events; reading messages instead");
                listener.skip_to(recover(&shared).await?);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        shared.crash.point("events are read").await;
        let Some(last) = events.last() else { continue };
        let classifier = classifier(&shared, &backlog);
        let jobs = events.iter().filter_map(|event| classifier.job(event)).collect();
        let upto = Position { seq: last.seq, occurred_at: Some(last.timestamp) };
        shared.journal.ingest(shared.me.id.as_str(), upto, jobs, shared.clock.now()).await?;
        shared.crash.point("events are taken in").await;
        listener.done(last);
        shared.new_jobs.notify_one();
    }
}

fn classifier<'a>(shared: &'a Bound, backlog: &'a Backlog) -> Classifier<'a> {
    Classifier {
        me: &shared.me.id,
        services: &shared.services,
        wants_messages: shared.hooks.chat.wants_messages(),
        wants_events: shared.hooks.on_event.is_some(),
        backlog,
    }
}

/// Ingests jobs whose events the platform no longer has. Returns the sequence number after which to
/// continue.
///
/// These jobs are the open orders and the messages since the last ingested event. Other events are
/// lost.
async fn recover(shared: &Bound) -> Result<u64> {
    let client = &shared.client;
    // First, because everything later than this has an event.
    let newest = shared.call(|| newest(client)).await??;
    let open = shared.call(|| open_orders(client)).await??;
    let cursor = shared.journal.cursor(shared.me.id.as_str()).await?;
    let since = cursor.and_then(|cursor| cursor.occurred_at);
    let (backlog, mut messages) = (Backlog::default(), Vec::new());
    let classifier = classifier(shared, &backlog);
    if let (true, Some(since)) = (classifier.wants_messages, since) {
        messages = shared.call(|| all(client.messages().list().since(since))).await??;
    }
    let orders = open.iter().map(|message| (message, Kind::Request));
    let others = messages.iter().map(|message| (message, Kind::Message));
    let mut found: Vec<(&Message, Kind)> = orders.chain(others).collect();
    found.sort_by_key(|(message, _)| message.created_at);
    let jobs = found.into_iter().filter_map(|(message, kind)| {
        // Orders in the list of messages are closed, or in the list of open orders too.
        job_of(message, &classifier).filter(|job| job.kind == kind)
    });
    let jobs = jobs.collect();
    shared.journal.reset_cursor(shared.me.id.as_str(), newest, jobs, shared.clock.now()).await?;
    shared.new_jobs.notify_one();
    Ok(newest.seq)
}

/// The jobs for open orders.
pub(super) fn jobs_of(orders: &[Message], classifier: &Classifier<'_>) -> Vec<NewJob> {
    let jobs = orders.iter().filter_map(|message| job_of(message, classifier));
    jobs.filter(|job| job.kind == Kind::Request).collect()
}

fn job_of(message: &Message, classifier: &Classifier<'_>) -> Option<NewJob> {
    classifier.message(message, &serde_json::to_string(message).ok()?)
}

/// The position after the account's newest event.
pub(super) async fn newest(client: &Client) -> ClientResult<Position> {
    let seq = client.events().list().limit(1).await?.latest_seq;
    let Some(before) = seq.checked_sub(1) else { return Ok(Position { seq, occurred_at: None }) };
    let list = client.events().list().limit(1).with(|request| request.after = Some(before));
    let occurred_at = match list.await {
        Ok(page) => page.events.first().map(|event| event.timestamp),
        // The platform no longer has even the newest event.
        Err(error) if error.code() == Some(&Code::CursorExpired) => None,
        Err(error) => return Err(error),
    };
    Ok(Position { seq, occurred_at })
}

/// Open orders from and to the account, oldest first.
pub(super) async fn open_orders(client: &Client) -> ClientResult<Vec<Message>> {
    all(client.messages().list().request_status(RequestStatus::Open)).await
}

/// All messages of a list, oldest first.
async fn all(list: Call<ListMessages>) -> ClientResult<Vec<Message>> {
    let list = list.order(Order::Asc).limit(100);
    let mut page = list.clone().page().await?;
    let mut messages = page.items;
    while let Some(cursor) = page.next_cursor {
        page = list.clone().after(cursor).page().await?;
        messages.extend(std::mem::take(&mut page.items));
    }
    Ok(messages)
}
