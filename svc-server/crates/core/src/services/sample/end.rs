//! How proposals end: answered, or with the account or the service that they are of.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::orders::SampleState;
use svc_types::{MessageId, ServiceId, UserId};

use super::stored;
use crate::app::Ctx;

/// Moves a proposal to the state of an answer; false if it was in another state.
pub(super) fn advance(
    ctx: &mut Ctx<'_, '_>,
    order: &MessageId,
    from: &SampleState,
    to: &SampleState,
) -> Result<bool> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update sample_proposal set state = $1, answered_at = $2
             where order_id = $3 and state = $4"
        ),
        values![to, now, order, from],
    )?;
    Ok(rows == 1)
}

/// Ends what waits or is shown without an answer of its buyer, for good.
pub(super) fn withdraw(ctx: &mut Ctx<'_, '_>, order: &MessageId) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update sample_proposal set state = 'withdrawn'
             where order_id = $1 and state in ('proposed', 'agreed')"
        ),
        values![order],
    )
}

/// Ends what a buyer who leaves was asked or has agreed to, at most `limit` of them; the answer is how many
/// there were. Samples that are shown come first, and are taken off.
pub fn end_of_buyer(ctx: &mut Ctx<'_, '_>, buyer: &UserId, limit: i64) -> Result<usize> {
    // All services before any proposal, because two accounts may leave at once.
    ctx.tx.lock(
        sql!(
            "select id from service
             where id in (
                select service from sample_proposal
                where buyer = $1 and state in ('proposed', 'agreed')
                order by state, service, order_id limit $2)
             order by id for no key update"
        ),
        values![buyer, limit],
    )?;
    let found: Vec<(MessageId, ServiceId, SampleState)> = ctx.tx.all(
        sql!(
            "select order_id, service, state from sample_proposal
             where buyer = $1 and state in ('proposed', 'agreed')
             order by state, service, order_id limit $2"
        ),
        values![buyer, limit],
    )?;
    for (order, service, state) in &found {
        let ended = if *state == SampleState::Agreed {
            stored::take_off(ctx, service, order)?;
            SampleState::Revoked
        } else {
            SampleState::Declined
        };
        advance(ctx, order, state, &ended)?;
    }
    Ok(found.len())
}

/// Takes off what is shown of an order whose request or result moderators hide or remove, for good.
/// The caller has locked the message.
pub fn end_of_message(ctx: &mut Ctx<'_, '_>, message: &MessageId) -> Result<()> {
    // No index leads from a result to its order; it is found among what its sender shows.
    let found: Option<(MessageId, ServiceId)> = ctx.tx.optional(
        sql!(
            "select order_id, service from sample_proposal
             where order_id = $1 and state = 'agreed'
             union all
             select p.order_id, p.service
             from sample_proposal p
             join service_request q on q.id = p.order_id
             where p.seller = (select sender from message where id = $1) and p.state = 'agreed'
                and q.response_message = $1"
        ),
        values![message],
    )?;
    let Some((order, service)) = found else { return Ok(()) };
    stored::take_off(ctx, &service, &order)?;
    withdraw(ctx, &order)
}

/// Ends what waits or is shown for a service that is not offered any more.
pub fn end_of_service(ctx: &mut Ctx<'_, '_>, service: &ServiceId) -> Result<()> {
    ctx.tx.write(
        sql!(
            "delete from sample_proposal
             where service = $1 and state in ('proposed', 'agreed')"
        ),
        values![service],
    )
}
