//! Objects of the provider that must be looked at: one row each, however often they are named.
//!
//! Naming an object raises `dirty`. The worker leases a row, gets the object, and applies it in a
//! transaction that [`finish`] guards: with an old lease nothing is applied, and the row stays due
//! when it was named meanwhile. So no state that is out of date wins.

use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_store::{row, select_free, sql, text_column, values};
use svc_types::Timestamp;

use crate::app::Ctx;
use crate::backoff;

/// How long the worker leaves an object to the request that has just named it.
const HEAD_START: Duration = Duration::from_secs(3);

/// How long a leased object is not leased again.
const LEASE: Duration = Duration::from_mins(2);

/// The first pause after a failed try, and the longest.
const PAUSE: Duration = Duration::from_secs(5);
const PAUSE_MAX: Duration = Duration::from_hours(1);

/// The longest pause of what an account waits for.
const PAUSE_MAX_AWAITED: Duration = Duration::from_mins(5);

/// Failed tries after which an object does not wait for a moment only.
const FAILING: i64 = 5;

/// Longest reason that is kept.
const PROBLEM_MAX: usize = 300;

/// What kind of object it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A payment of ours, whose page must be made.
    Payment,
    /// A page on which a payment is made.
    Session,
    /// A refund of ours, which must be made.
    NewRefund,
    /// A refund.
    Refund,
    /// A dispute.
    Dispute,
    /// A charge: its refunds, its dispute and its money.
    Charge,
    /// A subscription of ours, whose page must be made.
    NewSubscription,
    /// A subscription.
    Subscription,
    /// A change of a subscription, which must be made.
    SubscriptionChange,
    /// A bill for seats.
    Invoice,
    /// An account for payouts, which must be made.
    NewAccount,
    /// An account for payouts.
    Account,
    /// A payout of ours, whose transfer must be made.
    NewTransfer,
    /// A transfer.
    Transfer,
}

impl Kind {
    /// Its name in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Session => "session",
            Self::NewRefund => "new_refund",
            Self::Refund => "refund",
            Self::Dispute => "dispute",
            Self::Charge => "charge",
            Self::NewSubscription => "new_subscription",
            Self::Subscription => "subscription",
            Self::SubscriptionChange => "subscription_change",
            Self::Invoice => "invoice",
            Self::NewAccount => "new_account",
            Self::Account => "account",
            Self::NewTransfer => "new_transfer",
            Self::Transfer => "transfer",
        }
    }

    /// Whether an account waits for it, which repeats its request or came back from a page.
    const fn is_awaited(self) -> bool {
        matches!(
            self,
            Self::Payment
                | Self::Session
                | Self::NewSubscription
                | Self::SubscriptionChange
                | Self::NewAccount
        )
    }
}

impl From<&str> for Kind {
    fn from(name: &str) -> Self {
        match name {
            "payment" => Self::Payment,
            "session" => Self::Session,
            "new_refund" => Self::NewRefund,
            "refund" => Self::Refund,
            "dispute" => Self::Dispute,
            "new_subscription" => Self::NewSubscription,
            "subscription" => Self::Subscription,
            "subscription_change" => Self::SubscriptionChange,
            "invoice" => Self::Invoice,
            "new_account" => Self::NewAccount,
            "account" => Self::Account,
            "new_transfer" => Self::NewTransfer,
            "transfer" => Self::Transfer,
            _ => Self::Charge,
        }
    }
}
text_column!(Kind);

/// A leased object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: Kind,
    dirty: i64,
    lease: i64,
    /// Failed tries before this one.
    pub tries: i64,
}
row!(Claim { id, kind, dirty, lease, tries });

/// Names an object: it is due now.
pub fn raise(ctx: &mut Ctx<'_, '_>, kind: Kind, id: &str) -> Result<()> {
    raise_at(ctx, kind, id, ctx.now())
}

/// Names a new object on which the present request works as soon as its transaction has ended. The
/// worker takes it over if the request never does.
pub fn raise_for_request(ctx: &mut Ctx<'_, '_>, kind: Kind, id: &str) -> Result<()> {
    raise_at(ctx, kind, id, ctx.now().plus(HEAD_START))
}

fn raise_at(ctx: &mut Ctx<'_, '_>, kind: Kind, id: &str, due_at: Timestamp) -> Result<()> {
    ctx.tx.write(
        sql!(
            "insert into provider_object (id, kind, dirty, lease, due_at, tries)
             values ($1, $2, 1, 0, $3, 0)
             on conflict (id) do update set dirty = provider_object.dirty + 1,
                due_at = case when provider_object.due_at is null then excluded.due_at
                    else provider_object.due_at end"
        ),
        values![id, kind, due_at],
    )
}

/// Whether an object is due.
pub fn is_any_due(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let now = ctx.now();
    let sql = sql!(
        "select 1 from provider_object where due_at is not null and due_at <= $1
         order by due_at, id limit 1"
    );
    Ok(ctx.tx.optional::<i64>(sql, values![now])?.is_some())
}

/// Leases the object that is due first.
pub fn lease(ctx: &mut Ctx<'_, '_>) -> Result<Option<Claim>> {
    let now = ctx.now();
    let due: Vec<Claim> = ctx.tx.take(
        select_free!(
            "select id, kind, dirty, lease, tries from provider_object
             where due_at is not null and due_at <= $1 order by due_at, id limit 1"
        ),
        values![now],
    )?;
    due.into_iter().next().map(|claim| take(ctx, claim)).transpose()
}

/// Leases one object for a request, unless it is done or leased already. One that nobody has leased
/// yet need not be due.
pub fn lease_one(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<Claim>> {
    let now = ctx.now();
    let due: Vec<Claim> = ctx.tx.take(
        select_free!(
            "select id, kind, dirty, lease, tries from provider_object
             where id = $1 and due_at is not null and (due_at <= $2 or lease = 0) limit 1"
        ),
        values![id, now],
    )?;
    due.into_iter().next().map(|claim| take(ctx, claim)).transpose()
}

fn take(ctx: &mut Ctx<'_, '_>, mut claim: Claim) -> Result<Claim> {
    claim.lease += 1;
    let until = ctx.now().plus(LEASE);
    let sql = sql!("update provider_object set lease = $1, due_at = $2 where id = $3");
    ctx.tx.write(sql, values![claim.lease, until, claim.id])?;
    Ok(claim)
}

/// Ends a lease in the transaction that applies what was found. Fails when the lease is not the
/// last one, which undoes the transaction.
pub fn finish(ctx: &mut Ctx<'_, '_>, claim: &Claim) -> Result<()> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update provider_object set tries = 0, problem = null,
                due_at = case when dirty = $1 then null else cast($2 as bigint) end
             where id = $3 and lease = $4 and due_at is not null"
        ),
        values![claim.dirty, now, claim.id, claim.lease],
    )?;
    if rows == 1 {
        return Ok(());
    }
    Err(Error::internal(format!("the lease of {} was over", claim.id)))
}

/// Whether an object was not named since it was leased. Otherwise what was found may be out of date, and the worker
/// takes it again.
pub fn is_last(ctx: &mut Ctx<'_, '_>, claim: &Claim) -> Result<bool> {
    let sql = sql!("select dirty = $1 from provider_object where id = $2");
    ctx.tx.one(sql, values![claim.dirty, claim.id])
}

/// Names an object that has been changed at the provider, if the worker has it or is about to take it.
pub fn note_changed(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    let sql =
        sql!("update provider_object set dirty = dirty + 1 where id = $1 and due_at is not null");
    ctx.tx.write(sql, values![id])
}

/// Notes why an object could not be looked at; it is due again after a pause.
pub fn fail(ctx: &mut Ctx<'_, '_>, claim: &Claim, problem: &str) -> Result<()> {
    let problem: String = problem.chars().take(PROBLEM_MAX).collect();
    let longest = if claim.kind.is_awaited() { PAUSE_MAX_AWAITED } else { PAUSE_MAX };
    let due_at = ctx.now().plus(backoff::pause(PAUSE, claim.tries, longest));
    ctx.tx.write(
        sql!(
            "update provider_object set tries = tries + 1, problem = $1, due_at = $2
             where id = $3 and lease = $4 and due_at is not null"
        ),
        values![problem, due_at, claim.id, claim.lease],
    )
}

/// How many objects were tried again and again in vain.
pub fn failing(ctx: &mut Ctx<'_, '_>) -> Result<i64> {
    let sql = sql!("select count(*) from provider_object where due_at is not null and tries >= $1");
    ctx.tx.one(sql, values![FAILING])
}

/// How many objects wait, and since when the first does.
pub fn backlog(ctx: &mut Ctx<'_, '_>) -> Result<(i64, Option<Timestamp>)> {
    let sql = sql!("select count(*), min(due_at) from provider_object where due_at is not null");
    ctx.tx.one(sql, values![])
}
