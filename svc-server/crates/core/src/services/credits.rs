//! Issuing credits, by an admin or on the server itself.

use svc_store::error::Result;
use svc_types::api::credits::TransferKind;
use svc_types::{Credits, Id, TransferId, UserId};

use super::account::{self, Record};
use super::audit::{self, By, On};
use super::ledger::{self, Cause, Holder};
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
