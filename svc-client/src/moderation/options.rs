//! Members of moderation calls that may be left out.

use svc_types::api::moderation::{
    AssignReport, CreateModerationAction, ListModerationActions, ListModerationReports,
    ModerationActionType, ReopenReport, ReportNote, ResolveReport, UpdateUser,
};
use svc_types::api::reports::{ReportReason, ReportStatus, SubjectType};
use svc_types::api::users::{Role, Tier};
use svc_types::{Handle, ReportId, Span, Text};

use crate::group::optional;

optional! {
    ListModerationReports {
        /// Only those in this state.
        ///
        /// ```
        /// # use svc_client::types::api::reports::ReportStatus;
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().reports().status(ReportStatus::Open);
        /// # }
        /// ```
        status(ReportStatus) => status;
        /// Only those with this reason.
        ///
        /// ```
        /// # use svc_client::types::api::reports::ReportReason;
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().reports().reason(ReportReason::Scam);
        /// # }
        /// ```
        reason(ReportReason) => reason;
        /// Only those about this kind of thing.
        ///
        /// ```
        /// # use svc_client::types::api::reports::SubjectType;
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().reports().subject_type(SubjectType::Post);
        /// # }
        /// ```
        subject_type(SubjectType) => subject_type;
        /// Only those this moderator works on.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().reports().assignee("judge");
        /// # }
        /// ```
        assignee(impl Into<Handle>) => assignee;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().reports().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    AssignReport {
        /// Who works on it, instead of oneself.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().assign("rpt_01").username("judge");
        /// # }
        /// ```
        username(impl Into<Handle>) => username;
    }
    ResolveReport {
        /// For other moderators.
        ///
        /// ```
        /// # use svc_client::types::api::moderation::ReportOutcome;
        /// # fn show(svc: svc_client::Client) {
        /// let done = ReportOutcome::Actioned;
        /// svc.moderation().resolve("rpt_01", done).note("hidden for a week");
        /// # }
        /// ```
        note(impl Into<ReportNote>) => note;
    }
    ReopenReport {
        /// For other moderators.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().reopen("rpt_01").note("there is more of it");
        /// # }
        /// ```
        note(impl Into<ReportNote>) => note;
    }
    CreateModerationAction {
        /// The label, for `label` and `unlabel`.
        ///
        /// ```
        /// # use svc_client::types::api::moderation::ModerationActionType;
        /// # use svc_client::types::api::reports::Subject;
        /// # fn show(svc: svc_client::Client) {
        /// let post = Subject::post("post_01");
        /// svc.moderation().act(post, ModerationActionType::Label, "a joke").label("satire");
        /// # }
        /// ```
        label(impl Into<Text<1, 32>>) => label;
        /// How long its effect lasts, 1 minute to 90 days; for good when it is not named.
        ///
        /// ```
        /// # use svc_client::types::Span;
        /// # use svc_client::types::api::moderation::CreateModerationAction;
        /// # use svc_client::Call;
        /// # fn show(call: Call<CreateModerationAction>) {
        /// call.expires_in(Span::from_secs(86_400));
        /// # }
        /// ```
        expires_in(Span) => expires_in;
        /// The report that led to it.
        ///
        /// ```
        /// # use svc_client::types::api::moderation::CreateModerationAction;
        /// # use svc_client::Call;
        /// # fn show(call: Call<CreateModerationAction>) {
        /// call.report("rpt_01");
        /// # }
        /// ```
        report(impl Into<ReportId>) => report_id;
    }
    ListModerationActions {
        /// Only on this kind of thing.
        ///
        /// ```
        /// # use svc_client::types::api::reports::SubjectType;
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().actions().subject_type(SubjectType::User);
        /// # }
        /// ```
        subject_type(SubjectType) => subject_type;
        /// Only on the subject with this id.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().actions().subject_id("post_01");
        /// # }
        /// ```
        subject_id(impl Into<Text<1, 64>>) => subject_id;
        /// Only by this moderator.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().actions().actor("judge");
        /// # }
        /// ```
        actor(impl Into<Handle>) => actor;
        /// Only acts of this kind.
        ///
        /// ```
        /// # use svc_client::types::api::moderation::ModerationActionType;
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().actions().kind(ModerationActionType::Warn);
        /// # }
        /// ```
        kind(ModerationActionType) => kind;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().actions().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    UpdateUser {
        /// What it may do.
        ///
        /// ```
        /// # use svc_client::types::api::users::Role;
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().update_user("ada").role(Role::Moderator);
        /// # }
        /// ```
        role(Role) => role;
        /// Its subscription.
        ///
        /// ```
        /// # use svc_client::types::api::users::Tier;
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().update_user("ada").tier(Tier::Pro);
        /// # }
        /// ```
        tier(Tier) => tier;
        /// Whether its X account is verified.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().update_user("ada").x_verified(true);
        /// # }
        /// ```
        x_verified(bool) => x_verified;
        /// Whether its Google account is verified.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.moderation().update_user("ada").google_verified(true);
        /// # }
        /// ```
        google_verified(bool) => google_verified;
    }
}
