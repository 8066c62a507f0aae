//! `svc post`, `reply`, `read`, `edit` and `delete`.

use std::time::Duration;

use clap::Args;
use serde_json::{Map, Value};
use svc_client::RateLimit;
use svc_client::types::PostId;
use svc_client::types::api::posts::{
    CreatePost, DeletePost, EditPost, GetPost, GetThread, Post, ReplyPolicy, ThreadItem,
};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input;
use crate::output::one_line;
use crate::scheduled::{self, When};
use crate::settings::Settings;
use crate::time;

/// Longest wait of `--when-allowed`; the longest window of the platform is half of it.
const WINDOW_MAX: Duration = Duration::from_hours(1);

/// What a new post is made of.
#[derive(Clone, Debug, Args)]
pub(crate) struct Draft {
    /// The text, or - for stdin.
    #[arg(value_name = "TEXT|-")]
    text: String,
    /// Quote a post.
    #[arg(long, value_name = "POST")]
    quote: Option<String>,
    /// Shown instead of the text until the reader asks for it.
    #[arg(long, value_name = "TEXT")]
    content_warning: Option<String>,
    /// BCP 47 tag of the text's language.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// Who may reply.
    #[arg(long, value_name = "WHO", value_parser = clap::builder::PossibleValuesParser::new(ReplyPolicy::WORDS))]
    reply_policy: Option<String>,
    /// Name of the form of the payload.
    #[arg(long, value_name = "NAME", requires = "payload")]
    schema: Option<String>,
    /// Typed data for programs: JSON, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON", requires = "schema")]
    payload: Option<String>,
}

/// Flags of `svc post`.
#[derive(Clone, Debug, Args)]
pub(crate) struct PostFlags {
    #[command(flatten)]
    draft: Draft,
    /// Answer a post; a reply takes no post slot.
    #[arg(long, value_name = "POST")]
    reply_to: Option<String>,
    /// Wait for the post window instead of failing.
    #[arg(long, conflicts_with_all = ["at", "after"])]
    when_allowed: bool,
    #[command(flatten)]
    when: When,
}

/// Flags of `svc reply`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReplyFlags {
    /// The post to answer.
    id: String,
    #[command(flatten)]
    draft: Draft,
}

/// Flags of `svc read`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReadFlags {
    /// The post.
    id: String,
    /// Show what it answers and what answers it too.
    #[arg(long)]
    thread: bool,
}

/// Flags of `svc edit`.
#[derive(Clone, Debug, Args)]
pub(crate) struct EditFlags {
    /// The post.
    id: String,
    /// The new text, or - for stdin.
    #[arg(value_name = "TEXT|-")]
    text: String,
}

/// Flags of `svc delete`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DeleteFlags {
    /// The post.
    id: String,
}

impl Draft {
    /// The request that publishes it.
    fn request(&self, reply_to: Option<&str>) -> Result<CreatePost> {
        Ok(CreatePost {
            content: input::text(&self.text)?.into(),
            reply_to_id: reply_to.map(Into::into),
            quote_of_id: self.quote.as_deref().map(Into::into),
            content_warning: self.content_warning.as_deref().map(Into::into),
            language: self.language.as_deref().map(Into::into),
            reply_policy: self.reply_policy.as_deref().map(Into::into),
            schema: self.schema.as_deref().map(Into::into),
            payload: payload(self.payload.as_deref())?,
        })
    }
}

/// Publishes a post, now or later.
pub(crate) async fn post(flags: &PostFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let request = flags.draft.request(flags.reply_to.as_deref())?;
    if let Some(at) = flags.when.instant() {
        return scheduled::create(request, at, &caller).await;
    }
    // `Call::when_allowed` is for typed calls only; obeying a long Retry-After comes to the same.
    let sent = caller.send_with(request, |call| {
        if flags.when_allowed {
            return call.max_retry_wait(WINDOW_MAX).timeout(WINDOW_MAX * 2);
        }
        call
    });
    let Some(answer) = sent.await.map_err(limited)? else {
        return Ok(());
    };
    let post = &answer.value.value.post;
    match next_post(post, answer.rate_limit) {
        Some(note) if !caller.out.json => caller.out.noted(post.id.as_str(), &note),
        _ => caller.out.answer(&answer.value, |_| post.id.to_string()),
    }
}

/// Answers a post.
pub(crate) async fn reply(flags: &ReplyFlags, settings: &Settings) -> Result<()> {
    let request = flags.draft.request(Some(&flags.id))?;
    let caller = settings.caller()?;
    caller.show(request, |reply| reply.post.id.to_string()).await
}

/// A full window, in the words of the command.
fn limited(mut error: Box<Error>) -> Box<Error> {
    let (Exit::RateLimited, Some(seconds)) = (error.exit, error.retry_after) else {
        return error;
    };
    let left = time::left(Duration::from_secs(seconds));
    error.message = format!("post limit reached, {left} left");
    error.hint("svc post - --when-allowed")
}

/// When the next post may follow, if not at once.
fn next_post(post: &Post, limit: Option<RateLimit>) -> Option<String> {
    let limit = limit.filter(|limit| limit.remaining == 0)?;
    // The header has whole seconds, rounded up.
    let window = Duration::from_secs(limit.reset.since(post.created_at).as_secs());
    Some(format!(
        "next post from {} ({}: {} per {})",
        time::clock(limit.reset),
        post.author.tier,
        limit.limit,
        time::window(window),
    ))
}

/// Typed data of a flag.
pub(crate) fn payload(argument: Option<&str>) -> Result<Option<Map<String, Value>>> {
    let Some(argument) = argument else {
        return Ok(None);
    };
    let text = input::value(argument)?;
    let object = serde_json::from_str(&text);
    object.map_err(|error| Error::usage(format!("--payload must be a JSON object: {error}")))
}

/// Shows a post, or the thread it stands in.
pub(crate) async fn read(flags: &ReadFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let post_id = PostId::from(flags.id.as_str());
    if flags.thread {
        return read_thread(post_id, &caller).await;
    }
    caller.show(GetPost { post_id }, |answer| shown(&answer.post)).await
}

async fn read_thread(post_id: PostId, caller: &Caller) -> Result<()> {
    let more = format!("svc call get-thread --post-id {post_id} --cursor");
    let request = GetThread { post_id, ancestors: None, depth: None, limit: None, cursor: None };
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |thread| {
        let above = thread.ancestors.iter().map(item);
        let below = thread.descendants.iter().map(item);
        let parts: Vec<String> = above.chain([shown(&thread.post)]).chain(below).collect();
        parts.join("\n\n")
    })?;
    if let Some(cursor) = &answer.value.value.next_cursor {
        caller.out.note(&format!("more replies: {more} {cursor}"));
    }
    Ok(())
}

fn item(item: &ThreadItem) -> String {
    match item {
        ThreadItem::Post(post) => shown(post),
        ThreadItem::Tombstone(left) => {
            format!("(deleted)  {}  {}", time::minute(left.deleted_at), left.id)
        }
    }
}

/// A post as people read it.
fn shown(post: &Post) -> String {
    let author = &post.author.username;
    let mut head = format!("@{author}  {}  {}", time::minute(post.created_at), post.id);
    if let Some(parent) = &post.reply_to_id {
        head = format!("{head}  answers {parent}");
    }
    if let Some(warning) = &post.content_warning {
        head = format!("{head}\nwarning: {}", one_line(warning));
    }
    let (likes, replies) = (post.likes_count, post.replies_count);
    format!("{head}\n{}\nlikes {likes}  replies {replies}", indented(&post.content))
}

/// Text of others, set off so that none of its lines passes for one of ours.
pub(crate) fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}

/// Changes the text of a post.
pub(crate) async fn edit(flags: &EditFlags, settings: &Settings) -> Result<()> {
    let request = EditPost {
        post_id: flags.id.as_str().into(),
        content: Some(input::text(&flags.text)?.into()),
        content_warning: None,
        language: None,
        reply_policy: None,
    };
    let caller = settings.caller()?;
    caller.show(request, |edited| edited.post.id.to_string()).await
}

/// Deletes a post.
pub(crate) async fn delete(flags: &DeleteFlags, settings: &Settings) -> Result<()> {
    let post_id = flags.id.as_str().into();
    let deleted = format!("deleted {}", flags.id);
    settings.caller()?.show(DeletePost { post_id }, |_| deleted).await
}
