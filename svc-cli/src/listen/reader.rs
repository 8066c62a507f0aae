//! Reads events in their order, and waits for more.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use svc_client::types::api::connect::{Event, EventPage, ListEvents};
use svc_client::types::{CommaList, Limit, Timestamp};

use super::ListenFlags;
use super::wake::Wake;
use crate::caller::Caller;
use crate::error::Result;
use crate::exit::Exit;
use crate::raw::{WithRaw, unexpected};

/// The first pause between two polls, where no hint says when to poll.
const PAUSE_MIN: Duration = Duration::from_millis(500);
/// The longest of these pauses, when nothing happens.
const PAUSE_MAX: Duration = Duration::from_secs(2);
/// Events per poll.
const PAGE: u32 = 100;

/// An event, and its bytes as they were received.
pub(super) struct Received {
    pub(super) event: Event,
    pub(super) envelope: Box<RawValue>,
}

/// Reads the events of one account.
pub(super) struct Reader<'a> {
    caller: &'a Caller,
    types: Option<CommaList<String>>,
    last: u64,
    /// The number that the caller was given last, of an event or without one.
    given: u64,
    since: Option<Timestamp>,
    ready: VecDeque<Received>,
    wake: Wake,
}

impl<'a> Reader<'a> {
    /// Begins where the flags say, else behind the number that was kept, else now.
    pub(super) async fn new(
        caller: &'a Caller,
        flags: &ListenFlags,
        kept: Option<u64>,
    ) -> Result<Self> {
        let types: Vec<_> = flags.types.iter().map(|kind| kind.trim().to_owned()).collect();
        let types = Some(CommaList(types)).filter(|types| !types.0.is_empty());
        let wake = Wake::new(caller)?;
        let since = flags.replay_since;
        let mut reader =
            Self { caller, types, last: 0, given: 0, since, ready: VecDeque::new(), wake };
        let is_whole = flags.from_start || since.is_some();
        reader.last = if let Some(last) = flags.after.or(kept.filter(|_| !is_whole)) {
            last
        } else {
            let page = reader.read(None, 1).await?.value;
            if is_whole { page.oldest_seq.saturating_sub(1) } else { page.latest_seq }
        };
        reader.given = reader.last;
        Ok(reader)
    }

    /// The number of the last event that was read.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// The next event; waits for one, also while the server is away. `passed` gets the number that was
    /// reached without one, because all events up to there are of other kinds.
    pub(super) async fn next(&mut self, passed: impl Fn(u64) -> Result<()>) -> Result<Received> {
        let mut pause = PAUSE_MIN;
        loop {
            if let Some(received) = self.ready.pop_front() {
                self.given = received.event.seq;
                return Ok(received);
            }
            match self.poll().await {
                Ok(has_more) => {
                    if self.ready.is_empty() && self.last > self.given {
                        self.given = self.last;
                        passed(self.last)?;
                    }
                    if has_more {
                        continue;
                    }
                    self.wake.wait(pause).await;
                }
                Err(error) if matches!(error.exit, Exit::Network | Exit::RateLimited) => {
                    let asked = Duration::from_secs(error.retry_after.unwrap_or(0));
                    tokio::time::sleep(pause.max(asked)).await;
                }
                Err(error) => return Err(error),
            }
            pause = (pause * 3 / 2).min(PAUSE_MAX);
        }
    }

    /// Polls once; returns whether there were events, or more are waiting.
    async fn poll(&mut self) -> Result<bool> {
        #[derive(Deserialize)]
        struct Envelopes {
            events: Vec<Box<RawValue>>,
        }
        let kept = self.read(Some(self.last), PAGE).await?;
        let envelopes: Envelopes =
            serde_json::from_str(kept.raw.get()).map_err(|error| unexpected(&error))?;
        let page = kept.value;
        let (has_more, any) = (page.next_cursor.is_some(), !page.events.is_empty());
        for (event, envelope) in page.events.into_iter().zip(envelopes.events) {
            self.last = event.seq;
            if self.since.is_none_or(|since| event.timestamp >= since) {
                self.ready.push_back(Received { event, envelope });
            }
        }
        // With a filter, a page may skip many events of other types.
        self.last = self.last.max(page.next_cursor.unwrap_or(page.latest_seq));
        Ok(has_more || any)
    }

    async fn read(&self, after: Option<u64>, limit: u32) -> Result<WithRaw<EventPage>> {
        let limit = Some(Limit::from(limit));
        let request = ListEvents { after, types: self.types.clone(), limit };
        self.caller.read(request).await.map_err(|error| match error.code.as_str() {
            "cursor_expired" => {
                error.hint("add --from-start, which begins with the oldest one retained")
            }
            _ => error,
        })
    }
}
