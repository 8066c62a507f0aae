//! From committed events to the broker.
//!
//! What this process commits is published at once, in the order of commits. An event is marked once
//! it is out of this process's hands: the embedded broker has it at once, one of others when it
//! says so. What is lost on the way, in a crash, a full queue or a connection that broke, is found
//! by a sweeper; so an event may be told twice. Those that are old by then are only marked: news
//! of that age is worth nothing, and the cursor covers it.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use svc_core::app::{App, Ctx};
use svc_core::effects::LiveEvent;
use svc_core::services::outbox::GLOBAL_FEED;
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{ChannelId, EventId, Id, Timestamp};
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

use super::envelope::envelope;
use super::policy::Topic;
use crate::Broker;

/// Time between two sweeps, and how old what they take is at least.
const SWEEP_EVERY: Duration = Duration::from_secs(5);

/// Events that are older are not told any more.
const NEWS_AGE_MAX: Duration = Duration::from_mins(15);

/// How long a broker of others may take to say that it has what the sweeper sent.
const HANDOVER_TIME: Duration = Duration::from_secs(10);

/// How long marks are gathered, and how many are written at once.
const MARK_EVERY: Duration = Duration::from_millis(100);
const MARKS_MAX: usize = 256;

/// Marks that wait; further ones are left to the sweeper, which publishes their events again.
const MARKS_WAITING_MAX: usize = 8_192;

/// An event that was published and is to be marked.
#[derive(Debug)]
struct Mark {
    id: EventId,
    /// Whether an account catches up with it later; what is nobody's is deleted.
    is_kept: bool,
}

/// Publishes what this process commits until `stop` turns true.
pub async fn run(app: Arc<App>, broker: Arc<Broker>, mut stop: watch::Receiver<bool>) {
    let Some(mut events) = app.post_commit.events() else { return };
    let (marks, marked) = mpsc::channel(MARKS_WAITING_MAX);
    let marking = tokio::spawn(mark_all(Arc::clone(&app), marked));
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            _ = stop.wait_for(|stop| *stop) => None,
        };
        let Some(event) = event else { break };
        publish(&broker, &event, &marks);
    }
    drop(marks);
    if let Err(error) = marking.await {
        tracing::error!(%error, "relayed events could not be marked");
    }
}

/// Publishes an event, and has it marked once it is told.
fn publish(broker: &Broker, event: &LiveEvent, marks: &mpsc::Sender<Mark>) {
    let seq = (event.stream != GLOBAL_FEED).then_some(event.seq);
    let topic = topic(&event.stream, &event.kind).to_string();
    let (mark, marks) = (Mark::of(event.id.clone(), &event.stream), marks.clone());
    // When there is no room for it, the sweeper publishes it again.
    let told = move || _ = marks.try_send(mark);
    broker.publish(&event.id, &topic, envelope(&event.id, seq, &event.body), told);
}

/// Where an event of a stream goes.
fn topic(stream: &str, kind: &str) -> Topic {
    match kind {
        _ if stream == GLOBAL_FEED => Topic::GlobalFeed,
        _ if stream.starts_with(ChannelId::PREFIX) => Topic::Channel(stream.into()),
        "direct_message" => Topic::Dm(stream.into()),
        _ => Topic::Notifications(stream.into()),
    }
}

/// Whether events of a stream are caught up with by their number. What was written in a channel
/// or posted is read from there instead.
fn is_kept(stream: &str) -> bool {
    stream != GLOBAL_FEED && !stream.starts_with(ChannelId::PREFIX)
}

impl Mark {
    fn of(id: EventId, stream: &str) -> Self {
        Self { id, is_kept: is_kept(stream) }
    }
}

/// Marks what was published until nothing comes any more.
async fn mark_all(app: Arc<App>, mut marks: mpsc::Receiver<Mark>) {
    let mut gathered = Vec::new();
    while marks.recv_many(&mut gathered, MARKS_MAX).await > 0 {
        if gathered.len() < MARKS_MAX && !marks.is_closed() {
            sleep(MARK_EVERY).await;
            while gathered.len() < MARKS_MAX {
                let Ok(mark) = marks.try_recv() else { break };
                gathered.push(mark);
            }
        }
        if let Err(error) = write(&app, mem::take(&mut gathered)).await {
            tracing::warn!(%error, "relayed events could not be marked");
        }
    }
}

/// Writes marks down.
async fn write(app: &Arc<App>, marks: Vec<Mark>) -> Result<()> {
    let (kept, other): (Vec<Mark>, Vec<Mark>) = marks.into_iter().partition(|mark| mark.is_kept);
    let [kept, other] =
        [kept, other].map(|marks| marks.into_iter().map(|mark| mark.id).collect::<Vec<_>>());
    let written = app.write(move |ctx| {
        mark(ctx, &kept)?;
        delete(ctx, &other)
    });
    written.await
}

fn mark(ctx: &mut Ctx<'_, '_>, ids: &[EventId]) -> Result<()> {
    let now = ctx.now();
    for some in ids.chunks(SLOTS) {
        let mut values = values![now].to_vec();
        values.extend(slots(some));
        let sql = sql!(concat!("update event set relayed_at = $1 where id in (", slots!(2), ")"));
        ctx.tx.execute(sql, &values)?;
    }
    Ok(())
}

fn delete(ctx: &mut Ctx<'_, '_>, ids: &[EventId]) -> Result<()> {
    for some in ids.chunks(SLOTS) {
        let sql = sql!(concat!("delete from event where id in (", slots!(1), ")"));
        ctx.tx.execute(sql, &slots(some))?;
    }
    Ok(())
}

/// Looks for events that were not relayed until `stop` turns true.
pub async fn sweep(app: Arc<App>, broker: Arc<Broker>, mut stop: watch::Receiver<bool>) {
    loop {
        let swept = tokio::select! {
            swept = sweep_once(&app, &broker) => swept,
            _ = stop.wait_for(|stop| *stop) => return,
        };
        match swept {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "events that were not relayed could not be read"),
        }
        let next = app.clock.now().plus(SWEEP_EVERY);
        tokio::select! {
            () = app.clock.sleep_until(next) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}

/// Publishes some events that were not relayed in time; whether there may be more that can be.
async fn sweep_once(app: &Arc<App>, broker: &Broker) -> Result<bool> {
    // What still waits for the broker would be sent a second time.
    if !broker.is_idle() {
        return Ok(false);
    }
    let late = app.read(late).await?;
    let since = app.clock.now().minus(NEWS_AGE_MAX);
    let found = late.len();
    let (news, old): (Vec<Late>, Vec<Late>) =
        late.into_iter().partition(|event| event.created_at >= since);
    let (marks, mut marked) = mpsc::channel(SLOTS);
    for event in news {
        publish(broker, &event.live(), &marks);
    }
    drop(marks);
    let mut done: Vec<Mark> =
        old.into_iter().map(|event| Mark::of(event.id, &event.stream)).collect();
    let gathering = async {
        while let Some(mark) = marked.recv().await {
            done.push(mark);
        }
    };
    let _ = timeout(HANDOVER_TIME, gathering).await;
    let are_all_done = done.len() == found;
    write(app, done).await?;
    Ok(are_all_done && found == SLOTS)
}

/// An event that was not relayed.
struct Late {
    id: EventId,
    stream: String,
    seq: i64,
    kind: String,
    body: String,
    created_at: Timestamp,
}
row!(Late { id, stream, seq, kind, body, created_at });

impl Late {
    fn live(&self) -> LiveEvent {
        let Self { id, stream, seq, kind, body, .. } = self;
        let (id, stream, kind, body) = (id.clone(), stream.clone(), kind.clone(), body.clone());
        LiveEvent { id, stream, seq: *seq, kind, body }
    }
}

/// The oldest events that wait.
fn late(ctx: &mut Ctx<'_, '_>) -> Result<Vec<Late>> {
    let before = ctx.now().minus(SWEEP_EVERY);
    let most = i64::try_from(SLOTS).unwrap_or(i64::MAX);
    let sql = sql!(
        "select id, stream, seq, kind, body, created_at
         from event
         where relayed_at is null and created_at <= $1
         order by created_at, id
         limit $2"
    );
    let mut late: Vec<Late> = ctx.tx.all(sql, values![before, most])?;
    late.sort_by(|a, b| (a.created_at, &a.stream, a.seq).cmp(&(b.created_at, &b.stream, b.seq)));
    Ok(late)
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
