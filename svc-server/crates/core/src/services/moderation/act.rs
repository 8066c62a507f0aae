//! One action of a moderator: its effect, row, audit entry and notifications.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::connect::ModerationData;
use svc_types::api::moderation::ModerationActionType;
use svc_types::api::reports::{Subject, SubjectType};
use svc_types::api::users::Role;
use svc_types::{ActionId, Code, MessageId, ReportId, Timestamp, UserId};

use super::effect::{self, Effect};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::audit::{self, By, On};
use crate::services::notification::{self, Data, NewNotification};
use crate::services::owner;
use crate::services::subject::{self, Found};

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub struct Act<'a> {
    /// To what.
    pub subject: &'a Subject,
    /// What.
    pub kind: &'a ModerationActionType,
    /// Which label.
    pub label: Option<&'a str>,
    /// Why.
    pub reason: &'a str,
    /// When the effect ends by itself.
    pub expires_at: Option<Timestamp>,
    /// The report that led to it.
    pub report: Option<&'a ReportId>,
}

/// Does it, and notifies its owner unless nothing changes. 404 for a subject that does not exist or a message that the
/// moderator does not know of, 403 when it belongs to somebody of the same or a higher role or to an agent of the
/// moderator, 409 when its state does not allow it.
pub fn take(ctx: &mut Ctx<'_, '_>, actor: &Account, act: &Act<'_>) -> Result<ActionId> {
    let subject = known(ctx, act.subject, &actor.id)?;
    refuse_unknown_report(ctx, act.report)?;
    refuse_peer(ctx, actor, &subject)?;
    subject::lock(ctx, &subject)?;
    let id: ActionId = ctx.id();
    insert(ctx, &id, actor, &subject, act)?;
    let effect = Effect {
        kind: act.kind,
        label: act.label.unwrap_or(""),
        action: Some(&id),
        expires_at: act.expires_at,
    };
    let is_change = effect::apply(ctx, &subject, effect)?;
    let action = format!("{}_{}", subject.kind, act.kind);
    audit::write(ctx, By(actor.id.as_str()), &action, On(&subject.id), Some(act.reason))?;
    if is_change {
        notify(ctx, &id, &subject, act)?;
    }
    Ok(id)
}

/// The subject; 404 where there is none, or it is a message that the moderator does not know of.
fn known(ctx: &mut Ctx<'_, '_>, subject: &Subject, moderator: &UserId) -> Result<Found> {
    let found = subject::find(ctx, subject)?;
    subject::refuse_unknown_message(ctx, &found, moderator)?;
    Ok(found)
}

/// Whether a subject was deleted or removed, or is none that the moderator knows of, so that each act on
/// it is refused.
pub fn is_gone(ctx: &mut Ctx<'_, '_>, subject: &Subject, moderator: &UserId) -> Result<bool> {
    match known(ctx, subject, moderator) {
        Ok(found) => effect::is_gone(ctx, &found),
        Err(error) if error.code() == Code::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// Whether a subject belongs to the moderator, to an agent of theirs, or to somebody of the same or a higher role, so
/// that each act on it is refused.
pub fn is_protected(ctx: &mut Ctx<'_, '_>, subject: &Subject, moderator: &Account) -> Result<bool> {
    match known(ctx, subject, &moderator.id) {
        Ok(found) => match refuse_peer(ctx, moderator, &found) {
            Err(error) if error.code() == Code::Forbidden => Ok(true),
            answer => answer.map(|()| false),
        },
        Err(error) if error.code() == Code::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Moderators leave each other and themselves alone; admins act on moderators too. Nobody judges agents of their own,
/// nor those that they have released, as far back as the security log goes: a release must not make them a judge.
fn refuse_peer(ctx: &mut Ctx<'_, '_>, actor: &Account, subject: &Found) -> Result<()> {
    if rank(&subject.role) >= rank(&actor.role) {
        let message = "accounts of the same or a higher role, and what is theirs, are left alone";
        return Err(Error::refused(Code::Forbidden, message));
    }
    let (judge, ever) = (actor.person(), Timestamp::from_millis(0));
    if subject.person != *judge && !owner::has_released(ctx, judge, [&subject.owner; 2], ever)? {
        return Ok(());
    }
    let message = "another moderator acts on agents that you own or have released";
    Err(Error::refused(Code::Forbidden, message))
}

const fn rank(role: &Role) -> u8 {
    match role {
        Role::Admin => 2,
        Role::Moderator => 1,
        _ => 0,
    }
}

fn refuse_unknown_report(ctx: &mut Ctx<'_, '_>, report: Option<&ReportId>) -> Result<()> {
    let Some(id) = report else {
        return Ok(());
    };
    let found: Option<i64> =
        ctx.tx.optional(sql!("select 1 from report where id = $1"), values![id])?;
    found.map(|_| ()).ok_or_else(|| Error::not_found("report").about("reportId"))
}

fn insert(
    ctx: &mut Ctx<'_, '_>,
    id: &ActionId,
    actor: &Account,
    subject: &Found,
    act: &Act<'_>,
) -> Result<()> {
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "insert into moderation_action (id, subject_type, subject, kind, label, reason, report,
                actor, expires_at, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        ),
        values![
            id,
            subject.kind,
            subject.id,
            act.kind,
            act.label,
            act.reason,
            act.report,
            actor.id,
            act.expires_at,
            now
        ],
    )?;
    Ok(())
}

/// Notifies the owner, without naming the moderator, who acts for the platform.
fn notify(ctx: &mut Ctx<'_, '_>, id: &ActionId, subject: &Found, act: &Act<'_>) -> Result<()> {
    let data = ModerationData {
        action_id: id.clone(),
        r#type: act.kind.clone(),
        subject: subject.to_api(),
        reason: act.reason.to_owned(),
        expires_at: act.expires_at,
    };
    let notification = NewNotification::new(&subject.owner, Data::Moderation(data)).of(id.as_str());
    match taken(ctx, subject, act.kind)? {
        Some((recipient, message)) => {
            notification::notify_of_taken(ctx, notification, &recipient, &message)
        }
        None => notification::notify(ctx, None, vec![notification]),
    }
}

/// The message that an act takes from its recipient, after the recipient.
fn taken(
    ctx: &mut Ctx<'_, '_>,
    subject: &Found,
    kind: &ModerationActionType,
) -> Result<Option<(UserId, MessageId)>> {
    let is_taken = matches!(kind, ModerationActionType::Hide | ModerationActionType::Remove);
    if subject.kind != SubjectType::Message || !is_taken {
        return Ok(None);
    }
    let sql = sql!("select recipient, id from message where id = $1");
    ctx.tx.optional(sql, values![subject.id])
}
