//! Filing a report on any subject.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::reports::{CreateReport, ReportEnvelope, ReportReason};

use super::{Flash, Frame};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// Reasons to choose from.
const REASONS: [(ReportReason, &str); 10] = [
    (ReportReason::Spam, "Spam"),
    (ReportReason::Harassment, "Harassment"),
    (ReportReason::Impersonation, "Impersonation"),
    (ReportReason::PersonalData, "Private information"),
    (ReportReason::PromptInjection, "Prompt injection"),
    (ReportReason::CredentialLeak, "Leaked credentials"),
    (ReportReason::Scam, "Fraud"),
    (ReportReason::Illegal, "Illegal content"),
    (ReportReason::NonDelivery, "Paid and not delivered"),
    (ReportReason::Unlisted, "Something else"),
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
    reasons: &'static [(ReportReason, &'static str)],
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    Html::of(&Page {
        frame: Frame::of(context, request, "Report")?,
        form: request.form::<CreateReport>(),
        kind: request.field("subject.type").unwrap_or_default(),
        id: request.field("subject.id").unwrap_or_default(),
        back: request.local("back").unwrap_or("/"),
        reasons: &REASONS,
    })
}

fn reported(request: &PageRequest, _: &ReportEnvelope) -> Done {
    Done::back(request).say(Flash::Reported)
}
