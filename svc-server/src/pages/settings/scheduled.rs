//! Scheduled posts: the list, and changes of those that wait.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::Deleted;
use svc_types::api::scheduled::{
    DeleteScheduledPost, EditScheduledPost, GetScheduledPost, ListScheduledPosts, ScheduledPost,
    ScheduledPostEnvelope, ScheduledStatus,
};

use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame, Zone};

const PATH: &str = "/settings/scheduled";
const EDIT: &str = "/settings/scheduled/{scheduledPostId}/edit";

/// The field with the time, and the one with the zone that it is in.
const AT: &str = "scheduledFor";
const ZONE: &str = "zone";

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, show)
        .get(EDIT, edit)
        .form_by::<EditScheduledPost>(EDIT, edit, changed, |_, _: &ScheduledPostEnvelope| {
            Done::to(PATH).say(Flash::Saved)
        })
        .button::<DeleteScheduledPost>(
            "/settings/scheduled/{scheduledPostId}/delete",
            |_, _: &Deleted| Done::to(PATH).say(Flash::Unscheduled),
        )
        .when_gone(|_| Done::to(PATH))
}

#[derive(Template)]
#[template(path = "settings/scheduled.html")]
struct Page {
    frame: Frame,
    tab: &'static str,
    scheduled: Vec<ScheduledPost>,
    next: Option<String>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let cursor = request.field("cursor").map(Into::into);
    let page = context.ask(&ListScheduledPosts { status: None, limit: None, cursor })?;
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("compose-scheduled"))?,
        tab: PATH,
        next: request.next(page.next_cursor.as_ref()),
        scheduled: page.scheduled_posts,
    })
}

/// The id of the outcome; an unknown one itself.
fn state(status: &ScheduledStatus) -> &str {
    match status {
        ScheduledStatus::Scheduled => "settings-scheduled-waiting",
        ScheduledStatus::Publishing => "settings-scheduled-publishing",
        ScheduledStatus::Published => "settings-scheduled-published",
        ScheduledStatus::Failed => "settings-scheduled-failed",
        other => other.as_str(),
    }
}

/// Whether the post can still be changed.
fn is_waiting(post: &ScheduledPost) -> bool {
    post.status == ScheduledStatus::Scheduled
}

#[derive(Template)]
#[template(path = "settings/scheduled_edit.html")]
struct Edit<'a> {
    frame: Frame,
    form: Form<'a>,
    post: ScheduledPost,
    /// When it is due, in the visitor's time zone.
    at: String,
    zone: &'a str,
}

impl Edit<'_> {
    /// What the form shows, for its field `shown`.
    fn shown(&self) -> String {
        self.form.shown([
            ("content", self.post.content.as_str()),
            ("contentWarning", self.post.content_warning.as_deref().unwrap_or_default()),
            ("language", self.post.language.as_deref().unwrap_or_default()),
            ("format", self.post.format.as_str()),
            ("replyPolicy", self.post.reply_policy.as_str()),
            (AT, self.at.as_str()),
        ])
    }
}

fn edit(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let scheduled_post_id = request.field("scheduledPostId").unwrap_or_default().into();
    let post = context.ask(&GetScheduledPost { scheduled_post_id })?.scheduled_post;
    let form = request.form::<EditScheduledPost>();
    // What was typed is kept, even if the post was published in the meantime.
    if !is_waiting(&post) && !form.is_typed() {
        return Ok(Html::moved(PATH));
    }
    let zone = request.zone.as_deref();
    Html::of(&Edit {
        frame: Frame::of(context, request, request.t("settings-scheduled-edit"))?,
        at: Zone::of(zone).typed(post.scheduled_for),
        zone: zone.unwrap_or_default(),
        form,
        post,
    })
}

/// The time is in the zone of the page with the form, which may be another one by now.
fn changed(context: &mut PageContext<'_>, request: &PageRequest) -> Result<EditScheduledPost> {
    context.signed_in()?;
    let text = request.field(AT).unwrap_or_default();
    if request.showed(AT, text) {
        return request.decode();
    }
    let at = Zone::of(request.field(ZONE)).instant(text);
    let at = at.ok_or_else(|| request.wrong(AT, request.t("compose-later-when")))?;
    request.with(AT, at.to_string()).decode()
}
