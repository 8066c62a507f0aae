//! `svc channels messages --follow`: the messages of a channel as they arrive, by polling.

use serde_json::value::RawValue;
use svc_client::types::MessageId;
use svc_client::types::api::channels::{ChannelMessage, ChannelMessagePage, ListChannelMessages};

use super::message_row;
use crate::caller::Caller;
use crate::error::Result;
use crate::follow::{PAUSE_MIN, longer, pause_after_failure, with_raw};
use crate::raw::WithRaw;

/// A message, decoded and as the server sent it.
type Row = (ChannelMessage, Box<RawValue>);

/// Shows the latest messages, then each new one until interrupted.
pub(super) async fn run(caller: &Caller, latest: ListChannelMessages) -> Result<()> {
    let Some(answer) = caller.send(latest.clone()).await? else {
        return Ok(());
    };
    let mut newest = None;
    show(caller, rows(answer.value)?, &mut newest)?;
    let mut pause = PAUSE_MIN;
    loop {
        tokio::time::sleep(pause).await;
        pause = match poll(caller, &latest, &mut newest).await {
            Ok(0) => longer(pause),
            Ok(_) => PAUSE_MIN,
            Err(error) => pause_after_failure(caller, error, pause)?,
        };
    }
}

/// Shows the messages newer than the newest one shown, and returns how many there were.
async fn poll(
    caller: &Caller,
    latest: &ListChannelMessages,
    newest: &mut Option<MessageId>,
) -> Result<usize> {
    let mut request = ListChannelMessages { limit: Some(100.into()), ..latest.clone() };
    let mut found = Vec::new();
    while let Some(answer) = caller.send(request.clone()).await? {
        let next = answer.value.value.next_cursor.clone();
        let page = rows(answer.value)?;
        let all = page.len();
        // Later messages have larger ids: the channel is locked while one gets its id.
        let is_new =
            |(message, _): &Row| newest.as_ref().is_none_or(|newest| message.message_id > *newest);
        let new: Vec<Row> = page.into_iter().filter(is_new).collect();
        let is_end = new.len() < all || next.is_none() || next == request.cursor;
        found.extend(new);
        if is_end {
            break;
        }
        request.cursor = next;
    }
    let shown = found.len();
    show(caller, found, newest)?;
    Ok(shown)
}

/// Shows messages, which the server lists newest first, and records the newest.
fn show(caller: &Caller, rows: Vec<Row>, newest: &mut Option<MessageId>) -> Result<()> {
    for (message, raw) in rows.into_iter().rev() {
        caller.out.page(&raw, &message_row(&message))?;
        *newest = Some(message.message_id);
    }
    Ok(())
}

/// The messages of a page.
fn rows(page: WithRaw<ChannelMessagePage>) -> Result<Vec<Row>> {
    with_raw(page.value.messages, &page.raw)
}
