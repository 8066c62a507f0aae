//! Validates an order before any credits move: the service, the input and the price.

use serde_json::Value;
use svc_client::types::api::bots::Capability;
use svc_client::types::schema::Schema;
use svc_client::types::{Balance, Checksum, ServiceRequest, Span};

use super::hash::hash;
use super::known_order::KnownOrder;
use super::order::{Order, Target};
use super::spend::Expense;
use crate::error::{Error, Result};

/// What an order would cost and send; from [`Order::quote`](super::Order::quote).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Quote {
    /// The service as currently offered.
    pub service: Capability,
    /// The request to the provider, including the offered credits; an escrow's id would be added.
    pub request: ServiceRequest,
    /// How long the provider would have to deliver into an escrow; `None` without an escrow.
    pub escrow: Option<Span>,
    /// The available balance of the account.
    pub available: Balance,
}

/// A validated order.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// The provider's username in lower case.
    pub(super) provider: String,
    pub(super) service: Capability,
    pub(super) request: ServiceRequest,
}

impl Offer {
    /// The expense of the order. A resumed order keeps the price and the payment method agreed on: if
    /// the price has risen since, the provider rejects it.
    pub(super) fn expense<T>(
        &mut self,
        order: &Order<T>,
        name: &str,
        begun: Option<&KnownOrder>,
    ) -> Expense {
        let amount = begun.map_or(self.service.price_credits, |begun| begun.amount);
        self.request.offered_credits = amount;
        Expense {
            order: name.to_owned(),
            provider: self.provider.clone(),
            service: self.service.id.clone(),
            service_name: self.service.name.clone(),
            amount,
            max_credits: order.max_credits.unwrap_or_default(),
            method: begun
                .and_then(KnownOrder::payment_method)
                .unwrap_or_else(|| order.payment_method(amount)),
            hash: Some(self.hash(&self.provider)),
            begun_hash: begun.map(|begun| self.hash(&begun.provider)),
        }
    }

    /// The hash of the order, with this name of its provider.
    fn hash(&self, provider: &str) -> Checksum {
        hash(provider, &self.service.name, &self.request.input)
    }

    pub(super) async fn quote<T>(self, order: &Order<T>, escrow: Option<Span>) -> Result<Quote> {
        let Self { service, request, .. } = self;
        let available = order.buyer.client.credits().balance().await?.credits.available;
        Ok(Quote { service, request, escrow, available })
    }
}

/// Looks up the service and validates the input.
pub(super) async fn offer<T>(order: &Order<T>) -> Result<Offer> {
    let target = order.target()?;
    let input = order.input_object()?;
    let offers = order.buyer.client.bots().capabilities(&target.provider).await?.capabilities;
    let service = pick(offers, &target)?;
    validate(&service, &Value::Object(input.clone()))?;
    let request = ServiceRequest {
        service_id: service.id.clone(),
        service_name: service.name.as_str().into(),
        input,
        offered_credits: service.price_credits,
        escrow_id: None,
    };
    let provider = order.buyer.counted_provider(&target.provider).await?;
    Ok(Offer { provider, service, request })
}

/// The offer that the target names: by its id or name, then by its name ignoring case.
fn pick(mut offers: Vec<Capability>, target: &Target) -> Result<Capability> {
    let service = &target.service;
    let exact = offers.iter().position(|it| it.id.as_str() == service || it.name == *service);
    let found = exact.or_else(|| {
        let folded = service.to_lowercase();
        offers.iter().position(|it| it.name.to_lowercase() == folded)
    });
    match found {
        Some(index) => Ok(offers.swap_remove(index)),
        None => Err(Error::NoService {
            provider: target.provider.clone(),
            service: target.service.clone(),
            offers: offers.into_iter().map(|offer| offer.name).collect(),
        }),
    }
}

/// Validates an input against the published schema, as the platform and the provider do.
fn validate(service: &Capability, input: &Value) -> Result<()> {
    let Some(schema) = &service.input_schema else {
        return Ok(());
    };
    let schema = Schema::new(schema)
        .map_err(|error| Error::config(format!("the service's inputSchema {error}")))?;
    let faults = schema.faults(input);
    if faults.is_empty() { Ok(()) } else { Err(Error::Input { faults }) }
}
