//! Actions of moderators, and their log.

use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::select_actions;
use svc_core::services::account;
use svc_core::services::moderation::{self, Act, Record};
use svc_store::error::{Error, Result};
use svc_store::values;
use svc_types::api::moderation::{
    CreateModerationAction, ListModerationActions, ModerationActionEnvelope, ModerationActionPage,
};
use svc_types::api::reports::Subject;
use svc_types::{Timestamp, UserId};

/// Shortest and longest duration of an effect.
const LIFE_MIN: Duration = Duration::from_mins(1);
const LIFE_MAX: Duration = Duration::from_hours(90 * 24);

pub(super) fn take(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateModerationAction,
) -> Result<ModerationActionEnvelope> {
    let CreateModerationAction { subject, kind, reason, report_id, .. } = request;
    if !kind.fits(&subject.kind) {
        let message = format!("type must be an act that fits a {}", subject.kind);
        return Err(Error::invalid("type", message));
    }
    let label = label(request)?;
    let expires_at = expires_at(ctx, request)?;
    let report = report_id.as_ref();
    let act = Act { subject, kind, label, reason, expires_at, report };
    let id = moderation::take(ctx, caller, &act)?;
    let record: Record = ctx.tx.one(select_actions!("where m.id = $1"), values![id])?;
    Ok(ModerationActionEnvelope { action: record.into_api(ctx.app) })
}

/// The label, which two kinds of actions require.
fn label(request: &CreateModerationAction) -> Result<Option<&str>> {
    let label = request.label.as_deref();
    let is_label = |text: &str| {
        text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
    };
    match label {
        Some(_) if !request.kind.takes_label() => {
            Err(Error::invalid("label", "label is only allowed for label and unlabel"))
        }
        None if request.kind.takes_label() => {
            Err(Error::invalid("label", "label is required and must be 1 to 32 of a-z, 0-9, _, -"))
        }
        Some(text) if !is_label(text) => {
            Err(Error::invalid("label", "label must be 1 to 32 of a-z, 0-9, _, -"))
        }
        label => Ok(label),
    }
}

fn expires_at(ctx: &Ctx<'_, '_>, request: &CreateModerationAction) -> Result<Option<Timestamp>> {
    let Some(life) = request.expires_in.map(svc_types::Span::duration) else {
        return Ok(None);
    };
    if !request.kind.can_expire() {
        let message = "expiresIn is only allowed for hide, label, limit and suspend";
        return Err(Error::invalid("expiresIn", message));
    }
    if !(LIFE_MIN..=LIFE_MAX).contains(&life) {
        return Err(Error::invalid("expiresIn", "expiresIn must be from 1m to 90d"));
    }
    Ok(Some(ctx.now().plus(life)))
}

pub(super) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListModerationActions,
) -> Result<ModerationActionPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let actor = match &request.actor {
        None => None,
        Some(handle) => {
            let found = account::find_for_moderators(ctx, handle.as_str());
            Some(found.map_err(|error| error.about("actor"))?)
        }
    };
    let mut records = found(ctx, request, actor.as_ref(), &page)?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    let app = ctx.app;
    let actions = records.into_iter().map(|record| record.into_api(app)).collect();
    let subject_gone = match (&request.subject_type, &request.subject_id) {
        (Some(kind), Some(id)) => {
            let subject = Subject { kind: kind.clone(), id: id.clone() };
            Some(moderation::is_gone(ctx, &subject, &caller.id)?)
        }
        _ => None,
    };
    Ok(ModerationActionPage { actions, subject_gone, next_cursor })
}

/// Scans the index of one filter and applies the other filters to each row.
fn found(
    ctx: &mut Ctx<'_, '_>,
    request: &ListModerationActions,
    actor: Option<&UserId>,
    page: &Page,
) -> Result<Vec<Record>> {
    let before = page.before();
    let ListModerationActions { subject_type, subject_id, kind, .. } = request;
    if subject_id.is_some() {
        return ctx.tx.all(
            select_actions!(
                "where m.subject = $1 and m.id < $2
                    and (cast($3 as text) is null or m.subject_type = $3)
                    and (cast($4 as text) is null or m.actor = $4)
                    and (cast($5 as text) is null or m.kind = $5)
                 order by m.id desc limit $6"
            ),
            values![subject_id, before, subject_type, actor, kind, page.rows()],
        );
    }
    if actor.is_some() {
        return ctx.tx.all(
            select_actions!(
                "where m.actor = $1 and m.id < $2
                    and (cast($3 as text) is null or m.subject_type = $3)
                    and (cast($4 as text) is null or m.kind = $4)
                 order by m.id desc limit $5"
            ),
            values![actor, before, subject_type, kind, page.rows()],
        );
    }
    if kind.is_some() {
        return ctx.tx.all(
            select_actions!(
                "where m.kind = $1 and m.id < $2
                    and (cast($3 as text) is null or m.subject_type = $3)
                 order by m.id desc limit $4"
            ),
            values![kind, before, subject_type, page.rows()],
        );
    }
    if subject_type.is_some() {
        return ctx.tx.all(
            select_actions!("where m.subject_type = $1 and m.id < $2 order by m.id desc limit $3"),
            values![subject_type, before, page.rows()],
        );
    }
    ctx.tx.all(
        select_actions!("where m.id < $1 order by m.id desc limit $2"),
        values![before, page.rows()],
    )
}
