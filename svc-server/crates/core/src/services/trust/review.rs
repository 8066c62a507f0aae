//! Who has earned trust: accounts of some age that settled paid deals with several others, and that
//! neither moderators nor the operator ever acted against.
//!
//! Deals are collected from the ledger some time after they were settled, not when they are: a
//! settlement would otherwise write two rows more.

use std::collections::BTreeMap;
use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{TransferId, UserId};

use crate::app::Ctx;
use crate::ids;
use crate::services::account;

/// Age of a trusted account.
const AGE: Duration = Duration::from_hours(90 * 24);

/// Settled deals of a trusted account.
const DEALS: i64 = 20;

/// Owners of the other parties in these deals. An account without an owner counts as its own.
const OWNERS: i64 = 5;

/// Other parties that are looked at; one with more has enough of them either way.
const PARTNERS_MAX: i64 = 1_000;

/// How long a transfer rests before it is collected. Ids begin with the time of their transaction,
/// and one that began earlier may end later.
const REST: Duration = Duration::from_mins(10);

/// Transfers collected in one transaction, and accounts reviewed in one.
const BATCH: i64 = 200;

/// A settled transfer, and who dealt if the provider was paid.
struct Settled {
    transfer: TransferId,
    buyer: Option<UserId>,
    provider: Option<UserId>,
}
row!(Settled {
    transfer: "t.id",
    buyer: "coalesce(e.buyer, r.requester)",
    provider: "coalesce(e.provider, r.provider)",
});

/// Counts the next settled deals; whether there may be more.
pub fn collect(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let end: TransferId = ids::first_of(ctx.now().minus(REST));
    // Holding the row lets one node collect at a time.
    let sql = sql!("select transfer from deal_collected where id = 1 for update");
    ctx.tx.lock(sql, values![])?;
    let after: TransferId =
        ctx.tx.one(sql!("select transfer from deal_collected where id = 1"), values![])?;
    let settled: Vec<Settled> = ctx.tx.all(
        sql!(
            "select ",
            Settled::COLUMNS,
            " from ledger_transfer t
             left join escrow e on e.id = t.ref and e.status = 'released'
             left join service_request r
                on r.id = t.ref and r.state = 'completed' and r.charged > 0
             where t.id > $1 and t.id < $2 and t.kind = 'settle' order by t.id limit $3"
        ),
        values![after, end, BATCH],
    )?;
    let Some(last) = settled.last().map(|one| one.transfer.clone()) else { return Ok(false) };
    let is_full = settled.len() >= usize::try_from(BATCH).unwrap_or(usize::MAX);
    count(ctx, settled)?;
    let sql = sql!("update deal_collected set transfer = $1 where id = 1");
    ctx.tx.execute(sql, values![last])?;
    Ok(is_full)
}

/// Adds deals to both parties.
fn count(ctx: &mut Ctx<'_, '_>, settled: Vec<Settled>) -> Result<()> {
    let mut deals: BTreeMap<(UserId, UserId), i64> = BTreeMap::new();
    for Settled { buyer, provider, .. } in settled {
        let (Some(buyer), Some(provider)) = (buyer, provider) else { continue };
        *deals.entry((buyer.clone(), provider.clone())).or_default() += 1;
        *deals.entry((provider, buyer)).or_default() += 1;
    }
    for ((account, partner), number) in deals {
        ctx.tx.execute(
            sql!(
                "insert into deal_partner (account, partner, deals) values ($1, $2, $3)
                 on conflict (account, partner) do update
                    set deals = deal_partner.deals + excluded.deals"
            ),
            values![account, partner, number],
        )?;
    }
    Ok(())
}

/// Reviews the accounts that follow `after` among those that have dealt; the last of them, if there
/// may be more.
pub fn review(ctx: &mut Ctx<'_, '_>, after: &str) -> Result<Option<String>> {
    let accounts: Vec<UserId> = ctx.tx.all(
        sql!(
            "select distinct account from deal_partner where account > $1 order by account limit $2"
        ),
        values![after, BATCH],
    )?;
    for account in &accounts {
        judge(ctx, account)?;
    }
    let is_full = accounts.len() >= usize::try_from(BATCH).unwrap_or(usize::MAX);
    Ok(accounts.last().filter(|_| is_full).map(ToString::to_string))
}

/// Gives trust to an account that has earned it, and takes it from one that no longer has it.
fn judge(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    if has_dealt(ctx, account)? && is_of_age_and_clean(ctx, account)? {
        return give(ctx, account);
    }
    let sql = sql!(
        "update account set trust = null, trust_by = null
         where id = $1 and trust_by = 'review'"
    );
    ctx.tx.execute(sql, values![account]).map(|_| ())
}

/// Gives trust to an account, unless somebody acts against it at this moment: that ends what is there by then.
fn give(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!("select 1 from account where id = $1 and trust is null and deleted_at is null");
    if ctx.tx.optional::<i64>(sql, values![account])?.is_none() {
        return Ok(());
    }
    account::lock(ctx, account)?;
    if !is_of_age_and_clean(ctx, account)? {
        return Ok(());
    }
    let sql = sql!(
        "update account set trust = 'trusted', trust_by = 'review'
         where id = $1 and trust is null and deleted_at is null"
    );
    ctx.tx.execute(sql, values![account]).map(|_| ())
}

/// Whether it has settled enough deals with accounts of enough owners other than its own.
fn has_dealt(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let (owners, deals): (i64, i64) = ctx.tx.one(
        sql!(
            "select count(distinct owner), cast(coalesce(sum(deals), 0) as bigint) from (
                select coalesce(o.owner, o.id) as owner, p.deals
                from deal_partner p
                join account o on o.id = p.partner
                join account a on a.id = p.account
                where p.account = $1 and coalesce(o.owner, o.id) <> coalesce(a.owner, a.id)
                limit $2
             ) of_others"
        ),
        values![account, PARTNERS_MAX],
    )?;
    Ok(owners >= OWNERS && deals >= DEALS)
}

/// Whether it is old enough and neither a moderator nor the operator ever acted against it.
fn is_of_age_and_clean(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let before = ctx.now().minus(AGE);
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from account a
             where a.id = $1 and a.created_at <= $2 and a.status = 'active'
                and not exists (
                    select 1 from moderation_action m
                    where m.subject = a.id and m.kind in ('warn', 'limit', 'suspend'))
                and not exists (
                    select 1 from audit_log l
                    where l.subject = a.id and l.action = 'user_suspend')"
        ),
        values![account, before],
    )?;
    Ok(found.is_some())
}
