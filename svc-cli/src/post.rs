//! `svc post`, `reply`, `quote`, `read`, `edit` and `delete`.
//!
//! `read` prints a post or its thread, `format` formats posts of all commands.

mod format;
mod read;

use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};
use svc_client::types::Who;
use svc_client::types::api::media::IMAGE_BYTES_MAX;
use svc_client::types::api::posts::{
    CreatePost, DeletePost, EditPost, Post, PostFormat, ReplyPolicy,
};
use svc_client::{Call, RateLimit};

use crate::caller::Caller;
use crate::endpoint_command::{EndpointCommand, Table, command};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input;
use crate::order::new_id;
use crate::progress::Progress;
use crate::reactions::{self, Verb};
use crate::scheduled::{self, When};
use crate::settings::Settings;
use crate::time;

pub(crate) use self::format::{Format, hanging, indented};
pub(crate) use self::read::{ReadFlags, read};

/// Longest wait of `--when-allowed`; the longest window of the platform is half of it.
const WINDOW_MAX: Duration = Duration::from_hours(1);

/// How `svc post` is typed: a text, or a verb with posts.
const USAGE: &str = "svc post [OPTIONS] <TEXT|->\n       svc post <VERB> <POST>...";

/// How it distinguishes a text from a verb.
const WORD_OR_VERB: &str = "svc post like POST likes a post, svc post -- like publishes the word.";

/// What a new post is made of.
#[derive(Clone, Debug, Args)]
pub(crate) struct Draft {
    /// The text, or - for stdin.
    #[arg(value_name = "TEXT|-", required = true)]
    text: Option<String>,
    /// Content warning, shown instead of the text until the reader opens it.
    #[arg(long, value_name = "TEXT")]
    content_warning: Option<String>,
    /// BCP 47 tag of the text's language.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// How the text is read.
    #[arg(long, value_name = "FORMAT", value_parser = clap::builder::PossibleValuesParser::new(PostFormat::WORDS))]
    format: Option<String>,
    /// Who may reply.
    #[arg(long, value_name = "WHO", value_parser = clap::builder::PossibleValuesParser::new(ReplyPolicy::WORDS))]
    reply_policy: Option<String>,
    /// Name of the schema of the payload.
    #[arg(long, value_name = "NAME", requires = "payload")]
    schema: Option<String>,
    /// Structured data for programs: JSON, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON", requires = "schema")]
    payload: Option<String>,
    /// Show an image: a PNG, JPEG, WebP or GIF file of at most 8 MiB. Up to four times.
    #[arg(long, value_name = "FILE", requires = "alt")]
    image: Vec<String>,
    /// What the image shows, in words; once for each image.
    #[arg(long, value_name = "TEXT", requires = "image")]
    alt: Vec<String>,
}

/// Flags of `svc post`.
///
/// `svc post` has subcommands, too, so a text of one word may be one of them.
#[derive(Clone, Debug, Args)]
#[command(subcommand_negates_reqs = true, subcommand_value_name = "VERB")]
#[command(subcommand_help_heading = "Verbs", after_help = WORD_OR_VERB, override_usage = USAGE)]
pub(crate) struct PostFlags {
    #[command(flatten)]
    draft: Draft,
    /// Quote a post.
    #[arg(long, value_name = "POST")]
    quote: Option<String>,
    /// Reply to a post; a reply does not use the post window.
    #[arg(long, value_name = "POST")]
    reply_to: Option<String>,
    /// Wait for the post window instead of failing.
    #[arg(long, conflicts_with_all = ["at", "after"])]
    when_allowed: bool,
    #[command(flatten)]
    when: When,
    #[command(subcommand)]
    verb: Option<Verb>,
}

/// Flags of `svc reply`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReplyFlags {
    /// The post to reply to.
    id: String,
    #[command(flatten)]
    draft: Draft,
    /// Quote a post.
    #[arg(long, value_name = "POST")]
    quote: Option<String>,
}

/// Flags of `svc quote`.
#[derive(Clone, Debug, Args)]
pub(crate) struct QuoteFlags {
    /// The post to quote.
    #[arg(value_name = "POST")]
    id: String,
    #[command(flatten)]
    draft: Draft,
    /// Wait for the post window instead of failing.
    #[arg(long)]
    when_allowed: bool,
}

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct OnePost;

impl Table for OnePost {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<EditPost>("svc edit", |answer, _| answer.post.id.to_string())
                .positional("content"),
            command::<DeletePost>("svc delete", |_, given| {
                format!("deleted {}", given.text("postId"))
            }),
        ]
    }
}

impl Draft {
    /// The request that publishes it.
    fn request(&self, reply_to: Option<&str>, quote_of: Option<&str>) -> Result<CreatePost> {
        let text = self.text.as_deref().expect("only a verb of `svc post` goes without a text");
        Ok(CreatePost {
            content: input::text(text)?.into(),
            format: self.format.as_deref().map(Into::into),
            reply_to_id: reply_to.map(Into::into),
            quote_of_id: quote_of.map(Into::into),
            content_warning: self.content_warning.as_deref().map(Into::into),
            language: self.language.as_deref().map(Into::into),
            reply_policy: self.reply_policy.as_deref().map(Into::into),
            schema: self.schema.as_deref().map(Into::into),
            payload: payload(self.payload.as_deref())?,
            media_ids: None,
        })
    }

    /// Whether nothing of it was given.
    fn is_empty(&self) -> bool {
        self.text.is_none() && self.is_plain()
    }

    /// Whether nothing but a text was given.
    fn is_plain(&self) -> bool {
        let given = [
            &self.content_warning,
            &self.language,
            &self.format,
            &self.reply_policy,
            &self.schema,
            &self.payload,
        ];
        given.into_iter().all(Option::is_none) && self.image.is_empty()
    }

    /// The Idempotency-Key of the post. With images it is chosen before the uploads, whose keys are made of it.
    fn key(&self, settings: &Settings) -> Result<Option<String>> {
        let typed = settings.idempotency_key();
        if typed.is_some() || self.image.is_empty() { Ok(typed) } else { new_id().map(Some) }
    }

    /// Uploads its images, so that the request can name them. Under `--dry-run` they have no ids.
    ///
    /// Each upload has a key made of that of the post, so that a repeated command names the same images.
    async fn upload(
        &self,
        mut request: CreatePost,
        key: Option<&str>,
        caller: &Caller,
    ) -> Result<CreatePost> {
        if self.image.len() != self.alt.len() {
            let message = "each --image needs an --alt that says what it shows";
            return Err(Error::usage(message));
        }
        let mut ids = Vec::new();
        for (number, (file, alt)) in self.image.iter().zip(&self.alt).enumerate() {
            let bytes = input::bytes(file, IMAGE_BYTES_MAX)?;
            if !caller.is_shown("POST", "/media", Some(json!({ "file": file, "alt": alt })))? {
                caller.require_key(Who::Account)?;
                let call = caller.client.posts().upload_image(bytes, alt);
                let call = under(key.map(|key| format!("{key}/{number}")), call);
                let sent = caller.with_cookie(call)?.await;
                ids.push(sent.map_err(|error| of_post(error.into(), key))?.media.id);
            }
        }
        request.media_ids = Some(ids).filter(|ids| !ids.is_empty());
        Ok(request)
    }
}

/// The call with this Idempotency-Key, if there is one already.
fn under<R>(key: Option<String>, call: Call<R>) -> Call<R> {
    match key {
        Some(key) => call.idempotency_key(key),
        None => call,
    }
}

/// A failed upload; the command is repeated under the key of the post.
fn of_post(mut error: Box<Error>, key: Option<&str>) -> Box<Error> {
    if error.idempotency_key.is_some() {
        error.idempotency_key = key.map(str::to_owned);
    }
    error
}

/// Publishes a post, now or later, or does something to posts that exist.
pub(crate) async fn post(flags: &PostFlags, settings: &Settings) -> Result<()> {
    if let Some(verb) = &flags.verb {
        flags.refuse_draft()?;
        return reactions::verb(verb, settings).await;
    }
    let caller = settings.caller()?;
    let request = flags.draft.request(flags.reply_to.as_deref(), flags.quote.as_deref())?;
    if let Some(at) = flags.when.instant() {
        if !flags.draft.image.is_empty() {
            return Err(Error::usage("a scheduled post can't have images"));
        }
        let created = scheduled::create(request, at, &caller).await;
        return created.map_err(|error| flags.when.explained(error, at));
    }
    let key = flags.draft.key(settings)?;
    let request = flags.draft.upload(request, key.as_deref(), &caller).await?;
    publish(request, key, flags.when_allowed, settings, &caller)
        .await
        .map_err(|error| limited(error, &flags.draft, "svc post", flags.quote.is_none()))
}

impl PostFlags {
    /// A verb takes nothing that makes a post.
    fn refuse_draft(&self) -> Result<()> {
        let is_bare = self.draft.is_empty() && self.quote.is_none() && self.reply_to.is_none();
        if is_bare && !self.when_allowed && self.when.is_empty() {
            return Ok(());
        }
        let message = "a verb of svc post takes posts, and nothing that makes a new one";
        Err(Error::usage(message).hint("quote a text of several words: svc post 'I like it'"))
    }
}

/// A verb without a post may have been meant as a text, so the error explains both.
pub(crate) fn explain_verb(error: clap::Error) -> Box<Error> {
    let is_incomplete = error.kind() == ErrorKind::MissingRequiredArgument;
    let error = Box::<Error>::from(error);
    // The error has the usage of the command that lacks an argument.
    let usage = error.hint.as_deref().and_then(|usage| usage.strip_prefix("svc post "));
    match usage.and_then(|usage| usage.split(' ').next()) {
        Some(verb) if is_incomplete && Verb::has_subcommand(verb) => {
            let message = format!("svc post {verb} needs the id of a post");
            let hint =
                format!("svc post {verb} POST; to publish the word instead: svc post -- {verb}");
            Error::usage(message).hint(hint)
        }
        _ => error,
    }
}

/// Publishes a post that quotes another.
pub(crate) async fn quote(flags: &QuoteFlags, settings: &Settings) -> Result<()> {
    let request = flags.draft.request(None, Some(&flags.id))?;
    let caller = settings.caller()?;
    let key = flags.draft.key(settings)?;
    let request = flags.draft.upload(request, key.as_deref(), &caller).await?;
    let published = publish(request, key, flags.when_allowed, settings, &caller).await;
    published
        .map_err(|error| limited(error, &flags.draft, &format!("svc quote {}", flags.id), true))
}

/// Publishes what takes a post slot, and says when the next one is free.
async fn publish(
    request: CreatePost,
    key: Option<String>,
    when_allowed: bool,
    settings: &Settings,
    caller: &Caller,
) -> Result<()> {
    let progress = Progress::start(settings, "waiting until it may be published");
    // `Call::when_allowed` is for typed calls only; obeying a long Retry-After has the same effect.
    let sent = caller.send_with(request, |call| {
        let call = under(key, call);
        if when_allowed {
            return call.max_retry_wait(WINDOW_MAX).timeout(WINDOW_MAX * 2);
        }
        call
    });
    let sent = sent.await;
    drop(progress);
    let Some(answer) = sent? else {
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
    let request = flags.draft.request(Some(&flags.id), flags.quote.as_deref())?;
    let caller = settings.caller()?;
    let key = flags.draft.key(settings)?;
    let request = flags.draft.upload(request, key.as_deref(), &caller).await?;
    match caller.send_with(request, |call| under(key, call)).await? {
        Some(answer) => caller.out.answer(&answer.value, |reply| reply.post.id.to_string()),
        None => Ok(()),
    }
}

/// The error of a full post window, with a hint for this command. The hint repeats the command only if it
/// `is_whole` with a text from stdin: other texts and flags would have to be typed again.
fn limited(mut error: Box<Error>, draft: &Draft, command: &str, is_whole: bool) -> Box<Error> {
    let (Exit::RateLimited, Some(seconds)) = (error.exit, error.retry_after) else {
        return error;
    };
    let left = time::left(Duration::from_secs(seconds));
    error.message = format!("post limit reached, {left} left");
    if is_whole && draft.is_plain() && draft.text.as_deref() == Some("-") {
        return error.hint(format!("{command} - --when-allowed"));
    }
    error
        .hint("repeat the command with --when-allowed, which waits until the post may be published")
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
