//! Tokens of links: random, stored as hashes, used once.

use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::pending::PENDING_FOR;
use svc_types::{Code, MailToken, UserId};

use crate::app::Ctx;
use crate::keys;

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It verifies an address.
    Verify,
    /// It leads back into an account.
    Reset,
    /// The same, handed out by the operator: no mail has to prove anything.
    Recover,
    /// It gives an account the address back that a newer one replaces.
    Undo,
}

impl Kind {
    /// The word in the database.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Reset => "reset",
            Self::Recover => "recover",
            Self::Undo => "undo",
        }
    }

    /// How long a link works.
    pub(super) const fn life(self) -> Duration {
        match self {
            Self::Verify | Self::Recover => Duration::from_hours(24),
            Self::Reset => Duration::from_hours(1),
            Self::Undo => PENDING_FOR.duration(),
        }
    }
}

/// Whose link a token is of.
pub(super) struct Owner {
    pub(super) account: UserId,
    /// The address it was sent to.
    pub(super) email: String,
}
row!(Owner { account, email });

/// Creates the token of a link that is sent to an address.
pub(super) fn create(
    ctx: &mut Ctx<'_, '_>,
    kind: Kind,
    account: &UserId,
    email: &str,
) -> Result<String> {
    let (token, hash) = keys::mail_token();
    let expires_at = ctx.now().plus(kind.life());
    ctx.tx.execute(
        sql!(
            "insert into mail_token (hash, account, kind, email, expires_at)
             values ($1, $2, $3, $4, $5)"
        ),
        values![hash, account, kind.word(), email, expires_at],
    )?;
    Ok(token)
}

/// The owner of a valid token; 404 for one that is used, unknown or expired.
pub(super) fn owner(ctx: &mut Ctx<'_, '_>, kind: Kind, token: &MailToken) -> Result<Owner> {
    find(ctx, kind, token.expose())?.ok_or_else(no_link)
}

/// The owner of a token; `None` for one that is used, unknown or expired.
pub(super) fn find(ctx: &mut Ctx<'_, '_>, kind: Kind, token: &str) -> Result<Option<Owner>> {
    let now = ctx.now();
    ctx.tx.optional(
        sql!(
            "select account, email from mail_token
             where hash = $1 and kind = $2 and expires_at > $3"
        ),
        values![keys::hash(token), kind.word(), now],
    )
}

/// The account that a link of the operator leads into; `None` for other tokens.
pub(super) fn recovered(ctx: &mut Ctx<'_, '_>, token: &MailToken) -> Result<Option<UserId>> {
    match owner(ctx, Kind::Recover, token) {
        Ok(owner) => Ok(Some(owner.account)),
        Err(Error::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Uses a token up; 404 if another request did so first.
pub(super) fn take(ctx: &mut Ctx<'_, '_>, token: &MailToken) -> Result<()> {
    let sql = sql!("delete from mail_token where hash = $1");
    match ctx.tx.execute(sql, values![keys::hash(token.expose())])? {
        0 => Err(no_link()),
        _ => Ok(()),
    }
}

/// The refusal of a link.
pub(super) fn no_link() -> Error {
    let message = "no such link; it was used, has expired, or a newer address replaced it";
    Error::refused(Code::NotFound, message)
}

/// Ends all links of this kind that an account has for an address, and their waiting mails.
pub(super) fn end(ctx: &mut Ctx<'_, '_>, kind: Kind, account: &UserId, email: &str) -> Result<()> {
    for sql in [
        sql!("delete from mail_token where account = $1 and kind = $2 and email = $3"),
        sql!("delete from mail_outbox where account = $1 and kind = $2 and recipient = $3"),
    ] {
        ctx.tx.execute(sql, values![account, kind.word(), email])?;
    }
    Ok(())
}

/// Ends all links that lead back into an account, and the mails that wait to bring one.
pub(super) fn end_resets(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let words = [Kind::Reset.word(), Kind::Recover.word()];
    for sql in [
        sql!("delete from mail_token where account = $1 and kind in ($2, $3)"),
        sql!("delete from mail_outbox where account = $1 and kind in ($2, $3)"),
    ] {
        ctx.tx.execute(sql, values![account, words[0], words[1]])?;
    }
    Ok(())
}

/// Ends a link that gives an account an address back, and those that newer addresses got; false if it has ended before.
pub(super) fn end_undo(ctx: &mut Ctx<'_, '_>, account: &UserId, token: &str) -> Result<bool> {
    let rows = ctx.tx.execute(
        sql!(
            "delete from mail_token where account = $1 and kind = $2
                and expires_at >= (select expires_at from mail_token where hash = $3)"
        ),
        values![account, Kind::Undo.word(), keys::hash(token)],
    )?;
    Ok(rows > 0)
}

/// Ends the links by which former addresses of an account take newer ones back.
pub(super) fn end_undos(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!("delete from mail_token where account = $1 and kind = $2");
    ctx.tx.execute(sql, values![account, Kind::Undo.word()]).map(drop)
}

forget_expired! {
    /// Deletes expired tokens.
    pub(super) fn forget: "mail_token" by "hash"
}
