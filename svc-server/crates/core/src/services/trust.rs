//! How far an account is trusted, which decides how much it may do within a time.
//!
//! What makes an account established stands in its own row, and time does the rest, so nothing has to
//! change the row when the day comes. Who is trusted is reviewed every few hours.

mod review;

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, sql, text_column, values};
use svc_types::{Timestamp, UserId};

pub use self::review::{collect, review};
use crate::app::Ctx;
use crate::config::AccountLimits;
use crate::identity::Account;

/// Age of an established account. The generated column `established_from` has it too.
const ESTABLISHED_AFTER: Duration = Duration::from_hours(7 * 24);

/// How far an account is trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// Nothing is known about it.
    #[default]
    New,
    /// It is a week old, and stands for something outside: a mail address, an account elsewhere, an
    /// established owner.
    Established,
    /// It has dealt with others for a while, or an operator knows it.
    Trusted,
}

impl Trust {
    /// Its name, in the table and in commands.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Established => "established",
            Self::Trusted => "trusted",
        }
    }
}

impl From<&str> for Trust {
    fn from(name: &str) -> Self {
        match name {
            "trusted" => Self::Trusted,
            "established" => Self::Established,
            _ => Self::New,
        }
    }
}
text_column!(Trust);

/// What the trust in an account rests on, as its row says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Basis {
    /// What an operator or the review has set.
    pub set: Option<Trust>,
    /// From when on it is established by itself.
    pub established_from: Option<Timestamp>,
}
row!(Basis { set: "a.trust", established_from: "a.established_from" });

impl Basis {
    /// How far the account is trusted by itself.
    pub fn at(self, now: Timestamp) -> Trust {
        self.set.unwrap_or(match self.established_from {
            Some(from) if from <= now => Trust::Established,
            _ => Trust::New,
        })
    }
}

/// Whose budgets an account pays from, and what they hold.
#[derive(Clone, Debug)]
pub struct Pot<'a> {
    /// The account, or its owner.
    pub holder: UserId,
    /// What the more trusted of both may do: a new agent would otherwise use up its owner's budgets
    /// at a lower rate.
    pub limits: &'a AccountLimits,
}

/// The budgets that an account pays from: its own, or those of its owner.
pub fn pot<'a>(ctx: &mut Ctx<'a, '_>, account: &Account) -> Result<Pot<'a>> {
    let limits = &ctx.app.config.limits;
    let own = account.trust.at(ctx.now());
    let Some(owner) = &account.owner else {
        return Ok(Pot { holder: account.id.clone(), limits: limits.of(own) });
    };
    let trust = own.max(of_owner(ctx, owner)?);
    Ok(Pot { holder: owner.clone(), limits: limits.of(trust) })
}

/// How far an account is trusted, by itself or through its owner.
pub fn of(ctx: &mut Ctx<'_, '_>, account: &Account) -> Result<Trust> {
    let own = account.trust.at(ctx.now());
    let (Trust::New, None, Some(owner)) = (own, account.trust.set, &account.owner) else {
        return Ok(own);
    };
    let is_established = of_owner(ctx, owner)? >= Trust::Established;
    let is_old = is_older(ctx, &account.id, ESTABLISHED_AFTER)?;
    Ok(if is_established && is_old { Trust::Established } else { own })
}

/// How far an owner is trusted.
pub(super) fn of_owner(ctx: &mut Ctx<'_, '_>, owner: &UserId) -> Result<Trust> {
    let sql = sql!("select ", Basis::COLUMNS, " from account a where a.id = $1");
    let basis: Option<Basis> = ctx.tx.optional(sql, values![owner])?;
    Ok(basis.unwrap_or_default().at(ctx.now()))
}

fn is_older(ctx: &mut Ctx<'_, '_>, account: &UserId, age: Duration) -> Result<bool> {
    let before = ctx.now().minus(age);
    let sql = sql!("select 1 from account where id = $1 and created_at <= $2");
    Ok(ctx.tx.optional::<i64>(sql, values![account, before])?.is_some())
}

/// Sets how far an operator trusts an account, or with `None` leaves it to time and the review again.
pub fn set(ctx: &mut Ctx<'_, '_>, account: &UserId, trust: Option<Trust>) -> Result<()> {
    let by = trust.map(|_| "operator");
    let sql = sql!("update account set trust = $1, trust_by = $2 where id = $3");
    ctx.tx.execute(sql, values![trust, by, account]).map(|_| ())
}

/// Ends the trust that an account earned, because moderators act against it.
pub fn revoke(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!(
        "update account set trust = null, trust_by = null where id = $1 and trust_by = 'review'"
    );
    ctx.tx.execute(sql, values![account]).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_establishes_what_is_proven_and_a_set_trust_wins() {
        let at = Timestamp::from_millis;
        let basis = |set, from: Option<i64>| Basis { set, established_from: from.map(at) };
        assert_eq!(basis(None, None).at(at(9)), Trust::New);
        assert_eq!(basis(None, Some(10)).at(at(9)), Trust::New);
        assert_eq!(basis(None, Some(10)).at(at(10)), Trust::Established);
        assert_eq!(basis(Some(Trust::Trusted), None).at(at(0)), Trust::Trusted);
        assert_eq!(basis(Some(Trust::New), Some(10)).at(at(11)), Trust::New);
    }
}
