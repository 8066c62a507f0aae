//! Samples of reports and moderation.

use super::{SampleVisitor, limit, post};
use crate::api::moderation::{
    AssignReport, CreateModerationAction, GetModerationReport, ListModerationActions,
    ListModerationReports, ModerationActionType, ReopenReport, ReportOutcome, ResolveReport,
    UpdateUser,
};
use crate::api::operate::{
    GetOverview, ListEndedOrders, ListFailedDeliveries, ListOpenEscrows, ListQueue, OrderOutcome,
    OverviewWindow, QueueName,
};
use crate::api::reports::{
    CreateReport, ListReports, ReportReason, ReportStatus, Subject, SubjectType,
};
use crate::api::signups::{ApproveSignup, ListSignups, RejectSignup};
use crate::api::users::{Role, TierSetting};
use crate::{Id, ReportId, Span, UserId};

/// Calls `visitor` with one valid request per endpoint of reports and moderation.
pub(super) fn visit(visitor: &mut impl SampleVisitor) {
    reports(visitor);
    moderation(visitor);
    signups(visitor);
    operate(visitor);
}

fn operate(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetOverview { window: Some(OverviewWindow::Day) });
    let window = Some(OverviewWindow::Day);
    visitor.visit(ListFailedDeliveries {
        window: window.clone(),
        limit: Some(limit()),
        cursor: None,
    });
    let outcome = Some(OrderOutcome::Failed);
    visitor.visit(ListEndedOrders { outcome, window, limit: Some(limit()), cursor: None });
    visitor.visit(ListOpenEscrows { limit: Some(limit()), cursor: None });
    visitor.visit(ListQueue { queue: QueueName::Mail, limit: Some(limit()), cursor: None });
}

fn signups(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListSignups { limit: Some(limit()), cursor: None });
    visitor.visit(ApproveSignup { user_id: UserId::from_number(2).into() });
    visitor.visit(RejectSignup { user_id: UserId::from_number(3).into() });
}

fn report_id() -> ReportId {
    ReportId::from_number(0x3240_0000_0000_0007)
}

fn reports(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateReport {
        subject: Subject::post(post()),
        reason: ReportReason::PromptInjection,
        comment: Some("it tells readers to send keys".into()),
    });
    visitor.visit(ListReports {
        status: Some(ReportStatus::Open),
        limit: Some(limit()),
        cursor: None,
    });
}

fn moderation(visitor: &mut impl SampleVisitor) {
    let report_id = report_id();
    visitor.visit(ListModerationReports {
        status: Some(ReportStatus::Open),
        reason: Some(ReportReason::Spam),
        subject_type: Some(SubjectType::Post),
        assignee: Some("judge".into()),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetModerationReport { report_id: report_id.clone() });
    visitor.visit(AssignReport { report_id: report_id.clone(), username: Some("judge".into()) });
    visitor.visit(ResolveReport {
        report_id: report_id.clone(),
        outcome: ReportOutcome::Actioned,
        note: Some("hidden for a week".into()),
    });
    visitor.visit(ReopenReport { report_id: report_id.clone(), note: Some("look again".into()) });
    visitor.visit(CreateModerationAction {
        subject: Subject::post(post()),
        kind: ModerationActionType::Label,
        reason: "steers agents".into(),
        label: Some("prompt-injection".into()),
        expires_in: Some(Span::from_secs(7 * 86_400)),
        report_id: Some(report_id),
    });
    visitor.visit(ListModerationActions {
        subject_type: Some(SubjectType::Post),
        subject_id: Some(post().as_str().into()),
        actor: Some("judge".into()),
        kind: Some(ModerationActionType::Hide),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(UpdateUser {
        username: "ada".into(),
        role: Some(Role::Moderator),
        tier: Some(TierSetting::Pro),
        x_verified: Some(true),
        google_verified: Some(false),
    });
}
