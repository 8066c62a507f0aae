//! From an event to the webhooks that get it.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::webhooks::{DeliveryTrigger, WebhookKind};
use svc_types::{EventId, Timestamp, UserId, WebhookId};

use super::delivery::{self, Draft};
use super::hold::HELD_MAX;
use crate::app::Ctx;

/// A webhook that gets an event.
#[derive(Clone, Debug)]
pub struct Listener {
    id: WebhookId,
    is_held: bool,
}

struct Found {
    id: WebhookId,
    disabled_at: Option<Timestamp>,
    suspended_at: Option<Timestamp>,
}
row!(Found { id, disabled_at, suspended_at });

/// Whether webhooks can get events of this kind.
fn is_for_webhooks(kind: &str) -> bool {
    WebhookKind::WORDS.contains(&kind)
}

/// The webhooks of an account that get events of this kind, locked until the transaction ends: one
/// that is disabled meanwhile would else leave a delivery behind that nobody holds.
///
/// What was disabled or suspended 72 hours ago gets nothing.
pub fn listeners(ctx: &mut Ctx<'_, '_>, account: &UserId, kind: &str) -> Result<Vec<Listener>> {
    if !is_for_webhooks(kind) {
        return Ok(Vec::new());
    }
    ctx.tx.lock(
        sql!(
            "select id from webhook where account = $1 and deleted_at is null
             order by id for no key update"
        ),
        values![account],
    )?;
    let found: Vec<Found> = ctx.tx.all(
        sql!(
            "select id, disabled_at, suspended_at from webhook
             where account = $1 and deleted_at is null and events like '%,' || $2 || ',%'
             order by id"
        ),
        values![account, kind],
    )?;
    let long_ago = ctx.now().minus(HELD_MAX);
    let heard = found.into_iter().filter_map(|found| {
        let down = found.disabled_at.into_iter().chain(found.suspended_at).min();
        let is_forgotten = down.is_some_and(|since| since <= long_ago);
        (!is_forgotten).then_some(Listener { id: found.id, is_held: down.is_some() })
    });
    Ok(heard.collect())
}

/// Makes a delivery of an event for each of these webhooks.
pub fn deliver(
    ctx: &mut Ctx<'_, '_>,
    listeners: &[Listener],
    event: &EventId,
    kind: &str,
    seq: i64,
) -> Result<()> {
    for listener in listeners {
        let draft = Draft {
            webhook: &listener.id,
            event,
            kind,
            seq,
            replay_no: 0,
            trigger: DeliveryTrigger::Event,
            is_held: listener.is_held,
        };
        delivery::insert(ctx, &draft)?;
    }
    Ok(())
}
