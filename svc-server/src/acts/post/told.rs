//! Who is told of a post: whom it answers, whom it quotes, whom it names.

use svc_types::UserId;
use svc_types::api::connect::{MentionData, QuoteData, ReplyData};

use super::record::Record;
use crate::acts::notice::{self, Data, Notice};
use crate::app::Cx;
use crate::error::Result;

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
