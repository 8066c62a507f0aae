//! Purchases that agents pay with tokens on a chain, by the protocol x402.
//!
//! A signed payment becomes a row before it is sent to the chain; each authorization of a payer has one
//! row at most. What was seen on the chain decides, and is handed over by the edge: neither what the
//! facilitator says nor how often a payment is checked matters. Such a payment is `open` until then,
//! and `expired` if it never came.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, select_free, sql, values};
use svc_types::api::billing::PaymentStatus;
use svc_types::money::{TOKEN, TOKEN_DECIMALS};
use svc_types::{Code, Credits, PaymentId, Timestamp};

use super::facts::BalanceChange;
use super::payment::{self, Record};
use super::{cap, cash, require_any};
use crate::app::Ctx;
use crate::identity::Account;

/// Time of the chain after the end of an authorization in which its tokens may still be found.
pub const FINDING: Duration = Duration::from_mins(10);

/// How long the request that began a payment has it for itself.
const OWN: Duration = Duration::from_mins(1);

/// Time between two looks at the chain: while the authorization is valid, and after that.
const SOON: Duration = Duration::from_secs(5);
const LATER: Duration = Duration::from_mins(1);

/// Most payments of a round.
const AT_ONCE: i64 = 20;

/// What an authorization is known by: the contract takes it once. Addresses and the nonce are in lower
/// case.
#[derive(Clone, Debug)]
pub struct Authorized {
    /// The chain.
    pub network: String,
    /// The contract of the token.
    pub asset: String,
    /// Whose tokens they are.
    pub payer: String,
    /// The nonce of the authorization.
    pub nonce: String,
}

/// A payment as its payer signed it, for the amount that was asked for.
#[derive(Clone, Debug)]
pub struct Signed {
    /// Its authorization.
    pub authorized: Authorized,
    /// Who gets the tokens, in lower case.
    pub pay_to: String,
    /// When the authorization ends, in seconds.
    pub valid_before: i64,
    /// What the facilitator is given.
    pub text: String,
}

/// A payment that the chain has to decide.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Its id.
    pub id: PaymentId,
    /// The chain.
    pub network: String,
    /// The contract of the token.
    pub asset: String,
    /// Whose tokens they are.
    pub payer: String,
    /// The nonce of the authorization.
    pub nonce: String,
    /// Who gets the tokens.
    pub pay_to: String,
    /// How many, in the smallest unit.
    pub amount: i64,
    /// When the authorization ends, in seconds.
    pub valid_before: i64,
    /// The newest block before it was sent.
    pub block: i64,
    /// What the facilitator is given, until it answers.
    pub signed: Option<String>,
}
row!(Pending {
    id: "id",
    network: "network",
    asset: "asset",
    payer: "payer",
    nonce: "nonce",
    pay_to: "pay_to",
    amount: "amount",
    valid_before: "valid_before",
    block: "block",
    signed: "signed",
});

/// A payment with what its answer reports of the chain.
#[derive(Clone, Debug)]
pub struct Topup {
    /// The payment.
    pub record: Record,
    /// The chain.
    pub network: String,
    /// Whose tokens they are.
    pub payer: String,
    /// The transaction with the tokens, once it counts.
    pub chain_tx: Option<String>,
}

/// What credits cost in the smallest unit of the token, for an account that can buy them now.
pub fn price(ctx: &mut Ctx<'_, '_>, buyer: &Account, credits: Credits) -> Result<i64> {
    let amount = exact(ctx, credits)?;
    cap::refuse_beyond(ctx, buyer, minor(ctx, amount))?;
    Ok(amount)
}

/// What credits cost in the smallest unit of the token.
pub fn exact(ctx: &Ctx<'_, '_>, credits: Credits) -> Result<i64> {
    require_any(ctx.app)?;
    let prices = &ctx.app.config.credits;
    if credits < prices.min || credits > prices.max {
        let message = format!("credits must be from {} to {}", prices.min, prices.max);
        return Err(Error::invalid("credits", message));
    }
    prices.tokens_of(credits).ok_or_else(|| {
        let message = "the price of the credits must be a whole amount of the token";
        let refusal = Refusal::new(Code::AmountNotExact, message).field("credits");
        let nearest = prices.nearest(credits, &ctx.app.config.billing);
        refusal.hint(nearest.map(|credits| credits.to_string()).unwrap_or_default()).into()
    })
}

/// An amount of the token in the smallest unit of the currency, rounded up: what the daily cap counts.
fn minor(ctx: &Ctx<'_, '_>, amount: i64) -> i64 {
    let unit = 10_i64.pow(TOKEN_DECIMALS) / ctx.app.config.billing.minor_units();
    amount.saturating_add(unit - 1) / unit
}

/// The payment that was begun with this authorization, if it is the caller's and for these credits; 409
/// if it is another's.
pub fn known(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    credits: Credits,
    authorized: &Authorized,
) -> Result<Option<Topup>> {
    let sql = sql!(
        "select id from payment where network = $1 and asset = $2 and payer = $3 and nonce = $4"
    );
    let Authorized { network, asset, payer, nonce } = authorized;
    let id: Option<PaymentId> = ctx.tx.optional(sql, values![network, asset, payer, nonce])?;
    let Some(id) = id else { return Ok(None) };
    let topup = find(ctx, &id)?;
    if topup.record.account == buyer.id && topup.record.credits == credits {
        return Ok(Some(topup));
    }
    let message = "this signed payment was used before, by another account or for other credits";
    let hint = "sign another payment, with another nonce";
    Err(Refusal::new(Code::PaymentUsed, message).hint(hint).into())
}

/// A payment with tokens.
pub fn find(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<Topup> {
    let record = payment::find(ctx, id)?;
    let sql =
        sql!("select network, payer, chain_tx from payment where id = $1 and nonce is not null");
    let found: Option<(String, String, Option<String>)> = ctx.tx.optional(sql, values![id])?;
    let (network, payer, chain_tx) = found.ok_or_else(|| Error::not_found("payment"))?;
    Ok(Topup { record, network, payer, chain_tx })
}

/// Begins a payment before it is sent to the chain; none if another request began it just now.
pub fn begin(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    credits: Credits,
    signed: &Signed,
    block: i64,
) -> Result<Option<PaymentId>> {
    let buyer = cap::lock(ctx, buyer)?;
    // If another request has begun it, the cap counts it already.
    if known(ctx, &buyer, credits, &signed.authorized)?.is_some() {
        return Ok(None);
    }
    let amount = price(ctx, &buyer, credits)?;
    let (id, now): (PaymentId, _) = (ctx.id(), ctx.now());
    let ends = Timestamp::from_millis(signed.valid_before.saturating_mul(1_000)).plus(FINDING);
    let (in_test, look_at) = (ctx.app.config.x402.in_test(), now.plus(OWN));
    let Signed { authorized, pay_to, valid_before, text } = signed;
    let Authorized { network, asset, payer, nonce } = authorized;
    let rows = ctx.tx.execute(
        sql!(
            "insert into payment (id, account, status, credits, currency, amount, in_test, created_at,
                expires_at, network, asset, payer, nonce, pay_to, valid_before, block, signed, look_at)
             values ($1, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
             on conflict do nothing"
        ),
        values![
            id, buyer.id, credits, TOKEN, amount, in_test, now, ends, network, asset, payer,
            nonce, pay_to, valid_before, block, text, look_at
        ],
    )?;
    Ok((rows == 1).then_some(id))
}

/// A payment that the chain has to decide, if it still has to.
pub fn pending(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<Option<Pending>> {
    let sql = sql!(
        "select ",
        Pending::COLUMNS,
        " from payment where id = $1 and status = 'open' and look_at is not null"
    );
    ctx.tx.optional(sql, values![id])
}

/// Payments on the chain of the settings that were begun since then and paid.
pub fn paid_since(ctx: &mut Ctx<'_, '_>, since: Timestamp) -> Result<Vec<Pending>> {
    let sql = sql!(
        "select ",
        Pending::COLUMNS,
        " from payment where created_at >= $1 and network = $2 and status = 'paid' and nonce is not null
         order by id"
    );
    ctx.tx.all(sql, values![since, ctx.app.config.x402.network])
}

/// A block of this chain before all payments since then, and after most of the others; none without a payment.
pub fn block_before(ctx: &mut Ctx<'_, '_>, since: Timestamp) -> Result<Option<i64>> {
    let sql = sql!(
        "select coalesce((select max(block) from payment where created_at < $1 and network = $2),
            (select min(block) from payment where network = $2))"
    );
    ctx.tx.one(sql, values![since, ctx.app.config.x402.network])
}

/// How many payments count tokens that a transaction brought from a payer, or will once these are deep enough.
pub fn counted(ctx: &mut Ctx<'_, '_>, chain_tx: &str, payer: &str, amount: i64) -> Result<i64> {
    let sql = sql!(
        "select (select count(*) from payment
                where chain_tx = $1 and payer = $2 and amount = $3 and status = 'paid')
            + (select count(*) from payment
                where look_at is not null and payer = $2 and amount = $3 and status = 'open')"
    );
    ctx.tx.one(sql, values![chain_tx, payer, amount])
}

/// Whether the chain should be looked at for a payment.
pub fn is_any_due(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let now = ctx.now();
    let sql = sql!("select 1 from payment where look_at is not null and look_at <= $1 limit 1");
    Ok(ctx.tx.optional::<i64>(sql, values![now])?.is_some())
}

/// Payments for which the chain should be looked at; no other node takes them for a minute.
pub fn take_due(ctx: &mut Ctx<'_, '_>) -> Result<Vec<PaymentId>> {
    let now = ctx.now();
    let due: Vec<PaymentId> = ctx.tx.take(
        select_free!(
            "select id from payment where look_at is not null and look_at <= $1
             order by look_at, id limit $2"
        ),
        values![now, AT_ONCE],
    )?;
    let until = now.plus(OWN);
    for id in &due {
        let sql = sql!("update payment set look_at = $1 where id = $2 and look_at is not null");
        ctx.tx.write(sql, values![until, id])?;
    }
    Ok(due)
}

/// Notes when the chain is asked again, and whether the facilitator has answered.
pub fn wait(ctx: &mut Ctx<'_, '_>, pending: &Pending, is_answered: bool) -> Result<()> {
    let now = ctx.now();
    let is_valid = now.as_millis() / 1_000 < pending.valid_before;
    let look_at = now.plus(if is_valid { SOON } else { LATER });
    ctx.tx.execute(
        sql!(
            "update payment set look_at = $1, signed = case when $2 then null else signed end
             where id = $3 and status = 'open' and look_at is not null"
        ),
        values![look_at, is_answered, pending.id],
    )?;
    Ok(())
}

/// Adds the credits of a payment whose tokens were seen on the chain. Repeated, it does nothing.
pub fn pay(ctx: &mut Ctx<'_, '_>, id: &PaymentId, chain_tx: &str) -> Result<()> {
    let record = payment::take(ctx, id)?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update payment set status = 'paid', paid_at = $1, tax = 0, chain_tx = $2, signed = null,
                look_at = null
             where id = $3 and status = 'open' and nonce is not null"
        ),
        values![now, chain_tx, id],
    )?;
    if rows != 1 {
        return Ok(());
    }
    payment::credit(ctx, &record, [record.amount, -record.amount, 0])?;
    // The tokens are the operator's at once, and nobody keeps a fee.
    let arrived = BalanceChange {
        id: id.to_string(),
        currency: record.currency.clone(),
        amount: record.amount,
        fee: 0,
        at: now,
    };
    cash::apply(ctx, &arrived)?;
    record.notify(ctx, &PaymentStatus::Paid)
}

/// Ends a payment whose tokens can't come any more.
pub fn fail(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<()> {
    let record = payment::take(ctx, id)?;
    let rows = ctx.tx.execute(
        sql!(
            "update payment set status = 'expired', signed = null, look_at = null
             where id = $1 and status = 'open' and nonce is not null"
        ),
        values![id],
    )?;
    if rows == 1 { record.notify(ctx, &PaymentStatus::Expired) } else { Ok(()) }
}
