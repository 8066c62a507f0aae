//! What an account bought and sold: its reviews, samples of its orders, and its escrows.

use serde_json::{Value, json};
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::escrow::Escrow;
use svc_types::{Rating, Timestamp};

use super::without_nulls;
use crate::export::source::{Page, Position, ROWS, Source};

/// A review that the account wrote.
struct ReviewLine {
    id: String,
    order: String,
    service: String,
    half_steps: i64,
    text: Option<String>,
    created_at: Timestamp,
}
row!(ReviewLine {
    id: "id",
    order: "order_id",
    service: "service",
    half_steps: "half_steps",
    text: "text",
    created_at: "created_at",
});

impl ReviewLine {
    fn line(self) -> (String, Value) {
        let Self { id, order, service, half_steps, text, created_at } = self;
        let rating = u8::try_from(half_steps).ok().and_then(Rating::from_half_steps);
        let line = json!({ "id": id, "orderId": order, "serviceId": service, "rating": rating,
            "text": text, "createdAt": created_at });
        (id, without_nulls(line))
    }
}

/// Reviews that the account wrote of what it ordered.
pub(super) fn reviews(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    let rows: Vec<ReviewLine> = source.ctx.tx.all(
        sql!(
            "select ",
            ReviewLine::COLUMNS,
            " from review
             where buyer = $1 and id > $2 and deleted_at is null order by id limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    Page::of_rows(rows.into_iter().map(ReviewLine::line).collect())
}

/// What the account was asked to show of its orders, and what it answered.
pub(super) fn samples(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    type Row = (String, String, String, Timestamp, Option<Timestamp>);
    let rows: Vec<Row> = source.ctx.tx.all(
        sql!(
            "select order_id, service, state, created_at, answered_at from sample_proposal
             where buyer = $1 and order_id > $2 order by order_id limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    let line = |(order, service, state, proposed_at, answered_at): Row| {
        let line = json!({ "orderId": order, "serviceId": service, "state": state,
            "proposedAt": proposed_at, "answeredAt": answered_at });
        (order, without_nulls(line))
    };
    Page::of_rows(rows.into_iter().map(line).collect())
}

/// The escrow after this one, of either side.
pub(super) fn next_escrow(source: &mut Source<'_, '_, '_>, after: &str) -> Result<Option<String>> {
    source.ctx.tx.optional(
        sql!(
            "select min(id) as id from (
                select min(id) as id from escrow where buyer = $1 and id > $2
                union all select min(id) as id from escrow where provider = $1 and id > $2
             ) either having min(id) is not null"
        ),
        values![source.account.id, after],
    )
}

/// An escrow without the access token to its deliverable, which is a secret of its provider.
pub(super) fn without_token(mut escrow: Escrow) -> Escrow {
    if let Some(deliverable) = &mut escrow.deliverable {
        deliverable.access_token = None;
    }
    escrow
}
