//! From committed events to the broker.
//!
//! Events that this process commits are published at once, in commit order. An event is marked as
//! relayed once the broker has it: the embedded broker immediately, an external one when it
//! acknowledges. A sweeper finds events that were lost in a crash, a full queue or a broken
//! connection, so an event may be delivered twice. It leaves alone what is under way, here or on
//! another node (`under_way`). Of several nodes, one at a time publishes what it found. Old events are
//! only marked: they are no longer live, and clients read them by cursor.
//!
//! Where several nodes have an embedded broker each, no event is marked when it is published, because
//! each node publishes it to its own sessions (`follow`). The sweeper marks it a minute later.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use svc_core::app::{App, Ctx};
use svc_core::effects::{LiveEvent, Relayed};
use svc_core::ids::FIRST;
use svc_core::services::outbox::GLOBAL_FEED;
use svc_core::services::turn;
use svc_core::tasks::{self, FailureLog, Task};
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::panics::caught;
use svc_store::trace::{Kind, Span, Trace};
use svc_store::{row, sql, values};
use svc_types::{ChannelId, EventId, Id, Timestamp};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::envelope::envelope;
use super::follow::Follower;
use super::policy::Topic;
use super::under_way::{Begun, left_over};
use crate::{Broker, Outgoing};

/// Time between two sweeps, and the least age of the events they take.
pub(crate) const SWEEP_EVERY: Duration = Duration::from_secs(5);

/// Publishes events that were not relayed in time.
const TASK: Task = Task { name: "relay", every: SWEEP_EVERY, failure: "failed to sweep events" };

/// Older events are marked without being published.
const LIVE_AGE_MAX: Duration = Duration::from_mins(15);

/// How long events stay live for the sessions of all nodes.
pub(crate) const SHARED_FOR: Duration = Duration::from_mins(1);

/// Time for what the sweeper sent to be acknowledged or given up: longer than a message waits here and at the broker.
const SENT_WITHIN: Duration = Duration::from_secs(35);

/// How long marks are collected, and how many are written at once.
const MARK_EVERY: Duration = Duration::from_millis(100);
const MARKS_MAX: usize = 256;

/// Queued marks; further ones are left to the sweeper, which publishes their events again.
const MARKS_WAITING_MAX: usize = 8_192;

/// A published event to be marked as relayed.
#[derive(Debug)]
struct Mark {
    id: EventId,
    /// Whether an account can read it later by cursor. Other events are deleted.
    is_retained: bool,
    /// It is under way until it is marked.
    _begun: Option<Begun>,
}

/// Publishes what this process commits until `stop` is cancelled.
pub async fn run(app: Arc<App>, broker: Arc<Broker>, stop: CancellationToken) {
    let Some(mut events) = app.post_commit.events() else { return };
    let (marks, marked) = mpsc::channel(MARKS_WAITING_MAX);
    let marking = tokio::spawn(mark_all(Arc::clone(&app), marked));
    let (mut follower, mut failures) = (follower(&app, &broker).await, FailureLog::default());
    loop {
        let Some(Some(event)) = stop.run_until_cancelled(events.recv()).await else { break };
        let relaying = relay(&app, &broker, follower.as_mut(), event, &marks);
        let relayed = caught(relaying).await;
        if let Some(error) = failures.filter(&relayed) {
            tracing::warn!(%error, "failed to publish an event, or to follow those of other nodes");
        }
    }
    drop(marks);
    if let Err(error) = marking.await {
        tracing::error!(%error, "failed to mark relayed events");
    }
}

/// Publishes an event, or follows what other nodes committed.
async fn relay(
    app: &App,
    broker: &Broker,
    follower: Option<&mut Follower>,
    event: Relayed,
    marks: &mpsc::Sender<Mark>,
) -> Result<()> {
    match (event, follower) {
        (Relayed::Here(event), None) => {
            publish(app, broker, &event, marks);
            Ok(())
        }
        // An external broker has sessions of its own.
        (Relayed::Elsewhere(_), None) => Ok(()),
        (Relayed::Here(event), Some(follower)) => follower.here(event).await,
        (Relayed::Elsewhere(hints), Some(follower)) => follower.elsewhere(hints).await,
    }
}

/// Follows all nodes, if there may be several and each has sessions of its own.
async fn follower(app: &Arc<App>, broker: &Broker) -> Option<Follower> {
    let hub = broker.hub().filter(|_| app.bus.is_shared())?;
    Some(Follower::start(Arc::clone(app), Arc::clone(hub)).await)
}

/// The MQTT payload of an event.
pub(crate) fn envelope_of(event: &LiveEvent) -> Bytes {
    let seq = (event.stream != GLOBAL_FEED).then_some(event.seq);
    envelope(&event.id, seq, &event.body)
}

/// Publishes an event, unless it is under way, and queues its mark once the broker has it.
fn publish(app: &App, broker: &Broker, event: &LiveEvent, marks: &mpsc::Sender<Mark>) {
    let Some(begun) = broker.under_way.begin(&event.id) else { return };
    let topic = topic(&event.stream, &event.kind);
    let mark = Mark { _begun: Some(begun), ..Mark::of(event.id.clone(), &event.stream) };
    let marks = marks.clone();
    let name = topic.to_string();
    let (span, trace) = begin(app, event, &topic, broker.reaches(&name));
    let delivered = move || {
        if let Some(span) = span {
            span.end();
        }
        // If the queue is full, the sweeper publishes the event again.
        _ = marks.try_send(mark);
    };
    let message = Outgoing { topic: &name, envelope: envelope_of(event), trace };
    broker.publish(&event.id, message, delivered);
}

/// Begins the span of a publication, if the request that caused the event is recorded and somebody
/// listens; and the trace that goes with the message.
pub(crate) fn begin(
    app: &App,
    event: &LiveEvent,
    topic: &Topic,
    has_listener: bool,
) -> (Option<Span>, Option<Trace>) {
    let request = event.trace.as_ref().filter(|_| has_listener);
    let request = request.and_then(|trace| app.tracer.resume(trace));
    let name = || format!("publish {}", topic.kind());
    let span = request.and_then(|request| request.begin(Kind::Producer, name()));
    let Some(mut span) = span else { return (None, event.trace.clone()) };
    span.note("messaging.system", "mqtt");
    span.note("messaging.destination.template", topic.kind());
    let trace = span.context().trace().clone();
    (Some(span), Some(trace))
}

/// The topic of an event.
pub(crate) fn topic(stream: &str, kind: &str) -> Topic {
    match kind {
        _ if stream == GLOBAL_FEED => Topic::GlobalFeed,
        _ if stream.starts_with(ChannelId::PREFIX) => Topic::Channel(stream.into()),
        "direct_message" => Topic::Dm(stream.into()),
        _ => Topic::Notifications(stream.into()),
    }
}

/// Whether events of a stream can be read later by cursor. Channel messages and posts are read from
/// their own lists instead.
fn is_retained(stream: &str) -> bool {
    stream != GLOBAL_FEED && !stream.starts_with(ChannelId::PREFIX)
}

impl Mark {
    fn of(id: EventId, stream: &str) -> Self {
        Self { id, is_retained: is_retained(stream), _begun: None }
    }
}

/// Writes marks until the channel closes.
async fn mark_all(app: Arc<App>, mut marks: mpsc::Receiver<Mark>) {
    let (mut collected, mut failures) = (Vec::new(), FailureLog::default());
    while marks.recv_many(&mut collected, MARKS_MAX).await > 0 {
        if collected.len() < MARKS_MAX && !marks.is_closed() {
            sleep(MARK_EVERY).await;
            while collected.len() < MARKS_MAX {
                let Ok(mark) = marks.try_recv() else { break };
                collected.push(mark);
            }
        }
        let written = caught(write(&app, mem::take(&mut collected))).await;
        if let Some(error) = failures.filter(&written) {
            tracing::warn!(%error, "failed to mark relayed events");
        }
    }
}

/// Marks the retained events, and deletes the others.
async fn write(app: &Arc<App>, marks: Vec<Mark>) -> Result<()> {
    let [retained, other] = [true, false].map(|is_retained| {
        let those = marks.iter().filter(|mark| mark.is_retained == is_retained);
        those.map(|mark| mark.id.clone()).collect::<Vec<_>>()
    });
    let writing = app.write(move |ctx| {
        mark(ctx, &retained)?;
        delete(ctx, &other)
    });
    let written = writing.await;
    // Until then a sweeper would find the events, and publish them again.
    drop(marks);
    written
}

fn mark(ctx: &mut Ctx<'_, '_>, ids: &[EventId]) -> Result<()> {
    let now = ctx.now();
    for chunk in ids.chunks(SLOTS) {
        let mut values = values![now].to_vec();
        values.extend(slots(chunk));
        let sql = sql!("update event set relayed_at = $1 where id in (", slots!(2), ")");
        ctx.tx.execute(sql, &values)?;
    }
    Ok(())
}

fn delete(ctx: &mut Ctx<'_, '_>, ids: &[EventId]) -> Result<()> {
    for chunk in ids.chunks(SLOTS) {
        let sql = sql!("delete from event where id in (", slots!(1), ")");
        ctx.tx.execute(sql, &slots(chunk))?;
    }
    Ok(())
}

/// Publishes events that were not relayed, until `stop` is cancelled.
pub async fn sweep(app: Arc<App>, broker: Arc<Broker>, stop: CancellationToken) {
    let work = || tasks::until_stopped(&stop, sweep_all(&app, &broker));
    TASK.round(&app, work()).await;
    TASK.repeat(&app, &stop, work).await;
}

/// Publishes all events that were not relayed in time.
async fn sweep_all(app: &Arc<App>, broker: &Broker) -> Result<()> {
    while sweep_once(app, broker).await? {}
    Ok(())
}

/// Publishes some events that were not relayed in time; returns whether there may be more.
async fn sweep_once(app: &Arc<App>, broker: &Broker) -> Result<bool> {
    if broker.hub().is_some() && app.bus.is_shared() {
        return mark_shared(app).await;
    }
    // Before the events are read: it might take those that are queued meanwhile.
    let is_idle = broker.is_idle();
    let (late, now) = look(app, broker).await?;
    // One that is not connected takes nothing, and what is queued for it goes first.
    if !is_idle || late.is_empty() {
        return Ok(false);
    }
    if app.bus.is_shared() {
        return publish_in_turn(app, broker).await;
    }
    publish_late(app, broker, late, now).await
}

/// Marks events that all nodes have published; returns whether there may be more.
async fn mark_shared(app: &Arc<App>) -> Result<bool> {
    let late = app.read(|ctx| unmarked(ctx, SHARED_FOR, None)).await?;
    let found = late.len();
    let marks = late.into_iter().map(|event| Mark::of(event.id, &event.stream)).collect();
    write(app, marks).await?;
    Ok(found == SLOTS)
}

/// Publishes some events, unless another node does.
async fn publish_in_turn(app: &Arc<App>, broker: &Broker) -> Result<bool> {
    let Some(turn) = app.write(turn::take).await? else { return Ok(false) };
    // The node before may have published what was found.
    let published = match look(app, broker).await {
        Ok((late, now)) => publish_late(app, broker, late, now).await,
        Err(error) => Err(error),
    };
    app.write(move |ctx| turn::give_back(ctx, &turn)).await?;
    published
}

/// Events that were not relayed in time and are not under way, and the time.
async fn look(app: &Arc<App>, broker: &Broker) -> Result<(Vec<Live>, Timestamp)> {
    // Taken before the events are read: one may be marked right after that, and be under way no longer.
    let under_way = broker.under_way.all();
    let looking = app.read(move |ctx| Ok((left_over(ctx, &under_way)?, ctx.now())));
    let ((late, oldest), now) = looking.await?;
    let age = oldest.map_or(Duration::ZERO, |oldest| now.since(oldest));
    metrics::gauge!("svc_event_unpublished_seconds").set(age.as_secs_f64());
    Ok((late, now))
}

/// Publishes these events, and marks what the broker acknowledges; returns whether there may be more.
async fn publish_late(
    app: &Arc<App>,
    broker: &Broker,
    late: Vec<Live>,
    now: Timestamp,
) -> Result<bool> {
    let since = now.minus(LIVE_AGE_MAX);
    let found = late.len();
    let (recent, old): (Vec<Live>, Vec<Live>) =
        late.into_iter().partition(|event| event.created_at >= since);
    let (marks, mut marked) = mpsc::channel(SLOTS);
    for event in recent {
        publish(app, broker, &event.event(), &marks);
    }
    drop(marks);
    let mut done: Vec<Mark> =
        old.into_iter().map(|event| Mark::of(event.id, &event.stream)).collect();
    let collecting = async {
        while let Some(mark) = marked.recv().await {
            done.push(mark);
        }
    };
    let _ = timeout(SENT_WITHIN, collecting).await;
    let are_all_done = done.len() == found;
    write(app, done).await?;
    Ok(are_all_done && found == SLOTS)
}

/// An event that was not marked as relayed.
pub(crate) struct Live {
    pub(crate) id: EventId,
    pub(crate) stream: String,
    pub(crate) seq: i64,
    pub(crate) kind: String,
    pub(crate) body: String,
    pub(crate) created_at: Timestamp,
    trace: Option<String>,
}
row!(Live {
    id: "id",
    stream: "stream",
    seq: "seq",
    kind: "kind",
    body: "body",
    created_at: "created_at",
    trace: "trace",
});

impl Live {
    pub(crate) fn event(&self) -> LiveEvent {
        let Self { id, stream, seq, kind, body, trace, .. } = self;
        let (id, stream, kind, body) = (id.clone(), stream.clone(), kind.clone(), body.clone());
        let trace = trace.as_deref().and_then(Trace::read);
        LiveEvent { id, stream, seq: *seq, kind, body, trace }
    }
}

/// The oldest events that are not relayed, after this time and id. A broker may have been away for long.
pub(crate) fn unmarked(
    ctx: &mut Ctx<'_, '_>,
    age: Duration,
    after: Option<(Timestamp, EventId)>,
) -> Result<Vec<Live>> {
    let before = ctx.now().minus(age);
    let (at, id) = after.unwrap_or_else(|| (Timestamp::from_millis(0), EventId::from(FIRST)));
    let limit = i64::try_from(SLOTS).unwrap_or(i64::MAX);
    let sql = sql!(
        "select ",
        Live::COLUMNS,
        " from event
         where relayed_at is null and created_at <= $1 and (created_at, id) > ($2, $3)
         order by created_at, id
         limit $4"
    );
    ctx.tx.all(sql, values![before, at, id, limit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_goes_to_the_topic_of_its_stream_and_kind() {
        for (stream, kind, name) in [
            ("usr_1", "direct_message", "svc/dm/usr_1"),
            ("usr_1", "like", "svc/notifications/usr_1"),
            ("usr_1", "escrow", "svc/notifications/usr_1"),
            ("chan_1", "channel_message", "svc/channels/chan_1"),
            ("chan_1", "channel_message_deleted", "svc/channels/chan_1"),
            (GLOBAL_FEED, "post", "svc/feed/global"),
            (GLOBAL_FEED, "post_deleted", "svc/feed/global"),
        ] {
            assert_eq!(topic(stream, kind).to_string(), name);
        }
    }
}
