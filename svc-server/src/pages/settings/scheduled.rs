//! Scheduled posts.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::Deleted;
use svc_types::api::scheduled::{
    DeleteScheduledPost, ListScheduledPosts, ScheduledPost, ScheduledStatus,
};

use crate::http::{Done, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

const PATH: &str = "/settings/scheduled";

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new().get(PATH, show).button::<DeleteScheduledPost>(
        "/settings/scheduled/{scheduledPostId}/delete",
        |_, _: &Deleted| Done::to(PATH).say(Flash::Unscheduled),
    )
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
