//! The escrow that pays for an order of the tool: opened once per id, and given back.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::services::escrow;
use svc_types::api::bots::Capability;
use svc_types::api::escrow::{CreateEscrow, Escrow, EscrowEnvelope, EscrowStatus, GetEscrow};
use svc_types::{EscrowId, MessageId, PositiveCredits};

use super::session::{Failure, Session, failure};

/// Most escrows that are opened for an id, each after the previous one was cancelled or refunded.
const HOLDS_MAX: usize = 10;

/// What the log of an escrow says that is given back.
const REFUSED: &str = "the order was refused";

/// Holds the price in an escrow, once per id. After that was given back, a retry opens another one. Its
/// key names the one before: equal retries open the same.
pub(super) async fn open(
    session: &Session,
    provider: &str,
    offer: &Capability,
    id: &str,
) -> Result<EscrowId, Failure> {
    let request = CreateEscrow {
        provider_username: provider.into(),
        service_id: offer.id.clone(),
        amount: PositiveCredits::from_micros(offer.price_credits.micros()),
        description: format!("Order {id}").into(),
        expires_in: None,
    };
    let mut key = format!("mcp-escrow-{id}");
    for _ in 0..HOLDS_MAX {
        let escrow = open_once(session, &request, &key).await?;
        if !is_given_back(&escrow) {
            return funded(session, escrow).await;
        }
        // No id has a slash, so no two ids share a key.
        key = format!("mcp-escrow-{id}/{}", escrow.id);
    }
    let message = format!("{HOLDS_MAX} tries with this id did not place an order");
    Err(failure("limit_reached", message, "give the order another id"))
}

/// Opens an escrow, or reads the one that was opened under this key: its stored answer may be old.
async fn open_once(
    session: &Session,
    request: &CreateEscrow,
    key: &str,
) -> Result<Escrow, Failure> {
    let (EscrowEnvelope { escrow, .. }, is_replayed) =
        session.call_once(request, Some(key)).await?;
    if !is_replayed {
        return Ok(escrow);
    }
    let request = GetEscrow { escrow_id: escrow.id };
    let EscrowEnvelope { escrow, .. } = session.call(&request, None).await?;
    Ok(escrow)
}

/// Whether the buyer has the credits again, and no order was placed with the escrow. One that paid for
/// an order leads to it, however both ended.
fn is_given_back(escrow: &Escrow) -> bool {
    escrow.request_id.is_none()
        && matches!(escrow.status, EscrowStatus::Cancelled | EscrowStatus::Refunded)
}

/// The id of an escrow that was paid for. One that was not is cancelled.
async fn funded(session: &Session, escrow: Escrow) -> Result<EscrowId, Failure> {
    if escrow.status != EscrowStatus::Created {
        return Ok(escrow.id);
    }
    give_back(session, escrow.id, None).await;
    let hint = "the account has too few credits; tell the person";
    Err(failure("insufficient_credits", "the account does not have enough credits", hint))
}

/// Cancels the escrow of an order that failed, or of none if the order was refused. All calls with one id
/// share its escrow: if another call has placed an order with it meanwhile, the escrow stays. If it can't
/// be cancelled, it expires.
pub(super) async fn give_back(session: &Session, escrow_id: EscrowId, order: Option<MessageId>) {
    let buyer = Arc::clone(&session.visit.account);
    let job = move |ctx: &mut Ctx<'_, '_>| {
        escrow::give_back(ctx, &buyer, &escrow_id, order.as_ref(), REFUSED)
    };
    if let Err(error) = session.app.write(job).await {
        tracing::debug!(%error, "an escrow that is not needed was not cancelled");
    }
}
