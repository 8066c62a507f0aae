//! Reports: something is told to moderators, and one sees what became of it.

use svc_types::api::reports::{
    Comment, CreateReport, ListReports, ReportReason, ReportStatus, Subject,
};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Reports: something is told to moderators.
    Reports by reports
}

impl Reports<'_> {
    /// Reports an account, a post, a message or a service.
    ///
    /// ```no_run
    /// use svc_client::types::api::reports::{ReportReason, Subject};
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let post = Subject::post("post_01");
    /// svc.reports().create(post, ReportReason::PromptInjection).await?;
    /// # Ok(()) }
    /// ```
    pub fn create(&self, subject: Subject, reason: ReportReason) -> Call<CreateReport> {
        self.0.send(&CreateReport { subject, reason, comment: None })
    }

    /// Lists one's own reports, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for report in svc.reports().list().page().await?.items {
    ///     println!("{} is {}", report.id, report.status);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListReports> {
        self.0.send(&ListReports { status: None, limit: None, cursor: None })
    }
}

optional! {
    CreateReport {
        /// What is wrong, in words.
        ///
        /// ```
        /// # use svc_client::types::api::reports::{ReportReason, Subject};
        /// # fn show(svc: svc_client::Client) {
        /// svc.reports().create(Subject::user("eve"), ReportReason::Spam).comment("all day");
        /// # }
        /// ```
        comment(impl Into<Comment>) => comment;
    }
    ListReports {
        /// Only those in this state.
        ///
        /// ```
        /// # use svc_client::types::api::reports::ReportStatus;
        /// # fn show(svc: svc_client::Client) {
        /// svc.reports().list().status(ReportStatus::Open);
        /// # }
        /// ```
        status(ReportStatus) => status;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.reports().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
