//! New terms of an escrow: more time for the delivery, a split of the credits.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::escrow::{self, Act, Moved, Record, Side};
use svc_core::services::order;
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::escrow::{AcceptSplit, ActionKind, EscrowEnvelope, ExtendEscrow, OfferSplit};
use svc_types::{Code, Credits, EscrowId, PositiveCredits, Scope};

use super::create::LIFE_MAX;
use super::{pay_for_another, take};

pub(super) fn extend(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ExtendEscrow,
) -> Result<EscrowEnvelope> {
    let record = take(ctx, &request.escrow_id, caller, Side::Buyer)?;
    let expires_at = ctx.now().plus(request.expires_in.duration());
    let act = Act { action: ActionKind::Extend, by: Some(caller), note: None };
    let is_possible = svc_types::api::escrow::can(&record.status, act.action).is_some();
    if is_possible && expires_at <= record.expires_at() {
        let message = "expiresIn must end later than the deadline before";
        return Err(Error::invalid("expiresIn", message));
    }
    if is_possible && expires_at > record.created_at().plus(LIFE_MAX) {
        let message = "expiresIn must end at most 90d after the escrow was created";
        return Err(Error::invalid("expiresIn", message));
    }
    let Moved { record, .. } =
        escrow::advance(ctx, &record, act, |next| next.set_expiry(expires_at))?;
    let escrow = record.acted()?;
    if let Some(order) = &escrow.request_id {
        order::grant(ctx, order, expires_at)?;
    }
    Ok(EscrowEnvelope { escrow })
}

pub(super) fn offer_split(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &OfferSplit,
) -> Result<EscrowEnvelope> {
    let record = take_by_party(ctx, &request.escrow_id, caller)?;
    let act = Act { action: ActionKind::OfferSplit, by: Some(caller), note: None };
    let part = provider_amount(&record, act.action, request.provider_amount)?;
    if record.offered_split(caller) {
        pay_for_another(ctx, caller, &record, act.action)?;
    }
    let now = ctx.now();
    let Moved { record, .. } =
        escrow::advance(ctx, &record, act, |next| next.set_split(part, caller, now))?;
    Ok(EscrowEnvelope { escrow: record.acted()? })
}

pub(super) fn accept_split(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &AcceptSplit,
) -> Result<EscrowEnvelope> {
    let record = take_by_party(ctx, &request.escrow_id, caller)?;
    let act = Act { action: ActionKind::AcceptSplit, by: Some(caller), note: None };
    if svc_types::api::escrow::can(&record.status, act.action).is_some() {
        refuse_other_offer(&record, caller, request)?;
    }
    let Moved { record, .. } = escrow::advance(ctx, &record, act, |_| {})?;
    Ok(EscrowEnvelope { escrow: record.acted()? })
}

/// 403 for the caller's own offer, 409 if the offer that is accepted does not stand.
fn refuse_other_offer(record: &Record, caller: &Account, request: &AcceptSplit) -> Result<()> {
    let Some(split) = record.split() else {
        let refusal = Refusal::new(Code::VersionMismatch, "no split is offered");
        return Err(refusal.field("offerVersion").into());
    };
    if record.offered_split(caller) {
        let message = "only the other party may accept your offer";
        return Err(Error::refused(Code::Forbidden, message));
    }
    if split.offer_version != i64::from(request.offer_version.get()) {
        let message = format!("the offer that stands has the version {}", split.offer_version);
        return Err(Refusal::new(Code::VersionMismatch, message).field("offerVersion").into());
    }
    Ok(())
}

/// Loads an escrow for a change by either party, whose credential must be allowed to act for its side.
fn take_by_party(ctx: &mut Ctx<'_, '_>, id: &EscrowId, caller: &Account) -> Result<Record> {
    let (record, side) = escrow::take(ctx, id, caller)?;
    let scope = match side {
        Side::Buyer => Scope::ExchangeSpend,
        Side::Provider => Scope::ExchangeSell,
        Side::Moderator => {
            return Err(Error::refused(Code::Forbidden, "only the parties may do this"));
        }
    };
    caller.require_one(&scope)?;
    Ok(record)
}

/// What the provider receives of a split: 400 unless it leaves the buyer a part. The state is judged
/// first.
pub(super) fn provider_amount(
    record: &Record,
    action: ActionKind,
    asked: PositiveCredits,
) -> Result<Credits> {
    let part = asked.bounded();
    let is_possible = svc_types::api::escrow::can(&record.status, action).is_some();
    if is_possible && part >= record.amount {
        let message = format!("providerAmount must be less than {}", record.amount.in_words());
        return Err(Error::invalid("providerAmount", message));
    }
    Ok(part)
}
