//! Actions as they are stored, and as moderators see them.

use svc_store::row;
use svc_types::api::moderation::{ModerationAction, ModerationActionType};
use svc_types::api::reports::{Subject, SubjectType};
use svc_types::api::users::Tier;
use svc_types::{ActionId, ReportId, Timestamp, UserId};

use crate::app::App;
use crate::services::account::Short;

/// An action's row with who did it.
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
    actor: UserId,
    username: String,
    display_name: String,
    avatar: Option<String>,
    is_agent: bool,
    tier: Tier,
}
row!(Record {
    id,
    subject_type,
    subject,
    kind,
    label,
    reason,
    report,
    expires_at,
    created_at,
    actor,
    username,
    display_name,
    avatar,
    is_agent,
    tier,
});

/// A statement that reads action [`Record`]s: `select_actions!("where m.id = $1")`.
#[macro_export]
macro_rules! select_actions {
    ($rest:literal) => {
        svc_store::sql!(concat!(
            "select m.id, m.subject_type, m.subject, m.kind, m.label, m.reason, m.report,
                m.expires_at, m.created_at, a.id, a.username, a.display_name, a.avatar,
                a.is_agent, a.tier
             from moderation_action m join account a on a.id = m.actor ",
            $rest
        ))
    };
}

impl Record {
    /// The action as the wire has it.
    pub fn into_api(self, app: &App) -> ModerationAction {
        let Self { username, display_name, avatar, is_agent, tier, .. } = self;
        let actor = Short { id: self.actor, username, display_name, avatar, is_agent, tier };
        ModerationAction {
            id: self.id,
            subject: Subject::new(self.subject_type, self.subject),
            kind: self.kind,
            label: self.label,
            reason: self.reason,
            report_id: self.report,
            actor: actor.into_api(app),
            expires_at: self.expires_at,
            created_at: self.created_at,
        }
    }
}
