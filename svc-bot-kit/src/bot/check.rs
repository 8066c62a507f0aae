//! Steps 4 to 7: whether an order can be carried out, each with its reason.

use std::sync::Arc;

use serde_json::Value;
use svc_client::types::ServiceRequest;
use svc_client::types::api::escrow::{Escrow, EscrowStatus};

use crate::service::{Offers, Published, Rejection};

/// Steps 5 to 7: all that can be said of an order without asking anybody.
pub(super) fn all(
    offer: &Offers,
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

/// Step 4: the service is one of ours.
pub(super) fn known(
    services: &Published,
    asked: &ServiceRequest,
) -> Result<Arc<Offers>, Rejection> {
    services.get(&asked.service_id).cloned().ok_or_else(|| {
        let message = "must be the id of a service that is offered; see the capabilities";
        Rejection::at("the service is not offered", "/serviceId", message)
    })
}

/// Step 5: the input fits, or all that is wrong with it.
pub(super) fn input(offer: &Offers, asked: &ServiceRequest) -> Result<(), Rejection> {
    let faults = offer.input.checker.faults(&Value::Object(asked.input.clone()));
    if faults.is_empty() {
        return Ok(());
    }
    let mut rejection = Rejection::new("the input does not fit the schema");
    for fault in faults {
        rejection.add(format!("/input{}", fault.pointer), fault.message);
    }
    rejection.example.clone_from(&offer.service.example);
    Err(rejection)
}

/// Step 6: enough is offered.
pub(super) fn price(offer: &Offers, asked: &ServiceRequest) -> Result<(), Rejection> {
    let price = offer.service.price;
    if asked.offered_credits >= price {
        return Ok(());
    }
    let message = format!("must be at least the price, {price}");
    Err(Rejection::at("too little is offered", "/offeredCredits", message))
}

/// Step 7, first part: an escrow is named where one is demanded.
pub(super) fn demand(offer: &Offers, asked: &ServiceRequest) -> Result<(), Rejection> {
    if asked.escrow_id.is_some() || !offer.needs_escrow() {
        return Ok(());
    }
    let message = "must name a funded escrow for this service";
    Err(Rejection::at("this service is paid by escrow", "/escrowId", message))
}

/// Step 7, second part: the escrow is between the two of us and for this service.
pub(super) fn parties(
    escrow: &Escrow,
    asked: &ServiceRequest,
    me: &str,
    requester: &str,
) -> Result<(), Rejection> {
    let wrong = |message: &str| Err(Rejection::at("the escrow does not fit", "/escrowId", message));
    if escrow.provider_username != me {
        return wrong("must name this bot as the provider");
    }
    if escrow.buyer_username != requester {
        return wrong("must be the requester's own");
    }
    if escrow.service_id != asked.service_id {
        return wrong("must be for the service that is ordered");
    }
    Ok(())
}

/// Whether the work lies in the escrow already: an order that a journal which is lost has seen done.
pub(super) fn is_handed_over(escrow: &Escrow) -> bool {
    let after = [EscrowStatus::Delivered, EscrowStatus::Disputed, EscrowStatus::Released];
    after.contains(&escrow.status)
}

/// Step 7, third part: the escrow pays for the work.
pub(super) fn funds(escrow: &Escrow, offer: &Offers) -> Result<(), Rejection> {
    let wrong =
        |message: String| Err(Rejection::at("the escrow does not pay", "/escrowId", message));
    if escrow.status != EscrowStatus::Funded {
        return wrong(format!("must be funded, and is {}", escrow.status));
    }
    if escrow.amount < offer.service.price {
        return wrong(format!("must hold at least the price, {}", offer.service.price));
    }
    Ok(())
}

/// Step 7, last part: the escrow belongs to no other order.
pub(super) fn shared_escrow() -> Rejection {
    Rejection::at("the escrow does not fit", "/escrowId", "must be tied to no other order")
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
