//! The notifications of a post: of its parent's author, of quoted and of mentioned accounts.

use serde_json::json;
use svc_store::db::slots;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::connect::{MentionData, PostDeletedData, QuoteData, ReplyData};
use svc_types::api::users::AccountStatus;
use svc_types::{EventId, PostId, UserId};

use super::record::Record;
use super::show;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::notification::{self, Data, NewNotification};
use crate::services::outbox;

/// Notifies accounts of a new post. One that is both replied to and mentioned is notified only of the reply.
pub(super) fn published(
    ctx: &mut Ctx<'_, '_>,
    post: &Record,
    parent: Option<&Record>,
    quoted: Option<&Record>,
    named: &[UserId],
) -> Result<()> {
    let mut notifications = Vec::new();
    if let Some(parent) = parent {
        notifications.push(NewNotification::new(&parent.author, Data::Reply(reply(post, parent))));
    }
    if let Some(quoted) = quoted {
        notifications.push(NewNotification::new(&quoted.author, Data::Quote(quote(post, quoted))));
    }
    notifications
        .extend(named.iter().map(|to| NewNotification::new(to, Data::Mention(mention(post)))));
    if notifications.is_empty() {
        return Ok(());
    }
    let root = post.root.as_ref().unwrap_or(&post.id);
    // The name of the post is how its deletion finds the events.
    let about = notifications
        .into_iter()
        .map(|notification| notification.in_thread(root).of(post.id.as_str()));
    notification::notify(ctx, Some(&post.author), about.collect())
}

/// Takes the text of a deleted post out of the events that it caused, which lists, streams and webhooks would show for
/// days. The events stay: they are numbered without gaps.
pub fn empty_events(ctx: &mut Ctx<'_, '_>, post: &PostId) -> Result<()> {
    let lock = sql!(
        "select id from event
         where (kind = 'mention' or kind = 'quote' or kind = 'reply') and subject = $1
         order by id for no key update"
    );
    ctx.tx.lock(lock, values![post])?;
    let found: Vec<(EventId, String)> = ctx.tx.all(
        sql!(
            "select id, body from event
             where (kind = 'mention' or kind = 'quote' or kind = 'reply') and subject = $1
             order by id"
        ),
        values![post],
    )?;
    for (id, body) in found {
        outbox::empty(ctx, &id, &body)?;
    }
    Ok(())
}

/// Bytes of a text that the global feed carries whole, and characters of those that it cuts.
const FEED_BYTES_MAX: usize = 8_192;
const FEED_CUT_LENGTH: usize = 500;

/// Publishes a new top-level post to subscribers of the global feed. Like the feed itself, they get
/// nothing by an author that moderators limited.
pub(super) fn subscribers(ctx: &mut Ctx<'_, '_>, author: &Account, post: &Record) -> Result<()> {
    let is_in_feed = post.reply_to.is_none() && author.status == AccountStatus::Active;
    if !is_in_feed || !ctx.app.relays() {
        return Ok(());
    }
    let mut data = show::to_api(ctx, None, post.clone())?;
    let content_truncated = data.content.len() > FEED_BYTES_MAX;
    if content_truncated {
        data.content = data.content.chars().take(FEED_CUT_LENGTH).collect();
    }
    let mut data = serde_json::to_value(data).map_err(Error::internal)?;
    if content_truncated {
        data["contentTruncated"] = true.into();
    }
    let id = ctx.id();
    outbox::append_for_all(ctx, &id, "post", &data)
}

/// Publishes to the same subscribers that a post is gone.
pub fn everybody_of_deletion(ctx: &mut Ctx<'_, '_>, post: &PostId) -> Result<()> {
    let id = ctx.id();
    outbox::append_for_all(
        ctx,
        &id,
        "post_deleted",
        &json!(PostDeletedData { post_id: post.clone() }),
    )
}

/// Which of these posts of the global feed can still be read.
pub fn shown_of(ctx: &mut Ctx<'_, '_>, posts: &[PostId]) -> Result<Vec<PostId>> {
    let sql = sql!(
        "select p.id from post p join account author on author.id = p.author
         where p.id in (",
        slots!(1),
        ") and p.deleted_at is null and p.hidden = false
            and author.status <> 'suspended' and author.deleted_at is null"
    );
    ctx.tx.all(sql, &slots(posts))
}

/// Notifies the accounts that an edit of a post names for the first time.
pub(super) fn named(ctx: &mut Ctx<'_, '_>, post: &Record, named: &[UserId]) -> Result<()> {
    published(ctx, post, None, None, named)
}

fn reply(post: &Record, parent: &Record) -> ReplyData {
    ReplyData {
        post_id: parent.id.clone(),
        reply_id: post.id.clone(),
        root_id: post.root.clone().unwrap_or_else(|| parent.id.clone()),
        content_warning: post.content_warning.clone(),
        content: post.content.clone(),
        actor_id: post.author.clone(),
        actor_username: post.username.clone(),
    }
}

fn quote(post: &Record, quoted: &Record) -> QuoteData {
    QuoteData {
        post_id: quoted.id.clone(),
        quote_id: post.id.clone(),
        content_warning: post.content_warning.clone(),
        content: post.content.clone(),
        actor_id: post.author.clone(),
        actor_username: post.username.clone(),
    }
}

fn mention(post: &Record) -> MentionData {
    MentionData {
        post_id: post.id.clone(),
        content_warning: post.content_warning.clone(),
        content: post.content.clone(),
        actor_id: post.author.clone(),
        actor_username: post.username.clone(),
    }
}
