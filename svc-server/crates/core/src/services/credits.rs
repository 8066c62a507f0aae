//! Issuing credits, by an admin or on the server itself, and those that what is overdue gives back.

use svc_store::error::Result;
use svc_types::api::credits::TransferKind;
use svc_types::{Code, Credits, Id, TransferId, UserId};

use super::account::{self, Record};
use super::audit::{self, By, On};
use super::ledger::{self, Cause, Holder};
use super::{escrow, service_request};
use crate::app::Ctx;

/// Name of one issue; nobody outside sees it.
struct TopupId(String);

impl From<String> for TopupId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for TopupId {
    const PREFIX: &'static str = "top_";
}

/// Issues credits to an account; 409 beyond what can be issued in all.
pub fn issue(
    ctx: &mut Ctx<'_, '_>,
    actor: &str,
    to: &Record,
    amount: Credits,
    reason: &str,
) -> Result<TransferId> {
    let reference: TopupId = ctx.id();
    let by = UserId::from(actor);
    let cause = Cause {
        kind: TransferKind::Topup,
        reference: &reference.0,
        reason: Some(reason),
        actor: Some(&by),
    };
    account::keep(ctx, &to.id, &to.id)?;
    let micros = amount.micros();
    let entries = [(Holder::Issuance, -micros), (Holder::User(&to.id), micros)];
    let id = ledger::post(ctx, &cause, &entries)?;
    audit::write(
        ctx,
        By(actor),
        "credits_granted",
        On(to.id.as_str()),
        Some(&format!("{amount}: {reason}")),
    )?;
    Ok(id)
}

/// Fails if escrows or orders of an account are overdue, so that they are advanced before its credits count.
pub fn refuse_overdue(ctx: &mut Ctx<'_, '_>, user: &UserId) -> Result<()> {
    escrow::refuse_overdue(ctx, user)?;
    service_request::refuse_overdue(ctx, user)
}

/// What a payment of an account came to. Before it is refused for too few credits or a cap, what is overdue is
/// advanced, which may give enough back.
pub fn unless_overdue<T>(ctx: &mut Ctx<'_, '_>, user: &UserId, paid: Result<T>) -> Result<T> {
    if let Err(error) = &paid
        && matches!(error.code(), Code::InsufficientCredits | Code::SpendLimit)
    {
        refuse_overdue(ctx, user)?;
    }
    paid
}
