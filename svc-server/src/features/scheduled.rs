//! Scheduled posts.

use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::select_scheduled;
use svc_core::services::post::{self, Draft};
use svc_core::services::scheduled::{self, Record};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::api::posts::{PostFormat, ReplyPolicy};
use svc_types::api::scheduled::{
    AHEAD_MAX, AHEAD_MIN, CreateScheduledPost, DeleteScheduledPost, EditScheduledPost,
    GetScheduledPost, LATE_MAX, ListScheduledPosts, ScheduledPostEnvelope, ScheduledPostPage,
    ScheduledStatus,
};
use svc_types::{Clearable, Code, PostId, ScheduledPostId, Timestamp};

use crate::http::Routes;

/// Later than every scheduled time.
const LAST_TIME: i64 = i64::MAX;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().write(create).read(list).read(read).write(edit).write(delete)
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateScheduledPost,
) -> Result<ScheduledPostEnvelope> {
    let id: ScheduledPostId = ctx.id();
    let draft = Draft { scheduled_post: Some(&id), ..Draft::from(request) };
    refuse_time(ctx, request.scheduled_for)?;
    let payload = post::accept_text(&draft)?;
    scheduled::lock_author(ctx, &caller.id)?;
    scheduled::refuse_overdue(ctx, &caller.id)?;
    post::find_context(ctx, caller, &draft)?;
    scheduled::refuse_too_many(ctx, caller)?;
    if draft.reply_to.is_none() {
        scheduled::refuse_taken(ctx, caller, request.scheduled_for, None)?;
    }
    insert(ctx, caller, &id, &draft, payload.as_deref(), request.scheduled_for)?;
    envelope(ctx, caller, &id)
}

/// Refuses a time that is too early or too far ahead.
fn refuse_time(ctx: &Ctx<'_, '_>, at: Timestamp) -> Result<()> {
    let now = ctx.now();
    if (now.plus(AHEAD_MIN)..=now.plus(AHEAD_MAX)).contains(&at) {
        return Ok(());
    }
    let rule = "scheduledFor must be 60 seconds to 90 days ahead";
    let refusal = Refusal::new(Code::ValidationFailed, rule).field("scheduledFor");
    Err(refusal.hint(format!("the server's time is {now}")).into())
}

fn insert(
    ctx: &mut Ctx<'_, '_>,
    author: &Account,
    id: &ScheduledPostId,
    draft: &Draft<'_>,
    payload: Option<&str>,
    at: Timestamp,
) -> Result<()> {
    let now = ctx.now();
    let given = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
    ctx.tx.execute(
        sql!(
            "insert into scheduled_post (id, author, content, content_warning, language, reply_to,
                quote_of, schema_name, payload, reply_policy, scheduled_for, status, due_at,
                expires_at, created_at, updated_at, format)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'scheduled', $11, $12, $13, $13,
                $14)"
        ),
        values![
            id,
            author.id,
            draft.content,
            given(draft.content_warning),
            given(draft.language),
            draft.reply_to.map(|(_, id)| id),
            draft.quote_of,
            draft.schema,
            payload,
            draft.reply_policy.unwrap_or(&ReplyPolicy::Everyone),
            at,
            at.plus(LATE_MAX),
            now,
            draft.format.unwrap_or(&PostFormat::Markdown)
        ],
    )?;
    Ok(())
}

fn envelope(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    id: &ScheduledPostId,
) -> Result<ScheduledPostEnvelope> {
    Ok(ScheduledPostEnvelope { scheduled_post: scheduled::own(ctx, caller, id)?.into_api()? })
}

fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListScheduledPosts,
) -> Result<ScheduledPostPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let (time, id) = page.after_number()?.unwrap_or((LAST_TIME, ""));
    scheduled::refuse_overdue(ctx, &caller.id)?;
    let mut records: Vec<Record> = match &request.status {
        Some(status) => ctx.tx.all(
            select_scheduled!(
                "where author = $1 and status = $2 and (scheduled_for, id) < ($3, $4)
                 order by scheduled_for desc, id desc limit $5"
            ),
            values![caller.id, status, time, id, page.rows()],
        )?,
        None => ctx.tx.all(
            select_scheduled!(
                "where author = $1 and (scheduled_for, id) < ($2, $3)
                 order by scheduled_for desc, id desc limit $4"
            ),
            values![caller.id, time, id, page.rows()],
        )?,
    };
    let next_cursor = page.cut(&mut records, |record| {
        vec![record.scheduled_for.as_millis().to_string(), record.id.to_string()]
    });
    let scheduled_posts = records.into_iter().map(Record::into_api).collect::<Result<_>>()?;
    Ok(ScheduledPostPage { scheduled_posts, next_cursor })
}

fn read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetScheduledPost,
) -> Result<ScheduledPostEnvelope> {
    envelope(ctx, caller, &request.scheduled_post_id)
}

fn edit(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &EditScheduledPost,
) -> Result<ScheduledPostEnvelope> {
    if let Some(at) = request.scheduled_for {
        refuse_time(ctx, at)?;
    }
    post::refuse_language(request.language.as_deref())?;
    scheduled::lock_author(ctx, &caller.id)?;
    let before = scheduled::own(ctx, caller, &request.scheduled_post_id)?;
    let after = edited(before.clone(), request)?;
    refuse_context(ctx, caller, request, &after)?;
    if before.status != ScheduledStatus::Scheduled {
        return Err(wrong_state(&before, "changed"));
    }
    let is_moved = after.scheduled_for != before.scheduled_for;
    if after.reply_to.is_none() && (is_moved || before.reply_to.is_some()) {
        scheduled::refuse_taken(ctx, caller, after.scheduled_for, Some(&after.id))?;
    }
    store(ctx, &after, is_moved)?;
    if after.reply_to.is_some() {
        end_delay(ctx, &after.id)?;
    }
    envelope(ctx, caller, &after.id)
}

/// Ends the wait for a slot, which a reply does not need: it is due at the next instant, so that this
/// response still shows it as scheduled.
fn end_delay(ctx: &mut Ctx<'_, '_>, id: &ScheduledPostId) -> Result<()> {
    let due_at = ctx.now().plus(Duration::from_millis(1));
    ctx.tx.write(
        sql!(
            "update scheduled_post set due_at = $1, delayed_until = null
             where id = $2 and delayed_until is not null"
        ),
        values![due_at, id],
    )
}

fn wrong_state(record: &Record, what: &str) -> Error {
    let message = format!("the scheduled post is {} and can't be {what}", record.status);
    Refusal::new(Code::WrongState, message).hint(record.status.as_str()).into()
}

/// The scheduled post with the requested changes.
fn edited(mut record: Record, request: &EditScheduledPost) -> Result<Record> {
    let payload = match &request.payload {
        Some(payload) => Some(payload.clone()),
        None if request.schema.as_deref() == Some("") => None,
        None => record.payload()?,
    };
    if let Some(content) = &request.content {
        record.content = content.to_string();
    }
    record.format = request.format.clone().unwrap_or(record.format);
    post::refuse_blank_warning(request.content_warning.as_deref())?;
    change(&mut record.content_warning, request.content_warning.as_deref());
    change(&mut record.language, request.language.as_deref());
    change(&mut record.schema, request.schema.as_deref());
    record.payload = post::attachment(record.schema.as_deref(), payload.as_ref())?;
    if record.payload.is_none() {
        post::refuse_blank(&record.content)?;
    }
    if let Some(Clearable(reply_to)) = &request.reply_to_id {
        record.reply_to.clone_from(reply_to);
    }
    if let Some(Clearable(quote_of)) = &request.quote_of_id {
        record.quote_of.clone_from(quote_of);
    }
    record.reply_policy = request.reply_policy.clone().unwrap_or(record.reply_policy);
    record.scheduled_for = request.scheduled_for.unwrap_or(record.scheduled_for);
    Ok(record)
}

/// Replaces a text if a new one is given; an empty one removes it.
fn change(text: &mut Option<String>, given: Option<&str>) {
    if let Some(given) = given {
        *text = Some(given.to_owned()).filter(|given| !given.is_empty());
    }
}

/// Checks the posts that the request names; the others are checked again on publication.
fn refuse_context(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &EditScheduledPost,
    after: &Record,
) -> Result<()> {
    let named = |given: Option<&Clearable<PostId>>| given.and_then(|id| id.0.clone());
    let reply_to = named(request.reply_to_id.as_ref());
    let quote_of = named(request.quote_of_id.as_ref());
    let mut draft = after.draft(None);
    draft.reply_to = reply_to.as_ref().map(|id| ("replyToId", id));
    draft.quote_of = quote_of.as_ref();
    post::find_context(ctx, caller, &draft).map(drop)
}

fn store(ctx: &mut Ctx<'_, '_>, after: &Record, is_moved: bool) -> Result<()> {
    let (now, at) = (ctx.now(), after.scheduled_for);
    let rows = ctx.tx.execute(
        sql!(
            "update scheduled_post
             set content = $1, content_warning = $2, language = $3, reply_to = $4, quote_of = $5,
                schema_name = $6, payload = $7, reply_policy = $8, scheduled_for = $9,
                updated_at = $10,
                due_at = case when $11 then $9 else due_at end,
                delayed_until = case when $11 then null else delayed_until end,
                expires_at = case when $11 then $12 else expires_at end,
                format = $13
             where id = $14 and status = 'scheduled'"
        ),
        values![
            after.content,
            after.content_warning,
            after.language,
            after.reply_to,
            after.quote_of,
            after.schema,
            after.payload,
            after.reply_policy,
            at,
            now,
            is_moved,
            at.plus(LATE_MAX),
            after.format,
            after.id
        ],
    )?;
    if rows == 1 { Ok(()) } else { Err(Error::internal("a locked scheduled post changed")) }
}

/// Deletes a pending or failed post. A published one is deleted as a post.
fn delete(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DeleteScheduledPost,
) -> Result<Deleted> {
    scheduled::lock_author(ctx, &caller.id)?;
    let record = scheduled::own(ctx, caller, &request.scheduled_post_id)?;
    let rows = ctx.tx.execute(
        sql!("delete from scheduled_post where id = $1 and status in ('scheduled', 'failed')"),
        values![record.id],
    )?;
    if rows == 0 { Err(wrong_state(&record, "deleted")) } else { Ok(Deleted { deleted: true }) }
}
