//! Publishing due posts. No leader is needed: the first request or sweep that finds one does it.

use std::borrow::Cow;

use svc_store::error::{Error, Overdue, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::connect::SystemData;
use svc_types::api::users::AccountStatus;
use svc_types::{Code, PostId, ScheduledPostId, Timestamp, UserId};

use super::record::{Record, by_id, forget, lock_author};
use crate::app::Ctx;
use crate::identity::{Account, acting};
use crate::select_scheduled;
use crate::services::notification::{self, Data, NewNotification};
use crate::services::post;

/// Code of the notification that a scheduled post was not published.
const FAILED: &str = "scheduled_post_failed";

/// Asks for the clock's moves of an account's scheduled posts before they are read.
pub fn refuse_overdue(ctx: &mut Ctx<'_, '_>, author: &UserId) -> Result<()> {
    if overdue(ctx, author, 1)?.is_empty() {
        Ok(())
    } else {
        Err(Error::Overdue(Overdue::Account(author.clone())))
    }
}

/// An account's scheduled posts that the clock should have published. The sum keeps SQLite from
/// looking among those of everybody that are due.
pub fn overdue(ctx: &mut Ctx<'_, '_>, author: &UserId, limit: i64) -> Result<Vec<ScheduledPostId>> {
    let now = ctx.due_by_now();
    ctx.tx.all(
        sql!(
            "select id from scheduled_post
             where author = $1 and status = 'scheduled' and due_at + 0 <= $2
             order by scheduled_for, id limit $3"
        ),
        values![author, now, limit],
    )
}

/// Publishes a scheduled post that is due, or of the same author's top-level ones the earliest;
/// nothing happens when none is due, or somebody was quicker.
pub fn publish_due(ctx: &mut Ctx<'_, '_>, id: &ScheduledPostId) -> Result<()> {
    let Some(found) = by_id(ctx, id)? else { return Ok(()) };
    lock_author(ctx, &found.author)?;
    let Some(record) = due_first(ctx, id)? else { return Ok(()) };
    let Some(author) = acting(ctx, &record.author)? else {
        return forget(ctx, &record.author);
    };
    if author.status == AccountStatus::Suspended {
        return fail(ctx, &record, "the account was suspended");
    }
    if author.is_paused {
        return fail(ctx, &record, "the agent's owner had paused it");
    }
    if ctx.now() > record.expires_at {
        return fail(ctx, &record, "it could not be published within 24 hours");
    }
    match ctx.attempt(|ctx| publish(ctx, &author, &record))? {
        Ok(()) => Ok(()),
        Err(refusal) => match refusal.window {
            Some(window) => delay(ctx, &record, window.reset),
            None => fail(ctx, &record, &reason(&refusal)),
        },
    }
}

/// What is to be published first, when this one is due.
fn due_first(ctx: &mut Ctx<'_, '_>, id: &ScheduledPostId) -> Result<Option<Record>> {
    let now = ctx.now();
    let found = by_id(ctx, id)?.filter(|record| record.is_overdue(now));
    let Some(record) = found.as_ref().filter(|record| record.reply_to.is_none()) else {
        return Ok(found);
    };
    ctx.tx.optional(
        select_scheduled!(
            "where author = $1 and status = 'scheduled' and reply_to is null and due_at + 0 <= $2
             order by scheduled_for, id limit 1"
        ),
        values![record.author, now],
    )
}

fn publish(ctx: &mut Ctx<'_, '_>, author: &Account, record: &Record) -> Result<()> {
    let payload = record.payload()?;
    let (published, _) = post::create(ctx, author, &record.draft(payload.as_ref()))?;
    finish(ctx, &record.id, Ok(&published.id))
}

/// The end of a scheduled post that waited: the post it became, or why there is none.
fn finish(ctx: &mut Ctx<'_, '_>, id: &ScheduledPostId, end: Result<&PostId, &str>) -> Result<()> {
    let (status, now) = (if end.is_ok() { "published" } else { "failed" }, ctx.now());
    let rows = ctx.tx.execute(
        sql!(
            "update scheduled_post
             set status = $1, post = $2, failure = $3, updated_at = $4, due_at = null
             where id = $5 and status = 'scheduled'"
        ),
        values![status, end.ok(), end.err(), now, id],
    )?;
    if rows == 1 { Ok(()) } else { Err(Error::internal("a scheduled post was published twice")) }
}

/// Lets the author's top-level posts that are due wait until the post window ends. That time does
/// not count against the one in which they must be published.
fn delay(ctx: &mut Ctx<'_, '_>, record: &Record, until: Timestamp) -> Result<()> {
    let now = ctx.now();
    let waits = i64::try_from(until.since(now).as_millis()).unwrap_or(i64::MAX);
    ctx.tx.execute(
        sql!(
            "update scheduled_post
             set delayed_until = $1, due_at = $1, expires_at = expires_at + $2, updated_at = $3
             where author = $4 and status = 'scheduled' and reply_to is null and due_at <= $3
                and expires_at >= $3"
        ),
        values![until, waits, now, record.author],
    )?;
    Ok(())
}

/// Marks a scheduled post as failed, and notifies its author.
fn fail(ctx: &mut Ctx<'_, '_>, record: &Record, why: &str) -> Result<()> {
    finish(ctx, &record.id, Err(why))?;
    let text = format!("The scheduled post {} was not published: {why}.", record.id);
    let data = Data::System(Cow::Owned(SystemData { code: FAILED.to_owned(), text }));
    notification::notify(
        ctx,
        None,
        vec![NewNotification::new(&record.author, data).of(record.id.as_str())],
    )
}

/// Why a post was refused, in the words for its author.
fn reason(refusal: &Refusal) -> String {
    match (&refusal.code, refusal.field.as_deref()) {
        (Code::NotFound, Some("replyToId")) => "the post it answers is gone".to_owned(),
        (Code::NotFound, Some("quoteOfId")) => "the post it quotes is gone".to_owned(),
        _ => refusal.message.clone(),
    }
}
