//! Steps 1 and 2: reads what happened, and takes it in.

use svc_client::types::Code;
use svc_client::types::api::messages::{Message, Order, RequestStatus};
use svc_client::{Client, Result as Answered};

use super::send::persistently;
use super::shared::Bound;
use super::sort::{Backlog, Sorter};
use crate::Listener;
use crate::clock::now;
use crate::error::Result;

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
                tracing::warn!("events of before are gone; orders that are open are looked up");
                listener.skip_to(recover(&shared).await?);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        shared.crash.point("events are read").await;
        let Some(last) = events.last() else { continue };
        let sorter = sorter(&shared, &backlog);
        let jobs = events.iter().filter_map(|event| sorter.job(event)).collect();
        shared.journal.take_in(shared.me.id.as_str(), last.seq, jobs, now()).await?;
        shared.crash.point("events are taken in").await;
        listener.done(last);
        shared.news.notify_one();
    }
}

fn sorter<'a>(shared: &'a Bound, backlog: &'a Backlog) -> Sorter<'a> {
    Sorter {
        me: &shared.me.id,
        services: &shared.services,
        wants_messages: shared.on_message.is_some(),
        backlog,
    }
}

/// Takes in the orders that are open, where their events are no longer kept; the number of the
/// event to go on behind.
async fn recover(shared: &Bound) -> Result<u64> {
    // Read first: what comes later has an event.
    let latest = persistently(|| latest(&shared.client)).await??;
    let open = persistently(|| open_orders(&shared.client)).await??;
    let backlog = Backlog::default();
    let sorter = sorter(shared, &backlog);
    let jobs = open.iter().filter_map(|message| {
        let text = serde_json::to_string(message).ok()?;
        sorter.message(message, &text)
    });
    let jobs = jobs.collect();
    shared.journal.take_in(shared.me.id.as_str(), latest, jobs, now()).await?;
    shared.news.notify_one();
    Ok(latest)
}

/// The number of the account's newest event.
pub(super) async fn latest(client: &Client) -> Answered<u64> {
    Ok(client.events().list().limit(1).await?.latest_seq)
}

/// Orders from and to the account that nobody answered, oldest first.
pub(super) async fn open_orders(client: &Client) -> Answered<Vec<Message>> {
    let list = client.messages().list().request_status(RequestStatus::Open).order(Order::Asc);
    let mut page = list.clone().limit(100).page().await?;
    let mut orders = page.items;
    while let Some(cursor) = page.next_cursor {
        page = list.clone().limit(100).after(cursor).page().await?;
        orders.extend(std::mem::take(&mut page.items));
    }
    Ok(orders)
}
