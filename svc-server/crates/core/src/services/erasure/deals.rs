//! Texts in deals: each party's own. Who dealt, over how much, and how it ended stays.

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};

use super::{BATCH, Gone, last};
use crate::app::Ctx;

/// Empties what the account wrote in escrows, which have all ended.
pub(super) fn escrows(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!(
            "select id from (
                select id from escrow where buyer = $1 and id > $2
                union select id from escrow where provider = $1 and id > $2
             ) own order by id limit $3"
        ),
        values![gone.id, after, BATCH],
    )?;
    for id in &ids {
        escrow(ctx, gone, id)?;
    }
    Ok(last(ids))
}

fn escrow(ctx: &mut Ctx<'_, '_>, gone: &Gone, id: &str) -> Result<()> {
    // The log says who ended a dispute with a note; the dispute itself doesn't.
    let notes: Vec<String> = ctx.tx.all(
        sql!(
            "select note from escrow_event
             where escrow = $1 and actor = $2 and note is not null"
        ),
        values![id, gone.id],
    )?;
    for sql in [
        sql!("update escrow set description = '', feedback = null where id = $1 and buyer = $2"),
        sql!("update escrow set deliverable = null, notes = null where id = $1 and provider = $2"),
        sql!(
            "update escrow_event set note = null
             where escrow = $1 and actor = $2 and note is not null"
        ),
    ] {
        ctx.tx.execute(sql, values![id, gone.id])?;
    }
    let found: (bool, Option<String>) = ctx
        .tx
        .one(sql!("select buyer = $1, dispute from escrow where id = $2"), values![gone.id, id])?;
    let (is_buyer, Some(dispute)) = found else { return Ok(()) };
    let emptied = without_texts(is_buyer, &notes, &dispute)?;
    let sql = sql!("update escrow set dispute = $1 where id = $2");
    ctx.tx.execute(sql, values![emptied, id]).map(|_| ())
}

/// A dispute without what one of its parties wrote.
fn without_texts(is_buyer: bool, notes: &[String], dispute: &str) -> Result<String> {
    let mut members: Map<String, Value> = serde_json::from_str(dispute).map_err(Error::internal)?;
    let (text, evidence) =
        if is_buyer { ("reason", "evidence") } else { ("response", "responseEvidence") };
    members.remove(evidence);
    if let Some(text) = members.get_mut(text) {
        *text = Value::String(String::new());
    }
    let note = members.get("note").and_then(Value::as_str);
    if note.is_some_and(|note| notes.iter().any(|own| own == note)) {
        members.remove("note");
    }
    serde_json::to_string(&members).map_err(Error::internal)
}

/// Empties what the account wrote about orders beside their messages.
pub(super) fn orders(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!(
            "select id from (
                select id from service_request where requester = $1 and id > $2
                union select id from service_request where provider = $1 and id > $2
             ) own order by id limit $3"
        ),
        values![gone.id, after, BATCH],
    )?;
    for id in &ids {
        order(ctx, gone, id)?;
    }
    Ok(last(ids))
}

fn order(ctx: &mut Ctx<'_, '_>, gone: &Gone, id: &str) -> Result<()> {
    let is_buyer: bool = ctx.tx.one(
        sql!("select requester = $1 from service_request where id = $2"),
        values![gone.id, id],
    )?;
    let own = if is_buyer {
        [
            sql!(
                "update service_request set client_order_id = null, cancel_reason = null
                 where id = $1 and (client_order_id is not null or cancel_reason is not null)"
            ),
            sql!(
                "update order_progress set prompt_input = null
                 where order_id = $1 and prompt_input is not null"
            ),
        ]
    } else {
        [
            sql!(
                "update order_progress set note = null, prompt = null, prompt_schema = null
                 where order_id = $1 and (note is not null or prompt is not null)"
            ),
            sql!("delete from order_partial where order_id = $1"),
        ]
    };
    for sql in own {
        ctx.tx.execute(sql, values![id])?;
    }
    if !is_buyer {
        let sql = sql!("update service_request set partials = 0 where id = $1 and partials > 0");
        ctx.tx.execute(sql, values![id])?;
    }
    Ok(())
}

/// Empties the reviews that the account wrote. Their ratings still count.
pub(super) fn reviews(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!("select id from review where buyer = $1 and id > $2 order by id limit $3"),
        values![gone.id, after, BATCH],
    )?;
    let Some(upto) = ids.last() else { return Ok(None) };
    let sql = sql!(
        "update review set text = null
         where buyer = $1 and id > $2 and id <= $3 and text is not null"
    );
    ctx.tx.execute(sql, values![gone.id, after, upto])?;
    Ok(last(ids))
}
