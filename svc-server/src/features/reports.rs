//! Reports: filing them, and listing your reports.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::select_reports;
use svc_core::services::report::{self, Record};
use svc_core::services::{account, budget, subject};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::reports::{
    CreateReport, ListReports, Report, ReportEnvelope, ReportPage, ReportStatus,
};
use svc_types::{Code, ReportId, UserId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().write(create).read(list)
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateReport,
) -> Result<ReportEnvelope> {
    let comment = request.comment.as_deref().filter(|text| !text.is_empty());
    let (owner, id, snapshot) = subject::snapshot(ctx, &request.subject, caller)?;
    if owner == caller.id {
        let refusal = Refusal::new(Code::SelfAction, "you cannot report yourself");
        return Err(refusal.field("/subject/id").into());
    }
    let snapshot = serde_json::to_string(&snapshot).map_err(Error::internal)?;
    // It is kept for good, whatever becomes of its subject.
    budget::pay_for_copy(ctx, caller, &snapshot)?;
    account::keep(ctx, &caller.id, &owner)?;
    let (report, now): (ReportId, _) = (ctx.id(), ctx.now());
    let rows = ctx.tx.execute(
        sql!(
            "insert into report (id, reporter, subject_type, subject, owner, reason, comment,
                status, snapshot, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             on conflict (reporter, subject) where status = 'open' do nothing"
        ),
        values![
            report,
            caller.id,
            request.subject.kind,
            id,
            owner,
            request.reason,
            comment,
            ReportStatus::Open,
            snapshot,
            now
        ],
    )?;
    if rows == 0 {
        return Err(open_already(ctx, &caller.id, &id)?);
    }
    Ok(ReportEnvelope { report: report::by_id(ctx, &report)?.own() })
}

/// 409 if the account has an open report on the same subject; the hint contains its id.
fn open_already(ctx: &mut Ctx<'_, '_>, reporter: &UserId, subject: &str) -> Result<Error> {
    let earlier: Option<ReportId> = ctx.tx.optional(
        sql!("select id from report where reporter = $1 and subject = $2 and status = 'open'"),
        values![reporter, subject],
    )?;
    let refusal = Refusal::new(Code::AlreadyExists, "you have reported it, and the report is open");
    Ok(match earlier {
        Some(id) => refusal.hint(id.as_str()).into(),
        None => refusal.into(),
    })
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListReports) -> Result<ReportPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut records: Vec<Record> = ctx.tx.all(
        select_reports!(
            "where r.reporter = $1 and r.id < $2 and (cast($3 as text) is null or r.status = $3)
             order by r.id desc limit $4"
        ),
        values![caller.id, page.before(), request.status, page.rows()],
    )?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    let reports: Vec<Report> = records.into_iter().map(Record::own).collect();
    Ok(ReportPage { reports, next_cursor })
}
