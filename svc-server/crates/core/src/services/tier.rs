//! The tier of an account: the one that the operator set, or the best that is paid for.
//!
//! What decides it is kept in a row of facts. The tier itself is stored with the account, since each
//! request needs it: code that changes a fact calls `refresh`, and a sweep does where time changes it.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::users::Tier;
use svc_types::{Timestamp, UserId};

use super::audit::{self, By, On};
use super::post::rank;
use super::{account, webhook};
use crate::app::Ctx;

/// Accounts whose tier a sweep stores at once.
const BATCH: i64 = 100;

/// What decides a tier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The operator's word.
    pub word: Option<Tier>,
    /// Until when a seat of a subscription is paid, with the time that unpaid ones are kept.
    pub seat_until: Option<Timestamp>,
    /// Until when a boost pass is valid.
    pub boost_until: Option<Timestamp>,
    /// Until when a pro pass is valid.
    pub pro_until: Option<Timestamp>,
}
row!(Facts {
    word: "word",
    seat_until: "seat_until",
    boost_until: "boost_until",
    pro_until: "pro_until",
});

/// The tier at a time.
pub fn tier_of(facts: &Facts, now: Timestamp) -> Tier {
    let is_paid = |until: Option<Timestamp>| until.is_some_and(|until| now < until);
    match &facts.word {
        Some(word) => word.clone(),
        None if is_paid(facts.seat_until) || is_paid(facts.pro_until) => Tier::Pro,
        None if is_paid(facts.boost_until) => Tier::Boost,
        None => Tier::Free,
    }
}

/// Until when the tier stays what it is at a time, unless a fact changes.
pub fn until(facts: &Facts, now: Timestamp) -> Option<Timestamp> {
    let tier = tier_of(facts, now);
    let mut ends: Vec<Timestamp> =
        [facts.seat_until, facts.boost_until, facts.pro_until].into_iter().flatten().collect();
    ends.sort();
    ends.into_iter().find(|end| *end > now && tier_of(facts, *end) != tier)
}

/// What decides the tier of an account.
pub fn facts(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Facts> {
    let sql = sql!("select ", Facts::COLUMNS, " from tier_facts where account = $1");
    Ok(ctx.tx.optional(sql, values![account])?.unwrap_or_default())
}

/// Stores the operator's word, or takes it back: then what is paid counts.
pub fn set_word(
    ctx: &mut Ctx<'_, '_>,
    actor: &str,
    account: &UserId,
    word: Option<&Tier>,
) -> Result<()> {
    account::lock(ctx, account)?;
    ctx.tx.write(
        sql!(
            "insert into tier_facts (account, word) values ($1, $2)
             on conflict (account) do update set word = excluded.word"
        ),
        values![account, word],
    )?;
    audit::write(
        ctx,
        By(actor),
        "tier_set",
        On(account.as_str()),
        Some(word.map_or("auto", Tier::as_str)),
    )?;
    refresh(ctx, account)
}

/// Stores until when a pass is valid. The account is locked, and [`refresh`] follows.
pub(super) fn set_pass(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    tier: &Tier,
    until: Timestamp,
) -> Result<()> {
    let (boost, pro) = if *tier == Tier::Boost { (Some(until), None) } else { (None, Some(until)) };
    ctx.tx.write(
        sql!(
            "insert into tier_facts (account, boost_until, pro_until) values ($1, $2, $3)
             on conflict (account) do update
             set boost_until = coalesce(excluded.boost_until, tier_facts.boost_until),
                pro_until = coalesce(excluded.pro_until, tier_facts.pro_until)"
        ),
        values![account, boost, pro],
    )
}

/// Stores until when a seat is paid, none if the account has none, and the tier.
pub(super) fn set_seat(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    until: Option<Timestamp>,
) -> Result<()> {
    account::lock(ctx, account)?;
    ctx.tx.write(
        sql!(
            "insert into tier_facts (account, seat_until) values ($1, $2)
             on conflict (account) do update set seat_until = excluded.seat_until"
        ),
        values![account, until],
    )?;
    refresh(ctx, account)
}

/// Stores the tier that follows from the facts, and when time will change it. The account is locked.
pub(super) fn refresh(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let (facts, now) = (facts(ctx, account)?, ctx.now());
    let (tier, due_at) = (tier_of(&facts, now), until(&facts, now));
    let sql = sql!("update tier_facts set due_at = $1 where account = $2");
    ctx.tx.write(sql, values![due_at, account])?;
    let sql = sql!("select tier from account where id = $1");
    let before: Tier = ctx.tx.one(sql, values![account])?;
    if before == tier {
        return Ok(());
    }
    let sql = sql!("update account set tier = $1 where id = $2");
    ctx.tx.write(sql, values![tier, account])?;
    rank::shift(ctx, account, &before, &tier)?;
    webhook::keep_within_tier(ctx, account, &tier)
}

/// Accounts whose tier time has changed, the longest ago first.
pub fn due(ctx: &mut Ctx<'_, '_>) -> Result<Vec<UserId>> {
    let now = ctx.now();
    let sql = sql!(
        "select account from tier_facts where due_at is not null and due_at <= $1
         order by due_at, account limit $2"
    );
    ctx.tx.all(sql, values![now, BATCH])
}

/// Accounts whose tier is below what is paid, since a clock that was far ahead ended it.
pub fn ended_early(ctx: &mut Ctx<'_, '_>) -> Result<Vec<UserId>> {
    let now = ctx.now();
    let sql = sql!(
        "select f.account from tier_facts f join account a on a.id = f.account
         where f.word is null and (
            a.tier <> 'pro' and (f.seat_until > $1 or f.pro_until > $1)
            or a.tier = 'free' and f.boost_until > $1)
         order by f.account limit $2"
    );
    ctx.tx.all(sql, values![now, BATCH])
}

/// Stores the tier of an account that time has changed.
pub fn sweep(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    account::lock(ctx, account)?;
    refresh(ctx, account)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1_000)
    }

    #[test]
    fn a_tier_is_the_operators_word_or_the_best_that_is_paid() {
        let facts = Facts {
            word: None,
            seat_until: Some(at(20)),
            boost_until: Some(at(40)),
            pro_until: Some(at(10)),
        };
        let seen: Vec<_> = [0, 10, 19, 20, 39, 40]
            .map(|second| (tier_of(&facts, at(second)), until(&facts, at(second))))
            .into();
        assert_eq!(
            seen,
            [
                (Tier::Pro, Some(at(20))),
                (Tier::Pro, Some(at(20))),
                (Tier::Pro, Some(at(20))),
                (Tier::Boost, Some(at(40))),
                (Tier::Boost, Some(at(40))),
                (Tier::Free, None),
            ]
        );
        for word in [Tier::Free, Tier::Boost, Tier::Pro] {
            let facts = Facts { word: Some(word.clone()), ..facts.clone() };
            assert_eq!((tier_of(&facts, at(0)), until(&facts, at(0))), (word, None));
        }
    }
}
