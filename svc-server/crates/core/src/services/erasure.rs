//! Erases the texts of a deleted account, wherever they were written. Ids, counts and the ledger
//! stay, because other accounts' records refer to them.
//!
//! Each step empties some rows in a transaction of its own and says where the next one goes on. A
//! row that is empty already stays as it is, so that steps may be repeated, and taken by two servers
//! at once.

mod deals;
mod events;
mod feed;
mod others;
mod relations;
mod repeat;
mod texts;
mod views;

pub use repeat::{Deal, condemn, end_deal, open_deals, returned};

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{Timestamp, UserId};

use crate::app::Ctx;
use crate::erasure_log::Entry;
use crate::services::audit::{self, By, On};
use crate::services::billing::payout::destination;
use crate::services::{
    account, api_key, avatar, deletion, export, factor, idempotency, ledger, link, login_step,
    mail, order, passkey, sample, search, visibility,
};

/// Rows emptied in one transaction, so that no other write waits long.
const BATCH: i64 = 200;

/// Accounts per round.
const ACCOUNTS: i64 = 100;

/// Who is erased.
#[derive(Clone, Debug)]
pub struct Gone {
    /// The account.
    pub id: UserId,
    deleted_at: Timestamp,
}
svc_store::row!(Gone { id, deleted_at });

impl Gone {
    /// Its place in the order of [`due`].
    pub fn place(&self) -> (Timestamp, String) {
        (self.deleted_at, self.id.to_string())
    }
}

/// Empties some rows after a key, and returns the key of the last one; none when no row is left.
type Step = fn(&mut Ctx<'_, '_>, &Gone, &str) -> Result<Option<String>>;

/// Everything that is emptied, in this order.
pub const STEPS: [Step; 22] = [
    relations::relations,
    views::of_posts,
    views::of_accounts,
    exports,
    feed::announce,
    texts::posts,
    texts::images,
    texts::messages,
    texts::channel_messages,
    samples,
    services,
    proposals,
    deliveries,
    notifications,
    deals::escrows,
    deals::orders,
    deals::reviews,
    events::events,
    others::reports,
    others::quotes,
    others::grants,
    others::answers,
];

/// Deleted accounts whose time has come, after a place in their order.
pub fn due(ctx: &mut Ctx<'_, '_>, after: &(Timestamp, String)) -> Result<Vec<Gone>> {
    let before = deletion::erasable_before(ctx);
    ctx.tx.all(
        sql!(
            "select id, deleted_at from account
             where deleted_at is not null and erased_at is null
                and (deleted_at <= $1 or erase_now = true)
                and (deleted_at, id) > ($2, $3)
             order by deleted_at, id limit $4"
        ),
        values![before, after.0, after.1, ACCOUNTS],
    )
}

/// Accounts that were erased at this time or later, after a position in that order.
pub fn erased_since(
    ctx: &mut Ctx<'_, '_>,
    since: Timestamp,
    after: &str,
    limit: i64,
) -> Result<Vec<Entry>> {
    let found: Vec<(UserId, Timestamp)> = ctx.tx.all(
        sql!(
            "select id, erased_at from account
             where erased_at is not null and (erased_at, id) > ($1, $2)
             order by erased_at, id limit $3"
        ),
        values![since, after, limit],
    )?;
    Ok(found.into_iter().map(|(account, erased_at)| Entry { account, erased_at }).collect())
}

/// Lets the next round erase a deleted account, however short ago that was. False for one that was restored in the
/// meantime: the next time that it is deleted, it may be restored again.
pub fn hurry(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<bool> {
    let sql = sql!("update account set erase_now = true where id = $1 and deleted_at is not null");
    Ok(ctx.tx.execute(sql, values![id])? == 1)
}

/// Begins the erasure of an account, which can't be restored from here on: its credits, channels, lists,
/// services and credentials end. False if it was restored in the meantime, or counts still include what it did.
pub fn begin(ctx: &mut Ctx<'_, '_>, gone: &Gone) -> Result<bool> {
    account::lock_with_rows(ctx, &gone.id)?;
    let before = deletion::erasable_before(ctx);
    let rows = ctx.tx.execute(
        sql!(
            "update account set erase_now = true, email = null, password_hash = null
             where id = $1 and deleted_at = $2 and erased_at is null and counted_after is null
                and (deleted_at <= $3 or erase_now = true)"
        ),
        values![gone.id, gone.deleted_at, before],
    )?;
    if rows == 0 {
        return Ok(false);
    }
    ledger::forfeit(ctx, &gone.id)?;
    visibility::forget(ctx, &gone.id)?;
    avatar::forget(ctx, &gone.id)?;
    let sql = sql!(
        "update service set active = false, deleted_at = $1 where bot = $2 and deleted_at is null"
    );
    ctx.tx.execute(sql, values![gone.deleted_at, gone.id])?;
    api_key::end_all(ctx, &gone.id)?;
    for sql in [
        sql!("delete from session where account = $1"),
        sql!("delete from known_network where account = $1"),
        sql!("delete from identity_token where account = $1"),
        sql!("update security_entry set network = null where actor = $1"),
        sql!("update channel set title = null, description = null where owner = $1"),
    ] {
        ctx.tx.execute(sql, values![gone.id])?;
    }
    mail::forget_account(ctx, &gone.id)?;
    factor::forget(ctx, &gone.id)?;
    link::forget(ctx, &gone.id)?;
    passkey::forget_account(ctx, &gone.id)?;
    login_step::end(ctx, &gone.id)?;
    Ok(true)
}

/// Ends the erasure of an account: what has no place in a batch, and the note that it is done.
pub fn finish(ctx: &mut Ctx<'_, '_>, gone: &Gone) -> Result<()> {
    for sql in [
        // All its webhooks are deleted by now, and only those are read.
        sql!(
            "delete from webhook_recovery where webhook in (
                select id from webhook where account = $1 and deleted_at is not null)"
        ),
        sql!(
            "delete from webhook_secret where webhook in (
                select id from webhook where account = $1 and deleted_at is not null)"
        ),
        sql!("delete from webhook where account = $1 and deleted_at is not null"),
        sql!("delete from notification_preference where account = $1"),
        sql!("delete from security_entry where account = $1"),
        sql!("delete from scheduled_post where author = $1"),
        sql!(
            "update account set display_name = username, bio = '', website = null, email = null,
                email_verified_at = null, pending_email = null
             where id = $1"
        ),
        // What bookkeeping needs stays, and not the pages at the provider, which show names and addresses.
        sql!("update payment set url = null, receipt_url = null where account = $1"),
        sql!("update subscription set url = null where account = $1"),
    ] {
        ctx.tx.execute(sql, values![gone.id])?;
    }
    idempotency::forget(ctx, gone.id.as_str())?;
    order::forget_of(ctx, &gone.id)?;
    destination::forget(ctx, &gone.id)?;
    others::apps(ctx, gone)?;
    let now = ctx.now();
    let sql = sql!("update account set erased_at = $1 where id = $2 and erased_at is null");
    if ctx.tx.execute(sql, values![now, gone.id])? == 1 {
        audit::write(ctx, By("system"), "account_erased", On(gone.id.as_str()), None)?;
    }
    Ok(())
}

/// The key after which the next batch begins.
fn last(ids: Vec<String>) -> Option<String> {
    ids.into_iter().next_back()
}

/// The file of an export, some pieces at a time.
fn exports(ctx: &mut Ctx<'_, '_>, gone: &Gone, _: &str) -> Result<Option<String>> {
    Ok(export::forget(ctx, &gone.id)?.then(String::new))
}

/// What the account bought and agreed to show. It ended as the account was deleted, but for what is
/// more than fits into a transaction.
fn samples(ctx: &mut Ctx<'_, '_>, gone: &Gone, _: &str) -> Result<Option<String>> {
    Ok((sample::end_of_buyer(ctx, &gone.id, BATCH)? > 0).then(String::new))
}

fn services(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!("select id from service where bot = $1 and id > $2 order by id limit $3"),
        values![gone.id, after, BATCH],
    )?;
    let Some(upto) = ids.last().cloned() else { return Ok(None) };
    ctx.tx.execute(
        sql!(
            "update service set name = '', name_key = '', description = '', tags = '[]',
                tags_key = '', search_text = '', input_schema = null, output_schema = null,
                languages = '[]', samples = null
             where bot = $1 and id > $2 and id <= $3 and deleted_at is not null"
        ),
        values![gone.id, after, upto],
    )?;
    ids.iter().try_for_each(|id| search::note(ctx, id))?;
    Ok(last(ids))
}

/// What buyers were asked to show, of a service at a time. Proposals change under the lock of their
/// service.
fn proposals(ctx: &mut Ctx<'_, '_>, gone: &Gone, _: &str) -> Result<Option<String>> {
    let service: Option<String> = ctx.tx.optional(
        sql!(
            "select service from sample_proposal where seller = $1
             order by state, order_id limit 1"
        ),
        values![gone.id],
    )?;
    let Some(service) = service else { return Ok(None) };
    let sql = sql!("select id from service where id = $1 for no key update");
    ctx.tx.lock(sql, values![service])?;
    ctx.tx.execute(
        sql!(
            "delete from sample_proposal where order_id in (
                select order_id from sample_proposal where service = $1
                order by state, order_id limit $2)"
        ),
        values![service, BATCH],
    )?;
    Ok(Some(service))
}

/// What webhooks of the account were sent, and what their receivers answered.
fn deliveries(ctx: &mut Ctx<'_, '_>, gone: &Gone, _: &str) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!(
            "select d.id from webhook w join webhook_delivery d on d.webhook = w.id
             where w.account = $1 and w.deleted_at is not null limit $2"
        ),
        values![gone.id, BATCH],
    )?;
    for id in &ids {
        ctx.tx.execute(sql!("delete from webhook_attempt where delivery = $1"), values![id])?;
        ctx.tx.execute(sql!("delete from webhook_delivery where id = $1"), values![id])?;
    }
    Ok(last(ids))
}

/// Notifications that the account received, with the numbers of its events: nobody reads them.
fn notifications(ctx: &mut Ctx<'_, '_>, gone: &Gone, _: &str) -> Result<Option<String>> {
    let rows = ctx.tx.execute(
        sql!(
            "delete from account_event where account = $1 and seq in (
                select seq from account_event where account = $1 order by seq limit $2)"
        ),
        values![gone.id, BATCH],
    )?;
    let sql = sql!("delete from notification_count where account = $1");
    ctx.tx.execute(sql, values![gone.id])?;
    Ok((rows > 0).then(String::new))
}
