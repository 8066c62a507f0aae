//! Escrow (spec §2.7, §3.1, §4).

mod create;
mod disputes;
mod lists;
mod plan;
mod terms;
mod work;

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::escrow::{self, Act, Moved, Record, Side};
use svc_core::services::oauth::signing;
use svc_core::services::{account, budget, reputation};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::escrow::{
    ActionKind, CancelEscrow, DeclineEscrow, EscrowAttestation, EscrowEnvelope, FundEscrow,
    GetEscrow, GetEscrowAttestation, RefundEscrow, can,
};
use svc_types::{Code, EscrowId, PositiveCredits, UserId};

use crate::app::ServerApp;
use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    let ends = Routes::new()
        .write(cancel)
        .allow_suspended()
        .write(decline)
        .allow_suspended()
        .write(refund)
        .allow_suspended();
    let works = Routes::new()
        .write(work::deliver)
        .allow_suspended()
        .write(work::release)
        .allow_suspended()
        .write(disputes::open)
        .allow_suspended()
        .write(disputes::respond)
        .allow_suspended()
        .write(disputes::resolve);
    let terms = Routes::new()
        .write(terms::extend)
        .write(terms::offer_split)
        .allow_suspended()
        .write(terms::accept_split)
        .allow_suspended();
    let reads = Routes::new().read(read).read(lists::own).read(lists::events);
    let reads = reads.read_after(make_keys, attestation);
    let opens = Routes::new().write(create::create).write(plan::create).write(fund);
    reads.and(opens).and(ends).and(works).and(terms)
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &GetEscrow) -> Result<EscrowEnvelope> {
    let (record, side) = escrow::of_party(ctx, &request.escrow_id, caller)?;
    Ok(EscrowEnvelope { escrow: record.into_api(ctx, side)? })
}

/// Makes the keys that sign, at their first use.
async fn make_keys(app: Arc<ServerApp>) -> Result<()> {
    signing::ensure(&app.core()).await
}

/// The signed reputation of its provider, only for the parties.
fn attestation(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetEscrowAttestation,
) -> Result<EscrowAttestation> {
    let (record, side) = escrow::of_party(ctx, &request.escrow_id, caller)?;
    if side == Side::Moderator {
        return Err(Error::not_found("escrow"));
    }
    Ok(EscrowAttestation { attestation: reputation::attest_escrow(ctx, &record)? })
}

/// Loads an escrow for a change by this side: 404 if the caller is not a party, 403 if the caller
/// is the other side.
fn take(ctx: &mut Ctx<'_, '_>, id: &EscrowId, caller: &Account, side: Side) -> Result<Record> {
    let (record, found) = escrow::take(ctx, id, caller)?;
    if found == side {
        return Ok(record);
    }
    let party = match side {
        Side::Buyer => "the buyer",
        Side::Provider => "the provider",
        Side::Moderator => "a moderator who is not a party",
    };
    Err(Error::refused(Code::Forbidden, format!("only {party} may do this")))
}

/// Counts what takes the place of the same party's last word, another delivery for example, among the messages to the
/// other party: it ends nothing, and notifies them each time. Where it is not possible, the state is the refusal.
fn pay_for_another(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    record: &Record,
    action: ActionKind,
) -> Result<()> {
    if can(&record.status, action).is_none() {
        return Ok(());
    }
    let peer = if caller.id == record.buyer { &record.provider } else { &record.buyer };
    budget::pay_peer(ctx, caller, peer)
}

/// Ends an escrow without input.
fn end(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    (id, side): (&EscrowId, Side),
    action: ActionKind,
    reason: Option<&str>,
) -> Result<EscrowEnvelope> {
    let record = take(ctx, id, caller, side)?;
    let act = Act { action, by: Some(caller), note: reason };
    let Moved { record, .. } = escrow::advance(ctx, &record, act, |_| {})?;
    Ok(EscrowEnvelope { escrow: record.acted()? })
}

fn cancel(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CancelEscrow,
) -> Result<EscrowEnvelope> {
    let target = (&request.escrow_id, Side::Buyer);
    end(ctx, caller, target, ActionKind::Cancel, request.reason.as_deref())
}

fn decline(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DeclineEscrow,
) -> Result<EscrowEnvelope> {
    let target = (&request.escrow_id, Side::Provider);
    end(ctx, caller, target, ActionKind::Decline, request.reason.as_deref())
}

fn refund(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RefundEscrow,
) -> Result<EscrowEnvelope> {
    let target = (&request.escrow_id, Side::Provider);
    end(ctx, caller, target, ActionKind::Refund, request.reason.as_deref())
}

fn fund(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &FundEscrow) -> Result<EscrowEnvelope> {
    let record = take(ctx, &request.escrow_id, caller, Side::Buyer)?;
    account::keep(ctx, &record.buyer, &record.provider)?;
    let expected = request.expected_amount.map(PositiveCredits::bounded);
    let act = Act { action: ActionKind::Fund, by: Some(caller), note: None };
    let row = can(&record.status, act.action);
    if row.is_some() {
        refuse_suspended(ctx, &record.provider)?;
    }
    if row.is_some() && expected.is_some_and(|expected| expected != record.amount) {
        let message = format!("the amount of the escrow is {}", record.amount.in_words());
        return Err(Refusal::new(Code::VersionMismatch, message).field("expectedAmount").into());
    }
    let Moved { record, .. } = escrow::advance(ctx, &record, act, |_| {})?;
    Ok(EscrowEnvelope { escrow: record.acted()? })
}

/// 403 for a payment to a provider that is suspended. The escrow was opened before, and holds nothing yet.
fn refuse_suspended(ctx: &mut Ctx<'_, '_>, provider: &UserId) -> Result<()> {
    if !account::is_suspended(ctx, provider)? {
        return Ok(());
    }
    let refusal = Refusal::new(Code::Forbidden, "the provider is suspended and can't be paid now");
    Err(refusal.hint("cancel the escrow, or wait for the end of the suspension").into())
}
