//! Whether somebody else answers in this account's name.

use std::time::Duration;

use svc_client::Client;
use svc_client::types::service_message::RESPONSE;
use svc_client::types::{Timestamp, UserId};

use super::retry::persistently;
use crate::error::Result;
use crate::journal::Journal;

/// Answers that are looked at, the newest first.
const ANSWERS: u32 = 20;
/// How old they may be: a journal forgets what was finished 7 days ago.
const AGE_MAX: Duration = Duration::from_secs(6 * 24 * 60 * 60);

/// Warns when orders were answered of which this journal knows nothing: then it is new, an older one
/// was lost, or another bot works as this account with a journal of its own. Of two such bots one
/// alone is heard and paid for each order.
pub(super) async fn warn_of_others(
    client: &Client,
    journal: &Journal,
    me: &UserId,
    now: Timestamp,
) -> Result<()> {
    let answered = elsewhere(client, journal, me, now).await?;
    if !answered.is_empty() {
        let (count, newest) = (answered.len(), &answered[0]);
        tracing::warn!(
            count,
            newest,
            "orders were answered that this journal does not know; if another bot works as this \
             account, only one of the two is paid for an order: stop one, or give both one journal"
        );
    }
    Ok(())
}

/// Orders that were answered of late and that this journal does not know, the newest first.
async fn elsewhere(
    client: &Client,
    journal: &Journal,
    me: &UserId,
    now: Timestamp,
) -> Result<Vec<String>> {
    let list = || client.messages().list().schema(RESPONSE).limit(ANSWERS).page();
    let answers = persistently(list).await??.items;
    let since = now.minus(AGE_MAX);
    let mine = answers.into_iter().filter(|it| it.sender.id == *me && it.created_at > since);
    let order = |payload: serde_json::Map<String, serde_json::Value>| {
        payload.get("requestId")?.as_str().map(str::to_owned)
    };
    journal.unknown(mine.filter_map(|it| it.payload.and_then(order)).collect()).await
}

#[cfg(test)]
#[path = "other_bots_tests.rs"]
mod tests;
