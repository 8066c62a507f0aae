//! Actions as they are stored, and as moderators see them.

use svc_store::row;
use svc_types::api::moderation::{ModerationAction, ModerationActionType};
use svc_types::api::reports::{Subject, SubjectType};
use svc_types::{ActionId, ReportId, Timestamp};

use crate::app::App;
use crate::services::account::Short;

/// An action's row with its moderator.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: ActionId,
    subject_type: SubjectType,
    subject: String,
    kind: ModerationActionType,
    label: Option<String>,
    reason: String,
    report: Option<ReportId>,
    expires_at: Option<Timestamp>,
    created_at: Timestamp,
    actor: Short,
}
row!(Record {
    id: "m.id",
    subject_type: "m.subject_type",
    subject: "m.subject",
    kind: "m.kind",
    label: "m.label",
    reason: "m.reason",
    report: "m.report",
    expires_at: "m.expires_at",
    created_at: "m.created_at",
    actor: Short::COLUMNS,
});

/// A statement that reads action [`Record`]s: `select_actions!("where m.id = $1")`.
#[macro_export]
macro_rules! select_actions {
    ($rest:literal) => {
        svc_store::sql!(
            "select ",
            $crate::services::moderation::Record::COLUMNS,
            " from moderation_action m join account a on a.id = m.actor ",
            $rest
        )
    };
}

impl Record {
    /// The action as the API returns it.
    pub fn into_api(self, app: &App) -> ModerationAction {
        ModerationAction {
            id: self.id,
            subject: Subject::new(self.subject_type, self.subject),
            kind: self.kind,
            label: self.label,
            reason: self.reason,
            report_id: self.report,
            actor: self.actor.into_api(app),
            expires_at: self.expires_at,
            created_at: self.created_at,
        }
    }
}
