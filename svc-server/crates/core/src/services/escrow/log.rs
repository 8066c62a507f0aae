//! The log of an escrow: one line per transition, only added to.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::escrow::{EscrowAction, EscrowEvent, EscrowStatus, Transition};
use svc_types::{EscrowId, Timestamp, TransferId, UserId};

use super::act::Act;
use super::record::{Record, Side};
use crate::app::Ctx;
use crate::identity::Account;

struct Line<'a> {
    seq: i64,
    action: &'a EscrowAction,
    actor: Option<&'a UserId>,
    from: Option<&'a EscrowStatus>,
    to: &'a EscrowStatus,
    note: Option<&'a str>,
    transfer: Option<&'a TransferId>,
}

/// Appends a transition; its number is the escrow's version.
pub(super) fn append(
    ctx: &mut Ctx<'_, '_>,
    escrow: &Record,
    row: &Transition,
    act: Act<'_>,
    transfer: Option<&TransferId>,
) -> Result<()> {
    let line = Line {
        seq: escrow.version,
        action: &row.told_as,
        actor: act.by.map(|account| &account.id),
        from: Some(&row.from),
        to: &row.to,
        note: act.note,
        transfer,
    };
    insert(ctx, &escrow.id, &line)
}

/// Appends the creation, and the funding if it happened at once.
pub(super) fn append_opening(
    ctx: &mut Ctx<'_, '_>,
    escrow: &Record,
    buyer: &Account,
    transfer: Option<&TransferId>,
) -> Result<()> {
    let created = Line {
        seq: 1,
        action: &EscrowAction::Created,
        actor: Some(&buyer.id),
        from: None,
        to: &EscrowStatus::Created,
        note: None,
        transfer: None,
    };
    insert(ctx, &escrow.id, &created)?;
    if transfer.is_none() {
        return Ok(());
    }
    let funded = Line {
        seq: 2,
        action: &EscrowAction::Funded,
        from: Some(&EscrowStatus::Created),
        to: &EscrowStatus::Funded,
        transfer,
        ..created
    };
    insert(ctx, &escrow.id, &funded)
}

fn insert(ctx: &mut Ctx<'_, '_>, escrow: &EscrowId, line: &Line<'_>) -> Result<()> {
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into escrow_event (escrow, seq, action, actor, from_status, to_status, note,
                transfer, at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        ),
        values![
            escrow,
            line.seq,
            line.action,
            line.actor,
            line.from,
            line.to,
            line.note,
            line.transfer,
            now
        ],
    )?;
    Ok(())
}

struct LineRow {
    seq: i64,
    action: EscrowAction,
    from: Option<EscrowStatus>,
    to: EscrowStatus,
    actor_username: Option<String>,
    note: Option<String>,
    at: Timestamp,
}
row!(LineRow {
    seq: "v.seq",
    action: "v.action",
    from: "v.from_status",
    to: "v.to_status",
    actor_username: "a.username",
    note: "v.note",
    at: "v.at",
});

/// Lines after number `after`, oldest first, as one side sees them. Only moderators read which moderator decided: to
/// the parties, moderators act for the platform.
pub fn lines(
    ctx: &mut Ctx<'_, '_>,
    escrow: &Record,
    side: Side,
    after: i64,
    limit: i64,
) -> Result<Vec<EscrowEvent>> {
    let rows: Vec<LineRow> = ctx.tx.all(
        sql!(
            "select ",
            LineRow::COLUMNS,
            " from escrow_event v left join account a on a.id = v.actor
             where v.escrow = $1 and v.seq > $2
             order by v.seq limit $3"
        ),
        values![escrow.id, after, limit],
    )?;
    let parties = [&escrow.buyer_name, &escrow.provider_name];
    let is_named = |name: &String| side == Side::Moderator || parties.contains(&name);
    let line = |LineRow { seq, action, from, to, actor_username, note, at }| EscrowEvent {
        seq,
        action,
        from,
        to,
        actor_username: actor_username.filter(is_named),
        note,
        at,
    };
    Ok(rows.into_iter().map(line).collect())
}
