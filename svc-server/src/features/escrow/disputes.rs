//! Disputes: opened by the buyer, answered by the provider, resolved by a moderator.

use serde_json::Value;
use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::audit::{self, By, On};
use svc_core::services::escrow::{self, Act, Moved, Record, Side};
use svc_core::services::owner;
use svc_store::error::{Error, Result};
use svc_types::Code;
use svc_types::api::escrow::{
    ActionKind, Dispute, DisputeEscrow, DisputeOutcome, EscrowEnvelope, JSON_BYTES_MAX,
    ResolveEscrow, RespondToDispute,
};

use super::terms::provider_amount;
use super::{pay_for_another, take};

pub(super) fn open(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DisputeEscrow,
) -> Result<EscrowEnvelope> {
    refuse_large(request.evidence.as_ref())?;
    let record = take(ctx, &request.escrow_id, caller, Side::Buyer)?;
    let dispute = write(&Dispute {
        reason: request.reason.to_string(),
        evidence: request.evidence.clone(),
        opened_at: ctx.now(),
        response: None,
        response_evidence: None,
        responded_at: None,
        outcome: None,
        note: None,
        resolved_at: None,
    })?;
    let act = Act { action: ActionKind::Dispute, by: Some(caller), note: Some(&request.reason) };
    let Moved { record, .. } =
        escrow::advance(ctx, &record, act, |next| next.set_dispute(dispute))?;
    Ok(EscrowEnvelope { escrow: record.acted()? })
}

pub(super) fn respond(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RespondToDispute,
) -> Result<EscrowEnvelope> {
    refuse_large(request.evidence.as_ref())?;
    let record = take(ctx, &request.escrow_id, caller, Side::Provider)?;
    let before = record.dispute()?;
    if before.as_ref().is_some_and(|dispute| dispute.response.is_some()) {
        pay_for_another(ctx, caller, &record, ActionKind::Respond)?;
    }
    let dispute = match before {
        None => None,
        Some(mut dispute) => {
            dispute.response = Some(request.response.to_string());
            dispute.response_evidence.clone_from(&request.evidence);
            dispute.responded_at = Some(ctx.now());
            Some(write(&dispute)?)
        }
    };
    let act = Act { action: ActionKind::Respond, by: Some(caller), note: Some(&request.response) };
    let Moved { record, .. } = escrow::advance(ctx, &record, act, |next| {
        if let Some(dispute) = dispute {
            next.set_dispute(dispute);
        }
    })?;
    Ok(EscrowEnvelope { escrow: record.acted()? })
}

pub(super) fn resolve(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ResolveEscrow,
) -> Result<EscrowEnvelope> {
    let splits = request.outcome == DisputeOutcome::Split;
    if splits != request.provider_amount.is_some() {
        let message = "providerAmount must be given with the outcome split, and with no other";
        return Err(Error::invalid("providerAmount", message));
    }
    let record = take(ctx, &request.escrow_id, caller, Side::Moderator)?;
    refuse_former_owner(ctx, caller, &record)?;
    let action = match request.outcome {
        DisputeOutcome::Release => ActionKind::ResolveRelease,
        DisputeOutcome::Split => ActionKind::ResolveSplit,
        _ => ActionKind::ResolveRefund,
    };
    let part = request.provider_amount.map(|asked| provider_amount(&record, action, asked));
    let (part, now) = (part.transpose()?, ctx.now());
    let act = Act { action, by: Some(caller), note: Some(&request.note) };
    let Moved { record, .. } = escrow::advance(ctx, &record, act, |next| {
        if let Some(part) = part {
            next.set_split(part, caller, now);
        }
    })?;
    // Without the note, which is kept with the dispute.
    let (judge, outcome) = (caller.id.as_str(), request.outcome.as_str());
    audit::write(ctx, By(judge), "escrow_resolved", On(request.escrow_id.as_str()), Some(outcome))?;
    Ok(EscrowEnvelope { escrow: record.judged()? })
}

/// 403 for a moderator who owned a party during the deal: releasing an agent must not make its owner the
/// judge.
fn refuse_former_owner(ctx: &mut Ctx<'_, '_>, judge: &Account, record: &Record) -> Result<()> {
    let parties = [&record.buyer, &record.provider];
    if !owner::has_released(ctx, judge.person(), parties, record.created_at())? {
        return Ok(());
    }
    let message = "you owned one of the parties during this deal; another moderator decides";
    Err(Error::refused(Code::Forbidden, message))
}

fn write(dispute: &Dispute) -> Result<String> {
    serde_json::to_string(dispute).map_err(Error::internal)
}

fn refuse_large(evidence: Option<&Value>) -> Result<()> {
    let bytes = evidence.map_or(0, |evidence| evidence.to_string().len());
    if bytes <= JSON_BYTES_MAX {
        return Ok(());
    }
    let message = format!("evidence must have at most {JSON_BYTES_MAX} bytes of JSON");
    Err(Error::invalid("evidence", message))
}
