//! Escrows and orders of an account whose time is over: they are advanced before an answer depends on them.

use svc_store::error::Result;
use svc_types::{Code, UserId};

use super::{escrow, service_request};
use crate::app::Ctx;

/// Fails if an account has any, so that they are advanced and the job runs again.
pub fn refuse(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    escrow::refuse_overdue(ctx, account)?;
    service_request::refuse_overdue(ctx, account)
}

/// What a payment of an account came to. Before it is refused for too few credits or by a cap, what is overdue is
/// advanced, which may give enough back.
pub fn before_refusal<T>(ctx: &mut Ctx<'_, '_>, payer: &UserId, paid: Result<T>) -> Result<T> {
    if let Err(error) = &paid
        && matches!(error.code(), Code::InsufficientCredits | Code::SpendLimit)
    {
        refuse(ctx, payer)?;
    }
    paid
}
