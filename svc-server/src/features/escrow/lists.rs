//! Lists of escrows, and the log of an escrow.

use svc_core::app::Ctx;
use svc_core::identity::{Account, is_moderator};
use svc_core::ids;
use svc_core::page::Page;
use svc_core::select_escrows;
use svc_core::services::escrow::{self, Record, Side};
use svc_core::services::{account, overdue};
use svc_store::db::Sql;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::escrow::{
    EscrowEventPage, EscrowPage, EscrowRole, ListEscrowEvents, ListEscrows,
};
use svc_types::{Code, PlanId, Scope, UserId};

/// A page of the escrows in which the caller has one role, along the index of that role.
macro_rules! one_side {
    ($own:literal, $other:literal) => {
        select_escrows!(concat!(
            "where e.",
            $own,
            " = $1 and e.id < $2
                and (cast($3 as text) is null or e.status = $3)
                and (cast($4 as text) is null or e.",
            $other,
            " = $4)
                and (cast($5 as text) is null or e.plan = $5)
             order by e.id desc limit $6"
        ))
    };
}

/// An escrow between two accounts.
const DEAL: Sql = sql!(
    "select 1 from escrow
     where buyer = $1 and provider = $2 or buyer = $2 and provider = $1 limit 1"
);

/// Escrows that the caller pays.
const BOUGHT: Sql = one_side!("buyer", "provider");

/// Escrows that pay the caller.
const SOLD: Sql = one_side!("provider", "buyer");

pub(super) fn own(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListEscrows,
) -> Result<EscrowPage> {
    let role = request.role.as_ref().unwrap_or(&EscrowRole::Any);
    if *role == EscrowRole::Moderator {
        refuse_others(caller)?;
    }
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    ids::refuse_long("planId", request.plan_id.as_ref().map(PlanId::as_str))?;
    let other = match &request.counterparty {
        None => None,
        Some(name) => Some(account::counterparty(ctx, caller, name.as_str(), DEAL)?),
    };
    overdue::refuse(ctx, &caller.id)?;
    let wanted = Wanted { caller, request, page: &page, other: other.as_ref() };
    let mut records = match role {
        EscrowRole::Moderator => disputed(ctx, wanted)?,
        EscrowRole::Buyer => one_side(ctx, BOUGHT, wanted)?,
        EscrowRole::Provider => one_side(ctx, SOLD, wanted)?,
        _ => both_sides(ctx, wanted)?,
    };
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    let escrows = records
        .into_iter()
        .map(|record| {
            let side = record.side(caller).unwrap_or(Side::Moderator);
            record.into_api(ctx, side)
        })
        .collect::<Result<_>>()?;
    Ok(EscrowPage { escrows, next_cursor })
}

/// 403 unless the caller is a moderator and the credential has that scope.
fn refuse_others(caller: &Account) -> Result<()> {
    if is_moderator(&caller.role, &caller.status) {
        return caller.require_one(&Scope::Moderate);
    }
    let message = "only moderators may list disputes between other accounts";
    Err(Error::refused(Code::Forbidden, message))
}

/// Which escrows are listed.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    caller: &'a Account,
    request: &'a ListEscrows,
    page: &'a Page,
    /// The other party, if only those with it are.
    other: Option<&'a UserId>,
}

fn one_side(ctx: &mut Ctx<'_, '_>, side: Sql, wanted: Wanted<'_>) -> Result<Vec<Record>> {
    let Wanted { caller, request, page, other } = wanted;
    ctx.tx.all(
        side,
        values![caller.id, page.before(), request.status, other, request.plan_id, page.rows()],
    )
}

/// Both roles, each along its index, merged. No account has both roles in one escrow.
fn both_sides(ctx: &mut Ctx<'_, '_>, wanted: Wanted<'_>) -> Result<Vec<Record>> {
    let mut records = one_side(ctx, BOUGHT, wanted)?;
    records.extend(one_side(ctx, SOLD, wanted)?);
    records.sort_by(|a, b| b.id.cmp(&a.id));
    records.truncate(usize::try_from(wanted.page.rows()).unwrap_or(usize::MAX));
    Ok(records)
}

/// Open disputes that the caller may decide: those of an agent of theirs are not among them, nor those that the clock
/// decides by now.
fn disputed(ctx: &mut Ctx<'_, '_>, wanted: Wanted<'_>) -> Result<Vec<Record>> {
    let Wanted { caller, request, page, other } = wanted;
    let now = ctx.now();
    ctx.tx.all(
        select_escrows!(
            "where e.status = 'disputed' and e.id < $1
                and (cast($2 as text) is null or e.status = $2)
                and (cast($3 as text) is null or e.buyer = $3 or e.provider = $3)
                and (cast($4 as text) is null or e.plan = $4)
                and coalesce(b.owner, b.id) <> $5 and coalesce(p.owner, p.id) <> $5
                and (e.due_at is null or e.due_at > $6)
             order by e.id desc limit $7"
        ),
        values![
            page.before(),
            request.status,
            other,
            request.plan_id,
            caller.person(),
            now,
            page.rows()
        ],
    )
}

pub(super) fn events(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListEscrowEvents,
) -> Result<EscrowEventPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let after = page.after_seq()?.unwrap_or(0);
    let (record, side) = escrow::of_party(ctx, &request.escrow_id, caller)?;
    let mut events = escrow::lines(ctx, &record, side, after, page.rows())?;
    let next_cursor = page.cut(&mut events, |event| vec![event.seq.to_string()]);
    Ok(EscrowEventPage { events, next_cursor })
}
