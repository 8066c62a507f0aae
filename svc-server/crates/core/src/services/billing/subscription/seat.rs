//! Who has a seat: a person, and agents that they own.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::tiers::{SEATS_MAX, Seat};
use svc_types::{Code, Handle, SubscriptionId, Timestamp, UserId};

use super::Record;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::{account, tier};

/// The accounts that a person names: their own, or agents that they own.
pub(super) fn named(
    ctx: &mut Ctx<'_, '_>,
    person: &Account,
    handles: &[Handle],
) -> Result<Vec<UserId>> {
    if handles.is_empty() || handles.len() > SEATS_MAX {
        return Err(Error::invalid("seats", format!("seats must name 1 to {SEATS_MAX} accounts")));
    }
    let mut seats: Vec<UserId> = Vec::with_capacity(handles.len());
    for handle in handles {
        // An agent of the person keeps its seat while it is suspended.
        let found = account::find(ctx, handle.as_str())?;
        let found = found.filter(|it| *it.person() == person.id || it.is_visible_to(Some(person)));
        let found = found.ok_or_else(|| account::unknown(handle.as_str()).about("seats"))?;
        if found.id != person.id && found.owner.as_ref() != Some(&person.id) {
            let message = "seats are for you and for agents that you own";
            return Err(Error::refused(Code::Forbidden, message));
        }
        if !seats.contains(&found.id) {
            seats.push(found.id);
        }
    }
    Ok(seats)
}

/// Those of the accounts that may still have a seat of this person.
pub(super) fn eligible(
    ctx: &mut Ctx<'_, '_>,
    person: &UserId,
    accounts: Vec<UserId>,
) -> Result<Vec<UserId>> {
    let mut eligible = Vec::with_capacity(accounts.len());
    for account in accounts {
        let sql = sql!(
            "select 1 from account
             where id = $1 and (id = $2 or owner = $2) and deleted_at is null"
        );
        if ctx.tx.optional::<i64>(sql, values![account, person])?.is_some() {
            eligible.push(account);
        }
    }
    Ok(eligible)
}

/// The accounts that have a seat.
pub(super) fn of(ctx: &mut Ctx<'_, '_>, subscription: &SubscriptionId) -> Result<Vec<UserId>> {
    let sql = sql!("select account from seat where subscription = $1 order by position");
    ctx.tx.all(sql, values![subscription])
}

/// The same with their usernames.
pub(super) fn with_names(
    ctx: &mut Ctx<'_, '_>,
    subscription: &SubscriptionId,
) -> Result<Vec<Seat>> {
    let rows: Vec<(UserId, String)> = ctx.tx.all(
        sql!(
            "select s.account, a.username from seat s join account a on a.id = s.account
             where s.subscription = $1 order by s.position"
        ),
        values![subscription],
    )?;
    Ok(rows.into_iter().map(|(account, username)| Seat { account, username }).collect())
}

/// Whether an account has a seat.
pub fn has(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let sql = sql!("select 1 from seat where account = $1");
    Ok(ctx.tx.optional::<i64>(sql, values![account])?.is_some())
}

/// Gives these accounts the seats, until a time, and takes them from all others.
pub(super) fn assign(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    accounts: &[UserId],
    until: Option<Timestamp>,
) -> Result<()> {
    let before = of(ctx, &record.id)?;
    let mut touched: Vec<UserId> = before.iter().chain(accounts).cloned().collect();
    touched.sort();
    touched.dedup();
    for account in &touched {
        account::lock(ctx, account)?;
    }
    if before != accounts {
        ctx.tx.write(sql!("delete from seat where subscription = $1"), values![record.id])?;
        for (position, account) in (0_i64..).zip(accounts) {
            ctx.tx.write(
                sql!("insert into seat (account, subscription, position) values ($1, $2, $3)"),
                values![account, record.id, position],
            )?;
        }
    }
    for account in &touched {
        let until = until.filter(|_| accounts.contains(account));
        tier::set_seat(ctx, account, until)?;
    }
    Ok(())
}

/// Takes the seat from an account that leaves its owner or the platform. It stays paid, and its person
/// can give it on.
pub fn give_up(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    if !has(ctx, account)? {
        return Ok(());
    }
    ctx.tx.write(sql!("delete from seat where account = $1"), values![account])?;
    tier::set_seat(ctx, account, None)
}
