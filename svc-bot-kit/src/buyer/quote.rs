//! Looking before a credit leaves: the service, the input, the price.

use serde_json::Value;
use svc_client::types::api::bots::Capability;
use svc_client::types::schema::Schema;
use svc_client::types::{Balance, ServiceRequest, Span};

use super::hash::hash;
use super::order::{Order, Target};
use super::spend::{Expense, KnownOrder};
use crate::error::{Error, Result};

/// What an order would cost and send; from [`Order::quote`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Quote {
    /// The service as it is offered now.
    pub service: Capability,
    /// What would be sent to the provider, with what is offered; an escrow's id is added to it.
    pub request: ServiceRequest,
    /// How long an escrow would give the provider to deliver; none without an escrow.
    pub escrow: Option<Span>,
    /// What the account can spend.
    pub available: Balance,
}

/// What is known before anything is spent.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// The provider's username in lower case.
    pub(super) provider: String,
    pub(super) service: Capability,
    pub(super) request: ServiceRequest,
}

impl Offer {
    /// What an order of it costs, and how it is paid. One that was begun keeps to the price and the
    /// way that were agreed to then: a higher price ends in a rejection, never in a higher bill.
    pub(super) fn expense(
        &mut self,
        order: &Order,
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
            way: begun.and_then(KnownOrder::way).unwrap_or_else(|| order.way(amount)),
            hash: Some(hash(&self.provider, &self.service.name, &self.request.input)),
        }
    }

    pub(super) async fn quoted(self, order: &Order, escrow: Option<Span>) -> Result<Quote> {
        let Self { service, request, .. } = self;
        let available = order.buyer.client.credits().balance().await?.credits.available;
        Ok(Quote { service, request, escrow, available })
    }
}

/// Looks up the service and judges the input.
pub(super) async fn offer(order: &Order) -> Result<Offer> {
    let target = order.target()?;
    let input = order.given()?;
    let offers = order.buyer.client.bots().capabilities(&target.provider).await?.capabilities;
    let service = pick(offers, &target)?;
    judge(&service, &Value::Object(input.clone()))?;
    let request = ServiceRequest {
        service_id: service.id.clone(),
        service_name: service.name.as_str().into(),
        input,
        offered_credits: service.price_credits,
        escrow_id: None,
    };
    Ok(Offer { provider: order.provider(&target).await?, service, request })
}

/// The service that is target among those its bot offers: by id or name, then ignoring case.
fn pick(mut offers: Vec<Capability>, target: &Target) -> Result<Capability> {
    let exactly = |offer: &Capability| [offer.id.as_str(), &offer.name].contains(&&*target.service);
    let nearly = |offer: &Capability| offer.name.eq_ignore_ascii_case(&target.service);
    let found = offers.iter().position(exactly).or_else(|| offers.iter().position(nearly));
    match found {
        Some(index) => Ok(offers.swap_remove(index)),
        None => Err(Error::NoService {
            provider: target.provider.clone(),
            service: target.service.clone(),
            offers: offers.into_iter().map(|offer| offer.name).collect(),
        }),
    }
}

/// Judges an input by the schema that its service publishes, as the platform and the provider do.
fn judge(service: &Capability, input: &Value) -> Result<()> {
    let Some(schema) = &service.input_schema else {
        return Ok(());
    };
    let schema = Schema::new(schema)
        .map_err(|error| Error::config(format!("the service's inputSchema {error}")))?;
    let faults = schema.faults(input);
    if faults.is_empty() { Ok(()) } else { Err(Error::Input { faults }) }
}
