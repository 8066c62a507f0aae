//! Mails about new entries of the security log: one holds what has been added since the last, and an
//! account gets one in ten minutes at most, whatever strangers try.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, select_free, sql, values};
use svc_types::{SecurityEntryId, Timestamp, UserId};

use super::{outbox, text};
use crate::app::Ctx;
use crate::services::security;

/// Time between two mails to an account.
const PAUSE: Duration = Duration::from_mins(10);

/// Accounts that are looked up at once.
const BATCH: i64 = 100;

/// Most entries in a mail, which names the log if there are more.
const ENTRIES_MAX: usize = 20;

/// The kind of these mails in the outbox.
pub(super) const KIND: &str = "security";

/// Queues the mail about an entry, if its account has a verified address. Its id may be smaller than that of an entry
/// that waits already: another node may have made that, or a transaction that ended earlier.
pub fn announce_entry(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    entry: &SecurityEntryId,
) -> Result<()> {
    if !super::is_on(ctx.app) {
        return Ok(());
    }
    let (now, pause) = (ctx.now(), i64::try_from(PAUSE.as_millis()).unwrap_or(i64::MAX));
    ctx.tx.execute(
        sql!(
            "insert into entry_mail (account, first, due_at)
             select a.id, $1, cast($2 as bigint) from account a
             where a.id = $3 and a.email_verified_at is not null
             on conflict (account) do update set
                first = case when entry_mail.first < excluded.first
                    then entry_mail.first else excluded.first end,
                due_at = coalesce(
                    entry_mail.due_at,
                    case when entry_mail.sent_at + cast($4 as bigint) > excluded.due_at
                    then entry_mail.sent_at + cast($4 as bigint) else excluded.due_at end
                )"
        ),
        values![entry, now, account, pause],
    )?;
    Ok(())
}

/// Accounts to which entries are to be mailed by now, and since when, after such a place and in this order.
pub fn due_entry_mails(
    ctx: &mut Ctx<'_, '_>,
    after: &(Timestamp, UserId),
) -> Result<Vec<(Timestamp, UserId)>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select due_at, account from entry_mail
             where due_at <= $1 and (due_at, account) > ($2, $3)
             order by due_at, account limit $4"
        ),
        values![now, after.0, after.1, BATCH],
    )
}

/// Writes the mail to an account, unless it is not due any more or another node writes it.
pub fn write_entry_mail(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let now = ctx.now();
    let due: Vec<SecurityEntryId> = ctx.tx.take(
        select_free!("select first from entry_mail where account = $1 and due_at <= $2"),
        values![account, now],
    )?;
    let Some(first) = due.first() else { return Ok(()) };
    write(ctx, account, first)?;
    let sql =
        sql!("update entry_mail set first = null, due_at = null, sent_at = $1 where account = $2");
    ctx.tx.execute(sql, values![now, account]).map(drop)
}

/// Mails what waits to the present address before another one replaces it: the new one may be that of a thief, who
/// caused these entries.
pub(super) fn write_to_former(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let first: Option<SecurityEntryId> = ctx.tx.optional(
        sql!("delete from entry_mail where account = $1 and first is not null returning first"),
        values![account],
    )?;
    first.map_or(Ok(()), |first| write(ctx, account, &first))
}

/// Makes what waits due at once, together with what this transaction adds.
pub(super) fn hurry(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let now = ctx.now();
    let waiting =
        sql!("update entry_mail set due_at = $1 where account = $2 and first is not null");
    ctx.tx.execute(waiting, values![now, account])?;
    let sent = sql!("delete from entry_mail where account = $1 and first is null");
    ctx.tx.execute(sent, values![account]).map(drop)
}

/// Who gets a mail about entries.
pub(super) struct Reader {
    pub(super) username: String,
    email: String,
    /// Whether the account signs in by a password.
    pub(super) has_password: bool,
    pub(super) deleted_at: Option<Timestamp>,
}
row!(Reader {
    username: "username",
    email: "email",
    has_password: "password_hash is not null",
    deleted_at: "deleted_at",
});

fn write(ctx: &mut Ctx<'_, '_>, account: &UserId, first: &SecurityEntryId) -> Result<()> {
    let reader: Option<Reader> = ctx.tx.optional(
        sql!(
            "select ",
            Reader::COLUMNS,
            " from account
             where id = $1 and email is not null and email_verified_at is not null"
        ),
        values![account],
    )?;
    let Some(reader) = reader else { return Ok(()) };
    let most = i64::try_from(ENTRIES_MAX + 1).unwrap_or(i64::MAX);
    let mut entries = security::since(ctx, account, first, most)?;
    if entries.is_empty() {
        return Ok(());
    }
    let is_more = entries.len() > ENTRIES_MAX;
    entries.truncate(ENTRIES_MAX);
    let draft = text::entries(ctx.app, &reader, &entries, is_more);
    outbox::insert(ctx, account, &reader.email, KIND, &draft)
}

/// Forgets when accounts got their last mail, once that does not delay another. One that gets an entry
/// meanwhile stays.
pub fn forget_entry_mails(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(PAUSE);
    // Like `forget_expired!`, it keeps what is renewed meanwhile.
    ctx.tx.execute(
        sql!(
            "delete from entry_mail where +due_at is null and account in
             (select account from entry_mail where due_at is null and sent_at <= $1 limit $2)"
        ),
        values![before, most],
    )
}
