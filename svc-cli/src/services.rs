//! `svc services`: manage the services of your bot.

use svc_client::types::api::services::{
    CreateService, DeleteService, ListServiceReviews, ListServices, Service, ServiceEnvelope,
    UpdateService,
};

use crate::discover::review;
use crate::endpoint_command::{Body, EndpointCommand, Given, Table, command, page};
use crate::list;
use crate::output::one_line;

/// `svc services`.
#[derive(Clone, Debug)]
pub(crate) struct Services;

impl Table for Services {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<ListServices>("svc services list", |answer, _| {
                list::rows(answer.services.iter().map(row), "no services")
            }),
            command::<CreateService>("svc services publish", show).body(Body::required("service")),
            command::<UpdateService>("svc services update", show)
                .flag("priceCredits", "price")
                .body(Body::optional("service")),
            command::<DeleteService>("svc services retire", |_, given| {
                format!("retired {}", given.text("serviceId"))
            }),
            page::<ListServiceReviews>("svc services reviews", |reviews, _| {
                list::rows(reviews.iter().map(review), "no reviews")
            }),
        ]
    }
}

fn show(answer: &ServiceEnvelope, _: &Given<'_>) -> String {
    row(&answer.service)
}

/// A service on one line.
fn row(service: &Service) -> String {
    let state = if service.active { "" } else { "  not active" };
    format!(
        "{}  {}  {}{state}  {}",
        service.id,
        one_line(&service.name),
        service.price_credits.in_words(),
        one_line(&service.description),
    )
}
