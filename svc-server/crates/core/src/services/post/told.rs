//! Who is told of a post: whom it answers, whom it quotes, whom it names.

use serde_json::json;
use svc_store::error::{Error, Result};
use svc_types::api::connect::{MentionData, PostDeletedData, QuoteData, ReplyData};
use svc_types::{PostId, UserId};

use super::record::Record;
use super::show;
use crate::app::Cx;
use crate::services::notice::{self, Data, Notice};
use crate::services::outbox;

/// Tells of a new post. Who is both answered and named is told of the reply alone.
pub(super) fn published(
    cx: &mut Cx<'_, '_>,
    post: &Record,
    parent: Option<&Record>,
    quoted: Option<&Record>,
    named: &[UserId],
) -> Result<()> {
    let mut notices = Vec::new();
    if let Some(parent) = parent {
        notices.push(Notice::new(&parent.author, Data::Reply(reply(post, parent))));
    }
    if let Some(quoted) = quoted {
        notices.push(Notice::new(&quoted.author, Data::Quote(quote(post, quoted))));
    }
    notices.extend(named.iter().map(|to| Notice::new(to, Data::Mention(mention(post)))));
    if notices.is_empty() {
        return Ok(());
    }
    let root = post.root.as_ref().unwrap_or(&post.id);
    let in_thread = notices.into_iter().map(|notice| notice.in_thread(root));
    notice::tell(cx, Some(&post.author), in_thread.collect())
}

/// Bytes of a text that the global feed carries whole, and characters of those that it cuts.
const FEED_BYTES_MAX: usize = 8_192;
const FEED_CUT_LENGTH: usize = 500;

/// Tells whoever listens to the global feed of a new top-level post.
pub(super) fn everybody(cx: &mut Cx<'_, '_>, post: &Record) -> Result<()> {
    if post.reply_to.is_some() || !cx.app.live.is_on() {
        return Ok(());
    }
    let mut data = show::wire(cx, None, post.clone())?;
    let content_truncated = data.content.len() > FEED_BYTES_MAX;
    if content_truncated {
        data.content = data.content.chars().take(FEED_CUT_LENGTH).collect();
    }
    let mut data = serde_json::to_value(data).map_err(Error::internal)?;
    if content_truncated {
        data["contentTruncated"] = true.into();
    }
    let id = cx.id();
    outbox::append_for_all(cx, &id, "post", &data)
}

/// Tells them that it is gone.
pub fn everybody_of_deletion(cx: &mut Cx<'_, '_>, post: &PostId) -> Result<()> {
    let id = cx.id();
    outbox::append_for_all(
        cx,
        &id,
        "post_deleted",
        &json!(PostDeletedData { post_id: post.clone() }),
    )
}

/// Tells those a post names since an edit.
pub(super) fn named(cx: &mut Cx<'_, '_>, post: &Record, named: &[UserId]) -> Result<()> {
    published(cx, post, None, None, named)
}

fn reply(post: &Record, parent: &Record) -> ReplyData {
    ReplyData {
        post_id: parent.id.clone(),
        reply_id: post.id.clone(),
        root_id: post.root.clone().unwrap_or_else(|| parent.id.clone()),
        content: post.content.clone(),
        actor_id: post.author.clone(),
        actor_username: post.username.clone(),
    }
}

fn quote(post: &Record, quoted: &Record) -> QuoteData {
    QuoteData {
        post_id: quoted.id.clone(),
        quote_id: post.id.clone(),
        content: post.content.clone(),
        actor_id: post.author.clone(),
        actor_username: post.username.clone(),
    }
}

fn mention(post: &Record) -> MentionData {
    MentionData {
        post_id: post.id.clone(),
        content: post.content.clone(),
        actor_id: post.author.clone(),
        actor_username: post.username.clone(),
    }
}
