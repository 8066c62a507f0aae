//! What the provider says of a subscription, applied.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::billing::BillingObject;
use svc_types::api::tiers::SubscriptionStatus;
use svc_types::{SubscriptionId, Timestamp, UserId};

use super::super::notify::{Change, notify};
use super::{Record, begin, change, dispute, ids, invoice, known, running, seat, take};
use crate::app::Ctx;

/// A subscription at the provider.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The provider's id.
    pub id: String,
    /// Our id.
    pub ours: SubscriptionId,
    /// Its state.
    pub state: State,
    /// Whom the provider bills.
    pub customer: String,
    /// What the provider calls its seats.
    pub item: String,
    /// How many there are.
    pub quantity: i64,
    /// The month that runs. The provider moves it before it is paid.
    pub period: (Timestamp, Timestamp),
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Whether it ends with the month.
    pub cancels: bool,
}

/// The state of a subscription at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its first payment is on its way.
    Incomplete,
    /// The month that runs is paid.
    Paid,
    /// The month that runs is not paid.
    Unpaid,
    /// It is over.
    Ended,
}

impl Fact {
    /// Until when it is paid.
    fn paid_until(&self, now: Timestamp) -> Timestamp {
        match self.state {
            State::Paid => self.period.1,
            State::Incomplete | State::Unpaid => self.period.0,
            State::Ended => self.ended_at.unwrap_or(now),
        }
    }

    const fn status(&self) -> SubscriptionStatus {
        match self.state {
            State::Incomplete => SubscriptionStatus::Open,
            State::Paid => SubscriptionStatus::Active,
            State::Unpaid => SubscriptionStatus::PastDue,
            State::Ended => SubscriptionStatus::Ended,
        }
    }
}

/// Applies what a subscription is now. Repeated, it does nothing.
pub fn apply(ctx: &mut Ctx<'_, '_>, fact: &Fact) -> Result<()> {
    if known(ctx, &fact.ours)?.is_none() {
        note_unknown(fact);
        return Ok(());
    }
    let record = take(ctx, &fact.ours)?;
    if record.provider_id.as_ref().is_some_and(|known| *known != fact.id) {
        tracing::error!(subscription = %record.id, other = fact.id, "it exists twice at Stripe");
        return Ok(());
    }
    if fact.state == State::Incomplete {
        return Ok(());
    }
    if record.status == SubscriptionStatus::Ended && fact.state != State::Ended {
        return paid_after_end(ctx, &record, fact);
    }
    let seats = match &record.provider_id {
        Some(_) => seat::of(ctx, &record.id)?,
        None => ids(&record.wanted),
    };
    store(ctx, &record, fact, seats)
}

/// Notes that a subscription is paid that is not known. Nobody gets its seats; the operator ends it at the provider.
fn note_unknown(fact: &Fact) {
    if fact.state == State::Paid {
        tracing::error!(
            subscription = fact.id,
            "a subscription is paid that this database does not know"
        );
        metrics::counter!("svc_billing_mismatches_total").increment(1);
    }
}

/// Applies what a subscription is now, with these seats.
pub(super) fn store(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    fact: &Fact,
    seats: Vec<UserId>,
) -> Result<()> {
    let now = ctx.now();
    let paid_until = fact.paid_until(now);
    let until = paid_until.plus(grace(ctx, record, fact)?);
    let ended_at = (fact.state == State::Ended).then_some(fact.ended_at.unwrap_or(now));
    ctx.tx.write(
        sql!(
            "update subscription set status = $1, provider_id = $2, customer = $3, item = $4,
                quantity = $5, cancels = $6, paid_until = $7, until_at = $8, ended_at = $9
             where id = $10"
        ),
        values![
            fact.status(),
            fact.id,
            fact.customer,
            fact.item,
            fact.quantity,
            fact.cancels,
            paid_until,
            until,
            ended_at,
            record.id
        ],
    )?;
    let mut seats = seat::eligible(ctx, &record.account, seats)?;
    // The operator may have taken some at the provider: the last ones go.
    seats.truncate(usize::try_from(fact.quantity).unwrap_or(0));
    if fact.state == State::Ended {
        seats.clear();
    }
    seat::assign(ctx, record, &seats, Some(until))?;
    if fact.status() == record.status { Ok(()) } else { notify_of(ctx, record, &fact.status()) }
}

fn notify_of(ctx: &mut Ctx<'_, '_>, record: &Record, status: &SubscriptionStatus) -> Result<()> {
    let change = Change {
        object: BillingObject::Subscription,
        id: record.id.as_str(),
        status: status.as_str(),
        account: &record.account,
        person: None,
        payment: None,
        credits: None,
    };
    notify(ctx, None, &change)
}

/// How long unpaid seats are kept: not after a cancellation, nor when money went back since the last
/// payment.
fn grace(ctx: &mut Ctx<'_, '_>, record: &Record, fact: &Fact) -> Result<Duration> {
    let is_over = fact.state == State::Ended
        || fact.cancels
        || invoice::is_refunded_since_payment(ctx, &record.id)?
        || dispute::is_disputed_since_payment(ctx, &record.id)?;
    Ok(if is_over { Duration::ZERO } else { ctx.app.config.pro.grace })
}

/// A page was paid that was withdrawn here. Its subscription counts, unless its person has another one
/// or is gone: then the provider must end it.
fn paid_after_end(ctx: &mut Ctx<'_, '_>, record: &Record, fact: &Fact) -> Result<()> {
    let sql = sql!("select 1 from account where id = $1 and deleted_at is null");
    let is_there = ctx.tx.optional::<i64>(sql, values![record.account])?.is_some();
    let other = running(ctx, &record.account)?;
    let is_paid = |other: &Record| {
        !matches!(other.status, SubscriptionStatus::Creating | SubscriptionStatus::Open)
    };
    if record.provider_id.is_some() || !is_there || other.as_ref().is_some_and(is_paid) {
        tracing::error!(subscription = %record.id, "a subscription was paid that had ended here");
        let sql = sql!(
            "update subscription set provider_id = $1, customer = $2, item = $3 where id = $4"
        );
        ctx.tx.write(sql, values![fact.id, fact.customer, fact.item, record.id])?;
        return change::end(ctx, record);
    }
    if let Some(other) = other {
        begin::withdraw(ctx, &other)?;
    }
    store(ctx, record, fact, ids(&record.wanted))
}
