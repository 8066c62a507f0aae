//! `svc moderation`: the queue of reports, and acts on what was reported.
//!
//! `flags` has the commands.

mod flags;

use serde_json::Value;
use svc_client::types::api::moderation::{
    AssignReport, CreateModerationAction, GetModerationReport, ListModerationActions,
    ListModerationReports, ModerationAction, ReopenReport, ResolveReport, UpdateUser,
};
use svc_client::types::api::reports::Report;
use svc_client::types::api::users::{User, UserEnvelope};

use self::flags::{ActFlags, ActionsFlags, QueueFlags, UserFlags};
use crate::caller::Caller;
use crate::error::Result;
use crate::input;
use crate::list::{self, Line};
use crate::output::one_line;
use crate::reports::{row, subject};
use crate::settings::Settings;
use crate::time;

pub(crate) use self::flags::Command;

/// Runs `svc moderation`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    match command {
        Command::Queue(flags) => queue(flags, &caller).await,
        Command::Show { id } => {
            let request = GetModerationReport { report_id: id.as_str().into() };
            caller.show(request, |answer| whole(&answer.report)).await
        }
        Command::Assign { id, to } => {
            let username = to.as_ref().map(Into::into);
            let request = AssignReport { report_id: id.as_str().into(), username };
            caller.show(request, |answer| row(&answer.report)).await
        }
        Command::Resolve { id, outcome, note } => {
            let request = ResolveReport {
                report_id: id.as_str().into(),
                outcome: outcome.as_str().into(),
                note: note.as_deref().map(Into::into),
            };
            caller.show(request, |answer| row(&answer.report)).await
        }
        Command::Reopen { id, note } => {
            let note = note.as_deref().map(Into::into);
            let request = ReopenReport { report_id: id.as_str().into(), note };
            caller.show(request, |answer| row(&answer.report)).await
        }
        Command::Act(flags) => act(flags, &caller).await,
        Command::Actions(flags) => actions(flags, &caller).await,
        Command::User(flags) => user(flags, &caller).await,
    }
}

async fn queue(flags: &QueueFlags, caller: &Caller) -> Result<()> {
    let request = ListModerationReports {
        status: flags.status.as_deref().map(Into::into),
        reason: flags.reason.as_deref().map(Into::into),
        subject_type: flags.about.as_deref().map(Into::into),
        assignee: flags.assignee.as_ref().map(Into::into),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc moderation queue")
        .option("--status", flags.status.as_deref())
        .option("--reason", flags.reason.as_deref())
        .option("--about", flags.about.as_deref())
        .option("--assignee", flags.assignee.as_deref());
    list::show(caller, request, &line, |reports| list::rows(reports.iter().map(row), "no reports"))
        .await
}

/// A report with its subject as it was.
fn whole(report: &Report) -> String {
    let mut lines = vec![row(report)];
    if let Some(reporter) = &report.reporter {
        lines.push(format!("  reported by: @{}", reporter.username));
    }
    if let Some(note) = &report.note {
        lines.push(format!("  note: {}", one_line(note)));
    }
    let snapshot = report.snapshot.clone().map_or(Value::Null, Value::Object);
    lines.push(format!("  as it was: {}", one_line(&snapshot.to_string())));
    lines.join("\n")
}

async fn act(flags: &ActFlags, caller: &Caller) -> Result<()> {
    let ActFlags { act, kind, id, .. } = flags;
    let reason = input::text(&flags.reason)?;
    if act == "remove" {
        let what = format!("remove the {kind} {id}");
        if caller.has_to_ask(&what)? {
            input::answer(&format!("{what} (it does not come back)?"))?;
        }
    }
    let request = CreateModerationAction {
        subject: subject(kind, id),
        kind: act.as_str().into(),
        reason: reason.as_str().into(),
        label: flags.label.as_deref().map(Into::into),
        expires_in: flags.time,
        report_id: flags.report.as_deref().map(Into::into),
    };
    match caller.send_agreed(request).await? {
        Some(answer) => caller.out.answer(&answer.value, |done| action_row(&done.action)),
        None => Ok(()),
    }
}

async fn actions(flags: &ActionsFlags, caller: &Caller) -> Result<()> {
    let request = ListModerationActions {
        subject_type: flags.about.as_deref().map(Into::into),
        subject_id: flags.id.as_deref().map(Into::into),
        actor: flags.by.as_ref().map(Into::into),
        kind: flags.kind.as_deref().map(Into::into),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc moderation actions")
        .option("--about", flags.about.as_deref())
        .option("--id", flags.id.as_deref())
        .option("--by", flags.by.as_deref())
        .option("--type", flags.kind.as_deref());
    list::show(caller, request, &line, |actions| {
        list::rows(actions.iter().map(action_row), "no actions")
    })
    .await
}

/// An action on one line.
fn action_row(action: &ModerationAction) -> String {
    let mut row = format!(
        "{}  {}  @{}  {} {} {}",
        action.id,
        time::minute(action.created_at),
        action.actor.username,
        action.kind,
        action.subject.kind,
        &*action.subject.id,
    );
    if let Some(label) = &action.label {
        row = format!("{row}  {label}");
    }
    if let Some(end) = action.expires_at {
        row = format!("{row}  until {}", time::minute(end));
    }
    format!("{row}  {}", one_line(&action.reason))
}

async fn user(flags: &UserFlags, caller: &Caller) -> Result<()> {
    let request = UpdateUser {
        username: flags.name.strip_prefix('@').unwrap_or(&flags.name).into(),
        role: flags.role.as_deref().map(Into::into),
        tier: flags.tier.as_deref().map(Into::into),
        x_verified: flags.x_verified,
        google_verified: flags.google_verified,
    };
    caller.show(request, |answer: &UserEnvelope| user_row(&answer.user)).await
}

fn user_row(user: &User) -> String {
    let mut row = format!("@{}  {}  {}", user.username, user.id, user.tier);
    for word in
        [user.role.as_ref().map(ToString::to_string), user.status.as_ref().map(ToString::to_string)]
    {
        row = word.map_or(row.clone(), |word| format!("{row}  {word}"));
    }
    for (name, is_verified) in [("X", user.x_verified), ("Google", user.google_verified)] {
        if is_verified {
            row = format!("{row}  {name} verified");
        }
    }
    row
}
