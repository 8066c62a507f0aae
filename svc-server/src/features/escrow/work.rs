//! Delivery of the work, and its acceptance.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::escrow::{self, Act, Moved, Record, Side};
use svc_core::services::{secrets, service};
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::api::credits::Transfer;
use svc_types::api::escrow::{
    ActionKind, DeliverEscrow, Deliverable, EscrowEnvelope, JSON_BYTES_MAX, ReleaseEscrow,
    Released, can,
};

use super::{pay_for_another, take};

pub(super) fn deliver(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DeliverEscrow,
) -> Result<EscrowEnvelope> {
    let (deliverable, token) = split(&request.deliverable)?;
    // The field may contain a secret of the provider, but no key of this platform.
    secrets::refuse_in(ctx, "deliverable", token.as_deref().unwrap_or(""))?;
    let notes = request.notes.as_deref();
    let record = take(ctx, &request.escrow_id, caller, Side::Provider)?;
    if record.deliverable_version > 0 {
        pay_for_another(ctx, caller, &record, ActionKind::Deliver)?;
    }
    let encrypt = |token: &str| ctx.app.encrypt.encrypt(record.id.as_str(), token);
    let access_token = token.as_deref().map(encrypt).transpose()?;
    let act = Act { action: ActionKind::Deliver, by: Some(caller), note: None };
    let Moved { record, .. } = escrow::advance(ctx, &record, act, |next| {
        next.set_delivery(deliverable, access_token, notes);
    })?;
    Ok(EscrowEnvelope { escrow: record.acted()? })
}

/// The stored deliverable, and its access token, which is stored encrypted.
fn split(deliverable: &Deliverable) -> Result<(String, Option<String>)> {
    let whole = serde_json::to_string(deliverable).map_err(Error::internal)?;
    if whole.len() > JSON_BYTES_MAX {
        let message = format!("deliverable must have at most {JSON_BYTES_MAX} bytes of JSON");
        return Err(Error::invalid("deliverable", message));
    }
    let token = deliverable.access_token.as_ref().map(|token| token.expose().to_owned());
    if token.is_none() {
        return Ok((whole, None));
    }
    let stored = Deliverable { access_token: None, ..deliverable.clone() };
    Ok((serde_json::to_string(&stored).map_err(Error::internal)?, token))
}

pub(super) fn release(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReleaseEscrow,
) -> Result<Released> {
    let feedback = request.feedback.as_deref();
    let record = take(ctx, &request.escrow_id, caller, Side::Buyer)?;
    if request.rating.is_some() && record.is_of_one() {
        return Err(service::own_rating());
    }
    refuse_other_version(&record, request)?;
    let act = Act { action: ActionKind::Release, by: Some(caller), note: None };
    let Moved { record, transfer } = escrow::advance(ctx, &record, act, |next| {
        next.set_judgement(request.rating, feedback);
    })?;
    let transfer = Transfer {
        amount: record.amount,
        to: record.provider_name.clone(),
        id: transfer.ok_or_else(|| Error::internal("a release moved no credits"))?,
        from: Some(record.buyer_name.clone()),
        escrow_id: Some(record.id.clone()),
        reason: None,
        created_at: ctx.now(),
    };
    Ok(Released { transfer, escrow: record.acted()? })
}

/// 409 if the buyer names another delivery than the latest one.
fn refuse_other_version(record: &Record, request: &ReleaseEscrow) -> Result<()> {
    let Some(meant) = request.deliverable_version else {
        return Ok(());
    };
    let possible = can(&record.status, ActionKind::Release).is_some();
    if !possible || i64::from(meant.get()) == record.deliverable_version {
        return Ok(());
    }
    let message = format!("the last delivery is version {}", record.deliverable_version);
    let refusal = Refusal::new(Code::VersionMismatch, message).field("deliverableVersion");
    Err(refusal.hint("review it before you release").into())
}
