//! Partial results of orders.

use std::time::Duration;

use serde_json::Value;
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::orders::{ListOrderPartials, OrderPartial, OrderPartialPage, PARTIALS_MAX};
use svc_types::{MessageId, Timestamp};

use super::record::is_party;
use crate::app::Ctx;
use crate::identity::Account;
use crate::page::Page;
use crate::services::message::without_tokens;

/// How long partial results are kept after the end of their order.
const KEPT: Duration = Duration::from_hours(24 * 7);

/// A row.
struct Record {
    n: i64,
    partial: String,
    created_at: Timestamp,
}
row!(Record { n: "n", partial: "partial", created_at: "created_at" });

/// Stores a partial result under its number.
pub(super) fn insert(
    ctx: &mut Ctx<'_, '_>,
    order: &MessageId,
    number: i64,
    result: &Value,
) -> Result<()> {
    let (json, now) = (serde_json::to_string(result).map_err(Error::internal)?, ctx.now());
    ctx.tx.write(
        sql!(
            "insert into order_partial (order_id, n, partial, created_at) values ($1, $2, $3, $4)"
        ),
        values![order, number, json, now],
    )?;
    Ok(())
}

/// A page of the partial results of an order, oldest first.
pub fn page(
    ctx: &mut Ctx<'_, '_>,
    reader: &Account,
    asked: &ListOrderPartials,
) -> Result<OrderPartialPage> {
    let page = Page::of(asked, asked.limit, asked.cursor.as_ref(), 1)?;
    let after = page.after_seq()?.unwrap_or(0);
    let is_party = is_party(ctx, &asked.order_id, reader)?;
    let mut records: Vec<Record> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from order_partial where order_id = $1 and n > $2 order by n limit $3"
        ),
        values![asked.order_id, after, page.rows()],
    )?;
    let next_cursor = page.cut(&mut records, |record| vec![record.n.to_string()]);
    let into_api = |record: Record| {
        let mut partial = serde_json::from_str(&record.partial).map_err(Error::internal)?;
        if !is_party {
            without_tokens(&mut partial);
        }
        Ok(OrderPartial { n: record.n, partial, created_at: record.created_at })
    };
    let partials = records.into_iter().map(into_api).collect::<Result<_>>()?;
    Ok(OrderPartialPage { partials, next_cursor })
}

/// Deletes partial results of orders that ended a while ago, about `limit` of them.
pub fn forget(ctx: &mut Ctx<'_, '_>, limit: i64) -> Result<u64> {
    let before = ctx.now().minus(KEPT);
    let orders: Vec<MessageId> = ctx.tx.all(
        sql!(
            "select id from service_request
             where partials > 0 and closed_at is not null and closed_at <= $1
             order by closed_at, id limit $2"
        ),
        values![before, limit / PARTIALS_MAX],
    )?;
    for order in &orders {
        let sql = sql!("update service_request set partials = 0 where id = $1");
        ctx.tx.write(sql, values![order])?;
        ctx.tx.write(sql!("delete from order_partial where order_id = $1"), values![order])?;
    }
    Ok(orders.len() as u64 * PARTIALS_MAX.unsigned_abs())
}
