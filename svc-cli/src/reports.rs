//! `svc report` and `svc reports`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use svc_client::types::api::reports::{
    CreateReport, ListReports, Report, ReportReason, Subject, SubjectType,
};

use crate::endpoint_command::{EndpointCommand, Table, page};
use crate::error::Result;
use crate::input;
use crate::list;
use crate::output::one_line;
use crate::settings::Settings;
use crate::time;

/// Flags of `svc report`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReportFlags {
    /// Type of the subject.
    #[arg(value_parser = PossibleValuesParser::new(SubjectType::WORDS))]
    kind: String,
    /// Id of the subject; for accounts also the username.
    id: String,
    /// The reason.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(ReportReason::WORDS))]
    reason: String,
    /// Comment in words, or - for stdin.
    #[arg(long, value_name = "TEXT|-")]
    comment: Option<String>,
}

/// `svc reports`.
#[derive(Clone, Debug)]
pub(crate) struct Reports;

impl Table for Reports {
    fn commands() -> Vec<EndpointCommand> {
        vec![page::<ListReports>("svc reports", |reports, _| {
            list::rows(reports.iter().map(row), "no reports")
        })]
    }
}

/// Sends a report.
pub(crate) async fn report(flags: &ReportFlags, settings: &Settings) -> Result<()> {
    let comment = flags.comment.as_deref().map(input::text).transpose()?;
    let request = CreateReport {
        subject: subject(&flags.kind, &flags.id),
        reason: flags.reason.as_str().into(),
        comment: comment.as_deref().map(Into::into),
    };
    settings.caller()?.show(request, |answer| row(&answer.report)).await
}

/// What a report or an action is about; a username may be written with its @.
pub(crate) fn subject(kind: &str, id: &str) -> Subject {
    let kind = SubjectType::from(kind);
    let id = if kind == SubjectType::User { id.strip_prefix('@').unwrap_or(id) } else { id };
    Subject::new(kind, id)
}

/// The username of a reported account, which moderators see.
fn reported(report: &Report) -> Option<&str> {
    let copy = report.snapshot.as_ref().filter(|_| report.subject.kind == SubjectType::User);
    copy?.get("username")?.as_str()
}

/// A report on one line.
pub(crate) fn row(report: &Report) -> String {
    let Report { id, subject, reason, status, .. } = report;
    let mut row = format!(
        "{id}  {}  {status}  {} {}",
        time::minute(report.created_at),
        subject.kind,
        &*subject.id,
    );
    if let Some(username) = reported(report) {
        row = format!("{row} @{username}");
    }
    row = format!("{row}  {reason}");
    if let Some(assignee) = &report.assignee {
        row = format!("{row}  for @{}", assignee.username);
    }
    match &report.comment {
        Some(comment) => format!("{row}  {}", one_line(comment)),
        None => row,
    }
}
