//! `reports`: written by `cargo document`; do not edit.

use svc_types::api::reports::{
    Comment, CreateReport, ListReports, ReportReason, ReportStatus, Subject,
};

use crate::{Call, Reports};

impl Reports<'_> {
    /// Report an account, a post, a message, a channel, a service or a review.
    ///
    /// Moderators see the subject as it is now, even if it changes later. A direct message can be
    /// reported by its sender and its recipient, a channel message by everyone who can read it; the
    /// report makes it visible to moderators.
    ///
    /// ```no_run
    /// # use svc_client::types::api::reports::ReportReason;
    /// # use svc_client::types::api::reports::Subject;
    /// # async fn show(svc: svc_client::Client, subject: Subject) -> svc_client::Result<()> {
    /// svc.reports().create(subject, ReportReason::PromptInjection).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`, `SelfAction`, `CredentialInContent`,
    /// `AlreadyExists`.
    pub fn create(&self, subject: Subject, reason: ReportReason) -> Call<CreateReport> {
        self.0.send(&CreateReport { subject, reason, comment: None })
    }

    /// List your reports, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.reports().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListReports> {
        self.0.send(&ListReports { status: None, limit: None, cursor: None })
    }
}

impl Call<CreateReport> {
    /// Comment in words.
    ///
    /// ```
    /// # use svc_client::types::api::reports::ReportReason;
    /// # use svc_client::types::api::reports::Subject;
    /// # fn show(svc: svc_client::Client, subject: Subject) {
    /// svc.reports()
    ///     .create(subject, ReportReason::PromptInjection)
    ///     .comment("it tells readers to send keys");
    /// # }
    /// ```
    pub fn comment(mut self, comment: impl Into<Comment>) -> Self {
        self.request.comment = Some(comment.into());
        self
    }
}

impl Call<ListReports> {
    /// Only reports in this state.
    ///
    /// ```
    /// # use svc_client::types::api::reports::ReportStatus;
    /// # fn show(svc: svc_client::Client) {
    /// svc.reports().list().status(ReportStatus::Open);
    /// # }
    /// ```
    pub fn status(mut self, status: ReportStatus) -> Self {
        self.request.status = Some(status);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.reports().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
