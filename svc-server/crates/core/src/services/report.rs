//! Reports as they are stored, and as reporters and moderators see them.

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::{row, values};
use svc_types::api::reports::{Report, ReportReason, ReportStatus, Subject, SubjectType};
use svc_types::api::users::Tier;
use svc_types::{ReportId, Timestamp, UserId};

use super::account::Short;
use crate::app::{App, Ctx};

/// A report's row with who made it and who works on it.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: ReportId,
    subject_type: SubjectType,
    subject: String,
    /// Whose the subject is.
    pub owner: UserId,
    reason: ReportReason,
    comment: Option<String>,
    /// How far it is.
    pub status: ReportStatus,
    snapshot: String,
    note: Option<String>,
    created_at: Timestamp,
    resolved_at: Option<Timestamp>,
    /// Who made it.
    pub reporter: UserId,
    username: String,
    display_name: String,
    avatar: Option<String>,
    is_agent: bool,
    tier: Tier,
    assignee: Option<UserId>,
    assignee_username: Option<String>,
    assignee_display_name: Option<String>,
    assignee_avatar: Option<String>,
    assignee_is_agent: Option<bool>,
    assignee_tier: Option<Tier>,
}
row!(Record {
    id,
    subject_type,
    subject,
    owner,
    reason,
    comment,
    status,
    snapshot,
    note,
    created_at,
    resolved_at,
    reporter,
    username,
    display_name,
    avatar,
    is_agent,
    tier,
    assignee,
    assignee_username,
    assignee_display_name,
    assignee_avatar,
    assignee_is_agent,
    assignee_tier,
});

/// A statement that reads report [`Record`]s: `select_reports!("where r.id = $1")`.
#[macro_export]
macro_rules! select_reports {
    ($rest:literal) => {
        svc_store::sql!(concat!(
            "select r.id, r.subject_type, r.subject, r.owner, r.reason, r.comment, r.status,
                r.snapshot, r.note, r.created_at, r.resolved_at, a.id, a.username, a.display_name,
                a.avatar, a.is_agent, a.tier, m.id, m.username, m.display_name, m.avatar,
                m.is_agent, m.tier
             from report r
             join account a on a.id = r.reporter
             left join account m on m.id = r.assignee ",
            $rest
        ))
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

    /// The report as moderators see it.
    pub fn whole(mut self, app: &App) -> Result<Report> {
        let snapshot: Map<String, Value> =
            serde_json::from_str(&self.snapshot).map_err(Error::internal)?;
        let (assignee, note) = (self.take_assignee(), self.note.take());
        let reporter = Short {
            id: self.reporter.clone(),
            username: std::mem::take(&mut self.username),
            display_name: std::mem::take(&mut self.display_name),
            avatar: self.avatar.take(),
            is_agent: self.is_agent,
            tier: self.tier.clone(),
        };
        Ok(Report {
            reporter: Some(reporter.into_api(app)),
            assignee: assignee.map(|assignee| assignee.into_api(app)),
            note,
            snapshot: Some(snapshot),
            ..self.own()
        })
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
