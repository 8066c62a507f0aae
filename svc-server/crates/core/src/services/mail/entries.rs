//! Mails about new entries of the security log: one holds what has been added since the last, and an
//! account gets one in ten minutes at most, whatever strangers try.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, select_free, sql, values};
use svc_types::{SecurityEntryId, UserId};

use super::{outbox, text};
use crate::app::Ctx;
use crate::services::security;

/// Time between two mails to an account.
const PAUSE: Duration = Duration::from_mins(10);

/// Mails written in one transaction.
const BATCH: i64 = 8;

/// Entries in a mail; it names the log for the others.
const ENTRIES: usize = 20;

/// Has an entry mailed to the verified address of its account, if it has one.
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
                first = coalesce(entry_mail.first, excluded.first),
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

/// Whether such a mail is due.
pub fn is_entry_mail_due(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let now = ctx.now();
    let sql = sql!("select 1 from entry_mail where due_at <= $1 limit 1");
    Ok(ctx.tx.optional::<i64>(sql, values![now])?.is_some())
}

/// An account to which entries are to be mailed.
struct Due {
    account: UserId,
    first: SecurityEntryId,
}
row!(Due { account, first });

/// Writes the mails that are due.
pub fn write_entry_mails(ctx: &mut Ctx<'_, '_>) -> Result<()> {
    let now = ctx.now();
    let due: Vec<Due> = ctx.tx.take(
        select_free!(
            "select account, first from entry_mail where due_at <= $1 order by due_at limit $2"
        ),
        values![now, BATCH],
    )?;
    for Due { account, first } in due {
        write(ctx, &account, &first)?;
        let sql = sql!(
            "update entry_mail set first = null, due_at = null, sent_at = $1 where account = $2"
        );
        ctx.tx.execute(sql, values![now, account])?;
    }
    Ok(())
}

fn write(ctx: &mut Ctx<'_, '_>, account: &UserId, first: &SecurityEntryId) -> Result<()> {
    let address: Option<(String, String, bool)> = ctx.tx.optional(
        sql!(
            "select username, email, password_hash is not null from account
             where id = $1 and email is not null and email_verified_at is not null"
        ),
        values![account],
    )?;
    let Some((username, email, has_password)) = address else { return Ok(()) };
    let most = i64::try_from(ENTRIES + 1).unwrap_or(i64::MAX);
    let mut entries = security::since(ctx, account, first, most)?;
    if entries.is_empty() {
        return Ok(());
    }
    let is_more = entries.len() > ENTRIES;
    entries.truncate(ENTRIES);
    let draft = text::entries(ctx.app, &username, has_password, &entries, is_more);
    outbox::insert(ctx, account, &email, "security", &draft)
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
