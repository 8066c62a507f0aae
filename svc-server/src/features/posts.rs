//! Posts and replies.

mod lists;
mod of_user;
mod thread;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::services::analytics;
use svc_core::services::post::{self, Draft, Record};
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::PostId;
use svc_types::api::Deleted;
use svc_types::api::posts::{
    CreatePost, CreateReply, DeletePost, EditPost, GetPost, GetPostHistory, ListPosts,
    PostEnvelope, PostHistory, PostsById, ReplyPolicy, Revision,
};

use crate::http::{Answer, Routes};

/// Most revisions in a response.
const REVISIONS_MAX: i64 = 100;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write(create)
        .read(by_ids)
        .read(read)
        .write(edit)
        .write(delete)
        .read(history)
        .read(thread::read)
        .write(reply)
        .read(lists::replies)
        .read(lists::quotes)
        .read(of_user::list)
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreatePost,
) -> Result<Answer<PostEnvelope>> {
    publish(ctx, caller, &Draft::from(request))
}

fn reply(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateReply,
) -> Result<Answer<PostEnvelope>> {
    publish(ctx, caller, &Draft::from(request))
}

fn publish(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    draft: &Draft<'_>,
) -> Result<Answer<PostEnvelope>> {
    let (record, window) = post::create(ctx, caller, draft)?;
    let answer = Answer::from(PostEnvelope { post: post::to_api(ctx, Some(caller), record)? });
    Ok(answer.window_if(window))
}

/// The requested posts in that order, and the ids without a post; each once, however often it is named.
fn by_ids(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListPosts) -> Result<PostsById> {
    post::html::include(ctx, request.include.as_ref())?;
    let posts = post::load_visible(ctx, caller.account(), &request.ids.0)?;
    let mut missing: Vec<PostId> = Vec::new();
    for id in &request.ids.0 {
        if !missing.contains(id) && !posts.iter().any(|post| post.id == *id) {
            missing.push(id.clone());
        }
    }
    Ok(PostsById { posts, missing })
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &GetPost) -> Result<PostEnvelope> {
    post::html::include(ctx, request.include.as_ref())?;
    let record = post::visible(ctx, &request.post_id, caller.account())?;
    analytics::note_view(ctx, caller.account(), &record.id, &record.author);
    Ok(PostEnvelope { post: post::to_api(ctx, caller.account(), record)? })
}

fn edit(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &EditPost) -> Result<PostEnvelope> {
    post::refuse_language(request.language.as_deref())?;
    post::refuse_blank_warning(request.content_warning.as_deref())?;
    let record = post::own_locked(ctx, caller, &request.post_id)?;
    post::accept_edit(&record, request.content.as_deref())?;
    let content = request.content.as_deref().unwrap_or(&record.content);
    let warning = request.content_warning.as_deref().or(record.content_warning.as_deref());
    let warning = warning.filter(|text| !text.is_empty());
    let is_edited = content != record.content || warning != record.content_warning.as_deref();
    if is_edited {
        keep_revision(ctx, &record)?;
        set_text(ctx, &record.id, content, warning)?;
    }
    set_rest(ctx, &record.id, request.language.as_deref(), request.reply_policy.as_ref())?;
    let edited = post::visible(ctx, &record.id, Some(caller))?;
    if is_edited {
        post::edit_texts(ctx, &record, &edited)?;
    }
    Ok(PostEnvelope { post: post::to_api(ctx, Some(caller), edited)? })
}

/// Stores the previous text. The lock of the post makes its revision number unique.
fn keep_revision(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    let now = ctx.now();
    let sql = sql!("update post set edited_at = $1 where id = $2");
    ctx.tx.write(sql, values![now, record.id])?;
    let published = record.edited_at.unwrap_or(record.created_at);
    ctx.tx.write(
        sql!(
            "insert into post_revision (post, n, content, content_warning, created_at)
             select id, (select count(*) from post_revision r where r.post = post.id) + 1, content,
                content_warning, cast($1 as bigint)
             from post where id = $2"
        ),
        values![published, record.id],
    )?;
    Ok(())
}

fn set_text(
    ctx: &mut Ctx<'_, '_>,
    id: &PostId,
    content: &str,
    warning: Option<&str>,
) -> Result<()> {
    let sql = sql!("update post set content = $1, content_warning = $2 where id = $3");
    ctx.tx.write(sql, values![content, warning, id])?;
    Ok(())
}

fn set_rest(
    ctx: &mut Ctx<'_, '_>,
    id: &PostId,
    language: Option<&str>,
    reply_policy: Option<&ReplyPolicy>,
) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update post set
                language = case when cast($1 as text) is null then language
                    when $1 = '' then null else $1 end,
                reply_policy = coalesce($2, reply_policy)
             where id = $3"
        ),
        values![language, reply_policy, id],
    )?;
    Ok(())
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeletePost) -> Result<Deleted> {
    post::delete(ctx, caller, &request.post_id)
}

struct RevisionRow {
    content: String,
    content_warning: Option<String>,
    created_at: svc_types::Timestamp,
}
row!(RevisionRow { content, content_warning, created_at });

fn history(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &GetPostHistory,
) -> Result<PostHistory> {
    let record = post::visible(ctx, &request.post_id, caller.account())?;
    let rows: Vec<RevisionRow> = ctx.tx.all(
        sql!(
            "select content, content_warning, created_at from post_revision
             where post = $1 order by n desc limit $2"
        ),
        values![record.id, REVISIONS_MAX],
    )?;
    let revision = |RevisionRow { content, content_warning, created_at }| Revision {
        content,
        content_warning,
        created_at,
    };
    Ok(PostHistory { revisions: rows.into_iter().map(revision).collect() })
}
