//! Events of all nodes for the sessions of this node.
//!
//! Each stream with subscribers has a position: the number of the latest event that was published
//! here. An event that this node commits is published at once if it is the next. Otherwise, and when
//! another node commits some, what lies behind the position is read from the database. So subscribers
//! get each event once, in the order of their numbers, whichever node committed it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use svc_core::app::{App, Ctx};
use svc_core::bus::Hints;
use svc_core::effects::LiveEvent;
use svc_core::ids;
use svc_core::services::outbox::GLOBAL_FEED;
use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{EventId, Timestamp};

use crate::embedded::{Hub, Step};
use crate::relay::{Live, SHARED_FOR, begin, envelope_of, topic};

/// Streams of one read, and events of a stream in one read.
const STREAMS_MAX: usize = 20;
const EVENTS_MAX: usize = 50;

/// A subscriber that is further behind gets only the latest; it reads the rest by cursor.
const BEHIND_MAX: i64 = 1_000;

/// How long numbers of the feed are remembered: longer than their events stay live.
const REMEMBERED_FOR: Duration = Duration::from_mins(2);

/// Numbers of one look at the feed.
const FEED_MAX: i64 = 1_000;

/// Publishes to the sessions of this node.
pub(crate) struct Follower {
    app: Arc<App>,
    hub: Arc<Hub>,
    /// Events of the feed that were published, or had no subscriber. Their numbers are ids, in the
    /// order in which they were made rather than committed.
    feed: BTreeSet<i64>,
    /// Events of the feed from before are of no concern.
    feed_since: i64,
}

impl Follower {
    /// Begins now, by the clock of the database: those of nodes may be wrong.
    pub(crate) async fn start(app: Arc<App>, hub: Arc<Hub>) -> Self {
        let now = app.read(|ctx| Ok(ctx.now())).await.unwrap_or_else(|_| app.clock.now());
        Self { app, hub, feed: BTreeSet::new(), feed_since: number_at(now) }
    }

    /// An event that this node committed.
    pub(crate) async fn here(&mut self, event: LiveEvent) -> Result<()> {
        if event.stream == GLOBAL_FEED {
            if self.feed.insert(event.seq) {
                self.publish(&event);
            }
            return Ok(());
        }
        match self.hub.step(&event.stream, event.seq) {
            Step::None => Ok(()),
            Step::Next => {
                self.publish(&event);
                Ok(())
            }
            Step::Behind(after) => self.catch_up(vec![(event.stream, after, event.seq)]).await,
        }
    }

    /// Events that other nodes committed.
    pub(crate) async fn elsewhere(&mut self, hints: Hints) -> Result<()> {
        let behind = hints.heads.into_iter().filter_map(|(stream, seq)| {
            let after = self.hub.behind(&stream, seq)?;
            Some((stream, after.max(seq - BEHIND_MAX), seq))
        });
        self.catch_up(behind.collect()).await?;
        let mut numbers = hints.feed;
        if hints.is_look && self.hub.follows_feed() {
            let since = self.feed_since;
            numbers.extend(self.app.read(move |ctx| feed_numbers(ctx, since)).await?);
        }
        self.publish_feed(numbers).await
    }

    /// Publishes the events of each stream after a number and up to another.
    async fn catch_up(&self, mut behind: Vec<(String, i64, i64)>) -> Result<()> {
        while !behind.is_empty() {
            let rest = behind.split_off(behind.len().min(STREAMS_MAX));
            let asked = behind.iter().map(|(stream, after, _)| (stream.clone(), (*after).into()));
            let asked = serde_json::Value::Object(asked.collect()).to_string();
            let events = self.app.read(move |ctx| after(ctx, &asked)).await?;
            for event in &events {
                self.hub.reach(&event.stream, event.seq);
                self.publish(&event.event());
            }
            let mut next = rest;
            for (stream, _, upto) in behind {
                let read = events.iter().filter(|event| event.stream == stream);
                match read.clone().count() {
                    // There may be more.
                    EVENTS_MAX => {
                        let last = read.map(|event| event.seq).max().unwrap_or(upto);
                        next.push((stream, last, upto));
                    }
                    // Events that are only for webhooks or lists have numbers, too.
                    _ => self.hub.reach(&stream, upto),
                }
            }
            behind = next;
        }
        Ok(())
    }

    async fn publish_feed(&mut self, mut numbers: Vec<i64>) -> Result<()> {
        numbers.retain(|number| *number > self.feed_since && !self.feed.contains(number));
        if self.hub.follows_feed() {
            for part in numbers.chunks(SLOTS).map(<[i64]>::to_vec) {
                let events = self.app.read(move |ctx| feed_events(ctx, &part)).await?;
                for event in events {
                    if self.feed.insert(event.seq) {
                        self.publish(&event.event());
                    }
                }
            }
        }
        self.feed.extend(numbers);
        if let Some(newest) = self.feed.last() {
            let old = number_at(instant_of(*newest).minus(REMEMBERED_FOR));
            self.feed = self.feed.split_off(&old);
            self.feed_since = self.feed_since.max(old);
        }
        Ok(())
    }

    fn publish(&self, event: &LiveEvent) {
        let topic = topic(&event.stream, &event.kind);
        let name = topic.to_string();
        let (span, trace) = begin(&self.app, event, &topic, self.hub.has_listener(&name));
        self.hub.publish(&name, envelope_of(event), trace);
        if let Some(span) = span {
            span.end();
        }
    }
}

/// The smallest number of an event of this instant.
fn number_at(instant: Timestamp) -> i64 {
    ids::number(ids::first_of::<EventId>(instant).as_str())
}

/// The instant of the number of an event.
fn instant_of(number: i64) -> Timestamp {
    ids::instant_of_number(number.unsigned_abs())
}

/// Live events of streams after a number each; `asked` is a JSON object of them.
fn after(ctx: &mut Ctx<'_, '_>, asked: &str) -> Result<Vec<Live>> {
    let limit = i64::try_from(EVENTS_MAX).map_err(Error::internal)?;
    ctx.tx.all(
        sql!(
            "select ",
            Live::COLUMNS,
            " from (
                select key as followed, cast(value as bigint) as known
                from jsonb_each_text(cast(cast($1 as text) as jsonb))
             ) f cross join lateral (
                select id, stream, seq, kind, body, created_at, trace from event
                where stream = f.followed and seq > f.known and relayed_at is null
                order by seq limit $2
             ) e
             order by stream, seq"
        ),
        values![asked, limit],
    )
}

/// Numbers of live events in the feed after this one.
fn feed_numbers(ctx: &mut Ctx<'_, '_>, since: i64) -> Result<Vec<i64>> {
    let since = since.max(number_at(ctx.now().minus(SHARED_FOR)));
    ctx.tx.all(
        sql!(
            "select seq from event
             where stream = '",
            GLOBAL_FEED,
            "' and seq > $1 and relayed_at is null
             order by seq desc limit $2"
        ),
        values![since, FEED_MAX],
    )
}

/// Live events of the feed with these numbers.
fn feed_events(ctx: &mut Ctx<'_, '_>, numbers: &[i64]) -> Result<Vec<Live>> {
    let sql = sql!(
        "select ",
        Live::COLUMNS,
        " from event where stream = '",
        GLOBAL_FEED,
        "' and relayed_at is null and seq in (",
        slots!(1),
        ") order by seq"
    );
    ctx.tx.all(sql, &slots(numbers))
}
