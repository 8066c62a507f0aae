//! Passes: a tier for 30 days, paid with credits, without renewal.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::credits::TransferKind;
use svc_types::api::tiers::Pass;
use svc_types::api::users::Tier;
use svc_types::{Code, Credits, PassId, Timestamp};

use super::debt;
use crate::app::{App, Ctx};
use crate::identity::Account;
use crate::services::ledger::{self, Cause, Holder};
use crate::services::{account, overdue, spend, tier};

/// How long a pass is valid.
const LIFE: Duration = Duration::from_hours(30 * 24);

/// Most passes that are shown.
const SHOWN: i64 = 100;

struct Record {
    id: PassId,
    tier: Tier,
    credits: Credits,
    from: Timestamp,
    until: Timestamp,
}
row!(Record { id: "id", tier: "tier", credits: "credits", from: "from_at", until: "until_at" });

impl From<Record> for Pass {
    fn from(record: Record) -> Self {
        let Record { id, tier, credits, from, until } = record;
        Self { pass_id: id, tier, credits, from, until }
    }
}

/// What a pass costs; none if it is not sold.
pub fn price(app: &App, tier: &Tier) -> Option<Credits> {
    let passes = &app.config.passes;
    match tier {
        Tier::Boost => passes.boost(),
        Tier::Pro => passes.pro(),
        _ => None,
    }
}

/// Buys a pass for the caller. One of a tier that runs already is valid after it.
pub fn buy(ctx: &mut Ctx<'_, '_>, buyer: &Account, tier: &Tier) -> Result<Pass> {
    let price = offered(ctx.app, tier)?;
    account::keep(ctx, &buyer.id, &buyer.id)?;
    account::lock(ctx, &buyer.id)?;
    let (id, now): (PassId, _) = (ctx.id(), ctx.now());
    let facts = tier::facts(ctx, &buyer.id)?;
    let last = if *tier == Tier::Boost { facts.boost_until } else { facts.pro_until };
    let from = last.filter(|last| *last > now).unwrap_or(now);
    let until = from.plus(LIFE);
    ctx.tx.write(
        sql!(
            "insert into pass (id, account, tier, credits, from_at, until_at, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)"
        ),
        values![id, buyer.id, tier, price, from, until, now],
    )?;
    // Posts come before accounts of the ledger where locks are taken, and a pass disables no webhook: it
    // lowers no tier. A refusal below undoes this.
    tier::set_pass(ctx, &buyer.id, tier, until)?;
    tier::refresh(ctx, &buyer.id)?;
    pay(ctx, buyer, &id, tier, price)?;
    Ok(Pass { pass_id: id, tier: tier.clone(), credits: price, from, until })
}

fn offered(app: &App, tier: &Tier) -> Result<Credits> {
    if !matches!(tier, Tier::Boost | Tier::Pro) {
        return Err(Error::invalid("tier", "there are passes of the tiers boost and pro"));
    }
    price(app, tier).ok_or_else(|| {
        let message = format!("this server sells no {tier} passes");
        let refusal = Refusal::new(Code::FeatureNotConfigured, message);
        refusal.hint(format!("its operator sets the price by passes.{tier}")).into()
    })
}

fn pay(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    id: &PassId,
    tier: &Tier,
    price: Credits,
) -> Result<()> {
    debt::refuse(ctx, &buyer.id)?;
    let (kind, micros) = (TransferKind::Pass, price.micros());
    spend::charge(ctx, buyer, id.as_str(), micros)?;
    let reason = Some(tier.as_str());
    let cause = Cause { kind, reference: id.as_str(), reason, actor: Some(&buyer.id) };
    let entries = [(Holder::User(&buyer.id), -micros), (Holder::Fee, micros)];
    let paid = ledger::post(ctx, &cause, &entries);
    overdue::before_refusal(ctx, &buyer.id, paid).map(|_| ())
}

/// Passes of an account that are valid now or later.
pub fn running(ctx: &mut Ctx<'_, '_>, account: &Account) -> Result<Vec<Pass>> {
    let now = ctx.now();
    let sql = sql!(
        "select ",
        Record::COLUMNS,
        " from pass where account = $1 and until_at > $2 order by id limit $3"
    );
    let passes: Vec<Record> = ctx.tx.all(sql, values![account.id, now, SHOWN])?;
    Ok(passes.into_iter().map(Pass::from).collect())
}
