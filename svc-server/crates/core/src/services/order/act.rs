//! What happens to an order before its end: progress, more time, cancellation.

use serde_json::{Map, Value};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::escrow::ActionKind;
use svc_types::api::orders::{
    CancelOrder, ExtendOrder, OrderAction, PARTIAL_BYTES_MAX, PARTIALS_MAX, ProgressOrder,
    ProgressState, ServiceOrder,
};
use svc_types::api::services::Acceptance;
use svc_types::{Code, MessageId, Timestamp};

use super::notify;
use super::partial;
use super::place::{WITHIN_MAX, refuse_within};
use super::record::load_for;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::escrow::{self, Act};
use crate::services::service_request::{self, Record};
use crate::services::{notification, schema};

/// A side of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Pays.
    Buyer,
    /// Does the work.
    Provider,
}

/// The order with this id, locked for one of its sides: 404 for others, 403 for the other side. What
/// is overdue is advanced first.
pub(super) fn take(
    ctx: &mut Ctx<'_, '_>,
    id: &MessageId,
    caller: &Account,
    side: Side,
) -> Result<Record> {
    let order = service_request::take(ctx, id)?.ok_or_else(|| Error::not_found("order"))?;
    let found = match &caller.id {
        id if *id == order.requester => Side::Buyer,
        id if *id == order.provider => Side::Provider,
        _ => return Err(Error::not_found("order")),
    };
    if found != side {
        let who = if side == Side::Buyer { "buyer" } else { "provider" };
        return Err(Error::refused(Code::Forbidden, format!("only its {who} may do this")));
    }
    order.refuse_overdue(ctx)?;
    Ok(order)
}

/// 409: not in this state, which the hint names.
pub(super) fn wrong_state(order: &Record, message: &str) -> Error {
    Refusal::new(Code::WrongState, message).hint(order.state_word()).into()
}

/// Ends an action: reads the order again, and notifies the side that did not act.
pub(super) fn finish(
    ctx: &mut Ctx<'_, '_>,
    order: &Record,
    by: &Account,
    action: OrderAction,
) -> Result<ServiceOrder> {
    ctx.effects.changed.push(order.id.to_string());
    let shown = load_for(ctx, &order.id, &by.id)?;
    notify::other_side(ctx, &shown, by, action)?;
    Ok(shown)
}

/// Reports progress on an order. The first report with `working` accepts it.
pub fn progress(
    ctx: &mut Ctx<'_, '_>,
    provider: &Account,
    asked: &ProgressOrder,
    schema: Option<&str>,
) -> Result<ServiceOrder> {
    refuse_report(ctx, asked)?;
    let order = take(ctx, &asked.order_id, provider, Side::Provider)?;
    if !order.is_open() {
        return Err(service_request::is_over(order.state()));
    }
    let more = i64::from(asked.partial.is_some());
    if order.partials + more > PARTIALS_MAX {
        let message = format!("an order has at most {PARTIALS_MAX} partial results");
        return Err(Refusal::new(Code::LimitReached, message).field("partial").into());
    }
    let rows = ctx.tx.execute(
        sql!(
            "update service_request
             set stage = $1, partials = partials + $2, version = version + 1
             where id = $3 and state = 'open'"
        ),
        values![asked.state, more, order.id],
    )?;
    if rows != 1 {
        return Err(service_request::is_over(order.state()));
    }
    report(ctx, asked, schema)?;
    if let Some(result) = &asked.partial {
        partial::insert(ctx, &order.id, order.partials + 1, result)?;
    }
    finish(ctx, &order, provider, action(&order, asked))
}

/// What a report is to the buyer.
fn action(order: &Record, asked: &ProgressOrder) -> OrderAction {
    if asked.state == ProgressState::InputRequired {
        OrderAction::InputRequired
    } else if order.stage.is_none() {
        OrderAction::Working
    } else if asked.partial.is_some() {
        OrderAction::Partial
    } else {
        OrderAction::Progress
    }
}

/// Stores a report: percentage and note are replaced together, and a question stays until the next
/// one.
fn report(ctx: &mut Ctx<'_, '_>, asked: &ProgressOrder, schema: Option<&str>) -> Result<()> {
    let (now, prompts) = (ctx.now(), i64::from(asked.prompt.is_some()));
    let percent = asked.percent.map(|percent| i64::from(percent.get()));
    ctx.tx.write(
        sql!(
            "insert into order_progress (order_id, percent, note, progress_at, wants_until, prompts,
                prompt, prompt_schema)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
             on conflict (order_id) do update
             set percent = case when excluded.percent is null and excluded.note is null
                    then order_progress.percent else excluded.percent end,
                note = case when excluded.percent is null and excluded.note is null
                    then order_progress.note else excluded.note end,
                progress_at = excluded.progress_at,
                wants_until = coalesce(excluded.wants_until, order_progress.wants_until),
                prompts = order_progress.prompts + excluded.prompts,
                prompt = coalesce(excluded.prompt, order_progress.prompt),
                prompt_schema = case when excluded.prompts = 0 then order_progress.prompt_schema
                    else excluded.prompt_schema end,
                prompt_input = case when excluded.prompts = 0 then order_progress.prompt_input end,
                input_at = case when excluded.prompts = 0 then order_progress.input_at end"
        ),
        values![
            asked.order_id,
            percent,
            asked.note,
            now,
            asked.wants_until,
            prompts,
            asked.prompt,
            schema
        ],
    )?;
    Ok(())
}

/// 400 for a report that contradicts itself, or is too large.
fn refuse_report(ctx: &Ctx<'_, '_>, asked: &ProgressOrder) -> Result<()> {
    let asks = asked.state == ProgressState::InputRequired;
    if asks && asked.prompt.is_none() {
        return Err(Error::invalid("prompt", "prompt is required with input_required"));
    }
    let given =
        [("prompt", asked.prompt.is_some()), ("promptSchema", asked.prompt_schema.is_some())];
    if let Some((name, _)) = given.into_iter().find(|(_, given)| *given && !asks) {
        return Err(Error::invalid(name, format!("{name} must be omitted with working")));
    }
    if asked.wants_until.is_some_and(|until| until <= ctx.now()) {
        return Err(Error::invalid("wantsUntil", "wantsUntil must be in the future"));
    }
    refuse_large("partial", asked.partial.as_ref())
}

/// 400 for JSON of more than 64 KiB.
pub(super) fn refuse_large(name: &str, value: Option<&Value>) -> Result<()> {
    let bytes = value.map_or(0, |value| value.to_string().len());
    if bytes <= PARTIAL_BYTES_MAX {
        return Ok(());
    }
    let message = format!("{name} must have at most {PARTIAL_BYTES_MAX} bytes of JSON");
    Err(Error::invalid(name, message))
}

/// The schema of a question in stored form. Compiling it is slow.
pub fn accept_schema(given: &Map<String, Value>) -> Result<Option<String>> {
    schema::accept("promptSchema", Some(given))
}

/// Cancels an order for its buyer, with the escrow that pays for it if there is one.
pub fn cancel(ctx: &mut Ctx<'_, '_>, buyer: &Account, asked: &CancelOrder) -> Result<ServiceOrder> {
    let order = take(ctx, &asked.order_id, buyer, Side::Buyer)?;
    if !order.is_open() {
        return Err(wrong_state(&order, &format!("the order is {}", order.state())));
    }
    let reason = asked.reason.as_deref();
    if let Some(id) = &order.escrow {
        let (escrow, _) = escrow::take(ctx, id, buyer)?;
        let act = Act { action: ActionKind::Cancel, by: Some(buyer), note: reason };
        escrow::advance(ctx, &escrow, act, |_| {})?;
        service_request::note_reason(ctx, &order.id, reason)?;
    } else {
        refuse_accepted(&order)?;
        let ended = service_request::cancel(ctx, &order, reason)?;
        notification::notify(ctx, Some(&buyer.id), ended.notifications().into())?;
    }
    finish(ctx, &order, buyer, OrderAction::Cancelled)
}

/// 409 once the provider counts on being paid.
fn refuse_accepted(order: &Record) -> Result<()> {
    if order.acceptance != Acceptance::Explicit {
        let message = "orders of this service are accepted when they are placed";
        return Err(wrong_state(order, message));
    }
    if order.stage.is_some() {
        return Err(wrong_state(order, "the provider works on the order"));
    }
    Ok(())
}

/// Gives the provider of an order more time.
pub fn extend(ctx: &mut Ctx<'_, '_>, buyer: &Account, asked: &ExtendOrder) -> Result<ServiceOrder> {
    let within = asked.answer_within.duration();
    refuse_within(within)?;
    let order = take(ctx, &asked.order_id, buyer, Side::Buyer)?;
    if !order.is_open() {
        return Err(wrong_state(&order, &format!("the order is {}", order.state())));
    }
    let Some(due) = order.due_at else {
        let message = "the escrow that pays for the order has its deadline: extend the escrow";
        return Err(wrong_state(&order, message));
    };
    let until = ctx.now().plus(within);
    refuse_until(until, due, order.created_at)?;
    let rows = ctx.tx.execute(
        sql!(
            "update service_request set due_at = $1, version = version + 1
             where id = $2 and state = 'open' and due_at is not null"
        ),
        values![until, order.id],
    )?;
    if rows != 1 {
        return Err(wrong_state(&order, "the order has ended"));
    }
    grant(ctx, &order.id, until)?;
    finish(ctx, &order, buyer, OrderAction::Extended)
}

/// 400 for an end that is not later than the present one, or too late for an order placed at that time.
fn refuse_until(until: Timestamp, due: Timestamp, placed_at: Timestamp) -> Result<()> {
    let last = placed_at.plus(WITHIN_MAX);
    let message = if until <= due {
        format!("answerWithin must end later than {due}")
    } else if until > last {
        format!("answerWithin must end by {last}, 30d after the order was placed")
    } else {
        return Ok(());
    };
    Err(Error::invalid("answerWithin", message))
}

/// Forgets that the provider asks for time that it has now.
pub fn grant(ctx: &mut Ctx<'_, '_>, order: &MessageId, until: Timestamp) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update order_progress set wants_until = null
             where order_id = $1 and wants_until <= $2"
        ),
        values![order, until],
    )?;
    Ok(())
}
