//! Where to receive live events, and the event list for catching up (spec §6).

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::outbox::{self, Head};
use svc_mqtt::PACKET_BYTES_MAX;
use svc_mqtt::policy::Topic;
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::connect::{
    Connect, ConnectEnvelope, ConnectTopics, Event, EventData, EventPage, GetConnect, ListEvents,
    WebhookEvent,
};
use svc_types::page::LIMIT_DEFAULT;
use svc_types::{ChannelId, Code, CommaList, EventId, Limit, Scope, Timestamp, UserId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(connect).read(list)
}

/// The MQTT keep-alive that clients are advised to use, in seconds.
const KEEP_ALIVE_SECONDS: u16 = 60;

fn connect(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetConnect) -> Result<ConnectEnvelope> {
    let Some(broker) = ctx.app.live.endpoint(ctx.app) else {
        let message = "this server has no broker for live events";
        let refusal = Refusal::new(Code::FeatureNotConfigured, message);
        return Err(refusal.hint("read GET /v1/connect/events").into());
    };
    let topics = ConnectTopics {
        dm: Topic::Dm(caller.id.clone()).to_string(),
        notifications: Topic::Notifications(caller.id.clone()).to_string(),
        channels: channels(ctx, &caller.id)?,
        feed_global: Topic::GlobalFeed.to_string(),
    };
    let connect = Connect {
        broker_url: broker.url,
        username: caller.id.to_string(),
        client_id_prefix: caller.id.to_string(),
        topics,
        channel_publish: broker.channel_publish,
        qos: 1,
        keep_alive_seconds: KEEP_ALIVE_SECONDS,
        max_packet_bytes: u32::try_from(PACKET_BYTES_MAX).unwrap_or(u32::MAX),
        protocols: vec!["3.1.1".to_owned(), "5".to_owned()],
        latest_seq: outbox::head(ctx, &caller.id)?.last.unsigned_abs(),
    };
    Ok(ConnectEnvelope { connect })
}

/// Most channels whose topics are returned; `GET /channels` lists the rest.
const CHANNELS_MAX: i64 = 1_000;

/// The topics of the account's channels.
fn channels(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<String>> {
    let ids: Vec<ChannelId> = ctx.tx.all(
        sql!(
            "select m.channel from channel_member m join channel c on c.id = m.channel
             where m.account = $1 and c.deleted_at is null
             order by m.name, m.channel limit $2"
        ),
        values![account, CHANNELS_MAX],
    )?;
    Ok(ids.into_iter().map(|id| Topic::Channel(id).to_string()).collect())
}

/// Events that a page of some types scans at most.
const SCANNED_MAX: i64 = 4_000;

/// How similar a kind must be to an unknown one to be suggested instead.
const LIKENESS_MIN: f64 = 0.75;

struct EventRow {
    id: EventId,
    seq: i64,
    kind: String,
    body: String,
    created_at: Timestamp,
    is_hidden: bool,
}
row!(EventRow {
    id: "e.id",
    seq: "n.seq",
    kind: "e.kind",
    body: "e.body",
    created_at: "e.created_at",
    is_hidden: outbox::IS_HIDDEN,
});

#[derive(serde::Deserialize)]
struct Body {
    /// In stored form, so that the body of a webhook can be built from the response.
    data: EventData,
}

impl EventRow {
    fn into_api(self) -> Result<Event> {
        let body = if self.is_hidden { outbox::without_text(&self.body)? } else { self.body };
        let body: Body = serde_json::from_str(&body).map_err(Error::internal)?;
        Ok(Event {
            id: self.id,
            seq: self.seq.unsigned_abs(),
            event: self.kind,
            timestamp: self.created_at,
            data: body.data,
        })
    }
}

/// The account's events after a sequence number, oldest first.
pub(crate) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListEvents,
) -> Result<EventPage> {
    let head = outbox::head(ctx, &caller.id)?;
    let after = after(request, head)?;
    let limit = i64::from(request.limit.map_or(LIMIT_DEFAULT, Limit::get));
    let types = request.types.as_ref().map(known).transpose()?;
    // A key without the scope gets no messages; their numbers are skipped.
    let gets_messages = caller.scopes.contains(&Scope::Dm);
    let to = if types.is_some() || !gets_messages {
        after.saturating_add(SCANNED_MAX)
    } else {
        i64::MAX
    };
    let mut rows: Vec<EventRow> = ctx.tx.all(
        sql!(
            "select ",
            EventRow::COLUMNS,
            " from account_event n join event e on e.id = n.event
             where n.account = $1 and n.seq > $2 and n.seq <= $3
                and (cast($4 as text) is null
                    or $4 like '%,' || replace(e.kind, '_', '\\_') || ',%' escape '\\')
                and ($5 or e.kind <> 'direct_message')
             order by n.seq limit $6"
        ),
        values![caller.id, after, to, types, gets_messages, limit + 1],
    )?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > most;
    rows.truncate(most);
    let next = match rows.last() {
        Some(last) if more => Some(last.seq),
        // Many events are of other types: the next page goes on behind them.
        _ => Some(to).filter(|to| *to < head.last),
    };
    Ok(EventPage {
        events: rows.into_iter().map(EventRow::into_api).collect::<Result<_>>()?,
        next_cursor: next.map(i64::unsigned_abs),
        latest_seq: head.last.unsigned_abs(),
        oldest_seq: (head.swept + 1).unsigned_abs(),
    })
}

/// The kinds between commas; 400 for one that no event has, because nothing would ever match it.
fn known(CommaList(types): &CommaList<String>) -> Result<String> {
    match types.iter().find(|kind| !WebhookEvent::KINDS.contains(&kind.as_str())) {
        Some(odd) => Err(unknown_kind(odd)),
        None => Ok(format!(",{},", types.join(","))),
    }
}

fn unknown_kind(odd: &str) -> Error {
    let message = format!("types of events are {}", WebhookEvent::KINDS.join(", "));
    let refusal = Refusal::new(Code::ValidationFailed, message).field("types");
    let likeness = |kind: &str| strsim::jaro_winkler(kind, odd);
    let nearest = WebhookEvent::KINDS.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest.filter(|kind| likeness(kind) > LIKENESS_MIN) {
        Some(kind) => refusal.hint(*kind).into(),
        None => refusal.into(),
    }
}

/// Which events there are to continue from.
fn retained(head: Head) -> String {
    let (oldest, latest) = (head.swept + 1, head.last);
    if oldest > latest {
        return "no event is retained; begin without a number, and read the lists again".to_owned();
    }
    format!("only events {oldest} to {latest} are retained; read the lists again")
}

/// The sequence number to start after; 409 if later events have expired or it was never assigned.
fn after(request: &ListEvents, head: Head) -> Result<i64> {
    let Some(asked) = request.after else {
        return Ok(head.swept);
    };
    match i64::try_from(asked) {
        Ok(asked) if (head.swept..=head.last).contains(&asked) => Ok(asked),
        _ => {
            let refusal = Refusal::new(Code::CursorExpired, "there are no events to continue from");
            Err(refusal.field("after").hint(retained(head)).into())
        }
    }
}
