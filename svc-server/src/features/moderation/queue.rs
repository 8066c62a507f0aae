//! The queue of reports for moderators.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::select_reports;
use svc_core::services::account;
use svc_core::services::audit::{self, By, On};
use svc_core::services::report::{self, Record};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::moderation::{
    AssignReport, GetModerationReport, ListModerationReports, ReopenReport, ReportOutcome,
    ResolveReport,
};
use svc_types::api::reports::{ReportEnvelope, ReportPage, ReportStatus};
use svc_types::{Code, ReportId, UserId};

pub(super) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListModerationReports,
) -> Result<ReportPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let assignee = match &request.assignee {
        None => None,
        Some(handle) => {
            let found = account::find_for_moderators(ctx, handle.as_str());
            Some(found.map_err(|error| error.about("assignee"))?)
        }
    };
    let mut records = found(ctx, request, assignee.as_ref(), &page)?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    let reports = records.into_iter().map(|record| record.whole(ctx, caller));
    let reports = reports.collect::<Result<_>>()?;
    Ok(ReportPage { reports, next_cursor })
}

/// Scans the index of the most selective filter and applies the other filters to each row.
fn found(
    ctx: &mut Ctx<'_, '_>,
    request: &ListModerationReports,
    assignee: Option<&UserId>,
    page: &Page,
) -> Result<Vec<Record>> {
    let before = page.before();
    let ListModerationReports { status, reason, subject_type, .. } = request;
    if assignee.is_some() {
        return ctx.tx.all(
            select_reports!(
                "where r.assignee = $1 and r.id < $2
                    and (cast($3 as text) is null or r.status = $3)
                    and (cast($4 as text) is null or r.reason = $4)
                    and (cast($5 as text) is null or r.subject_type = $5)
                 order by r.id desc limit $6"
            ),
            values![assignee, before, status, reason, subject_type, page.rows()],
        );
    }
    if *status == Some(ReportStatus::Open) || reason.is_none() && subject_type.is_none() {
        return by_status(ctx, request, before, page);
    }
    if reason.is_some() {
        return ctx.tx.all(
            select_reports!(
                "where r.reason = $1 and r.id < $2
                    and (cast($3 as text) is null or r.status = $3)
                    and (cast($4 as text) is null or r.subject_type = $4)
                 order by r.id desc limit $5"
            ),
            values![reason, before, status, subject_type, page.rows()],
        );
    }
    ctx.tx.all(
        select_reports!(
            "where r.subject_type = $1 and r.id < $2
                and (cast($3 as text) is null or r.status = $3)
             order by r.id desc limit $4"
        ),
        values![subject_type, before, status, page.rows()],
    )
}

/// Reads all open reports without a filter, because there are few.
fn by_status(
    ctx: &mut Ctx<'_, '_>,
    request: &ListModerationReports,
    before: &str,
    page: &Page,
) -> Result<Vec<Record>> {
    let ListModerationReports { status, reason, subject_type, .. } = request;
    if status.is_none() {
        return ctx.tx.all(
            select_reports!("where r.id < $1 order by r.id desc limit $2"),
            values![before, page.rows()],
        );
    }
    ctx.tx.all(
        select_reports!(
            "where r.status = $1 and r.id < $2
                and (cast($3 as text) is null or r.reason = $3)
                and (cast($4 as text) is null or r.subject_type = $4)
             order by r.id desc limit $5"
        ),
        values![status, before, reason, subject_type, page.rows()],
    )
}

pub(super) fn read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetModerationReport,
) -> Result<ReportEnvelope> {
    envelope(ctx, caller, &request.report_id)
}

fn envelope(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &ReportId) -> Result<ReportEnvelope> {
    Ok(ReportEnvelope { report: report::by_id(ctx, id)?.whole(ctx, caller)? })
}

/// 409 for a report in the wrong state, which the hint contains.
fn wrong_state(ctx: &mut Ctx<'_, '_>, id: &ReportId) -> Result<Error> {
    let status = report::by_id(ctx, id)?.status;
    let refusal = Refusal::new(Code::WrongState, format!("the report is {status}"));
    Ok(refusal.hint(status.as_str()).into())
}

pub(super) fn assign(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &AssignReport,
) -> Result<ReportEnvelope> {
    let record = report::by_id(ctx, &request.report_id)?;
    refuse_own(ctx, caller, &record)?;
    let assignee = match &request.username {
        None => caller.id.clone(),
        Some(handle) => moderator(ctx, handle.as_str(), &record)?,
    };
    let rows = ctx.tx.execute(
        sql!("update report set assignee = $1 where id = $2 and status = 'open'"),
        values![assignee, record.id],
    )?;
    if rows == 0 {
        return Err(wrong_state(ctx, &record.id)?);
    }
    audit::write(
        ctx,
        By(caller.id.as_str()),
        "report_assigned",
        On(record.id.as_str()),
        Some(assignee.as_str()),
    )?;
    envelope(ctx, caller, &record.id)
}

/// The account with this name, which must be a moderator who may decide the report.
fn moderator(ctx: &mut Ctx<'_, '_>, handle: &str, report: &Record) -> Result<UserId> {
    let found = account::find(ctx, handle)?;
    let found = found.ok_or_else(|| Error::not_found("account").about("username"))?;
    if !found.is_moderator() {
        return Err(Error::invalid("username", "username must be that of a moderator"));
    }
    if report.concerns(ctx, found.person())? {
        let rule = "username must be that of a moderator whom the report does not concern";
        return Err(Error::invalid("username", rule));
    }
    Ok(found.id)
}

pub(super) fn resolve(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ResolveReport,
) -> Result<ReportEnvelope> {
    let note = note(request.note.as_deref());
    let record = report::by_id(ctx, &request.report_id)?;
    refuse_own(ctx, caller, &record)?;
    let status = match request.outcome {
        ReportOutcome::Dismissed => ReportStatus::Dismissed,
        _ => ReportStatus::Resolved,
    };
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update report set status = $1, resolved_at = $2, note = coalesce($3, note)
             where id = $4 and status = 'open'"
        ),
        values![status, now, note, record.id],
    )?;
    if rows == 0 {
        return Err(wrong_state(ctx, &record.id)?);
    }
    let action = format!("report_{status}");
    audit::write(ctx, By(caller.id.as_str()), &action, On(record.id.as_str()), note)?;
    envelope(ctx, caller, &record.id)
}

/// A moderator does not decide reports that they filed or that concern them.
fn refuse_own(ctx: &mut Ctx<'_, '_>, caller: &Account, record: &Record) -> Result<()> {
    if !record.concerns(ctx, caller.person())? {
        return Ok(());
    }
    let message = "another moderator decides reports by or about you and your agents";
    Err(Error::refused(Code::Forbidden, message))
}

fn note(note: Option<&str>) -> Option<&str> {
    note.filter(|text| !text.is_empty())
}

pub(super) fn reopen(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReopenReport,
) -> Result<ReportEnvelope> {
    let note = note(request.note.as_deref());
    let record = report::by_id(ctx, &request.report_id)?;
    refuse_own(ctx, caller, &record)?;
    // The lock prevents the reporter from filing another report.
    account::lock(ctx, &record.reporter.id)?;
    let rows = ctx.tx.execute(
        sql!(
            "update report set status = 'open', resolved_at = null, note = coalesce($1, note)
             where id = $2 and status <> 'open'
                and not exists (
                    select 1 from report o
                    where o.reporter = report.reporter and o.subject = report.subject
                        and o.status = 'open')"
        ),
        values![note, record.id],
    )?;
    if rows == 0 {
        return Err(reported_again(ctx, &record)?);
    }
    audit::write(ctx, By(caller.id.as_str()), "report_reopened", On(record.id.as_str()), note)?;
    envelope(ctx, caller, &record.id)
}

/// 409 for a report that is open, or whose reporter has another open one; the hint contains its id.
fn reported_again(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<Error> {
    let other: Option<ReportId> = ctx.tx.optional(
        sql!(
            "select o.id from report o join report r on r.reporter = o.reporter
                and r.subject = o.subject
             where r.id = $1 and o.id <> r.id and o.status = 'open'"
        ),
        values![record.id],
    )?;
    match other {
        None => wrong_state(ctx, &record.id),
        Some(other) => {
            let refusal = Refusal::new(Code::WrongState, "its reporter has reported it again");
            Ok(refusal.hint(other.as_str()).into())
        }
    }
}
