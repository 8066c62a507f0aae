//! Detects another bot that answers orders for the same account.

use std::time::Duration;

use svc_client::Client;
use svc_client::types::api::messages::Message;
use svc_client::types::service_message::RESPONSE;
use svc_client::types::{Timestamp, UserId};

use super::retry::retry;
use crate::error::Result;
use crate::journal::Journal;

/// Number of recent answers to check.
const ANSWERS: u32 = 20;
/// Maximum age of those answers; the journal keeps finished jobs for 7 days.
const AGE_MAX: Duration = Duration::from_secs(6 * 24 * 60 * 60);

/// Warns if recent orders were answered that this journal does not know: the journal is new, an
/// earlier one was lost, or another bot with its own journal uses this account. In that case only one
/// of the two bots is paid for each order.
pub(super) async fn warn_about_other_bots(
    client: &Client,
    journal: &Journal,
    me: &UserId,
    now: Timestamp,
) -> Result<()> {
    let answered = unknown_answers(client, journal, me, now).await?;
    if !answered.is_empty() {
        let (count, newest) = (answered.len(), &answered[0]);
        tracing::warn!(
            count,
            newest,
            "orders were answered that this journal does not know; if another bot uses this \
             account, stop one of them, because only one is paid for each order"
        );
    }
    Ok(())
}

/// Recently answered orders that this journal does not know, newest first.
async fn unknown_answers(
    client: &Client,
    journal: &Journal,
    me: &UserId,
    now: Timestamp,
) -> Result<Vec<String>> {
    let messages = client.messages();
    let answers = retry(|| messages.list().schema(RESPONSE).limit(ANSWERS).page()).await??.items;
    let since = now.minus(AGE_MAX);
    let mine = answers.into_iter().filter(|it| it.sender.id == *me && it.created_at > since);
    journal.unknown(mine.filter_map(answered_order).collect()).await
}

fn answered_order(answer: Message) -> Option<String> {
    answer.payload?.get("requestId")?.as_str().map(str::to_owned)
}

#[cfg(test)]
#[path = "other_bots_tests.rs"]
mod tests;
