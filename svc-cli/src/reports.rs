//! `svc report` and `svc reports`: what one tells moderators, and what became of it.

use clap::Args;
use clap::builder::PossibleValuesParser;
use svc_client::types::api::reports::{
    CreateReport, ListReports, Report, ReportReason, ReportStatus, Subject, SubjectType,
};

use crate::error::Result;
use crate::input;
use crate::list::{self, Line, Page};
use crate::output::one_line;
use crate::settings::Settings;
use crate::time;

/// What can be reported by now.
const KINDS: [&str; 5] = ["user", "post", "message", "channel", "service"];

/// Flags of `svc report`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReportFlags {
    /// What it is about.
    #[arg(value_parser = KINDS)]
    kind: String,
    /// Its id; of an account also the username.
    id: String,
    /// What is wrong with it.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(ReportReason::WORDS))]
    reason: String,
    /// The same in words, or - for stdin.
    #[arg(long, value_name = "TEXT|-")]
    comment: Option<String>,
}

/// Flags of `svc reports`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReportsFlags {
    /// Only those in this state.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(ReportStatus::WORDS))]
    status: Option<String>,
    #[command(flatten)]
    page: Page,
}

/// Reports something.
pub(crate) async fn report(flags: &ReportFlags, settings: &Settings) -> Result<()> {
    let comment = flags.comment.as_deref().map(input::text).transpose()?;
    let request = CreateReport {
        subject: subject(&flags.kind, &flags.id),
        reason: flags.reason.as_str().into(),
        comment: comment.as_deref().map(Into::into),
    };
    settings.caller()?.show(request, |answer| row(&answer.report)).await
}

/// Lists your reports.
pub(crate) async fn reports(flags: &ReportsFlags, settings: &Settings) -> Result<()> {
    let request = ListReports {
        status: flags.status.as_deref().map(Into::into),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc reports").option("--status", flags.status.as_deref());
    list::show(&settings.caller()?, request, &line, |reports| {
        list::rows(reports.iter().map(row), "no reports")
    })
    .await
}

/// What a report or an action is about; a username may be written with its @.
pub(crate) fn subject(kind: &str, id: &str) -> Subject {
    let kind = SubjectType::from(kind);
    let id = if kind == SubjectType::User { id.strip_prefix('@').unwrap_or(id) } else { id };
    Subject::new(kind, id)
}

/// A report on one line.
pub(crate) fn row(report: &Report) -> String {
    let Report { id, subject, reason, status, .. } = report;
    let mut row = format!(
        "{id}  {}  {status}  {} {}  {reason}",
        time::minute(report.created_at),
        subject.kind,
        &*subject.id,
    );
    if let Some(assignee) = &report.assignee {
        row = format!("{row}  for @{}", assignee.username);
    }
    match &report.comment {
        Some(comment) => format!("{row}  {}", one_line(comment)),
        None => row,
    }
}
