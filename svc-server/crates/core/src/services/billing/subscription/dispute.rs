//! Disputes of what was paid for seats: the person's bank takes the money back, and decides later whose
//! it is.
//!
//! The tier stays until the end of the month that was paid, as after a refund; unpaid seats are kept no
//! longer.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::SubscriptionId;
use svc_types::api::billing::BillingObject;

use super::super::dispute::{enter, regain};
use super::super::facts::DisputeState;
use super::super::notify::{Change, notify};
use super::invoice::{self, Invoice, LAST_PAID_AT};
use super::{find, look_again, take};
use crate::app::Ctx;
use crate::services::ledger::money::MoneyKind;

/// A payment of a bill that a bank takes back.
#[derive(Clone, Debug)]
pub struct Disputed {
    /// The provider's id of the dispute.
    pub id: String,
    /// The currency, in lower case.
    pub currency: String,
    /// How much.
    pub amount: i64,
    /// Its state.
    pub state: DisputeState,
}

/// Applies what a dispute of a bill is now. Repeated, it does nothing.
pub fn apply(ctx: &mut Ctx<'_, '_>, intent: &str, fact: &Disputed) -> Result<()> {
    let missing = || Error::internal("a dispute comes before its bill");
    let bill = invoice::by_intent(ctx, intent)?.ok_or_else(missing)?;
    take(ctx, &bill.subscription)?;
    let known = match (status(ctx, &fact.id)?, fact.state) {
        // Nothing was taken, or it is back already.
        (None, DisputeState::Inquiry | DisputeState::Won) => return Ok(()),
        (None, _) => open(ctx, &bill, fact)?,
        (Some(known), _) => known,
    };
    match (known.as_str(), fact.state) {
        // A bank may decide for the operator after it has decided for the person.
        (was @ ("open" | "lost"), DisputeState::Won) => {
            close(ctx, fact, [was, "won"])?;
            regain(ctx, was, &fact.id, &fact.currency, fact.amount)?;
            look_again(ctx, &bill.subscription)?;
            notify_of(ctx, &bill, fact, "won")
        }
        ("open", DisputeState::Lost) => {
            close(ctx, fact, ["open", "lost"])?;
            enter(ctx, MoneyKind::Lost, &fact.id, &fact.currency, fact.amount)?;
            notify_of(ctx, &bill, fact, "lost")
        }
        _ => Ok(()),
    }
}

/// Whether a bank took money of a subscription since its last payment, and has not given it back.
pub(super) fn is_disputed_since_payment(
    ctx: &mut Ctx<'_, '_>,
    id: &SubscriptionId,
) -> Result<bool> {
    let sql = sql!(
        "select 1 from subscription_invoice i join invoice_dispute d on d.invoice = i.id
         where i.subscription = $1 and d.status <> 'won' and d.created_at >= ",
        LAST_PAID_AT,
        " limit 1"
    );
    Ok(ctx.tx.optional::<i64>(sql, values![id])?.is_some())
}

fn notify_of(ctx: &mut Ctx<'_, '_>, bill: &Invoice, fact: &Disputed, status: &str) -> Result<()> {
    let change = Change {
        object: BillingObject::Dispute,
        id: &fact.id,
        status,
        account: &find(ctx, &bill.subscription)?.account,
        person: None,
        payment: None,
        credits: None,
    };
    notify(ctx, None, &change)
}

fn status(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<String>> {
    ctx.tx.optional(sql!("select status from invoice_dispute where id = $1"), values![id])
}

fn open(ctx: &mut Ctx<'_, '_>, bill: &Invoice, fact: &Disputed) -> Result<String> {
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into invoice_dispute (id, invoice, status, amount, created_at)
             values ($1, $2, 'open', $3, $4)"
        ),
        values![fact.id, bill.id, fact.amount, now],
    )?;
    enter(ctx, MoneyKind::Dispute, &fact.id, &fact.currency, fact.amount)?;
    look_again(ctx, &bill.subscription)?;
    notify_of(ctx, bill, fact, "open")?;
    Ok("open".to_owned())
}

fn close(ctx: &mut Ctx<'_, '_>, fact: &Disputed, [from, to]: [&str; 2]) -> Result<()> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update invoice_dispute set status = $1, closed_at = $2
             where id = $3 and status = $4"
        ),
        values![to, now, fact.id, from],
    )?;
    if rows == 1 { Ok(()) } else { Err(Error::internal("a dispute changed while it was locked")) }
}
