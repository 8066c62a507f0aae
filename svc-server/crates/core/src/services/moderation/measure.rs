//! What holds now: hidden, labelled, limited, suspended, and until when.
//!
//! A measure that runs out is undone by the first job that finds it: the row goes and its effect with
//! it, in one guarded transaction.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::moderation::ModerationActionType;
use svc_types::api::reports::{Subject, SubjectType};
use svc_types::{ActionId, Timestamp};

use super::effect::{self, Effect};
use crate::app::Ctx;
use crate::services::audit::{self, By, On};
use crate::services::subject::{self, Found};

/// Who the audit log names for what ends by itself.
const CLOCK: &str = "clock";

/// Takes a measure, or renews it: the latest action says how long it holds. A suspension by the operator holds until it
/// is lifted, so that no action of a moderator ends it unnoticed. False if it holds already, until the same time.
pub(super) fn set(ctx: &mut Ctx<'_, '_>, subject: &Found, effect: Effect<'_>) -> Result<bool> {
    let Effect { kind, label, action, expires_at } = effect;
    let sql =
        sql!("select expires_at from measure where subject = $1 and kind = $2 and label = $3");
    let before: Vec<Option<Timestamp>> = ctx.tx.all(sql, values![subject.id, kind, label])?;
    let rows = ctx.tx.execute(
        sql!(
            "insert into measure (subject, kind, label, subject_type, action, expires_at)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (subject, kind, label) do update
             set action = excluded.action, expires_at = excluded.expires_at
             where measure.kind <> 'suspend' or measure.action is not null
                or excluded.action is null"
        ),
        values![subject.id, kind, label, subject.kind, action, expires_at],
    )?;
    if rows == 0 {
        return Err(effect::wrong_state(subject, "suspended by the operator"));
    }
    note(ctx, &subject.id, kind)?;
    Ok(before != [expires_at])
}

/// Lifts a measure; false when it does not hold.
pub(super) fn lift(
    ctx: &mut Ctx<'_, '_>,
    subject: &Found,
    kind: &ModerationActionType,
    label: &str,
) -> Result<bool> {
    let rows = ctx.tx.execute(
        sql!("delete from measure where subject = $1 and kind = $2 and label = $3"),
        values![subject.id, kind, label],
    )?;
    note(ctx, &subject.id, kind)?;
    Ok(rows == 1)
}

/// Stores with a post whether it has labels, so that reading posts looks up those of few.
fn note(ctx: &mut Ctx<'_, '_>, subject: &str, kind: &ModerationActionType) -> Result<()> {
    if *kind != ModerationActionType::Label {
        return Ok(());
    }
    ctx.tx.execute(
        sql!(
            "update post set labelled = exists (
                select 1 from measure m where m.subject = post.id and m.kind = 'label')
             where id = $1"
        ),
        values![subject],
    )?;
    Ok(())
}

/// Whether a measure holds.
pub(super) fn holds(
    ctx: &mut Ctx<'_, '_>,
    subject: &Found,
    kind: &ModerationActionType,
) -> Result<bool> {
    let sql = sql!("select 1 from measure where subject = $1 and kind = $2 and label = ''");
    let found: Option<i64> = ctx.tx.optional(sql, values![subject.id, kind])?;
    Ok(found.is_some())
}

/// A measure that holds.
#[derive(Debug)]
pub struct InForce {
    /// The action that began it.
    pub kind: ModerationActionType,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
    /// Why a moderator took it; absent if the operator of the server did.
    pub reason: Option<String>,
}
row!(InForce { kind: "m.kind", expires_at: "m.expires_at", reason: "a.reason" });

/// The measures that hold on a subject.
pub fn in_force(ctx: &mut Ctx<'_, '_>, subject: &str) -> Result<Vec<InForce>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select ",
            InForce::COLUMNS,
            " from measure m left join moderation_action a on a.id = m.action
             where m.subject = $1 and (m.expires_at is null or m.expires_at > $2)
             order by m.kind"
        ),
        values![subject, now],
    )
}

/// The labels of a post, in alphabetical order.
pub(super) fn labels(ctx: &mut Ctx<'_, '_>, post: &str) -> Result<Vec<String>> {
    ctx.tx.all(
        sql!("select label from measure where subject = $1 and kind = 'label' order by label"),
        values![post],
    )
}

/// Ends every measure on something that is gone, and so has nothing left to be undone.
pub fn drop_all(ctx: &mut Ctx<'_, '_>, subject: &str) -> Result<()> {
    ctx.tx.execute(sql!("delete from measure where subject = $1"), values![subject]).map(|_| ())
}

struct Row {
    subject: String,
    kind: ModerationActionType,
    subject_type: SubjectType,
}
row!(Row { subject, kind, subject_type });

/// Undoes what an action did for a time that is over; nothing happens when it is not, or when
/// somebody was quicker, or when a later action says otherwise.
pub fn expire(ctx: &mut Ctx<'_, '_>, action: &ActionId) -> Result<()> {
    let now = ctx.now();
    let due: Option<Row> = ctx.tx.optional(
        sql!(
            "select subject, kind, subject_type from measure
             where action = $1 and expires_at <= $2"
        ),
        values![action, now],
    )?;
    let Some(Row { subject, kind, subject_type }) = due else {
        return Ok(());
    };
    // Of an account that may be restored, too: it must not come back with a measure that has ended.
    let found = subject::find_stored(ctx, &Subject::new(subject_type, subject))?;
    subject::lock(ctx, &found)?;
    let rows = ctx.tx.execute(
        sql!("delete from measure where action = $1 and expires_at <= $2"),
        values![action, now],
    )?;
    if rows == 0 {
        return Ok(());
    }
    note(ctx, &found.id, &kind)?;
    effect::undo(ctx, &found, &kind)?;
    audit::write(ctx, By(CLOCK), "measure_expired", On(&found.id), Some(action.as_str()))
}
