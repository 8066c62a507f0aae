//! Pages of accounts that were deleted: nobody should pay for credits that nobody gets.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{PaymentId, UserId};

use super::queue::{self, Kind};
use crate::app::Ctx;

/// Most pages that are closed with an account. Daily caps leave room for few.
const PAGES_MAX: i64 = 1_000;

/// Names the payments of an account that is about to be deleted, whose pages the worker closes.
pub fn name_pages(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let begun: Vec<PaymentId> = ctx.tx.all(
        sql!(
            "select id from payment
             where account = $1 and status in ('creating', 'open') and nonce is null
             order by id limit $2"
        ),
        values![account, PAGES_MAX],
    )?;
    begun.iter().try_for_each(|id| queue::raise(ctx, Kind::Payment, id.as_str()))
}

/// Whether the account that would get the credits of a payment was deleted.
pub fn is_withdrawn(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<bool> {
    let sql = sql!(
        "select 1 from payment p join account a on a.id = p.account
         where p.id = $1 and a.deleted_at is not null"
    );
    Ok(ctx.tx.optional::<i64>(sql, values![id])?.is_some())
}
