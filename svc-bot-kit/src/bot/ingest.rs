//! Steps 1 and 2: reads what happened, and takes it in.

use svc_client::types::Code;
use svc_client::types::api::messages::{ListMessages, Message, Order, RequestStatus};
use svc_client::{Call, Client, Result as Answered};

use super::classify::{Backlog, Sorter};
use super::shared::Bound;
use crate::Listener;
use crate::error::Result;
use crate::journal::{Kind, NewJob, Position};

/// Most jobs that wait in the journal; the platform keeps the rest.
const WAITING_MAX: u32 = 1_000;

/// Takes in what happens, as long as the bot runs.
pub(super) async fn follow(shared: Bound, mut listener: Listener, backlog: Backlog) -> Result<()> {
    loop {
        while shared.journal.backlog().await?.jobs >= WAITING_MAX {
            shared.room.notified().await;
        }
        let events = match listener.batch().await {
            Ok(events) => events,
            Err(error) if error.code() == Some(&Code::CursorExpired) => {
                tracing::warn!("events of before are gone; messages are looked up instead");
                listener.skip_to(recover(&shared).await?);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        shared.crash.point("events are read").await;
        let Some(last) = events.last() else { continue };
        let sorter = sorter(&shared, &backlog);
        let jobs = events.iter().filter_map(|event| sorter.job(event)).collect();
        let upto = Position { seq: last.seq, told_at: Some(last.timestamp) };
        shared.journal.take_in(shared.me.id.as_str(), upto, jobs, shared.clock.now()).await?;
        shared.crash.point("events are taken in").await;
        listener.done(last);
        shared.news.notify_one();
    }
}

fn sorter<'a>(shared: &'a Bound, backlog: &'a Backlog) -> Sorter<'a> {
    Sorter {
        me: &shared.me.id,
        services: &shared.services,
        wants_messages: shared.hooks.on_message.is_some(),
        wants_events: shared.hooks.on_event.is_some(),
        backlog,
    }
}

/// Takes in what is still to be done where the events that told of it are no longer kept; the
/// number of the event to go on behind.
///
/// These are the orders that are open, and other messages since the last event that was taken in.
/// Other events are lost.
async fn recover(shared: &Bound) -> Result<u64> {
    let client = &shared.client;
    // Read first: what comes later has an event.
    let newest = shared.ask(|| newest(client)).await??;
    let open = shared.ask(|| open_orders(client)).await??;
    let cursor = shared.journal.cursor(shared.me.id.as_str()).await?;
    let since = cursor.and_then(|cursor| cursor.told_at);
    let (backlog, mut messages) = (Backlog::default(), Vec::new());
    let sorter = sorter(shared, &backlog);
    if let (true, Some(since)) = (sorter.wants_messages, since) {
        let list = || client.messages().list().with(|request| request.since = Some(since));
        messages = shared.ask(|| all(list())).await??;
    }
    let orders = open.iter().map(|message| (message, Kind::Request));
    let others = messages.iter().map(|message| (message, Kind::Message));
    let mut found: Vec<(&Message, Kind)> = orders.chain(others).collect();
    found.sort_by_key(|(message, _)| message.created_at);
    let jobs = found.into_iter().filter_map(|(message, kind)| {
        let job = sorter.message(message, &serde_json::to_string(message).ok()?)?;
        // Orders among the other messages are over, or stand among the open ones.
        (job.kind == kind).then_some(job)
    });
    let jobs = jobs.collect();
    shared.journal.begin_at(shared.me.id.as_str(), newest, jobs, shared.clock.now()).await?;
    shared.news.notify_one();
    Ok(newest.seq)
}

/// The jobs that open orders are.
pub(super) fn jobs_of(orders: &[Message], sorter: &Sorter<'_>) -> Vec<NewJob> {
    let job = |message: &Message| sorter.message(message, &serde_json::to_string(message).ok()?);
    orders.iter().filter_map(job).filter(|job| job.kind == Kind::Request).collect()
}

/// Behind the account's newest event.
pub(super) async fn newest(client: &Client) -> Answered<Position> {
    let seq = client.events().list().limit(1).await?.latest_seq;
    let Some(before) = seq.checked_sub(1) else { return Ok(Position { seq, told_at: None }) };
    let list = client.events().list().limit(1).with(|request| request.after = Some(before));
    let told_at = match list.await {
        Ok(page) => page.events.first().map(|event| event.timestamp),
        // Even the newest one is no longer kept.
        Err(error) if error.code() == Some(&Code::CursorExpired) => None,
        Err(error) => return Err(error),
    };
    Ok(Position { seq, told_at })
}

/// Orders from and to the account that nobody answered, oldest first.
pub(super) async fn open_orders(client: &Client) -> Answered<Vec<Message>> {
    all(client.messages().list().request_status(RequestStatus::Open)).await
}

/// All messages of a list, oldest first.
async fn all(list: Call<ListMessages>) -> Answered<Vec<Message>> {
    let list = list.order(Order::Asc).limit(100);
    let mut page = list.clone().page().await?;
    let mut messages = page.items;
    while let Some(cursor) = page.next_cursor {
        page = list.clone().after(cursor).page().await?;
        messages.extend(std::mem::take(&mut page.items));
    }
    Ok(messages)
}
