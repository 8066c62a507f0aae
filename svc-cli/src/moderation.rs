//! `svc moderation`: reports of all accounts, and actions on their subjects.

mod flags;
mod operate;

use serde_json::Value;
use svc_client::types::api::moderation::{
    AssignReport, CreateModerationAction, GetModerationReport, ListModerationActions,
    ListModerationReports, ModerationAction, ReopenReport, ResolveReport, UpdateUser,
};
use svc_client::types::api::operate::{
    GetOverview, ListEndedOrders, ListFailedDeliveries, ListOpenEscrows, ListQueue,
};
use svc_client::types::api::reports::{Report, ReportEnvelope};
use svc_client::types::api::signups::{ApproveSignup, ListSignups, RejectSignup, Signup};
use svc_client::types::api::users::User;
use svc_client::types::{Id, ReportId};

use self::flags::ActFlags;
use crate::caller::Caller;
use crate::endpoint_command::{EndpointCommand, Given, Table, command, page};
use crate::error::{Error, Result};
use crate::input;
use crate::list;
use crate::output::one_line;
use crate::reports::{row, subject};
use crate::settings::Settings;
use crate::time;

pub(crate) use self::flags::Command;

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Moderation;

impl Table for Moderation {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListModerationReports>("svc moderation queue", |reports, _| {
                list::rows(reports.iter().map(row), "no reports")
            })
            .flag("subjectType", "about"),
            command::<GetModerationReport>("svc moderation show", |answer, _| {
                whole(&answer.report)
            }),
            command::<AssignReport>("svc moderation assign", report)
                .flag("username", "to")
                .explain(explained),
            command::<ResolveReport>("svc moderation resolve", report).explain(explained),
            command::<ReopenReport>("svc moderation reopen", report).explain(explained),
            page::<ListModerationActions>("svc moderation actions", |actions, _| {
                list::rows(actions.iter().map(action_row), "no actions")
            })
            .flag("subjectType", "about")
            .flag("subjectId", "id")
            .flag("actor", "by"),
            page::<ListSignups>("svc moderation signups", |signups, _| {
                list::rows(signups.iter().map(signup_row), "nobody waits for approval")
            }),
            command::<ApproveSignup>("svc moderation approve", |answer, _| user_row(&answer.user)),
            command::<RejectSignup>("svc moderation reject", |_, given| {
                format!("rejected {}", given.text("userId"))
            }),
            command::<GetOverview>("svc moderation overview", |answer, _| {
                operate::overview(&answer.overview)
            }),
            page::<ListFailedDeliveries>("svc moderation failed-deliveries", |deliveries, _| {
                list::rows(deliveries.iter().map(operate::delivery), "no failed deliveries")
            }),
            page::<ListEndedOrders>("svc moderation orders", |orders, _| {
                list::rows(orders.iter().map(operate::order), "no such orders in this time")
            }),
            page::<ListOpenEscrows>("svc moderation escrows", |escrows, _| {
                list::rows(escrows.iter().map(operate::escrow), "no open escrows")
            }),
            page::<ListQueue>("svc moderation waiting", |entries, _| {
                list::rows(entries.iter().map(operate::entry), "nothing is waiting")
            }),
            command::<UpdateUser>("svc moderation user", |answer, _| user_row(&answer.user)),
        ]
    }
}

/// Runs `svc moderation`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Endpoint(command) => command.run(settings).await,
        Command::Act(flags) => act(flags, &settings.caller()?).await,
    }
}

fn report(answer: &ReportEnvelope, _: &Given<'_>) -> String {
    row(&answer.report)
}

/// Names the command that shows the report, where its state is wrong. Another open one of the reporter is named
/// already.
fn explained(error: Box<Error>, given: &Given<'_>) -> Box<Error> {
    let is_of_another = error.hint.as_ref().is_some_and(|hint| hint.starts_with(ReportId::PREFIX));
    if error.code != "wrong_state" || is_of_another {
        return error;
    }
    error.with_state("report").hint(format!("svc moderation show {}", given.text("reportId")))
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
    let members = report.snapshot.iter().flatten().filter_map(member).collect::<Vec<_>>();
    lines.push(if members.is_empty() { "  no copy was stored" } else { "  as it was:" }.to_owned());
    lines.extend(members);
    lines.join("\n")
}

/// A member of the copy that says something, on one line: of an account its name, of anything else that is no text
/// its JSON.
fn member((name, value): (&String, &Value)) -> Option<String> {
    let text = match (value, value.get("username").and_then(Value::as_str)) {
        (Value::String(text), _) => one_line(text),
        (_, Some(username)) => format!("@{username}"),
        _ => value.to_string(),
    };
    let says = !["", "0", "false", "null", "[]", "{}"].contains(&text.as_str());
    says.then(|| format!("    {name}: {text}"))
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
    match caller.send_agreed(request).await.map_err(with_flags)? {
        Some(answer) => caller.out.answer(&answer.value, |done| action_row(&done.action)),
        None => Ok(()),
    }
}

/// Names flags instead of the members of the request.
fn with_flags(mut error: Box<Error>) -> Box<Error> {
    for (member, flag) in [("expiresIn ", "--for"), ("label ", "--label"), ("reason ", "--reason")]
    {
        if let Some(rule) = error.message.strip_prefix(member) {
            error.message = format!("{flag} {rule}");
        }
    }
    error
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

/// An account that waits for approval, on one line.
fn signup_row(signup: &Signup) -> String {
    let kind = if signup.is_agent { "agent" } else { "person" };
    let (id, at) = (&signup.user_id, time::minute(signup.created_at));
    let mut row = format!("{id}  {at}  @{}  {kind}", signup.username);
    if let Some(email) = &signup.email {
        let verified = if signup.email_verified { "verified" } else { "not verified" };
        row = format!("{row}  {} ({verified})", one_line(email));
    }
    format!("{row}  {}  {}", one_line(&signup.display_name), one_line(&signup.bio))
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
