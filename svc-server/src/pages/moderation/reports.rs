//! The queue of reports, and one report with a snapshot of its subject.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::moderation::{
    AssignReport, GetModerationReport, ListModerationActions, ListModerationReports,
    ModerationAction, ModerationActionPage, ReopenReport, ResolveReport,
};
use svc_types::api::reports::{Report, ReportEnvelope, ReportStatus, SubjectType};

use super::moderator;
use super::names::Names;
use super::snapshot::Snapshot;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

/// The pages of this module.
pub(super) fn pages() -> Pages {
    let one = "/moderation/reports/{reportId}";
    Pages::new()
        .get("/moderation", queue)
        .get(one, show)
        .form::<ResolveReport>(one, show, |_, _: &ReportEnvelope| {
            Done::to("/moderation").say(Flash::Closed)
        })
        .button::<AssignReport>("/moderation/reports/{reportId}/claim", |request, _| {
            at(request).say(Flash::Claimed)
        })
        .form::<ReopenReport>("/moderation/reports/{reportId}/reopen", show, |request, _| {
            at(request).say(Flash::Reopened)
        })
}

/// Redirects back to the report.
fn at(request: &PageRequest) -> Done {
    Done::to(format!("/moderation/reports/{}", request.field("reportId").unwrap_or_default()))
}

#[derive(Template)]
#[template(path = "moderation/queue.html")]
struct Queue<'a> {
    frame: Frame,
    tab: &'static str,
    reports: Vec<Report>,
    status: &'a str,
    next: Option<String>,
}

fn queue(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    moderator(context)?;
    let status = request.field("status").unwrap_or(ReportStatus::Open.as_str());
    let asked = ListModerationReports {
        status: Some(status.into()).filter(|_| status != "all"),
        reason: None,
        subject_type: None,
        assignee: None,
        limit: None,
        cursor: request.field("cursor").map(Into::into),
    };
    let page = context.ask(&asked)?;
    Html::of(&Queue {
        frame: Frame::of(context, request, request.t("moderation-reports"))?,
        tab: "/moderation",
        next: request.next(page.next_cursor.as_ref()),
        reports: page.reports,
        status,
    })
}

#[derive(Template)]
#[template(path = "moderation/report.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    report: &'a Report,
    /// What was reported, as it was then, unless nothing was stored.
    snapshot: Option<Snapshot<'a>>,
    /// Previous actions on the subject.
    actions: Vec<ModerationAction>,
    names: Names,
    /// Whether another action on it is possible.
    takes_acts: bool,
    /// Whether another moderator decides it.
    is_left: bool,
    form: Form<'a>,
    reopen: Form<'a>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    moderator(context)?;
    let report_id = request.field("reportId").unwrap_or_default().into();
    let report = context.ask(&GetModerationReport { report_id })?.report;
    let asked = ListModerationActions {
        subject_type: Some(report.subject.kind.clone()),
        subject_id: Some(report.subject.id.clone()),
        actor: None,
        kind: None,
        limit: None,
        cursor: None,
    };
    let ModerationActionPage { actions, subject_gone, .. } = context.ask(&asked)?;
    let is_left = context.is_left_to_others(&report.id)?;
    let copy = report.snapshot.as_ref().filter(|copy| !copy.is_empty());
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("moderation-report"))?,
        tab: "/moderation",
        snapshot: copy.map(|copy| Snapshot::of(&report.subject.kind, copy)),
        report: &report,
        names: Names::of(context, &actions)?,
        actions,
        takes_acts: subject_gone != Some(true),
        is_left,
        form: request.form::<ResolveReport>(),
        reopen: request.form::<ReopenReport>(),
    })
}

/// The path of the subject's page, if it has one.
pub(super) fn place(kind: &SubjectType, id: &str) -> Option<String> {
    match kind {
        SubjectType::Post => Some(format!("/post/{id}")),
        SubjectType::User => Some(format!("/@{id}")),
        _ => None,
    }
}
