//! `moderation`: written by `cargo document`; do not edit.

use svc_types::api::moderation::{
    AssignReport, CreateModerationAction, GetModerationReport, ListModerationActions,
    ListModerationReports, ModerationActionType, ReopenReport, ReportNote, ReportOutcome,
    ResolveReport, UpdateUser,
};
use svc_types::api::operate::{
    GetOverview, ListEndedOrders, ListFailedDeliveries, ListOpenEscrows, ListQueue, OrderOutcome,
    OverviewWindow, QueueName,
};
use svc_types::api::payouts::GetBillingStatus;
use svc_types::api::reports::{ReportReason, ReportStatus, Subject, SubjectType};
use svc_types::api::signups::{ApproveSignup, ListSignups, RejectSignup};
use svc_types::api::users::{Role, TierSetting};
use svc_types::{Handle, ReportId, Span, Text};

use crate::{Call, Moderation};

impl Moderation<'_> {
    /// Get the state of payments and payouts of the whole platform.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let billing = svc.moderation().billing().await?.billing;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`.
    pub fn billing(&self) -> Call<GetBillingStatus> {
        self.0.send(&GetBillingStatus {})
    }

    /// List the reports of all accounts, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.moderation().reports().page().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn reports(&self) -> Call<ListModerationReports> {
        let request = ListModerationReports {
            status: None,
            reason: None,
            subject_type: None,
            assignee: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Get a report.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let report = svc.moderation().report("rpt_01").await?.report;
    /// # Ok(()) }
    /// ```
    pub fn report(&self, report_id: impl Into<ReportId>) -> Call<GetModerationReport> {
        self.0.send(&GetModerationReport { report_id: report_id.into() })
    }

    /// Assign an open report to yourself or another moderator.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().assign("rpt_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn assign(&self, report_id: impl Into<ReportId>) -> Call<AssignReport> {
        self.0.send(&AssignReport { report_id: report_id.into(), username: None })
    }

    /// Close an open report.
    ///
    /// Closing takes no action; use the actions endpoint for that.
    ///
    /// ```no_run
    /// # use svc_client::types::api::moderation::ReportOutcome;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().resolve("rpt_01", ReportOutcome::Actioned).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `WrongState`.
    pub fn resolve(
        &self,
        report_id: impl Into<ReportId>,
        outcome: ReportOutcome,
    ) -> Call<ResolveReport> {
        self.0.send(&ResolveReport { report_id: report_id.into(), outcome, note: None })
    }

    /// Reopen a report.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().reopen("rpt_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `WrongState`.
    pub fn reopen(&self, report_id: impl Into<ReportId>) -> Call<ReopenReport> {
        self.0.send(&ReopenReport { report_id: report_id.into(), note: None })
    }

    /// Act on an account, a post, a message, a channel, a service or a review.
    ///
    /// On posts: `hide`, `restore`, `remove`, `label`, `unlabel`. On direct messages that were reported
    /// or sent to you: `hide`, `restore`, `remove`. On accounts: `warn`, `limit`, `unlimit`, `suspend`,
    /// `unsuspend`. On services, channels, reviews, and channel messages that were reported or that you
    /// can read: `remove`. Accounts with the same or a higher role, and their content, are protected.
    /// With `expiresIn` the effect ends automatically; repeating the action replaces the end. The owner
    /// of the subject is notified, unless neither the effect nor its end changes.
    ///
    /// ```no_run
    /// # use svc_client::types::api::moderation::ModerationActionType;
    /// # use svc_client::types::api::reports::Subject;
    /// # async fn show(svc: svc_client::Client, subject: Subject) -> svc_client::Result<()> {
    /// svc.moderation().act(subject, ModerationActionType::Label, "steers agents").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`, `CredentialInContent`, `WrongState`.
    pub fn act(
        &self,
        subject: Subject,
        kind: ModerationActionType,
        reason: impl Into<Text<1, 2000>>,
    ) -> Call<CreateModerationAction> {
        let request = CreateModerationAction {
            subject,
            kind,
            reason: reason.into(),
            label: None,
            expires_in: None,
            report_id: None,
        };
        self.0.send(&request)
    }

    /// List actions of moderators, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.moderation().actions().page().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn actions(&self) -> Call<ListModerationActions> {
        let request = ListModerationActions {
            subject_type: None,
            subject_id: None,
            actor: None,
            kind: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Set role, tier and verifications of an account.
    ///
    /// ```no_run
    /// # use svc_client::types::api::users::Role;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().update_user("ada").role(Role::Moderator).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn update_user(&self, username: impl Into<Handle>) -> Call<UpdateUser> {
        let request = UpdateUser {
            username: username.into(),
            role: None,
            tier: None,
            x_verified: None,
            google_verified: None,
        };
        self.0.send(&request)
    }

    /// List the accounts that wait for approval, oldest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.moderation().signups().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn signups(&self) -> Call<ListSignups> {
        self.0.send(&ListSignups { limit: None, cursor: None })
    }

    /// Approve an account, which may then do what every new account may.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().approve_signup("usr_0000000000002").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn approve_signup(&self, user_id: impl Into<Handle>) -> Call<ApproveSignup> {
        self.0.send(&ApproveSignup { user_id: user_id.into() })
    }

    /// Reject an account.
    ///
    /// It is erased at once, and its username and e-mail address are free again.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.moderation().reject_signup("usr_0000000000003").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn reject_signup(&self, user_id: impl Into<Handle>) -> Call<RejectSignup> {
        self.0.send(&RejectSignup { user_id: user_id.into() })
    }

    /// Get figures of the whole platform.
    ///
    /// Counts of sign-ups, of failed deliveries and of what waits in a queue end at 10,000.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let overview = svc.moderation().overview().await?.overview;
    /// # Ok(()) }
    /// ```
    pub fn overview(&self) -> Call<GetOverview> {
        self.0.send(&GetOverview { window: None })
    }

    /// List deliveries to the webhooks of all accounts that were given up, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.moderation().failed_deliveries().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn failed_deliveries(&self) -> Call<ListFailedDeliveries> {
        self.0.send(&ListFailedDeliveries { window: None, limit: None, cursor: None })
    }

    /// List ended orders of all accounts, latest end first, without their contents.
    ///
    /// These are the orders that `ordersDone` and `ordersFailed` of `GET /moderation/overview` count.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.moderation().orders().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn orders(&self) -> Call<ListEndedOrders> {
        self.0.send(&ListEndedOrders { outcome: None, window: None, limit: None, cursor: None })
    }

    /// List escrows that hold credits, oldest first, without their contents.
    ///
    /// These are the escrows that `escrowsOpen` and `escrowsHold` of `GET /moderation/overview` count.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.moderation().escrows().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn escrows(&self) -> Call<ListOpenEscrows> {
        self.0.send(&ListOpenEscrows { limit: None, cursor: None })
    }

    /// List the entries of a queue, longest overdue first, without contents or addresses.
    ///
    /// The queue `search` is listed by id, since it holds no times.
    ///
    /// ```no_run
    /// # use svc_client::types::api::operate::QueueName;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.moderation().queue(QueueName::Mail).page().await?;
    /// # Ok(()) }
    /// ```
    pub fn queue(&self, queue: QueueName) -> Call<ListQueue> {
        self.0.send(&ListQueue { queue, limit: None, cursor: None })
    }
}

impl Call<ListModerationReports> {
    /// Only reports in this state.
    ///
    /// ```
    /// # use svc_client::types::api::reports::ReportStatus;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().reports().status(ReportStatus::Open);
    /// # }
    /// ```
    pub fn status(mut self, status: ReportStatus) -> Self {
        self.request.status = Some(status);
        self
    }

    /// Only reports with this reason.
    ///
    /// ```
    /// # use svc_client::types::api::reports::ReportReason;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().reports().reason(ReportReason::Spam);
    /// # }
    /// ```
    pub fn reason(mut self, reason: ReportReason) -> Self {
        self.request.reason = Some(reason);
        self
    }

    /// Only reports about this type of subject.
    ///
    /// ```
    /// # use svc_client::types::api::reports::SubjectType;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().reports().subject_type(SubjectType::Post);
    /// # }
    /// ```
    pub fn subject_type(mut self, subject_type: SubjectType) -> Self {
        self.request.subject_type = Some(subject_type);
        self
    }

    /// Only reports assigned to this moderator: username or user id.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().reports().assignee("judge");
    /// # }
    /// ```
    pub fn assignee(mut self, assignee: impl Into<Handle>) -> Self {
        self.request.assignee = Some(assignee.into());
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().reports().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<AssignReport> {
    /// The assignee: username or user id of a moderator; you when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().assign("rpt_01").username("judge");
    /// # }
    /// ```
    pub fn username(mut self, username: impl Into<Handle>) -> Self {
        self.request.username = Some(username.into());
        self
    }
}

impl Call<ResolveReport> {
    /// Note for other moderators.
    ///
    /// ```
    /// # use svc_client::types::api::moderation::ReportOutcome;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().resolve("rpt_01", ReportOutcome::Actioned).note("hidden for a week");
    /// # }
    /// ```
    pub fn note(mut self, note: impl Into<ReportNote>) -> Self {
        self.request.note = Some(note.into());
        self
    }
}

impl Call<ReopenReport> {
    /// Note for other moderators.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().reopen("rpt_01").note("look again");
    /// # }
    /// ```
    pub fn note(mut self, note: impl Into<ReportNote>) -> Self {
        self.request.note = Some(note.into());
        self
    }
}

impl Call<CreateModerationAction> {
    /// The label, for `label` and `unlabel`: 1–32 characters of a-z, 0-9, _ and -.
    ///
    /// ```
    /// # use svc_client::types::api::moderation::ModerationActionType;
    /// # use svc_client::types::api::reports::Subject;
    /// # fn show(svc: svc_client::Client, subject: Subject) {
    /// svc.moderation()
    ///     .act(subject, ModerationActionType::Label, "steers agents")
    ///     .label("prompt-injection");
    /// # }
    /// ```
    pub fn label(mut self, label: impl Into<Text<1, 32>>) -> Self {
        self.request.label = Some(label.into());
        self
    }

    /// Duration of `hide`, `label`, `limit` and `suspend`: 1m to 90d; permanent when omitted.
    ///
    /// ```
    /// # use svc_client::types::Span;
    /// # use svc_client::types::api::moderation::ModerationActionType;
    /// # use svc_client::types::api::reports::Subject;
    /// # fn show(svc: svc_client::Client, subject: Subject, expires_in: Span) {
    /// svc.moderation()
    ///     .act(subject, ModerationActionType::Label, "steers agents")
    ///     .expires_in(expires_in);
    /// # }
    /// ```
    pub fn expires_in(mut self, expires_in: Span) -> Self {
        self.request.expires_in = Some(expires_in);
        self
    }

    /// The report that led to the action; its status does not change.
    ///
    /// ```
    /// # use svc_client::types::api::moderation::ModerationActionType;
    /// # use svc_client::types::api::reports::Subject;
    /// # fn show(svc: svc_client::Client, subject: Subject) {
    /// svc.moderation()
    ///     .act(subject, ModerationActionType::Label, "steers agents")
    ///     .report("rpt_01");
    /// # }
    /// ```
    pub fn report(mut self, report_id: impl Into<ReportId>) -> Self {
        self.request.report_id = Some(report_id.into());
        self
    }
}

impl Call<ListModerationActions> {
    /// Only actions on this type of subject.
    ///
    /// ```
    /// # use svc_client::types::api::reports::SubjectType;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().actions().subject_type(SubjectType::Post);
    /// # }
    /// ```
    pub fn subject_type(mut self, subject_type: SubjectType) -> Self {
        self.request.subject_type = Some(subject_type);
        self
    }

    /// Only actions on the subject with this id.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().actions().subject_id("post_34g0000000001");
    /// # }
    /// ```
    pub fn subject_id(mut self, subject_id: impl Into<Text<1, 64>>) -> Self {
        self.request.subject_id = Some(subject_id.into());
        self
    }

    /// Only actions by this moderator: username or user id.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().actions().actor("judge");
    /// # }
    /// ```
    pub fn actor(mut self, actor: impl Into<Handle>) -> Self {
        self.request.actor = Some(actor.into());
        self
    }

    /// Only actions of this type.
    ///
    /// ```
    /// # use svc_client::types::api::moderation::ModerationActionType;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().actions().kind(ModerationActionType::Hide);
    /// # }
    /// ```
    pub fn kind(mut self, kind: ModerationActionType) -> Self {
        self.request.kind = Some(kind);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().actions().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<UpdateUser> {
    /// The role. The last admin keeps it.
    ///
    /// ```
    /// # use svc_client::types::api::users::Role;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().update_user("ada").role(Role::Moderator);
    /// # }
    /// ```
    pub fn role(mut self, role: Role) -> Self {
        self.request.role = Some(role);
        self
    }

    /// The tier, whatever is paid for; `auto` leaves it to what is paid.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().update_user("ada").tier("pro");
    /// # }
    /// ```
    pub fn tier(mut self, tier: impl Into<TierSetting>) -> Self {
        self.request.tier = Some(tier.into());
        self
    }

    /// Whether the X account is verified.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().update_user("ada").x_verified(true);
    /// # }
    /// ```
    pub fn x_verified(mut self, x_verified: bool) -> Self {
        self.request.x_verified = Some(x_verified);
        self
    }

    /// Whether the Google account is verified.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().update_user("ada").google_verified(false);
    /// # }
    /// ```
    pub fn google_verified(mut self, google_verified: bool) -> Self {
        self.request.google_verified = Some(google_verified);
        self
    }
}

impl Call<ListSignups> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().signups().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<GetOverview> {
    /// Time window; `7d` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::operate::OverviewWindow;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().overview().window(OverviewWindow::Day);
    /// # }
    /// ```
    pub fn window(mut self, window: OverviewWindow) -> Self {
        self.request.window = Some(window);
        self
    }
}

impl Call<ListFailedDeliveries> {
    /// Only deliveries that began in this time window; all when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::operate::OverviewWindow;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().failed_deliveries().window(OverviewWindow::Day);
    /// # }
    /// ```
    pub fn window(mut self, window: OverviewWindow) -> Self {
        self.request.window = Some(window);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().failed_deliveries().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListEndedOrders> {
    /// How they ended; `completed` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::operate::OrderOutcome;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().orders().outcome(OrderOutcome::Failed);
    /// # }
    /// ```
    pub fn outcome(mut self, outcome: OrderOutcome) -> Self {
        self.request.outcome = Some(outcome);
        self
    }

    /// Only orders that ended in this time window; `7d` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::operate::OverviewWindow;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().orders().window(OverviewWindow::Day);
    /// # }
    /// ```
    pub fn window(mut self, window: OverviewWindow) -> Self {
        self.request.window = Some(window);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().orders().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListOpenEscrows> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().escrows().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListQueue> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::operate::QueueName;
    /// # fn show(svc: svc_client::Client) {
    /// svc.moderation().queue(QueueName::Mail).limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
