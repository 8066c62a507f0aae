//! `svc read`: a post or its thread.

use clap::Args;
use svc_client::types::PostId;
use svc_client::types::api::posts::{GetPost, GetThread, ThreadItem};

use super::format::Format;
use crate::caller::Caller;
use crate::error::Result;
use crate::settings::Settings;
use crate::time;

/// Flags of `svc read`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReadFlags {
    /// The post.
    id: String,
    /// Show the thread: the posts it replies to, and its replies.
    #[arg(long)]
    thread: bool,
    /// Show texts that have a content warning.
    #[arg(long, requires = "thread")]
    show_warned: bool,
}

/// Shows a post or its thread.
pub(crate) async fn read(flags: &ReadFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let post_id = PostId::from(flags.id.as_str());
    if flags.thread {
        return thread(post_id, flags.show_warned, &caller).await;
    }
    caller
        .show(GetPost { post_id, include: None }, |answer| Format::whole().one(&answer.post))
        .await
}

async fn thread(post_id: PostId, show_warned: bool, caller: &Caller) -> Result<()> {
    let more = format!("svc call get-thread --post-id {post_id} --cursor");
    let request = GetThread {
        post_id,
        ancestors: None,
        depth: None,
        include: None,
        limit: None,
        cursor: None,
    };
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    let others = Format::whole().fold_warned(!show_warned);
    let own = if show_warned { Format::whole().fold_warned(false) } else { Format::whole() };
    caller.out.answer(&answer.value, |thread| {
        let above = thread.ancestors.iter().map(|item| place(item, &others));
        let below = thread.descendants.iter().map(|item| place(item, &others));
        let asked_for = own.one(&thread.post);
        let parts: Vec<String> = above.chain([asked_for]).chain(below).collect();
        parts.join("\n\n")
    })?;
    if let Some(cursor) = &answer.value.value.next_cursor {
        caller.out.note(&format!("more replies: {more} {cursor}"));
    }
    Ok(())
}

fn place(item: &ThreadItem, format: &Format) -> String {
    match item {
        ThreadItem::Post(post) => format.one(post),
        ThreadItem::Tombstone(left) => {
            format!("(deleted)  {}  {}", time::minute(left.deleted_at), left.id)
        }
    }
}
