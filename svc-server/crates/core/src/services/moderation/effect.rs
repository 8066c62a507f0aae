//! What an act does to its subject, and how that is undone.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::moderation::{LABELS_MAX, ModerationActionType as Kind};
use svc_types::api::reports::SubjectType;
use svc_types::api::users::AccountStatus;
use svc_types::{ActionId, ChannelId, Code, MessageId, PostId, ReviewId, ServiceId, Timestamp};

use super::measure;
use crate::app::Ctx;
use crate::services::account::Record as AccountRecord;
use crate::services::audit::{self, By, On};
use crate::services::subject::{self, Found};
use crate::services::{channel, hashtag, message, review, sample, service, trust, visibility};

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect<'a> {
    pub(super) kind: &'a Kind,
    pub(super) label: &'a str,
    /// The action, unless the operator does it.
    pub(super) action: Option<&'a ActionId>,
    pub(super) expires_at: Option<Timestamp>,
}

/// 409: not in this state, which the hint names.
pub(super) fn wrong_state(subject: &Found, state: &str) -> Error {
    let message = format!("the {} is {state}", subject::noun(&subject.kind));
    Refusal::new(Code::WrongState, message).hint(state).into()
}

/// Does it to a subject that is locked; 409 when its state does not allow it. False if all of it holds
/// already, until the same time.
pub(super) fn apply(ctx: &mut Ctx<'_, '_>, subject: &Found, effect: Effect<'_>) -> Result<bool> {
    if is_gone(ctx, subject)? {
        return Err(wrong_state(subject, "removed"));
    }
    if subject.kind == SubjectType::User {
        refuse_waiting(ctx, subject)?;
    }
    if is_sanction(effect.kind) {
        trust::revoke(ctx, &subject.owner)?;
    }
    match effect.kind {
        Kind::Hide | Kind::Suspend | Kind::Limit | Kind::Label => {
            return hold(ctx, subject, effect);
        }
        Kind::Warn => Ok(()),
        Kind::Remove => remove(ctx, subject),
        Kind::Restore => lift(ctx, subject, &Kind::Hide, "not hidden"),
        Kind::Unlimit => lift(ctx, subject, &Kind::Limit, "not limited"),
        Kind::Unsuspend => lift(ctx, subject, &Kind::Suspend, "not suspended"),
        Kind::Unlabel if measure::lift(ctx, subject, &Kind::Label, effect.label)? => Ok(()),
        Kind::Unlabel => Err(wrong_state(subject, "not labelled so")),
        other => Err(Error::internal(format!("{other} is no act"))),
    }?;
    Ok(true)
}

/// Does what lasts; false if it lasts already, until the same time.
fn hold(ctx: &mut Ctx<'_, '_>, subject: &Found, effect: Effect<'_>) -> Result<bool> {
    if *effect.kind == Kind::Label {
        refuse_too_many(ctx, subject, effect.label)?;
        return measure::set(ctx, subject, effect);
    }
    let is_change = measure::set(ctx, subject, Effect { label: "", ..effect })?;
    begin(ctx, subject, effect.kind)?;
    Ok(is_change)
}

/// 409 for an account that awaits approval: it is approved or rejected, and nothing else.
fn refuse_waiting(ctx: &mut Ctx<'_, '_>, subject: &Found) -> Result<()> {
    let sql = sql!("select awaits_approval_since is not null from account where id = $1");
    let waits: bool = ctx.tx.one(sql, values![subject.owner])?;
    if waits { Err(wrong_state(subject, "waiting for approval")) } else { Ok(()) }
}

/// Whether an act ends the trust that an account has earned. Each of these fits accounts only.
const fn is_sanction(kind: &Kind) -> bool {
    matches!(kind, Kind::Warn | Kind::Limit | Kind::Suspend)
}

/// Whether it was deleted or removed, so that nothing can be done to it any more.
pub(super) fn is_gone(ctx: &mut Ctx<'_, '_>, subject: &Found) -> Result<bool> {
    let sql = match subject.kind {
        SubjectType::User => sql!("select deleted_at is not null from account where id = $1"),
        SubjectType::Post => sql!(
            "select p.deleted_at is not null or a.deleted_at is not null
             from post p join account a on a.id = p.author where p.id = $1"
        ),
        SubjectType::Message => sql!("select removed_at is not null from message where id = $1"),
        SubjectType::Channel => sql!("select deleted_at is not null from channel where id = $1"),
        SubjectType::ChannelMessage => sql!(
            "select m.deleted_at is not null or c.deleted_at is not null
             from channel_message m join channel c on c.id = m.channel where m.id = $1"
        ),
        SubjectType::Review => sql!("select deleted_at is not null from review where id = $1"),
        _ => sql!("select deleted_at is not null from service where id = $1"),
    };
    ctx.tx.one(sql, values![subject.id])
}

fn refuse_too_many(ctx: &mut Ctx<'_, '_>, subject: &Found, label: &str) -> Result<()> {
    let labels = measure::labels(ctx, &subject.id)?;
    if labels.len() < LABELS_MAX || labels.iter().any(|known| known == label) {
        return Ok(());
    }
    Err(wrong_state(subject, &format!("labelled {LABELS_MAX} times, which is the most")))
}

/// Begins what lasts until it is lifted; what lasts already goes on.
fn begin(ctx: &mut Ctx<'_, '_>, subject: &Found, kind: &Kind) -> Result<()> {
    match (&subject.kind, kind) {
        (SubjectType::Post, _) => visibility::hide(ctx, &post(subject)),
        (SubjectType::Message, _) => {
            message::hide(ctx, &message(subject))?;
            sample::end_of_message(ctx, &message(subject))
        }
        (_, Kind::Suspend) => visibility::suspend(ctx, &subject.owner),
        _ => {
            let sql =
                sql!("update account set status = 'limited' where id = $1 and status = 'active'");
            ctx.tx.execute(sql, values![subject.owner])?;
            hashtag::note_account(ctx, &subject.owner)
        }
    }
}

fn lift(ctx: &mut Ctx<'_, '_>, subject: &Found, kind: &Kind, otherwise: &str) -> Result<()> {
    if measure::lift(ctx, subject, kind, "")? {
        undo(ctx, subject, kind)
    } else {
        Err(wrong_state(subject, otherwise))
    }
}

/// Undoes a measure that holds no longer.
pub(super) fn undo(ctx: &mut Ctx<'_, '_>, subject: &Found, kind: &Kind) -> Result<()> {
    match (&subject.kind, kind) {
        (_, Kind::Label) => Ok(()),
        (SubjectType::Post, _) => visibility::restore(ctx, &post(subject)),
        (SubjectType::Message, _) => message::restore(ctx, &message(subject)),
        (_, Kind::Suspend) => {
            let is_limited = measure::holds(ctx, subject, &Kind::Limit)?;
            let status = if is_limited { AccountStatus::Limited } else { AccountStatus::Active };
            visibility::unsuspend(ctx, &subject.owner, &status)
        }
        _ => {
            let sql =
                sql!("update account set status = 'active' where id = $1 and status = 'limited'");
            ctx.tx.execute(sql, values![subject.owner])?;
            hashtag::note_account(ctx, &subject.owner)
        }
    }
}

fn remove(ctx: &mut Ctx<'_, '_>, subject: &Found) -> Result<()> {
    match subject.kind {
        SubjectType::Post => visibility::remove(ctx, &post(subject), &subject.owner).map(|_| ()),
        SubjectType::Message => {
            message::remove(ctx, &message(subject))?;
            sample::end_of_message(ctx, &message(subject))
        }
        SubjectType::Channel => channel::close(ctx, &ChannelId::from(&*subject.id)),
        SubjectType::ChannelMessage => channel::remove_message(ctx, &message(subject)),
        SubjectType::Review => review::remove(ctx, &ReviewId::from(&*subject.id)).map(|_| ()),
        _ => service::withdraw(ctx, &ServiceId::from(&*subject.id)).map(|_| ()),
    }?;
    measure::drop_all(ctx, &subject.id)
}

fn post(subject: &Found) -> PostId {
    PostId::from(&*subject.id)
}

fn message(subject: &Found) -> MessageId {
    MessageId::from(&*subject.id)
}

/// Suspends an account for the operator of the server.
pub fn suspend(
    ctx: &mut Ctx<'_, '_>,
    actor: &str,
    record: &AccountRecord,
    reason: &str,
) -> Result<()> {
    let subject = locked(ctx, record)?;
    // It may have been deleted since it was found; restored, it would stand in spite of the suspension.
    if is_gone(ctx, &subject)? {
        return Err(wrong_state(&subject, "removed"));
    }
    refuse_waiting(ctx, &subject)?;
    trust::revoke(ctx, &record.id)?;
    let effect = Effect { kind: &Kind::Suspend, label: "", action: None, expires_at: None };
    measure::set(ctx, &subject, effect)?;
    begin(ctx, &subject, &Kind::Suspend)?;
    audit::write(ctx, By(actor), "user_suspend", On(record.id.as_str()), Some(reason))
}

/// Lifts a suspension for the operator of the server; 409 if there is none.
pub fn unsuspend(
    ctx: &mut Ctx<'_, '_>,
    actor: &str,
    record: &AccountRecord,
    reason: &str,
) -> Result<()> {
    let subject = locked(ctx, record)?;
    refuse_waiting(ctx, &subject)?;
    if !measure::lift(ctx, &subject, &Kind::Suspend, "")? {
        let message = format!("{} is not suspended", record.username);
        return Err(Error::refused(Code::WrongState, message));
    }
    undo(ctx, &subject, &Kind::Suspend)?;
    audit::write(ctx, By(actor), "user_unsuspend", On(record.id.as_str()), Some(reason))
}

fn locked(ctx: &mut Ctx<'_, '_>, record: &AccountRecord) -> Result<Found> {
    let subject = Found {
        kind: SubjectType::User,
        id: record.id.to_string(),
        owner: record.id.clone(),
        role: record.role().clone(),
        person: record.person().clone(),
    };
    subject::lock(ctx, &subject)?;
    Ok(subject)
}
