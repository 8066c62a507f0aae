//! Filing a report on any subject.

use askama::Template;
use svc_core::ids;
use svc_store::error::{Error, Result};
use svc_types::api::posts::{GetPost, Post};
use svc_types::api::reports::{CreateReport, ReportEnvelope, ReportReason, SubjectType};

use super::{Flash, Frame};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// Reasons to choose from, each with the id of its label.
const REASONS: [(ReportReason, &str); 10] = [
    (ReportReason::Spam, "report-spam"),
    (ReportReason::Harassment, "report-harassment"),
    (ReportReason::Impersonation, "report-impersonation"),
    (ReportReason::PersonalData, "report-private"),
    (ReportReason::PromptInjection, "report-injection"),
    (ReportReason::CredentialLeak, "report-credentials"),
    (ReportReason::Scam, "report-fraud"),
    (ReportReason::Illegal, "report-illegal"),
    (ReportReason::NonDelivery, "report-undelivered"),
    (ReportReason::Unlisted, "report-else"),
];

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/report", show).form::<CreateReport>("/report", show, reported)
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    kind: &'a str,
    id: &'a str,
    back: &'a str,
    /// What is reported, if it is a post.
    post: Option<Post>,
    reasons: &'static [(ReportReason, &'static str)],
}

impl Page<'_> {
    /// The id of the question, which names what is reported.
    fn question(&self) -> &'static str {
        match SubjectType::from(self.form.or("subject.type", self.kind)) {
            SubjectType::User => "report-what-user",
            SubjectType::Post => "report-what-post",
            SubjectType::Message | SubjectType::ChannelMessage => "report-what-message",
            SubjectType::Channel => "report-what-channel",
            SubjectType::Service => "report-what-service",
            SubjectType::Review => "report-what-review",
            _ => "report-what",
        }
    }
}

/// The post that is reported; none if it is something else, or can't be read.
fn post(context: &mut PageContext<'_>, kind: &str, id: &str) -> Result<Option<Post>> {
    if SubjectType::from(kind) != SubjectType::Post || id.is_empty() || !ids::can_exist(id) {
        return Ok(None);
    }
    match context.ask(&GetPost { post_id: id.into(), include: None }) {
        Ok(found) => Ok(Some(found.post)),
        Err(Error::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let kind = request.field("subject.type").unwrap_or_default();
    let id = request.field("subject.id").unwrap_or_default();
    Html::of(&Page {
        post: post(context, kind, id)?,
        frame: Frame::of(context, request, request.t("social-report"))?,
        form: request.form::<CreateReport>(),
        kind,
        id,
        back: request.local("back").unwrap_or("/"),
        reasons: &REASONS,
    })
}

fn reported(request: &PageRequest, _: &ReportEnvelope) -> Done {
    Done::back(request).say(Flash::Reported)
}
