//! Posts that are published later by themselves.

use askama::Template;
use svc_types::Timestamp;
use svc_types::api::Deleted;
use svc_types::api::scheduled::{
    CreateScheduledPost, DeleteScheduledPost, ListScheduledPosts, ScheduledPost,
    ScheduledPostEnvelope, ScheduledStatus,
};

use crate::error::{Error, Result};
use crate::http::{Done, Form, Html, Look, PageRequest, Pages};
use crate::pages::{Flash, Frame};

const PATH: &str = "/settings/scheduled";

/// The pages of this part.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, show)
        .form_by::<CreateScheduledPost>(
            PATH,
            show,
            at_an_instant,
            |_, _: &ScheduledPostEnvelope| Done::to(PATH).say(Flash::Scheduled),
        )
        .button::<DeleteScheduledPost>(
            "/settings/scheduled/{scheduledPostId}/delete",
            |_, _: &Deleted| Done::to(PATH).say(Flash::Unscheduled),
        )
}

#[derive(Template)]
#[template(path = "settings/scheduled.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
    scheduled: Vec<ScheduledPost>,
    next: Option<String>,
}

fn show(look: &mut Look<'_>, request: &PageRequest) -> Result<Html> {
    let cursor = request.field("cursor").map(Into::into);
    let page = look.ask(&ListScheduledPosts { status: None, limit: None, cursor })?;
    Html::of(&Page {
        frame: Frame::of(look, request, "Scheduled posts")?,
        tab: PATH,
        form: request.form::<CreateScheduledPost>(),
        next: request.next(page.next_cursor.as_ref()),
        scheduled: page.scheduled_posts,
    })
}

/// Browsers give a day and a time without a zone, such as `2026-01-31T09:30`; it is meant in UTC.
fn at_an_instant(look: &mut Look<'_>, request: &PageRequest) -> Result<CreateScheduledPost> {
    look.signed_in()?;
    let text = request.field("scheduledFor").unwrap_or_default();
    let whole = match text.len() {
        16 => format!("{text}:00Z"),
        19 => format!("{text}Z"),
        _ => text.to_owned(),
    };
    let scheduled_for: Timestamp = whole
        .parse()
        .map_err(|_| Error::invalid("scheduledFor", "scheduledFor must be a day and a time"))?;
    Ok(CreateScheduledPost {
        content: request.field("content").unwrap_or_default().into(),
        scheduled_for,
        reply_to_id: None,
        quote_of_id: None,
        content_warning: request.field("contentWarning").map(Into::into),
        language: None,
        reply_policy: None,
        schema: None,
        payload: None,
    })
}

/// What became of it, in words.
pub(super) fn state(status: &ScheduledStatus) -> &str {
    match status {
        ScheduledStatus::Scheduled => "waits",
        ScheduledStatus::Publishing => "is being published",
        ScheduledStatus::Published => "published",
        ScheduledStatus::Failed => "failed",
        other => other.as_str(),
    }
}
