//! Composing a post.

use std::borrow::Borrow;

use askama::Template;
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::posts::{CreatePost, GetPost, Post, PostEnvelope, PostFormat, ReplyPolicy};
use svc_types::api::scheduled::{CreateScheduledPost, ScheduledPostEnvelope};
use svc_types::api::users::GetMe;

use super::{Flash, Frame, Zone};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages, images};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/compose", show)
        .form_by::<CreatePost>("/compose", show, unless_scheduled, posted)
        .with_members_of::<CreatePost>()
        .that_takes_images()
        .get(LATER, show)
        .form_by::<CreateScheduledPost>(LATER, show, at_an_instant, scheduled)
        .that_takes_images()
}

/// The path at which the same form schedules a post.
const LATER: &str = "/compose/later";

/// The name of the button that publishes at once, whatever time is given.
const NOW: &str = "now";

/// The field with the id of the post that this one replies to.
const REPLY_TO: &str = "replyToId";

#[derive(Template)]
#[template(path = "compose.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    /// What was typed so far, into the field for a reply below a post.
    begun: &'a str,
    /// The quoted post.
    quoted: Option<Post>,
    /// The post that this one replies to.
    answered: Option<Post>,
    next_post: Option<Timestamp>,
    later: bool,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let quoted = named(context, request, "quoteOfId")?;
    let answered = named(context, request, REPLY_TO)?;
    let later = request.path.starts_with(LATER);
    let title = match (&quoted, &answered, later) {
        (Some(_), ..) => "compose-title-quote",
        (None, Some(_), _) => "post-reply",
        (None, None, true) => "compose-title-later",
        (None, None, false) => "compose-title",
    };
    let at_once = request.form::<CreatePost>();
    let form = if at_once.is_typed() { at_once } else { request.form::<CreateScheduledPost>() };
    // Replies don't wait.
    let next_post = if answered.is_some() { None } else { next_post(context)? };
    Html::of(&Page {
        frame: Frame::of(context, request, request.t(title))?,
        form,
        begun: request.field("content").unwrap_or_default(),
        quoted,
        answered,
        next_post,
        later,
    })
}

/// The post that a field names, if there is one.
fn named(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    field: &str,
) -> Result<Option<Post>> {
    match request.field(field) {
        Some(id) => Ok(Some(context.ask(&GetPost { post_id: id.into(), include: None })?.post)),
        None => Ok(None),
    }
}

/// When the visitor may post again; `None` for now or without a visitor.
pub(super) fn next_post(context: &mut PageContext<'_>) -> Result<Option<Timestamp>> {
    if context.account().is_none() {
        return Ok(None);
    }
    Ok(context.ask(&GetMe {})?.user.next_post_at)
}

/// The images of a form that was refused: they were uploaded, and wait for the post.
pub(super) fn kept_images(form: Form<'_>) -> Vec<&str> {
    let is_id = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    form.all(images::IDS).filter(is_id).collect()
}

/// An image of a form that was not kept: it was refused, or the visitor was signed out.
pub(super) struct LostImage<'a> {
    /// What it shows.
    pub(super) alt: &'a str,
    /// Whether it is the first one, which the refusal is about.
    pub(super) is_first: bool,
}

/// The image with this number, if it was not kept.
pub(super) fn lost_image(form: Form<'_>, number: impl Borrow<usize>) -> Option<LostImage<'_>> {
    let number = number.borrow().to_string();
    let mut lost = form.all(images::LOST).zip(form.all(images::ALT)).enumerate();
    let (place, (_, alt)) = lost.find(|(_, (own, _))| *own == number)?;
    Some(LostImage { alt, is_first: place == 0 })
}

/// Whether an image of a form was not kept.
pub(super) fn has_lost_image(form: Form<'_>) -> bool {
    form.all(images::LOST).next().is_some()
}

fn posted(request: &PageRequest, answer: &PostEnvelope) -> Done {
    let is_reply = request.field(REPLY_TO).is_some();
    let flash = if is_reply { Flash::Replied } else { Flash::Posted };
    Done::to(format!("/post/{}", answer.post.id)).say(flash)
}

/// With a time to publish at, only the button “Post now” publishes at once: Enter in the field of the time presses the
/// first button of the form, which is not the one that schedules.
fn unless_scheduled(context: &mut PageContext<'_>, request: &PageRequest) -> Result<CreatePost> {
    context.signed_in()?;
    if request.field("scheduledFor").is_some() && request.field(NOW).is_none() {
        return Err(request.wrong("scheduledFor", request.t("compose-now-or-later")));
    }
    request.decode()
}

/// Browsers send a local time without a zone, such as `2026-01-31T09:30`: it is in the zone that the
/// label of the field names.
fn at_an_instant(
    context: &mut PageContext<'_>,
    request: &PageRequest,
) -> Result<CreateScheduledPost> {
    context.signed_in()?;
    if request.field(images::IDS).is_some() {
        return Err(request.wrong(images::IDS, request.t("compose-later-images")));
    }
    let text = request.field("scheduledFor").unwrap_or_default();
    let at = Zone::of(request.zone.as_deref()).instant(text);
    let at = at.or_else(|| text.parse().ok());
    let at = at.ok_or_else(|| request.wrong("scheduledFor", request.t("compose-later-when")))?;
    request.with("scheduledFor", at.to_string()).decode()
}

fn scheduled(_: &PageRequest, _: &ScheduledPostEnvelope) -> Done {
    Done::to("/settings/scheduled").say(Flash::Scheduled)
}

/// Options of how the text is read: the value and the id of its label.
pub(super) const FORMATS: [(PostFormat, &str); 2] =
    [(PostFormat::Markdown, "format-markdown"), (PostFormat::Plain, "format-plain")];

/// Options of who may reply: the value and the id of its label.
pub(super) const REPLY_POLICIES: [(ReplyPolicy, &str); 4] = [
    (ReplyPolicy::Everyone, "reply-everyone"),
    (ReplyPolicy::Following, "reply-following"),
    (ReplyPolicy::Mentioned, "reply-mentioned"),
    (ReplyPolicy::None, "reply-none"),
];
