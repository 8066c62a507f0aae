//! Mails on their way. A mail is taken for the time of a lease: until then no other node takes it,
//! and after a crash it is taken again.

use std::fmt;
use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, select_free, sql, values};
use svc_types::{Id, Timestamp, UserId};

use super::reset;
use super::text::Draft;
use crate::app::Ctx;

/// Mails taken in one transaction, which are sent at once.
const BATCH: i64 = 8;

/// Pauses before a failed mail is tried again; after the last try it is given up.
const PAUSES: [Duration; 4] = [
    Duration::from_mins(1),
    Duration::from_mins(10),
    Duration::from_hours(1),
    Duration::from_hours(6),
];

/// Time until a mail that could not be decrypted is due again.
const POSTPONED: Duration = Duration::from_mins(1);

/// How long a mail waits at most.
const LIFE: Duration = Duration::from_hours(24);

/// Mails re-encrypted in one transaction.
const REENCRYPTED: i64 = 200;

/// Id of a mail, from which its Message-ID is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailId(String);

impl From<String> for MailId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for MailId {
    const PREFIX: &'static str = "mail_";
}

impl fmt::Display for MailId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A mail to send.
pub struct Mail {
    /// Its id.
    pub id: MailId,
    /// Which try this is.
    pub attempt: i64,
    /// What it is for.
    pub kind: String,
    /// Its address.
    pub recipient: String,
    /// Its subject.
    pub subject: String,
    /// Its text, which may hold a link.
    pub text: String,
    /// When it was written.
    pub created_at: Timestamp,
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mail")
            .field("id", &self.id)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// The outcome of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A server accepted it.
    Accepted,
    /// It may be accepted later.
    Failed,
    /// The server will never accept it.
    Refused,
}

/// Mails that were taken.
#[derive(Debug, Default)]
pub struct Claim {
    /// The mails.
    pub mails: Vec<Mail>,
    /// Whether more may be due.
    pub is_more: bool,
}

/// A mail's row.
struct Waiting {
    id: String,
    recipient: String,
    kind: String,
    subject: Option<String>,
    encrypted: Option<Vec<u8>>,
    attempt: i64,
    expires_at: Timestamp,
    created_at: Timestamp,
}
row!(Waiting { id, recipient, kind, subject, encrypted, attempt, expires_at, created_at });

/// Writes a mail to an address of an account.
pub(super) fn insert(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    recipient: &str,
    kind: &str,
    draft: &Draft,
) -> Result<()> {
    let (id, now): (MailId, _) = (ctx.id(), ctx.now());
    let encrypted = ctx.app.encrypt.encrypt(&id.0, &draft.text)?;
    ctx.tx.execute(
        sql!(
            "insert into mail_outbox (id, account, recipient, kind, subject, sealed, attempt,
                due_at, expires_at, created_at)
             values ($1, $2, $3, $4, $5, $6, 0, $7, $8, $7)"
        ),
        values![id.0, account, recipient, kind, draft.subject, encrypted, now, now.plus(LIFE)],
    )?;
    Ok(())
}

/// Writes a mail whose account is found only when it is sent.
pub(super) fn insert_unresolved(
    ctx: &mut Ctx<'_, '_>,
    recipient: &str,
    kind: &str,
    life: Duration,
) -> Result<()> {
    let (id, now): (MailId, _) = (ctx.id(), ctx.now());
    ctx.tx.execute(
        sql!(
            "insert into mail_outbox (id, recipient, kind, attempt, due_at, expires_at, created_at)
             values ($1, $2, $3, 0, $4, $5, $4)"
        ),
        values![id.0, recipient, kind, now, now.plus(life)],
    )?;
    Ok(())
}

/// Whether a mail is due.
pub fn is_any_due(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let now = ctx.now();
    let sql = sql!("select 1 from mail_outbox where due_at <= $1 limit 1");
    Ok(ctx.tx.optional::<i64>(sql, values![now])?.is_some())
}

/// Takes mails that are due for the time of a lease, and removes those whose time is over.
pub fn claim(ctx: &mut Ctx<'_, '_>, lease: Duration) -> Result<Claim> {
    let now = ctx.now();
    let waiting: Vec<Waiting> = ctx.tx.take(
        select_free!(
            "select id, recipient, kind, subject, sealed, attempt, expires_at, created_at
             from mail_outbox where due_at <= $1 order by due_at, id limit $2"
        ),
        values![now, BATCH],
    )?;
    let is_more = i64::try_from(waiting.len()).is_ok_and(|found| found == BATCH);
    let mut mails = Vec::with_capacity(waiting.len());
    for waiting in waiting {
        mails.extend(take(ctx, waiting, lease)?);
    }
    Ok(Claim { mails, is_more })
}

/// Takes a mail; none if there is nothing to send any more.
fn take(ctx: &mut Ctx<'_, '_>, waiting: Waiting, lease: Duration) -> Result<Option<Mail>> {
    if waiting.expires_at <= ctx.now() {
        give_up(ctx, &waiting.id, &waiting.kind, waiting.attempt)?;
        return Ok(None);
    }
    let Some((subject, text)) = content(ctx, &waiting)? else { return Ok(None) };
    let (attempt, until) = (waiting.attempt + 1, ctx.now().plus(lease));
    let sql = sql!("update mail_outbox set attempt = $1, due_at = $2 where id = $3");
    ctx.tx.execute(sql, values![attempt, until, waiting.id])?;
    let Waiting { id, recipient, kind, created_at, .. } = waiting;
    Ok(Some(Mail { id: MailId(id), attempt, kind, recipient, subject, text, created_at }))
}

/// Subject and text of a mail. A reset without an account is removed instead. A mail that no key of this node
/// opens waits: another node may have the key.
fn content(ctx: &mut Ctx<'_, '_>, waiting: &Waiting) -> Result<Option<(String, String)>> {
    let (Some(subject), Some(encrypted)) = (&waiting.subject, &waiting.encrypted) else {
        let Some((account, draft)) = reset::resolve(ctx, &waiting.recipient)? else {
            return remove(ctx, &waiting.id).map(|()| None);
        };
        keep(ctx, &waiting.id, &account, &draft)?;
        return Ok(Some((draft.subject.to_owned(), draft.text)));
    };
    match ctx.app.encrypt.decrypt(&waiting.id, encrypted) {
        Ok(text) => Ok(Some((subject.clone(), text))),
        Err(error) => {
            tracing::warn!(%error, mail = waiting.id, "a mail can't be decrypted here, and waits for another node");
            put_off(ctx, &waiting.id).map(|()| None)
        }
    }
}

fn put_off(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    let later = ctx.now().plus(POSTPONED);
    let sql = sql!("update mail_outbox set due_at = $1 where id = $2");
    ctx.tx.execute(sql, values![later, id]).map(drop)
}

/// Stores the text of a mail whose account was found.
fn keep(ctx: &mut Ctx<'_, '_>, id: &str, account: &UserId, draft: &Draft) -> Result<()> {
    let encrypted = ctx.app.encrypt.encrypt(id, &draft.text)?;
    let sql = sql!("update mail_outbox set account = $1, subject = $2, sealed = $3 where id = $4");
    ctx.tx.execute(sql, values![account, draft.subject, encrypted, id]).map(drop)
}

/// Records the outcome of a mail that was taken. The result of a try whose lease has ended, and
/// that was taken again, does not count unless it was accepted.
pub fn record(ctx: &mut Ctx<'_, '_>, mail: &Mail, outcome: Outcome) -> Result<()> {
    let id = &mail.id.0;
    match (outcome, pause(mail.attempt)) {
        (Outcome::Accepted, _) => remove(ctx, id),
        (Outcome::Failed, Some(pause)) => {
            let due_at = ctx.now().plus(pause);
            let sql = sql!("update mail_outbox set due_at = $1 where id = $2 and attempt = $3");
            ctx.tx.execute(sql, values![due_at, id, mail.attempt]).map(drop)
        }
        (Outcome::Failed | Outcome::Refused, _) => give_up(ctx, id, &mail.kind, mail.attempt),
    }
}

/// The pause after this attempt; none after the last.
fn pause(attempt: i64) -> Option<Duration> {
    usize::try_from(attempt - 1).ok().and_then(|index| PAUSES.get(index)).copied()
}

fn give_up(ctx: &mut Ctx<'_, '_>, id: &str, kind: &str, attempts: i64) -> Result<()> {
    let sql = sql!("delete from mail_outbox where id = $1 and attempt = $2");
    if ctx.tx.execute(sql, values![id, attempts])? > 0 {
        tracing::warn!(mail = id, kind, attempts, "a mail was given up");
    }
    Ok(())
}

fn remove(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    ctx.tx.execute(sql!("delete from mail_outbox where id = $1"), values![id]).map(drop)
}

/// Encrypts the texts of the mails after this id with the newest key; returns the last id. A mail
/// that no key of this node opens stays as it is: another node may have the key.
pub fn reencrypt(ctx: &mut Ctx<'_, '_>, after: &str) -> Result<Option<String>> {
    let mails: Vec<(String, Vec<u8>)> = ctx.tx.all(
        sql!(
            "select id, sealed from mail_outbox
             where sealed is not null and id > $1 order by id limit $2"
        ),
        values![after, REENCRYPTED],
    )?;
    for (id, before) in &mails {
        let Ok(text) = ctx.app.encrypt.decrypt(id, before) else { continue };
        let encrypted = ctx.app.encrypt.encrypt(id, &text)?;
        let sql = sql!("update mail_outbox set sealed = $1 where id = $2");
        ctx.tx.execute(sql, values![encrypted, id])?;
    }
    Ok(mails.into_iter().next_back().map(|(id, _)| id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_tried_five_times_with_growing_pauses_within_a_day() {
        let pauses: Vec<Duration> = (1..).map_while(pause).collect();
        assert_eq!(pauses.len() + 1, 5);
        assert!(pauses.is_sorted());
        assert!(pauses.iter().sum::<Duration>() < LIFE);
    }
}
