//! Escrows and orders of an account whose time is over: they are advanced before an answer depends on them.

use svc_store::error::{Error, Result};
use svc_types::{Code, UserId};

use super::{escrow, service_request, spend};
use crate::app::Ctx;

/// Fails if an account has any, so that they are advanced and the job runs again.
pub fn refuse(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    escrow::refuse_overdue(ctx, account)?;
    service_request::refuse_overdue(ctx, account)
}

/// What a payment of an account came to. Before it is refused for too few credits, what is overdue is advanced, which
/// may give enough back. The ledger has locked the balance by then, so nothing comes back between the refusal and this.
pub fn before_refusal<T>(ctx: &mut Ctx<'_, '_>, payer: &UserId, paid: Result<T>) -> Result<T> {
    if paid.as_ref().is_err_and(is_short) {
        refuse(ctx, payer)?;
    }
    paid
}

/// Judges whether an account can and may pay. Before a refusal, what is overdue is advanced, also of all agents of its
/// owner, whose caps count them together. On PostgreSQL, another transaction may give credits back between two
/// statements: they were missing when this judged, and nothing is overdue any more. So it judges again.
pub fn judged(
    ctx: &mut Ctx<'_, '_>,
    payer: &UserId,
    owner: Option<&UserId>,
    judge: impl Fn(&mut Ctx<'_, '_>) -> Result<()>,
) -> Result<()> {
    let judged = judge(ctx);
    if !judged.as_ref().is_err_and(is_short) {
        return judged;
    }
    refuse(ctx, payer)?;
    if let Some(owner) = owner {
        spend::refuse_overdue_of_agents(ctx, owner)?;
    }
    judge(ctx)
}

/// Whether credits that come back may change a refusal.
fn is_short(error: &Error) -> bool {
    matches!(error.code(), Code::InsufficientCredits | Code::SpendLimit | Code::DebtOpen)
}
