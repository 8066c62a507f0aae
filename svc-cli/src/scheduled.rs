//! `svc scheduled`, and `svc post --at`: posts that are published later.

use clap::Args;
use svc_client::types::api::posts::CreatePost;
use svc_client::types::api::scheduled::{
    CreateScheduledPost, DeleteScheduledPost, EditScheduledPost, GetScheduledPost,
    ListScheduledPosts, ScheduledPost, ScheduledStatus,
};
use svc_client::types::{PostId, Span, Timestamp};

use crate::caller::Caller;
use crate::endpoint_command::{EndpointCommand, Table, command, page};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::list;
use crate::output::one_line;
use crate::post::indented;
use crate::time;

/// Characters of a text that a row shows.
const EXCERPT: usize = 60;

/// When a post is published.
#[derive(Clone, Debug, Args)]
#[group(multiple = false)]
pub(crate) struct When {
    /// Publish it at this time: 2026-12-01T09:00:00Z, or 2026-12-01 09:00 of this machine's zone.
    #[arg(long, value_name = "WHEN", value_parser = time::parse)]
    at: Option<Timestamp>,
    /// Publish it after this time, such as 90m or 2h.
    #[arg(long = "in", value_name = "TIME")]
    after: Option<Span>,
}

impl When {
    /// Whether none is given.
    pub(crate) const fn is_empty(&self) -> bool {
        self.at.is_none() && self.after.is_none()
    }

    /// The instant, if one is given.
    pub(crate) fn instant(&self) -> Option<Timestamp> {
        self.at.or_else(|| self.after.map(time::from_now))
    }

    /// A failure of what was planned for this instant. A time from now is another one when the command is repeated.
    pub(crate) fn explained(&self, error: Box<Error>, at: Timestamp) -> Box<Error> {
        if self.after.is_none() {
            return error;
        }
        if error.code == "idempotency_conflict" {
            return error.hint(
                "--in counts from now, so this is another request; svc scheduled list shows what \
                 was planned",
            );
        }
        if error.idempotency_key.is_some() {
            return error
                .hint(format!("repeat it with --at {at} in place of --in, which counts from now"));
        }
        error
    }
}

/// Schedules a post.
pub(crate) async fn create(draft: CreatePost, at: Timestamp, caller: &Caller) -> Result<()> {
    let request = CreateScheduledPost {
        content: draft.content,
        format: draft.format,
        scheduled_for: at,
        reply_to_id: draft.reply_to_id,
        quote_of_id: draft.quote_of_id,
        content_warning: draft.content_warning,
        language: draft.language,
        reply_policy: draft.reply_policy,
        schema: draft.schema,
        payload: draft.payload,
    };
    let Some(answer) = caller.send(request).await.map_err(taken)? else {
        return Ok(());
    };
    let scheduled = &answer.value.value.scheduled_post;
    if caller.out.json {
        return caller.out.answer(&answer.value, |_| String::new());
    }
    let note = format!("will be published at {}", time::minute(scheduled.scheduled_for));
    caller.out.noted(scheduled.id.as_str(), &note)
}

/// A taken slot, with the next free time as a flag.
fn taken(mut error: Box<Error>) -> Box<Error> {
    if error.code.as_str() != "slot_taken" {
        return error;
    }
    match error.hint.take() {
        Some(free) => error.hint(format!("the next free time: --at {free}")),
        None => error,
    }
}

/// `svc scheduled`.
#[derive(Clone, Debug)]
pub(crate) struct Scheduled;

impl Table for Scheduled {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListScheduledPosts>("svc scheduled list", |posts, _| {
                list::rows(posts.iter().map(row), "no scheduled posts")
            }),
            command::<GetScheduledPost>("svc scheduled show", |answer, _| {
                format(&answer.scheduled_post)
            })
            .explain(|error, _| explained(error)),
            command::<EditScheduledPost>("svc scheduled edit", |answer, _| {
                row(&answer.scheduled_post)
            })
            .positional("content")
            .flag("scheduledFor", "at")
            .or_in("scheduledFor", "at")
            .flag("replyToId", "reply-to")
            .flag("quoteOfId", "quote")
            .explain(|error, _| explained(error)),
            command::<DeleteScheduledPost>("svc scheduled cancel", |_, given| {
                format!("cancelled {}", given.text("scheduledPostId"))
            })
            .explain(|error, _| explained(error)),
        ]
    }
}

/// Adds where to find ids, and how to change a post that is already published.
fn explained(error: Box<Error>) -> Box<Error> {
    let mut error = taken(error);
    match (&error.exit, error.code.as_str()) {
        (Exit::NotFound, "not_found") => error.hint("svc scheduled list"),
        (Exit::Conflict, "wrong_state") if error.hint.as_deref() == Some("published") => {
            error.message = format!("{}; the post itself can be", error.message);
            error.hint("svc edit, or svc delete")
        }
        _ => error,
    }
}

/// The state, with the planned time and the published post.
fn state(scheduled: &ScheduledPost) -> String {
    let planned = time::minute(scheduled.scheduled_for);
    match (&scheduled.status, scheduled.delayed_until, &scheduled.post_id) {
        (ScheduledStatus::Scheduled, Some(until), _) => {
            format!("{planned}  scheduled, waits until {}", time::minute(until))
        }
        (status, _, Some(post)) => format!("{planned}  {status} as {post}"),
        (status, ..) => format!("{planned}  {status}"),
    }
}

/// A scheduled post on one line.
fn row(scheduled: &ScheduledPost) -> String {
    let text: String = one_line(&scheduled.content).chars().take(EXCERPT).collect();
    format!("{}  {}  {text}", scheduled.id, state(scheduled))
}

/// A scheduled post with its text.
fn format(scheduled: &ScheduledPost) -> String {
    let mut head = format!("{}  {}", scheduled.id, state(scheduled));
    let lines = [
        ("answers", scheduled.reply_to_id.as_ref().map(PostId::as_str)),
        ("quotes", scheduled.quote_of_id.as_ref().map(PostId::as_str)),
        ("warning:", scheduled.content_warning.as_deref()),
        ("failure:", scheduled.failure.as_deref()),
    ];
    for (name, text) in lines {
        if let Some(text) = text {
            head = format!("{head}\n{name} {}", one_line(text));
        }
    }
    format!("{head}\n{}", indented(&scheduled.content))
}
