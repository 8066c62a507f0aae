//! Invites: an account or the operator makes one, and one account signs up with it.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::invites::{INVITE_LIFE_DEFAULT, Invite, NewInvite};
use svc_types::{Code, InviteCode, InviteId, Span, Timestamp, UserId};

use super::account;
use super::trust;
use crate::app::Ctx;
use crate::config::GrantCondition;
use crate::identity::{Account, is_moderator};
use crate::page::Page;
use crate::{ids, keys};

/// Open invites of a moderator, and of any account where there are no budgets.
const MANY: u32 = 100;

/// How long a used invite counts where it brought a grant of credits: else an account could invite accounts
/// of its own one after another, and collect their grants.
const GRANT_COUNTS: Duration = Duration::from_hours(30 * 24);

/// Digits of a code, and how many stand together. 20 digits of 5 bits can't be guessed.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const CODE_LENGTH: usize = 20;
const CODE_GROUP: usize = 5;

/// A stored invite.
#[derive(Debug)]
pub struct Record {
    /// Its id.
    pub id: InviteId,
    created_at: Timestamp,
    expires_at: Timestamp,
    used_at: Option<Timestamp>,
    used_by: Option<String>,
}
row!(Record {
    id: "i.id",
    created_at: "i.created_at",
    expires_at: "i.expires_at",
    used_at: "i.used_at",
    used_by: "u.username",
});

impl Record {
    /// The invite as the API returns it.
    pub fn into_api(self) -> Invite {
        Invite {
            invite_id: self.id,
            created_at: self.created_at,
            expires_at: self.expires_at,
            used_at: self.used_at,
            used_by: self.used_by,
        }
    }
}

/// A page of the invites of an account, newest first.
pub fn list(ctx: &mut Ctx<'_, '_>, account: &UserId, page: &Page) -> Result<Vec<Record>> {
    ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from invite i left join account u on u.id = i.used_by
             where i.account = $1 and i.id < $2
             order by i.id desc limit $3"
        ),
        values![account, page.before(), page.rows()],
    )
}

/// Creates an invite of an account; 409 when it has as many open ones as it may.
pub fn create(ctx: &mut Ctx<'_, '_>, caller: &Account, life: Option<Span>) -> Result<NewInvite> {
    // Those made at once count each other.
    account::lock(ctx, &caller.id)?;
    let allowance = allowance(ctx, caller)?;
    refuse_full(ctx, &caller.id, allowance)?;
    insert(ctx, Some(&caller.id), life)
}

/// Creates an invite of the operator.
pub fn create_for_operator(ctx: &mut Ctx<'_, '_>, life: Option<Span>) -> Result<NewInvite> {
    insert(ctx, None, life)
}

/// The invites that an account may have.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    most: u32,
    /// Whether used ones count for a while, beside the open ones.
    counts_used: bool,
}

fn allowance(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Allowance> {
    let config = &ctx.app.config;
    // By role: invites need no scope of moderators.
    if is_moderator(&caller.role, &caller.status) || !config.limits.budgets {
        return Ok(Allowance { most: MANY, counts_used: false });
    }
    let exchange = &config.exchange;
    let counts_used = exchange.grant_requires == Some(GrantCondition::Invite)
        && exchange.signup_grant.micros() > 0;
    let most = config.limits.of(trust::of(ctx, caller)?).invites;
    Ok(Allowance { most, counts_used })
}

fn refuse_full(ctx: &mut Ctx<'_, '_>, account: &UserId, allowance: Allowance) -> Result<()> {
    let (now, Allowance { most, counts_used }) = (ctx.now(), allowance);
    let since = if counts_used { now.minus(GRANT_COUNTS) } else { now };
    let counted: i64 = ctx.tx.one(
        sql!(
            "select count(*) from invite
             where account = $1 and (used_at is null and expires_at > $2 or used_at > $3)"
        ),
        values![account, now, since],
    )?;
    if counted < i64::from(most) {
        return Ok(());
    }
    let (message, hint) = if most == 0 {
        (
            "new accounts can't invite others".to_owned(),
            "with a verified e-mail address, an account can after 7 days",
        )
    } else if counts_used {
        (
            format!("at most {most} invites of your account may be open or used in 30 days"),
            "delete an open one, or wait: each brings credits to a new account",
        )
    } else {
        (
            format!("at most {most} invites of your account may be open"),
            "delete one, or wait until one is used or expires",
        )
    };
    Err(Refusal::new(Code::LimitReached, message).hint(hint).into())
}

fn insert(
    ctx: &mut Ctx<'_, '_>,
    account: Option<&UserId>,
    life: Option<Span>,
) -> Result<NewInvite> {
    let (id, code, now): (InviteId, _, _) = (ctx.id(), new_code(), ctx.now());
    let expires_at = now.plus(life.unwrap_or(INVITE_LIFE_DEFAULT).duration());
    ctx.tx.execute(
        sql!(
            "insert into invite (id, account, code_hash, created_at, expires_at)
             values ($1, $2, $3, $4, $5)"
        ),
        values![id, account, keys::hash(&plain(&code)), now, expires_at],
    )?;
    let url = format!("{}/join?invite={code}", ctx.app.public_url);
    let invite =
        Invite { invite_id: id, created_at: now, expires_at, used_at: None, used_by: None };
    Ok(NewInvite { invite, code: code.into(), url: url.into() })
}

/// Deletes an unused invite of an account; 409 for a used one, which stays in the list.
pub fn delete(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &InviteId) -> Result<()> {
    let sql = sql!("delete from invite where id = $1 and account = $2 and used_at is null");
    if ctx.tx.execute(sql, values![id, account])? == 1 {
        return Ok(());
    }
    let sql = sql!("select 1 from invite where id = $1 and account = $2");
    match ctx.tx.optional::<i64>(sql, values![id, account])? {
        None => Err(Error::not_found("invite")),
        Some(_) => Err(Refusal::new(Code::WrongState, "the invite was used").hint("used").into()),
    }
}

/// Deletes the unused invites of an account that ends.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!("delete from invite where account = $1 and used_at is null");
    ctx.tx.execute(sql, values![account]).map(drop)
}

/// Deletes unused invites that expired long enough ago for their account to have seen it.
pub fn forget_expired(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(INVITE_LIFE_DEFAULT.duration());
    // Like `forget_expired!`, it keeps what is renewed meanwhile.
    ctx.tx.execute(
        sql!(
            "delete from invite where +used_at is null and id in
             (select id from invite where used_at is null and expires_at <= $1 limit $2)"
        ),
        values![before, most],
    )
}

/// 403 unless an account may sign up with this invite now.
pub fn check(ctx: &mut Ctx<'_, '_>, code: &InviteCode) -> Result<()> {
    let (hash, now) = (keys::hash(&plain(code.expose())), ctx.now());
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from invite i left join account a on a.id = i.account
             where i.code_hash = $1 and i.used_at is null and i.expires_at > $2
                and (i.account is null or a.status <> 'suspended' and a.deleted_at is null)"
        ),
        values![hash, now],
    )?;
    found.map(drop).ok_or_else(invalid)
}

/// Uses an invite up for a new account. Of several that sign up with it at once, one does.
pub fn take(ctx: &mut Ctx<'_, '_>, code: &InviteCode, account: &UserId) -> Result<InviteId> {
    let (hash, now) = (keys::hash(&plain(code.expose())), ctx.now());
    let taken = ctx.tx.optional(
        sql!(
            "update invite set used_by = $1, used_at = $2
             where code_hash = $3 and used_at is null and expires_at > $2
                and (account is null or exists (
                    select 1 from account a
                    where a.id = invite.account and a.status <> 'suspended'
                        and a.deleted_at is null))
             returning id"
        ),
        values![account, now, hash],
    )?;
    taken.ok_or_else(invalid)
}

/// 403 where an invite is needed and none is sent.
pub fn needed() -> Error {
    let refusal = Refusal::new(Code::InviteRequired, "signing up on this server needs an invite");
    refusal.field("invite").hint("ask somebody who has an account for one").into()
}

fn invalid() -> Error {
    let refusal = Refusal::new(Code::InviteRequired, "the invite is unknown, used or expired");
    refusal.field("invite").hint("ask for a new one").into()
}

/// A new code, in groups that people can read to each other.
fn new_code() -> String {
    let random = ids::random::<CODE_LENGTH>();
    let digits: Vec<u8> = random.iter().map(|byte| DIGITS[usize::from(byte & 31)]).collect();
    let groups = digits.chunks(CODE_GROUP).map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join("-")
}

/// The digits of a code or of the link that ends in it, as they were made: people type capitals, and
/// letters that look like digits.
fn plain(typed: &str) -> String {
    let code = typed.trim().rsplit(['=', '/']).next().unwrap_or_default();
    let digit = |letter: char| match letter.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        other => other,
    };
    code.chars().filter(|letter| !matches!(letter, '-' | ' ')).map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_recognised_as_it_was_typed_and_in_its_link() {
        let code = new_code();
        assert_eq!(code.len(), CODE_LENGTH + CODE_LENGTH / CODE_GROUP - 1);
        let known = plain(&code);
        assert_eq!(known.len(), CODE_LENGTH);
        let typed = format!(" {} ", code.to_uppercase().replace('0', "O").replace('1', "l"));
        assert_eq!(plain(&typed), known);
        assert_eq!(plain(&format!("https://svc.example/join?invite={code}")), known);
        assert_ne!(new_code(), code);
    }
}
