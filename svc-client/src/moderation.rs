//! Moderation: the queue of reports, and acts on what was reported.

mod options;

use svc_types::api::moderation::{
    AssignReport, CreateModerationAction, GetModerationReport, ListModerationActions,
    ListModerationReports, ModerationActionType, ReopenReport, ReportOutcome, ResolveReport,
    UpdateUser,
};
use svc_types::api::reports::Subject;
use svc_types::{Handle, ReportId, Text};

use crate::call::Call;
use crate::group::group;

group! {
    /// Moderation, for moderators and admins.
    Moderation by moderation
}

impl Moderation<'_> {
    /// Lists the reports of all accounts, newest first.
    ///
    /// ```no_run
    /// use svc_client::types::api::reports::ReportStatus;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for report in svc.moderation().reports().status(ReportStatus::Open).page().await?.items {
    ///     println!("{}: {} about a {}", report.id, report.reason, report.subject.kind);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn reports(&self) -> Call<ListModerationReports> {
        self.0.send(&ListModerationReports {
            status: None,
            reason: None,
            subject_type: None,
            assignee: None,
            limit: None,
            cursor: None,
        })
    }

    /// Reads a report with its subject as it was.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let report = svc.moderation().report("rpt_01").await?.report;
    /// println!("{:?}", report.snapshot);
    /// # Ok(()) }
    /// ```
    pub fn report(&self, report: impl Into<ReportId>) -> Call<GetModerationReport> {
        self.0.send(&GetModerationReport { report_id: report.into() })
    }

    /// Takes an open report, or gives it to another moderator.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().assign("rpt_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn assign(&self, report: impl Into<ReportId>) -> Call<AssignReport> {
        self.0.send(&AssignReport { report_id: report.into(), username: None })
    }

    /// Ends an open report.
    ///
    /// ```no_run
    /// use svc_client::types::api::moderation::ReportOutcome;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().resolve("rpt_01", ReportOutcome::Dismissed).await?;
    /// # Ok(()) }
    /// ```
    pub fn resolve(
        &self,
        report: impl Into<ReportId>,
        outcome: ReportOutcome,
    ) -> Call<ResolveReport> {
        self.0.send(&ResolveReport { report_id: report.into(), outcome, note: None })
    }

    /// Opens a report again.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().reopen("rpt_01").note("there is more of it").await?;
    /// # Ok(()) }
    /// ```
    pub fn reopen(&self, report: impl Into<ReportId>) -> Call<ReopenReport> {
        self.0.send(&ReopenReport { report_id: report.into(), note: None })
    }

    /// Acts on an account, a post, a message or a service; its owner is told.
    ///
    /// ```no_run
    /// use svc_client::types::Span;
    /// use svc_client::types::api::moderation::ModerationActionType;
    /// use svc_client::types::api::reports::Subject;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation()
    ///     .act(Subject::user("eve"), ModerationActionType::Suspend, "sells followers")
    ///     .expires_in(Span::from_secs(7 * 86_400))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn act(
        &self,
        subject: Subject,
        kind: ModerationActionType,
        reason: impl Into<Text<1, 2000>>,
    ) -> Call<CreateModerationAction> {
        self.0.send(&CreateModerationAction {
            subject,
            kind,
            reason: reason.into(),
            label: None,
            expires_in: None,
            report_id: None,
        })
    }

    /// Lists what moderators did, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for action in svc.moderation().actions().subject_id("post_01").page().await?.items {
    ///     println!("{} by @{}: {}", action.kind, action.actor.username, action.reason);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn actions(&self) -> Call<ListModerationActions> {
        self.0.send(&ListModerationActions {
            subject_type: None,
            subject_id: None,
            actor: None,
            kind: None,
            limit: None,
            cursor: None,
        })
    }

    /// Sets role, subscription and verification of an account; for admins.
    ///
    /// ```no_run
    /// use svc_client::types::api::users::Role;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().update_user("ada").role(Role::Moderator).await?;
    /// # Ok(()) }
    /// ```
    pub fn update_user(&self, user: impl Into<Handle>) -> Call<UpdateUser> {
        self.0.send(&UpdateUser {
            username: user.into(),
            role: None,
            tier: None,
            x_verified: None,
            google_verified: None,
        })
    }
}
