//! Reports as they are stored, and as reporters and moderators see them.

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::reports::{Report, ReportReason, ReportStatus, Subject, SubjectType};
use svc_types::api::users::Tier;
use svc_types::{ReportId, Timestamp, UserId};

use super::account::Short;
use super::owner;
use crate::app::Ctx;
use crate::identity::Account;

/// A report's row with its reporter and assignee.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: ReportId,
    subject_type: SubjectType,
    subject: String,
    /// The owner of the subject.
    pub owner: UserId,
    /// The person behind the owner.
    person: UserId,
    reason: ReportReason,
    comment: Option<String>,
    /// Its state.
    pub status: ReportStatus,
    snapshot: String,
    note: Option<String>,
    /// When it was filed.
    pub created_at: Timestamp,
    resolved_at: Option<Timestamp>,
    /// The reporter.
    pub reporter: Short,
    assignee: Option<UserId>,
    assignee_username: Option<String>,
    assignee_display_name: Option<String>,
    assignee_avatar: Option<String>,
    assignee_is_agent: Option<bool>,
    assignee_tier: Option<Tier>,
}
row!(Record {
    id: "r.id",
    subject_type: "r.subject_type",
    subject: "r.subject",
    owner: "r.owner",
    person: "(select coalesce(o.owner, o.id) from account o where o.id = r.owner)",
    reason: "r.reason",
    comment: "r.comment",
    status: "r.status",
    snapshot: "r.snapshot",
    note: "r.note",
    created_at: "r.created_at",
    resolved_at: "r.resolved_at",
    reporter: Short::COLUMNS,
    assignee: "m.id",
    assignee_username: "m.username",
    assignee_display_name: "m.display_name",
    assignee_avatar: "m.avatar",
    assignee_is_agent: "m.is_agent",
    assignee_tier: "m.tier",
});

/// A statement that reads report [`Record`]s: `select_reports!("where r.id = $1")`.
#[macro_export]
macro_rules! select_reports {
    ($rest:literal) => {
        svc_store::sql!(
            "select ",
            $crate::services::report::Record::COLUMNS,
            " from report r
             join account a on a.id = r.reporter
             left join account m on m.id = r.assignee ",
            $rest
        )
    };
}

impl Record {
    /// The report as its reporter sees it.
    pub fn own(self) -> Report {
        Report {
            id: self.id,
            subject: Subject::new(self.subject_type, self.subject),
            reason: self.reason,
            comment: self.comment,
            status: self.status,
            created_at: self.created_at,
            resolved_at: self.resolved_at,
            reporter: None,
            assignee: None,
            note: None,
            snapshot: None,
        }
    }

    /// The report as a moderator sees it. One whom it is about does not learn who filed it.
    pub fn whole(mut self, ctx: &mut Ctx<'_, '_>, moderator: &Account) -> Result<Report> {
        let snapshot: Map<String, Value> =
            serde_json::from_str(&self.snapshot).map_err(Error::internal)?;
        let (app, is_about_them) = (ctx.app, self.is_about(ctx, moderator.person())?);
        let (assignee, note) = (self.take_assignee(), self.note.take());
        Ok(Report {
            reporter: (!is_about_them).then(|| self.reporter.clone().into_api(app)),
            assignee: assignee.map(|assignee| assignee.into_api(app)),
            note,
            snapshot: Some(snapshot),
            ..self.own()
        })
    }

    /// Whether it is about this person or an agent of theirs, even one that they have released since it was filed.
    fn is_about(&self, ctx: &mut Ctx<'_, '_>, person: &UserId) -> Result<bool> {
        let is_theirs = self.person == *person;
        Ok(is_theirs || owner::has_released(ctx, person, [&self.owner; 2], self.created_at)?)
    }

    /// Whether this person may not decide it: they filed it, or it is about them. Agents that they own, or owned when
    /// it was filed, count as themselves.
    pub fn concerns(&self, ctx: &mut Ctx<'_, '_>, person: &UserId) -> Result<bool> {
        let sql = sql!("select coalesce(owner, id) from account where id = $1");
        let reporter: UserId = ctx.tx.one(sql, values![self.reporter.id])?;
        let parties = [&self.reporter.id, &self.owner];
        Ok([&reporter, &self.person].contains(&person)
            || owner::has_released(ctx, person, parties, self.created_at)?)
    }

    fn take_assignee(&mut self) -> Option<Short> {
        Some(Short {
            id: self.assignee.take()?,
            username: self.assignee_username.take()?,
            display_name: self.assignee_display_name.take()?,
            avatar: self.assignee_avatar.take(),
            is_agent: self.assignee_is_agent.take()?,
            tier: self.assignee_tier.take()?,
        })
    }
}

/// The report with this id, else 404.
pub fn by_id(ctx: &mut Ctx<'_, '_>, id: &ReportId) -> Result<Record> {
    let found = ctx.tx.optional(select_reports!("where r.id = $1"), values![id])?;
    found.ok_or_else(|| Error::not_found("report"))
}
