//! `svc inbox --follow`: messages as they arrive, by polling.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use svc_client::types::api::messages::{ListMessages, Message, MessagePage, Order};
use svc_client::types::{MessageId, Timestamp};

use crate::caller::Caller;
use crate::dm::row;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::raw::{WithRaw, unexpected};

/// Pause after new messages.
pub(crate) const PAUSE_MIN: Duration = Duration::from_secs(2);
/// Longest pause while there are none.
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// How far back each poll begins: messages written at once may become visible out of order.
const OVERLAP: Duration = Duration::from_secs(10);

/// Shows the latest messages, then each further one until interrupted.
pub(crate) async fn run(caller: &Caller, latest: ListMessages) -> Result<()> {
    let Some(answer) = caller.send(latest.clone()).await? else {
        return Ok(());
    };
    let is_all = answer.value.value.next_cursor.is_none();
    let mut messages = messages(answer.value)?;
    messages.reverse();
    let first = messages.first().filter(|_| !is_all);
    let mut tail = Tail::starting_at(first.map(|(message, _)| message.message_id.clone()));
    tail.show(caller, messages)?;
    // The first poll, at once, notes what the limit left out. Later ones show each new message, whatever its id.
    let mut pause = if is_all { PAUSE_MIN } else { Duration::ZERO };
    loop {
        tokio::time::sleep(pause).await;
        pause = match tail.poll(caller, &latest).await {
            Ok(0) => longer(pause),
            Ok(_) => PAUSE_MIN,
            Err(error) => pause_after_failure(caller, error, pause)?,
        };
    }
}

/// The next pause when nothing came in.
pub(crate) fn longer(pause: Duration) -> Duration {
    (pause * 2).clamp(PAUSE_MIN, PAUSE_MAX)
}

/// The pause after a temporary failure; any other ends the command.
pub(crate) fn pause_after_failure(
    caller: &Caller,
    error: Box<Error>,
    pause: Duration,
) -> Result<Duration> {
    if !matches!(error.exit, Exit::Network | Exit::RateLimited) {
        return Err(error);
    }
    caller.out.note(&format!("trying again: {}", error.message));
    let asked = error.retry_after.map_or(Duration::ZERO, Duration::from_secs);
    Ok(longer(pause).max(asked))
}

/// What was shown so far.
#[derive(Default)]
struct Tail {
    /// The first message shown, until a poll has noted the older ones that the limit left out.
    first: Option<MessageId>,
    newest: Option<Timestamp>,
    /// Messages of the overlap.
    seen: BTreeMap<MessageId, Timestamp>,
}

/// A message as a value and as it came.
type Row = (Message, Box<RawValue>);

impl Tail {
    /// Starts at this message, if the limit left out older ones.
    fn starting_at(first: Option<MessageId>) -> Self {
        Self { first, ..Self::default() }
    }

    /// Shows new messages, and returns how many there were.
    async fn poll(&mut self, caller: &Caller, latest: &ListMessages) -> Result<usize> {
        let mut request = ListMessages {
            order: Some(Order::Asc),
            since: self.newest.map(|newest| newest.minus(OVERLAP)),
            limit: Some(100.into()),
            ..latest.clone()
        };
        let mut shown = 0;
        while let Some(answer) = caller.send(request.clone()).await? {
            let next = answer.value.value.next_cursor.clone();
            shown += self.show(caller, messages(answer.value)?)?;
            if next.is_none() || next == request.cursor {
                break;
            }
            request.cursor = next;
        }
        self.first = None;
        Ok(shown)
    }

    fn show(&mut self, caller: &Caller, messages: Vec<Row>) -> Result<usize> {
        let mut shown = 0;
        for (message, raw) in messages {
            let (id, time) = (message.message_id.clone(), message.created_at);
            let is_left_out = self.first.as_ref().is_some_and(|first| id < *first);
            if self.seen.insert(id, time).is_none() && !is_left_out {
                caller.out.page(&raw, &row(&message))?;
                shown += 1;
            }
            self.newest = self.newest.max(Some(time));
        }
        let begin = self.newest.map(|newest| newest.minus(OVERLAP));
        self.seen.retain(|_, time| Some(*time) >= begin);
        Ok(shown)
    }
}

/// The messages of a page, each as it came.
fn messages(page: WithRaw<MessagePage>) -> Result<Vec<Row>> {
    with_raw(page.value.messages, &page.raw)
}

/// Messages, each with its JSON in the page.
pub(crate) fn with_raw<M>(messages: Vec<M>, page: &RawValue) -> Result<Vec<(M, Box<RawValue>)>> {
    #[derive(Deserialize)]
    struct Lines {
        messages: Vec<Box<RawValue>>,
    }
    let lines: Lines = serde_json::from_str(page.get()).map_err(|error| unexpected(&error))?;
    Ok(messages.into_iter().zip(lines.messages).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_grows_from_two_to_thirty_seconds() {
        let pauses = std::iter::successors(Some(PAUSE_MIN), |pause| Some(longer(*pause)));
        let seconds: Vec<u64> = pauses.take(6).map(|pause| pause.as_secs()).collect();
        assert_eq!(seconds, [2, 4, 8, 16, 30, 30]);
    }
}
