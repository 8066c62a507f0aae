//! The tools that open and release escrows.

use std::sync::Arc;

use serde_json::{Value, json};
use svc_core::app::Ctx;
use svc_core::due;
use svc_core::services::escrow;
use svc_types::api::escrow::{
    ActionKind, CreateEscrow, Deliverable, Escrow, EscrowEnvelope, GetEscrow, ReleaseEscrow, can,
};
use svc_types::{Checksum, Credits};

use super::consent::Spending;
use super::hold;
use super::session::{Failure, Session, failure};

/// Opens an escrow that is paid for, once the person has agreed.
pub(super) async fn open(session: &Session, request: CreateEscrow) -> Result<Value, Failure> {
    session.require_spending()?;
    if session.state.is_none() {
        refuse_vain(session, request.clone()).await?;
    }
    let provider = session.payee(request.provider_username.as_str()).await?;
    let spending = Spending {
        tool: "escrow_open",
        arguments: json!(request),
        provider: &provider,
        what: request.description.as_str().to_owned(),
        credits: Credits::from_micros(request.amount.micros()),
    };
    let id = session.agree(&spending)?;
    let EscrowEnvelope { escrow, .. } = session.call(&request, Some(&id)).await?;
    let escrow = hold::funded(session, escrow).await?;
    Ok(json!(EscrowEnvelope { escrow }))
}

/// 400 to 409 for what can't be opened or paid: nobody is asked to agree to that.
async fn refuse_vain(session: &Session, request: CreateEscrow) -> Result<(), Failure> {
    let buyer = Arc::clone(&session.visit.account);
    let job = move |ctx: &mut Ctx<'_, '_>| escrow::refuse_vain(ctx, &buyer, &request);
    due::read(&session.app, job).await.map_err(|error| session.refused(&error))
}

/// Accepts a delivery as it was shown, once the person has agreed to pay.
pub(super) async fn release(
    session: &Session,
    request: ReleaseEscrow,
    shown: Option<Value>,
) -> Result<Value, Failure> {
    session.require_spending()?;
    let read = GetEscrow { escrow_id: request.escrow_id.clone() };
    let EscrowEnvelope { escrow, .. } = session.call(&read, None).await?;
    if session.will_ask(escrow.amount) {
        refuse_impossible(session, &escrow, &request)?;
    }
    compare(&escrow, shown.as_ref())?;
    let spending = Spending {
        tool: "escrow_release",
        arguments: json!({ "escrow": escrow.id, "version": request.deliverable_version }),
        provider: &escrow.provider_username,
        what: escrow.description.clone(),
        credits: escrow.amount,
    };
    let id = session.agree(&spending)?;
    session.call(&request, Some(&id)).await
}

/// 403 or 409 for what the endpoint refuses, too: nobody is asked to agree to that.
fn refuse_impossible(
    session: &Session,
    escrow: &Escrow,
    request: &ReleaseEscrow,
) -> Result<(), Failure> {
    let (status, latest) = (&escrow.status, escrow.deliverable_version);
    if escrow.buyer_username != session.visit.account.username {
        let hint = "the provider is paid when the buyer releases it";
        return Err(failure("forbidden", "only the buyer may do this", hint));
    }
    if can(status, ActionKind::Release).is_none() {
        return Err(failure("wrong_state", format!("the escrow is {status}"), status.as_str()));
    }
    if request.deliverable_version.is_some_and(|meant| i64::from(meant.get()) != latest) {
        let message = format!("the last delivery is version {latest}");
        return Err(failure("version_mismatch", message, "review it before you release"));
    }
    Ok(())
}

/// Whether what is in the escrow is what the agent was shown. The endpoint compares the version.
fn compare(escrow: &Escrow, shown: Option<&Value>) -> Result<(), Failure> {
    let claimed = escrow.deliverable.as_ref().and_then(checksum);
    let hint = "look at it with escrow_show";
    match shown {
        None if claimed.is_some() => {
            let message = "checksum is needed, so that only what was seen is accepted";
            Err(failure("validation_failed", message, hint))
        }
        Some(shown) if shown.as_str() != claimed => {
            let message = "the checksum is not that of the deliverable; it was not released";
            Err(failure("checksum_mismatch", message, hint))
        }
        _ => Ok(()),
    }
}

fn checksum(deliverable: &Deliverable) -> Option<&str> {
    deliverable.checksum.as_ref().map(Checksum::as_str)
}
