//! What happened to an account, to be caught up by number (spec §6).

use svc_types::api::connect::{Event, EventData, EventPage, ListEvents};
use svc_types::page::LIMIT_DEFAULT;
use svc_types::{Code, EventId, Limit, Timestamp};

use crate::app::Cx;
use crate::error::{Error, Refusal, Result};
use crate::http::{Account, Routes};
use crate::{row, sql, values};

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(list)
}

struct EventRow {
    id: EventId,
    seq: i64,
    kind: String,
    body: String,
    created_at: Timestamp,
}
row!(EventRow { id, seq, kind, body, created_at });

#[derive(serde::Deserialize)]
struct Body {
    /// As it was stored, so that a webhook's body can be made of the answer.
    data: EventData,
}

impl EventRow {
    fn wire(self) -> Result<Event> {
        let body: Body = serde_json::from_str(&self.body).map_err(Error::internal)?;
        Ok(Event {
            id: self.id,
            seq: self.seq.unsigned_abs(),
            event: self.kind,
            timestamp: self.created_at,
            data: body.data,
        })
    }
}

fn list(cx: &mut Cx<'_, '_>, caller: &Account, request: &ListEvents) -> Result<EventPage> {
    let latest: Option<i64> = cx
        .tx
        .optional(sql!("select last_seq from event_head where stream = $1"), values![caller.id])?;
    let latest = latest.unwrap_or(0);
    let oldest: Option<i64> =
        cx.tx.one(sql!("select min(seq) from event where stream = $1"), values![caller.id])?;
    let after = after(request, oldest, latest)?;
    let limit = i64::from(request.limit.map_or(LIMIT_DEFAULT, Limit::get));
    let types = request.types.as_ref().map(|types| format!(",{},", types.0.join(",")));
    let mut rows: Vec<EventRow> = cx.tx.all(
        sql!(
            "select id, seq, kind, body, created_at from event
             where stream = $1 and seq > $2
                and (cast($3 as text) is null
                    or $3 like '%,' || replace(kind, '_', '\\_') || ',%' escape '\\')
             order by seq limit $4"
        ),
        values![caller.id, after, types, limit + 1],
    )?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > most;
    rows.truncate(most);
    let next_cursor = rows.last().filter(|_| more).map(|last| last.seq.unsigned_abs());
    let events = rows.into_iter().map(EventRow::wire).collect::<Result<_>>()?;
    let (latest_seq, oldest_seq) = (latest.unsigned_abs(), oldest.unwrap_or(0).unsigned_abs());
    Ok(EventPage { events, next_cursor, latest_seq, oldest_seq })
}

/// The number to begin behind; 409 when what follows it is no longer kept, or it was never given.
fn after(request: &ListEvents, oldest: Option<i64>, latest: i64) -> Result<i64> {
    let first = oldest.unwrap_or(latest + 1) - 1;
    let Some(asked) = request.after else {
        return Ok(first);
    };
    match i64::try_from(asked) {
        Ok(asked) if (first..=latest).contains(&asked) => Ok(asked),
        _ => {
            let refusal = Refusal::new(Code::CursorExpired, "there are no events to go on from");
            let hint =
                format!("events are kept from {} to {latest}; read the lists anew", first + 1);
            Err(refusal.field("after").hint(hint).into())
        }
    }
}
