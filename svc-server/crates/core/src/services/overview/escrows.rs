//! Escrows that hold credits.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::escrow::EscrowStatus;
use svc_types::api::operate::OpenEscrow;
use svc_types::{Balance, Credits, EscrowId, MessageId, Timestamp};

use crate::app::Ctx;
use crate::page::Page;

/// Whether an escrow, `e`, holds credits.
const HOLDS: &str = "e.status in ('funded', 'delivered', 'disputed')";

/// How many escrows hold credits, and how many credits these are.
pub fn escrows(ctx: &mut Ctx<'_, '_>) -> Result<(i64, Balance)> {
    let (open, held): (i64, i64) = ctx.tx.one(
        sql!(
            "select count(*), cast(coalesce(sum(e.amount), 0) as bigint) from escrow e where ",
            HOLDS
        ),
        values![],
    )?;
    Ok((open, Balance::from_micros(held)))
}

/// An escrow that holds credits.
struct Open {
    id: EscrowId,
    order: Option<MessageId>,
    buyer: String,
    provider: String,
    amount: Credits,
    status: EscrowStatus,
    created_at: Timestamp,
    due_at: Option<Timestamp>,
}
row!(Open {
    id: "e.id",
    order: "(
        select max(q.id) from service_request q where q.escrow = e.id and q.escrow is not null
    )",
    buyer: "b.username",
    provider: "p.username",
    amount: "e.amount",
    status: "e.status",
    created_at: "e.created_at",
    due_at: "e.due_at",
});

/// A page of these escrows, oldest first.
pub fn open_escrows(ctx: &mut Ctx<'_, '_>, page: &Page) -> Result<Vec<OpenEscrow>> {
    let found: Vec<Open> = ctx.tx.all(
        sql!(
            "select ",
            Open::COLUMNS,
            " from escrow e
             left join account b on b.id = e.buyer
             left join account p on p.id = e.provider
             where ",
            HOLDS,
            " and e.id > $1 order by e.id limit $2"
        ),
        values![page.after_one().unwrap_or_default(), page.rows()],
    )?;
    let shown = |open: Open| OpenEscrow {
        id: open.id,
        order_id: open.order,
        buyer_username: open.buyer,
        provider_username: open.provider,
        amount: open.amount,
        status: open.status,
        created_at: open.created_at,
        due_at: open.due_at,
    };
    Ok(found.into_iter().map(shown).collect())
}
