//! Orders that ended, each as often as the figures count it: once.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::operate::{EndedOrder, OrderOutcome};
use svc_types::api::orders::OrderStatus;
use svc_types::{Credits, EscrowId, MessageId, ServiceId, Timestamp};

use crate::app::Ctx;
use crate::page::Page;
use crate::services::figure;

/// An order without escrow, or an escrow, however many orders it paid for.
struct Ended {
    order: Option<MessageId>,
    escrow: Option<EscrowId>,
    service: ServiceId,
    service_name: String,
    is_offered: bool,
    buyer: String,
    provider: String,
    credits: Credits,
    status: OrderStatus,
    was_disputed: bool,
    created_at: Timestamp,
    closed_at: Timestamp,
}
row!(Ended {
    order: "ended.order_id",
    escrow: "ended.escrow",
    service: "ended.service",
    service_name: "s.name",
    is_offered: "s.active and s.deleted_at is null",
    buyer: "b.username",
    provider: "p.username",
    credits: "ended.credits",
    status: "ended.status",
    was_disputed: "ended.was_disputed",
    created_at: "ended.created_at",
    closed_at: "ended.closed_at",
});

/// Reads what the figures count by these conditions, of orders and of escrows, newest end first.
macro_rules! select_ended {
    ($request:expr, $escrow:expr) => {
        sql!(
            "select ",
            Ended::COLUMNS,
            " from (
                select * from (
                    select q.id, q.id as order_id, cast(null as text) as escrow, q.service,
                        q.requester as buyer, q.provider, q.offered as credits,
                        q.state as status, false as was_disputed, q.created_at, q.closed_at
                    from service_request q
                    where ",
            $request,
            " and q.closed_at >= $1 and (q.closed_at, q.id) < ($2, $3)
                    order by q.closed_at desc, q.id desc limit $4
                ) as requests
                union all
                select * from (
                    select e.id, (
                            select max(q.id) from service_request q
                            where q.escrow = e.id and q.escrow is not null
                        ) as order_id, e.id as escrow, e.service, e.buyer, e.provider,
                        e.amount as credits,
                        case when e.status = 'released' then 'completed'
                            when e.status = 'refunded' then 'refunded'
                            when e.close_reason = 'expired' then 'expired'
                            else 'error' end as status,
                        e.dispute is not null as was_disputed, e.created_at, e.closed_at
                    from escrow e
                    where ",
            $escrow,
            " and e.closed_at >= $1 and (e.closed_at, e.id) < ($2, $3)
                    order by e.closed_at desc, e.id desc limit $4
                ) as escrows
             ) as ended
             left join account b on b.id = ended.buyer
             left join account p on p.id = ended.provider
             left join service s on s.id = ended.service
             order by ended.closed_at desc, ended.id desc limit $4"
        )
    };
}

/// A page of the orders that ended so from a time on.
pub fn ended_orders(
    ctx: &mut Ctx<'_, '_>,
    outcome: &OrderOutcome,
    from: Timestamp,
    page: &Page,
) -> Result<Vec<EndedOrder>> {
    let sql = if *outcome == OrderOutcome::Failed {
        select_ended!(figure::REQUEST_FAILED, figure::ESCROW_FAILED)
    } else {
        select_ended!(figure::REQUEST_COMPLETED, figure::ESCROW_COMPLETED)
    };
    let (before, id) = page.after_number()?.unwrap_or((i64::MAX, ""));
    let found: Vec<Ended> = ctx.tx.all(sql, values![from, before, id, page.rows()])?;
    let shown = |ended: Ended| EndedOrder {
        order_id: ended.order,
        escrow_id: ended.escrow,
        service_id: ended.service,
        service_name: ended.service_name,
        service_active: ended.is_offered,
        buyer_username: ended.buyer,
        provider_username: ended.provider,
        credits: ended.credits,
        status: ended.status,
        was_disputed: ended.was_disputed,
        created_at: ended.created_at,
        closed_at: ended.closed_at,
    };
    Ok(found.into_iter().map(shown).collect())
}

/// What a list of them sorts by.
pub fn key_of_ended(order: &EndedOrder) -> Vec<String> {
    let escrow = order.escrow_id.as_ref().map(EscrowId::as_str);
    let id = escrow.or(order.order_id.as_ref().map(MessageId::as_str)).unwrap_or_default();
    vec![order.closed_at.as_millis().to_string(), id.to_owned()]
}
