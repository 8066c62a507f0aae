//! Changes that wait: what could take an account away from its owner.
//!
//! An account without a password confirms with its default key alone, so a thief of the key could do
//! anything. If somebody else could notice (an owner, or the reader of a verified address), its
//! e-mail address, its owner and its deletion wait, and either side can take them back.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::pending::{PENDING_FOR, PendingChange, PendingChangeList, PendingKind};
use svc_types::api::security::SecurityAction;
use svc_types::{GrantId, PendingChangeId, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::{Account, SignedBy, credentials};
use crate::services::security::{self, About};
use crate::services::{account, credential, deletion, mail, owner};
use crate::{ids, keys};

/// Most changes that are listed: three of each account, of an owner and of its agents.
const LISTED_MAX: i64 = 100;

/// A change that is requested.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// The account gets this e-mail address.
    Email(&'a str),
    /// The agent leaves its owner.
    OwnerRelease,
    /// The account is deleted.
    Deletion,
}

impl Change<'_> {
    const fn kind(self) -> PendingKind {
        match self {
            Self::Email(_) => PendingKind::Email,
            Self::OwnerRelease => PendingKind::OwnerRelease,
            Self::Deletion => PendingKind::Deletion,
        }
    }

    const fn email(&self) -> Option<&str> {
        match self {
            Self::Email(email) => Some(email),
            Self::OwnerRelease | Self::Deletion => None,
        }
    }
}

/// Makes a change wait if it has to: until when. `None` for a change that takes effect at once.
pub fn delay(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    change: Change<'_>,
) -> Result<Option<Timestamp>> {
    if waits(ctx, caller)? { add(ctx, caller, change).map(Some) } else { Ok(None) }
}

/// Whether the caller has nothing but its key to confirm with, and somebody could take a change back.
/// A passkey that was added lately may be a thief's of that key, and changes nothing about it. Nor does
/// a session: without a password, a passkey has started it. A token counts as the account that allowed it.
fn waits(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<bool> {
    match &caller.method {
        SignedBy::Clock => return Ok(false),
        SignedBy::Token(grant) if is_of_owner(ctx, caller, grant)? => return Ok(false),
        SignedBy::ApiKey(_) | SignedBy::Session { .. } | SignedBy::Token(_) => {}
    }
    let settled = ctx.now().minus(PENDING_FOR.duration());
    // A mailbox from which the operator has just led the account away takes nothing back.
    let has_mailbox = !mail::is_led_back(ctx, &caller.id)?;
    ctx.tx.one(
        sql!(
            "select password_hash is null
                and (owner is not null or $1 and email_verified_at is not null)
                and not exists (select 1 from passkey p
                    where p.account = account.id and p.created_at <= $2)
             from account where id = $3"
        ),
        values![has_mailbox, settled, caller.id],
    )
}

/// Whether the owner of the account, and not the account itself, allowed what a token does.
fn is_of_owner(ctx: &mut Ctx<'_, '_>, caller: &Account, grant: &GrantId) -> Result<bool> {
    let sql = sql!("select 1 from oauth_grant where id = $1 and giver <> $2");
    Ok(ctx.tx.optional::<i64>(sql, values![grant, caller.id])?.is_some())
}

/// Stores a change. The same request again changes nothing; another address begins again.
fn add(ctx: &mut Ctx<'_, '_>, caller: &Account, change: Change<'_>) -> Result<Timestamp> {
    account::lock(ctx, &caller.id)?;
    credential::hold(ctx, caller)?;
    let (kind, email) = (change.kind(), change.email());
    let token = URL_SAFE_NO_PAD.encode(ids::random::<32>());
    let (id, now): (PendingChangeId, _) = (ctx.id(), ctx.now());
    let due_at = now.plus(PENDING_FOR.duration());
    let rows = ctx.tx.execute(
        sql!(
            "insert into pending_change (id, account, kind, email, token_hash, created_at, due_at)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (account, kind) do update
             set id = excluded.id, email = excluded.email, token_hash = excluded.token_hash,
                created_at = excluded.created_at, due_at = excluded.due_at
             where pending_change.email <> excluded.email"
        ),
        values![id, caller.id, kind, email, keys::hash(&token), now, due_at],
    )?;
    if rows > 0 {
        note(ctx, &caller.id, &SecurityAction::ChangePending, None)?;
        mail::announce(ctx, &caller.id, &kind, &token)?;
        return Ok(due_at);
    }
    let sql = sql!("select due_at from pending_change where account = $1 and kind = $2");
    ctx.tx.one(sql, values![caller.id, kind])
}

/// Writes what happens to a change into the log of the account.
fn note(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    action: &SecurityAction,
    actor: Option<&UserId>,
) -> Result<()> {
    let about = match actor {
        Some(actor) if actor != account => About::default().by(actor),
        _ => About::default(),
    };
    security::note(ctx, account, action, about)
}

struct Record {
    id: PendingChangeId,
    username: String,
    kind: PendingKind,
    email: Option<String>,
    created_at: Timestamp,
    due_at: Timestamp,
}
row!(Record {
    id: "c.id",
    username: "a.username",
    kind: "c.kind",
    email: "c.email",
    created_at: "c.created_at",
    due_at: "c.due_at",
});

/// The changes of the caller and of its agents.
pub fn list(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<PendingChangeList> {
    let records: Vec<Record> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from account a join pending_change c on c.account = a.id
             where a.id = $1 or a.owner = $1 order by c.id limit $2"
        ),
        values![caller.id, LISTED_MAX],
    )?;
    let pending = records.into_iter().map(|record| PendingChange {
        pending_id: record.id,
        username: record.username,
        kind: record.kind,
        email: record.email,
        created_at: record.created_at,
        pending_until: record.due_at,
    });
    Ok(PendingChangeList { pending: pending.collect() })
}

/// Takes back a change of the caller or of an agent it owns; false if there is none.
pub fn cancel(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PendingChangeId) -> Result<bool> {
    let account: Option<UserId> = ctx.tx.optional(
        sql!(
            "delete from pending_change
             where id = $1 and account in (select id from account where id = $2 or owner = $2)
             returning account"
        ),
        values![id, caller.id],
    )?;
    let Some(account) = account else { return Ok(false) };
    note(ctx, &account, &SecurityAction::ChangeCancelled, Some(&caller.id))?;
    Ok(true)
}

/// Takes back the change that waits, or the new address, whose link has this token; false if there is none.
pub fn undo(ctx: &mut Ctx<'_, '_>, token: &str) -> Result<bool> {
    let account: Option<UserId> = ctx.tx.optional(
        sql!("delete from pending_change where token_hash = $1 returning account"),
        values![keys::hash(token)],
    )?;
    let Some(account) = account else { return mail::undo(ctx, token) };
    note(ctx, &account, &SecurityAction::ChangeCancelled, None)?;
    Ok(true)
}

/// Takes back all changes of an account whose password or key was lost or stolen, also an address that is not
/// verified yet.
pub fn cancel_all(ctx: &mut Ctx<'_, '_>, account: &UserId, actor: Option<&UserId>) -> Result<()> {
    let sql = sql!("delete from pending_change where account = $1");
    let waited = ctx.tx.execute(sql, values![account])? > 0;
    if mail::give_up_pending(ctx, account)? || waited {
        note(ctx, account, &SecurityAction::ChangeCancelled, actor)?;
    }
    Ok(())
}

/// Deletes the changes of an account that ends.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!("delete from pending_change where account = $1");
    ctx.tx.execute(sql, values![account]).map(drop)
}

/// Forgets that an agent asked to leave an owner that it has no longer: it would leave the next one.
pub fn forget_release(ctx: &mut Ctx<'_, '_>, agent: &UserId) -> Result<()> {
    let sql = sql!("delete from pending_change where account = $1 and kind = $2");
    ctx.tx.execute(sql, values![agent, PendingKind::OwnerRelease]).map(drop)
}

/// Carries out a change whose time has come. One that is refused by now is dropped.
pub fn carry_out(ctx: &mut Ctx<'_, '_>, id: &PendingChangeId) -> Result<()> {
    let now = ctx.now();
    let due: Option<(UserId, PendingKind, Option<String>)> = ctx.tx.optional(
        sql!(
            "delete from pending_change where id = $1 and due_at <= $2
             returning account, kind, email"
        ),
        values![id, now],
    )?;
    let Some((account, kind, email)) = due else { return Ok(()) };
    let Some(caller) = credentials::acting(ctx, &account)? else { return Ok(()) };
    match apply(ctx, &caller, &kind, email.as_deref()) {
        // Each refuses before its first write, so that the deletion above stands alone.
        Err(Error::Refused(refusal)) => {
            tracing::info!(%account, %kind, code = %refusal.code, "a pending change was refused");
            note(ctx, &account, &SecurityAction::ChangeFailed, None)
        }
        done => done,
    }
}

fn apply(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    kind: &PendingKind,
    email: Option<&str>,
) -> Result<()> {
    // A pause stops this too: a release would lift it.
    caller.require_unpaused()?;
    match (kind, email) {
        (PendingKind::Email, Some(email)) if mail::is_on(ctx.app) => {
            mail::adopt(ctx, &caller.id, email)
        }
        (PendingKind::Email, Some(email)) => account::set_email(ctx, caller, email),
        (PendingKind::OwnerRelease, _) => owner::leave(ctx, caller),
        (PendingKind::Deletion, _) => deletion::delete(ctx, caller).map(drop),
        _ => Err(Error::internal("a pending change of a kind that this version does not know")),
    }
}
