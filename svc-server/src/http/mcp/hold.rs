//! The escrow that pays for an order of the tool: opened once per id, and given back.

use std::sync::Arc;

use http::Method;
use svc_core::app::Ctx;
use svc_core::due;
use svc_core::services::billing::debt;
use svc_core::services::{escrow, spend};
use svc_types::api::bots::Capability;
use svc_types::api::escrow::{CreateEscrow, Escrow, EscrowEnvelope, EscrowStatus, GetEscrow};
use svc_types::{Credits, EscrowId, MessageId, PositiveCredits};

use super::session::{Failure, Session, failure};
use crate::http::idempotency::{Key, stored};

/// Most escrows that are opened for an id, each after the previous one was cancelled or refunded.
const HOLDS_MAX: usize = 10;

/// What the log of an escrow says that is given back.
const REFUSED: &str = "the order was refused";

/// What it says of one that could not be paid.
const UNPAID: &str = "the balance does not cover it";

/// The key of the first escrow for an id.
fn key_of(id: &str) -> String {
    format!("mcp-escrow-{id}")
}

/// 403 or 409 for a price that the account can't or may not pay now, before the person is asked or an escrow is
/// opened. An earlier call with the same id may have opened one, which holds the price already.
pub(super) async fn refuse_short(
    session: &Session,
    price: Credits,
    id: Option<&str>,
) -> Result<(), Failure> {
    let buyer = Arc::clone(&session.visit.account);
    let key = id.map(|id| Key::new(buyer.id.as_str(), key_of(id), &Method::POST, "", &[]));
    let job = move |ctx: &mut Ctx<'_, '_>| {
        if let Some(key) = &key
            && stored(ctx, key)?.is_some()
        {
            return Ok(());
        }
        buyer.require_active()?;
        spend::refuse_beyond(ctx, &buyer, price.micros())?;
        debt::refuse_unpayable(ctx, &buyer.id, price.micros())
    };
    due::read(&session.app, job).await.map_err(|error| session.refused(&error))
}

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
    let mut key = key_of(id);
    for _ in 0..HOLDS_MAX {
        let escrow = open_once(session, &request, &key).await?;
        if !is_given_back(&escrow) {
            return funded(session, escrow).await.map(|escrow| escrow.id);
        }
        // No id has a slash, so no two ids share a key.
        key = format!("{}/{}", key_of(id), escrow.id);
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

/// An escrow that was paid for. One that was not is cancelled: no tool pays for it later.
pub(super) async fn funded(session: &Session, escrow: Escrow) -> Result<Escrow, Failure> {
    if escrow.status != EscrowStatus::Created {
        return Ok(escrow);
    }
    cancel(session, escrow.id, None, UNPAID).await;
    let hint = "the account has too few credits; tell the person";
    Err(failure("insufficient_credits", "the account does not have enough credits", hint))
}

/// Cancels the escrow of an order that failed, or of none if the order was refused. All calls with one id
/// share its escrow: if another call has placed an order with it meanwhile, the escrow stays. If it can't
/// be cancelled, it expires.
pub(super) async fn give_back(session: &Session, escrow_id: EscrowId, order: Option<MessageId>) {
    cancel(session, escrow_id, order, REFUSED).await;
}

async fn cancel(
    session: &Session,
    escrow_id: EscrowId,
    order: Option<MessageId>,
    note: &'static str,
) {
    let buyer = Arc::clone(&session.visit.account);
    let job = move |ctx: &mut Ctx<'_, '_>| {
        escrow::give_back(ctx, &buyer, &escrow_id, order.as_ref(), note)
    };
    if let Err(error) = session.app.write(job).await {
        tracing::debug!(%error, "an escrow that is not needed was not cancelled");
    }
}
