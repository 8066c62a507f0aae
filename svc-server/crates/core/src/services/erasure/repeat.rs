//! Accounts that were erased after the backup from which the database was restored. They are in it
//! as they were, perhaps with open deals, and are erased again before the server serves anybody.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::escrow::{self as table, ActionKind, EscrowStatus};
use svc_types::{EscrowId, Id, MessageId, UserId};

use super::hurry;
use crate::app::Ctx;
use crate::identity::{Account, acting};
use crate::services::audit::{self, By, On};
use crate::services::escrow::{Act, Side};
use crate::services::{deletion, escrow, service_request};

/// Who repeats an erasure, in the audit log.
const RESTORE: &str = "system";

/// Why, in the audit log.
const REASON: &str = "erased after the backup";

/// Those of these accounts that the database holds and that are not erased in it.
pub fn returned(ctx: &mut Ctx<'_, '_>, accounts: &[UserId]) -> Result<Vec<UserId>> {
    let sql = sql!("select 1 from account where id = $1 and erased_at is null");
    let mut returned = Vec::new();
    for account in accounts {
        if ctx.tx.optional::<i64>(sql, values![account])?.is_some() {
            returned.push(account.clone());
        }
    }
    Ok(returned)
}

/// An open deal.
#[derive(Clone, Debug)]
pub enum Deal {
    /// An escrow.
    Escrow(EscrowId),
    /// An order without one.
    Order(MessageId),
}

/// Open deals of an account, some if there are many. An order ends with the escrow that pays for it.
pub fn open_deals(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<Deal>> {
    let open = deletion::open_deals(ctx, account)?.into_iter();
    let deals = open.map(|id| {
        if id.starts_with(EscrowId::PREFIX) {
            Deal::Escrow(id.into())
        } else {
            Deal::Order(id.into())
        }
    });
    Ok(deals.collect())
}

/// Ends a deal in favour of the other party: in the history that was lost, it had ended before.
pub fn end_deal(ctx: &mut Ctx<'_, '_>, account: &UserId, deal: &Deal) -> Result<()> {
    let Some(account) = acting(ctx, account)? else { return Ok(()) };
    match deal {
        Deal::Escrow(id) => end_escrow(ctx, &account, id),
        Deal::Order(id) => service_request::abandon(ctx, id, &account.id),
    }
}

fn end_escrow(ctx: &mut Ctx<'_, '_>, account: &Account, id: &EscrowId) -> Result<()> {
    let (record, side) = escrow::take(ctx, id, account)?;
    if table::is_terminal(&record.status) {
        return Ok(());
    }
    let is_delivered = matches!(record.status, EscrowStatus::Delivered | EscrowStatus::Disputed);
    let action = match (side, is_delivered) {
        (Side::Buyer, false) => ActionKind::Cancel,
        (Side::Buyer, true) => ActionKind::Release,
        (_, false) => ActionKind::Decline,
        (_, true) => ActionKind::Refund,
    };
    let act = Act { action, by: Some(account), note: None };
    escrow::advance(ctx, &record, act, |_| {}).map(drop)
}

/// Deletes the account if it is not deleted, and lets the next round erase it.
pub fn condemn(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<()> {
    if let Some(account) = acting(ctx, id)? {
        deletion::delete_by(ctx, &account, RESTORE)?;
    }
    hurry(ctx, id)?;
    audit::write(ctx, By(RESTORE), "account_erase", On(id.as_str()), Some(REASON))
}
