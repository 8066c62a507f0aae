//! The address of an account. A new one is pending until its link is used.
//!
//! Several accounts may have the same address pending, and one may have entered it at sign-up: the
//! first to verify it gets it. An address that its account has not verified becomes pending there,
//! so nobody can keep an address from its owner.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::pending::PendingKind;
use svc_types::api::security::SecurityAction;
use svc_types::{Code, MailToken, Timestamp, UserId};

use super::token::{self, Kind};
use super::{entries, outbox, text, undo};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;
use crate::services::attempt::Counter;
use crate::services::pending::{self, Change};
use crate::services::security::{self, About};
use crate::services::step_up;

/// The addresses of an account.
pub(super) struct Addresses {
    username: String,
    email: Option<String>,
    verified_at: Option<Timestamp>,
    pub(super) pending: Option<String>,
}
row!(Addresses {
    username: "username",
    email: "email",
    verified_at: "email_verified_at",
    pending: "pending_email",
});

impl Addresses {
    /// The address that is verified.
    pub(super) fn verified(&self) -> Option<&str> {
        self.email.as_deref().filter(|_| self.verified_at.is_some())
    }

    /// The address that a link would verify.
    fn unverified(&self) -> Option<&str> {
        let own = self.email.as_deref().filter(|_| self.verified_at.is_none());
        self.pending.as_deref().or(own)
    }
}

/// The addresses of an account that is locked.
pub(super) fn of(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Addresses> {
    let sql =
        sql!("select ", Addresses::COLUMNS, " from account where id = $1 and deleted_at is null");
    let found = ctx.tx.optional(sql, values![account])?;
    found.ok_or_else(|| Error::not_found("account"))
}

/// Locks an account and the holder of an address, in the order of their ids.
pub(super) fn lock(ctx: &mut Ctx<'_, '_>, account: &UserId, email: &str) -> Result<()> {
    let sql =
        sql!("select id from account where id = $1 or email = $2 order by id for no key update");
    ctx.tx.lock(sql, values![account, email])
}

/// Whether another account has entered the address of a new account and not verified it, so that it is
/// pending for the new one. 409 if it is verified, or taken on a server without mail.
pub fn is_entered(ctx: &mut Ctx<'_, '_>, email: &str) -> Result<bool> {
    let sql = sql!("select email_verified_at is not null from account where email = $1");
    match ctx.tx.optional::<bool>(sql, values![email])? {
        None => Ok(false),
        Some(false) if super::is_on(ctx.app) => Ok(true),
        Some(_) => Err(taken()),
    }
}

/// Sends the link for the address of a new account. Without it, the account exists as well: it can
/// be sent again.
pub fn greet(ctx: &mut Ctx<'_, '_>, account: &UserId, username: &str, email: &str) -> Result<()> {
    match count(ctx, account, email) {
        Ok(()) => send(ctx, account, username, email),
        Err(Error::Refused(_)) => Ok(()),
        Err(fault) => Err(fault),
    }
}

/// Makes an address pending for an account, or makes that wait: until when. The present address
/// gives a pending one up.
pub fn propose(ctx: &mut Ctx<'_, '_>, caller: &Account, email: &str) -> Result<Option<Timestamp>> {
    let account = &caller.id;
    lock(ctx, account, email)?;
    let addresses = of(ctx, account)?;
    if addresses.pending.as_deref() == Some(email) {
        return Ok(None);
    }
    if addresses.email.as_deref() == Some(email) {
        return make_pending(ctx, account, &addresses, None).map(|()| None);
    }
    step_up::require(ctx, caller)?;
    refuse_taken(ctx, account, email)?;
    match pending::delay(ctx, caller, Change::Email(email))? {
        Some(until) => Ok(Some(until)),
        None => begin(ctx, account, &addresses, email).map(|()| None),
    }
}

/// Whether a change to this address is refused because another account has it. One that is pending already is no
/// change.
pub fn is_of_another(ctx: &mut Ctx<'_, '_>, account: &UserId, email: &str) -> Result<bool> {
    let is_unverified_enough = !super::is_on(ctx.app);
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from account
             where email = $1 and id <> $2 and ($3 or email_verified_at is not null)
                and not exists (select 1 from account a where a.id = $2 and a.pending_email = $1)"
        ),
        values![email, account, is_unverified_enough],
    )?;
    Ok(found.is_some())
}

/// Makes an address pending that its account asked for some time ago.
pub fn adopt(ctx: &mut Ctx<'_, '_>, account: &UserId, email: &str) -> Result<()> {
    lock(ctx, account, email)?;
    let addresses = of(ctx, account)?;
    refuse_taken(ctx, account, email)?;
    begin(ctx, account, &addresses, email)
}

/// Makes an address pending, sends its link, and the verified address the link that takes it back.
fn begin(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    addresses: &Addresses,
    email: &str,
) -> Result<()> {
    count(ctx, account, email)?;
    make_pending(ctx, account, addresses, Some(email))?;
    send(ctx, account, &addresses.username, email)?;
    if let Some(former) = addresses.verified() {
        let token = if undo::is_led_back(ctx, account)? {
            None
        } else {
            Some(token::create(ctx, Kind::Undo, account, former)?)
        };
        let draft = text::replaced(ctx.app, &addresses.username, token.as_deref());
        outbox::insert(ctx, account, former, "notice", &draft)?;
    }
    security::note(ctx, account, &SecurityAction::EmailPending, About::default())
}

/// Replaces the pending address, whose link ends.
pub(super) fn make_pending(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    addresses: &Addresses,
    email: Option<&str>,
) -> Result<()> {
    let Some(former) = &addresses.pending else {
        return set_pending(ctx, account, email);
    };
    token::end(ctx, Kind::Verify, account, former)?;
    set_pending(ctx, account, email)
}

pub(super) fn set_pending(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    email: Option<&str>,
) -> Result<()> {
    let now = ctx.now();
    let sql = sql!("update account set pending_email = $1, updated_at = $2 where id = $3");
    ctx.tx.execute(sql, values![email, now, account]).map(drop)
}

/// Announces a change that waits, with the link that takes it back, to the verified addresses of the account
/// and of its owner.
pub fn announce(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    kind: &PendingKind,
    token: &str,
) -> Result<()> {
    if !super::is_on(ctx.app) {
        return Ok(());
    }
    let addresses = of(ctx, account)?;
    if let Some(email) = addresses.verified()
        && may_mail_account(ctx, kind, account)?
    {
        let draft = text::pending(ctx.app, &addresses.username, kind, token);
        outbox::insert(ctx, account, email, Kind::Undo.word(), &draft)?;
    }
    let Some((owner, email)) = owner_of(ctx, account)? else { return Ok(()) };
    if !may_mail_owner(ctx, kind, account)? {
        return Ok(());
    }
    let draft = text::pending_of_agent(ctx.app, &addresses.username, kind, token);
    outbox::insert(ctx, &owner, &email, Kind::Undo.word(), &draft)
}

/// Whether an account has not asked for the same so often that it fills its mailbox, as a thief of its key might. Then
/// 429, because its mailbox may be all that takes a change back. Of a release, the owner is left, without a mail.
fn may_mail_account(ctx: &mut Ctx<'_, '_>, kind: &PendingKind, account: &UserId) -> Result<bool> {
    let Some(counter) = Counter::mails_about_change(ctx, kind.as_str(), account) else {
        return Ok(true);
    };
    match counter.take(ctx) {
        Ok(_) => Ok(true),
        Err(Error::Refused(_)) if *kind == PendingKind::OwnerRelease => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether an agent has not filled the mailbox of its owner by asking for the same again and again.
fn may_mail_owner(ctx: &mut Ctx<'_, '_>, kind: &PendingKind, agent: &UserId) -> Result<bool> {
    let Some(counter) = Counter::mails_to_owner(ctx, kind.as_str(), agent) else {
        return Ok(true);
    };
    match counter.take(ctx) {
        Ok(_) => Ok(true),
        Err(Error::Refused(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The owner of an agent with a verified address, and that address.
fn owner_of(ctx: &mut Ctx<'_, '_>, agent: &UserId) -> Result<Option<(UserId, String)>> {
    ctx.tx.optional(
        sql!(
            "select o.id, o.email from account a join account o on o.id = a.owner
             where a.id = $1 and o.email is not null and o.email_verified_at is not null"
        ),
        values![agent],
    )
}

/// Sends the link of the address that is not verified again.
pub fn send_again(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    account::lock(ctx, account)?;
    let addresses = of(ctx, account)?;
    let Some(email) = addresses.unverified() else {
        return Err(nothing_to_verify(addresses.email.is_some()));
    };
    refuse_taken(ctx, account, email)?;
    count(ctx, account, email)?;
    send(ctx, account, &addresses.username, email)
}

fn nothing_to_verify(is_verified: bool) -> Error {
    let (message, hint) = if is_verified {
        ("the e-mail address is verified already", "verified")
    } else {
        ("the account has no e-mail address", "set one with PATCH /users/me")
    };
    Refusal::new(Code::WrongState, message).hint(hint).into()
}

/// Verifies the address that a link was sent to.
pub fn verify(ctx: &mut Ctx<'_, '_>, token: &MailToken) -> Result<()> {
    let token::Owner { account, email } = token::owner(ctx, Kind::Verify, token)?;
    lock(ctx, &account, &email)?;
    let addresses = of(ctx, &account).map_err(|_| token::no_link())?;
    token::take(ctx, token)?;
    let is_own = addresses.email.as_deref() == Some(&*email) && addresses.verified_at.is_none();
    let is_pending = addresses.pending.as_deref() == Some(&*email);
    if !is_own && !is_pending {
        return Err(token::no_link());
    }
    refuse_taken(ctx, &account, &email)?;
    if is_pending {
        entries::write_to_former(ctx, &account)?;
        replace(ctx, &account, &addresses, &email)?;
    } else {
        confirm(ctx, &account, &email)?;
    }
    token::end(ctx, Kind::Verify, &account, &email)
}

/// Marks the present address as verified.
fn confirm(ctx: &mut Ctx<'_, '_>, account: &UserId, email: &str) -> Result<()> {
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update account set email_verified_at = $1, updated_at = $1
             where id = $2 and email = $3 and email_verified_at is null"
        ),
        values![now, account, email],
    )?;
    security::note(ctx, account, &SecurityAction::EmailVerified, About::default())
}

/// Makes the pending address the one of the account: the only place where it comes to count. Links
/// to the former address end.
pub(super) fn replace(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    addresses: &Addresses,
    email: &str,
) -> Result<()> {
    displace(ctx, account, email)?;
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update account set email = $1, email_verified_at = $2, pending_email = null,
                updated_at = $2
             where id = $3 and pending_email = $1"
        ),
        values![email, now, account],
    )?;
    if let Some(former) = &addresses.email {
        token::end(ctx, Kind::Reset, account, former)?;
        token::end(ctx, Kind::Verify, account, former)?;
    }
    security::note(ctx, account, &SecurityAction::EmailChanged, About::default())
}

/// Takes an address from an account that has not verified it.
fn displace(ctx: &mut Ctx<'_, '_>, account: &UserId, email: &str) -> Result<()> {
    let now = ctx.now();
    let holder: Option<UserId> = ctx.tx.optional(
        sql!(
            "update account set email = null, pending_email = coalesce(pending_email, email),
                updated_at = $1
             where email = $2 and id <> $3 and email_verified_at is null returning id"
        ),
        values![now, email, account],
    )?;
    match holder {
        // Who verified it may know nothing of who had entered it.
        Some(holder) => security::note_by_stranger(ctx, &holder, &SecurityAction::EmailLost),
        None => Ok(()),
    }
}

/// 409 if another account has verified the address.
fn refuse_taken(ctx: &mut Ctx<'_, '_>, account: &UserId, email: &str) -> Result<()> {
    if is_taken(ctx, account, email)? { Err(taken()) } else { Ok(()) }
}

/// Whether another account has verified the address.
pub(super) fn is_taken(ctx: &mut Ctx<'_, '_>, account: &UserId, email: &str) -> Result<bool> {
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from account
             where email = $1 and id <> $2 and email_verified_at is not null"
        ),
        values![email, account],
    )?;
    Ok(found.is_some())
}

/// 409 for an address that another account has.
pub fn taken() -> Error {
    let refusal = Refusal::new(Code::EmailTaken, "the e-mail address is taken");
    refusal.field("email").into()
}

/// Counts a link to an address; 429 above the limits.
fn count(ctx: &mut Ctx<'_, '_>, account: &UserId, email: &str) -> Result<()> {
    for counter in Counter::mails(ctx, Kind::Verify.word(), account, email) {
        counter.take(ctx)?;
    }
    Ok(())
}

fn send(ctx: &mut Ctx<'_, '_>, account: &UserId, username: &str, email: &str) -> Result<()> {
    let token = token::create(ctx, Kind::Verify, account, email)?;
    let draft = text::verify(ctx.app, username, &token);
    outbox::insert(ctx, account, email, Kind::Verify.word(), &draft)
}
