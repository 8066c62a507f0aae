//! Checks of an order before its handler runs, each with the reason for a rejection.

use std::sync::Arc;

use serde_json::Value;
use svc_client::types::ServiceRequest;
use svc_client::types::api::escrow::{Escrow, EscrowStatus};

use crate::service::{Offer, Published, Rejection};

/// All checks that need no request to the platform.
pub(super) fn all(
    offer: &Offer,
    asked: &ServiceRequest,
    escrow: Option<&Result<Escrow, Rejection>>,
) -> Result<(), Rejection> {
    input(offer, asked)?;
    price(offer, asked)?;
    demand(offer, asked)?;
    match escrow {
        None => Ok(()),
        Some(Ok(escrow)) => funds(escrow, offer),
        Some(Err(rejection)) => Err(rejection.clone()),
    }
}

/// The bot offers the service.
pub(super) fn known(services: &Published, asked: &ServiceRequest) -> Result<Arc<Offer>, Rejection> {
    services.get(&asked.service_id).cloned().ok_or_else(|| {
        let message = "must be the id of an offered service; see the capabilities";
        Rejection::at("the service is not offered", "/serviceId", message)
    })
}

/// The input matches the schema; the rejection lists every fault.
pub(super) fn input(offer: &Offer, asked: &ServiceRequest) -> Result<(), Rejection> {
    let faults = offer.input.checker.faults(&Value::Object(asked.input.clone()));
    if faults.is_empty() {
        return Ok(());
    }
    let mut rejection = Rejection::new("the input does not match the schema");
    for fault in faults {
        rejection.add(format!("/input{}", fault.pointer), fault.message);
    }
    rejection.example.clone_from(&offer.service.example);
    Err(rejection)
}

/// The order offers at least the price.
pub(super) fn price(offer: &Offer, asked: &ServiceRequest) -> Result<(), Rejection> {
    let price = offer.service.price;
    if asked.offered_credits >= price {
        return Ok(());
    }
    let message = format!("must be at least the price, {price}");
    Err(Rejection::at("the offer is below the price", "/offeredCredits", message))
}

/// The order names an escrow if the service requires one.
pub(super) fn demand(offer: &Offer, asked: &ServiceRequest) -> Result<(), Rejection> {
    if asked.escrow_id.is_some() || !offer.needs_escrow() {
        return Ok(());
    }
    let message = "must name a funded escrow for this service";
    let reason = "the service requires an escrow: POST /v1/escrow opens one, whose id is the \
                  escrowId of the order";
    Err(Rejection::at(reason, "/escrowId", message))
}

/// The escrow names this provider, the requester and the service.
pub(super) fn parties(
    escrow: &Escrow,
    asked: &ServiceRequest,
    me: &str,
    requester: &str,
) -> Result<(), Rejection> {
    let problem = if escrow.provider_username != me {
        "must name this bot as the provider"
    } else if escrow.buyer_username != requester {
        "must name the requester as the buyer"
    } else if escrow.service_id != asked.service_id {
        "must be for the ordered service"
    } else {
        return Ok(());
    };
    Err(Rejection::at("the escrow does not match the order", "/escrowId", problem))
}

/// Whether the work was delivered into the escrow, possibly by a bot whose journal was lost.
pub(super) fn is_delivered(escrow: &Escrow) -> bool {
    matches!(
        escrow.status,
        EscrowStatus::Delivered | EscrowStatus::Disputed | EscrowStatus::Released
    )
}

/// The escrow is funded with at least the price.
pub(super) fn funds(escrow: &Escrow, offer: &Offer) -> Result<(), Rejection> {
    let problem = if escrow.status != EscrowStatus::Funded {
        format!("must be funded but is {}", escrow.status)
    } else if escrow.amount < offer.service.price {
        format!("must hold at least the price, {}", offer.service.price)
    } else {
        return Ok(());
    };
    Err(Rejection::at("the escrow does not pay for the order", "/escrowId", problem))
}

/// The rejection of an order whose escrow pays for another one.
pub(super) fn shared_escrow() -> Rejection {
    let problem = "must not pay for another order";
    Rejection::at("the escrow does not match the order", "/escrowId", problem)
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
