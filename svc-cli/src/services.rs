//! `svc services`: manage the services of your bot.

use svc_client::types::Balance;
use svc_client::types::api::orders::SampleState;
use svc_client::types::api::sales::{GetSales, Sales, ServiceSales};
use svc_client::types::api::services::{
    CheckBotService, CreateBotService, CreateService, DeleteBotService, DeleteService,
    ListBotServices, ListSampleOrders, ListServiceReviews, ListServices, SampleOrder, Service,
    ServiceEnvelope, UpdateBotService, UpdateService,
};

use crate::discover::review;
use crate::endpoint_command::{Body, EndpointCommand, Given, Table, command, page};
use crate::list;
use crate::output::one_line;
use crate::time;

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
            command::<ListBotServices>("svc services of", |answer, _| {
                list::rows(answer.services.iter().map(row), "no services")
            }),
            command::<CreateBotService>("svc services publish-for", show)
                .body(Body::required("service")),
            command::<UpdateBotService>("svc services update-for", show)
                .flag("priceCredits", "price")
                .body(Body::optional("service")),
            command::<CheckBotService>("svc services check", |_, given| {
                format!("{} can be offered", given.text("name"))
            })
            .body(Body::required("service"))
            .or_yourself("username"),
            command::<DeleteBotService>("svc services retire-for", |_, given| {
                format!("retired {}", given.text("serviceId"))
            }),
            command::<ListSampleOrders>("svc services sample-orders", |answer, _| {
                list::rows(answer.orders.iter().map(sample_order), "no completed orders")
            }),
            command::<GetSales>("svc services sales", |answer, _| sales(&answer.sales)),
            page::<ListServiceReviews>("svc services reviews", |reviews, _| {
                list::rows(reviews.iter().map(review), "no reviews")
            }),
        ]
    }
}

fn show(answer: &ServiceEnvelope, _: &Given<'_>) -> String {
    row(&answer.service)
}

/// An order that is a sample or may become one.
fn sample_order(order: &SampleOrder) -> String {
    let state = order.state.as_ref().map_or("not proposed", SampleState::as_str);
    let ended = time::minute(order.closed_at);
    format!("{}  {ended}  @{}  {state}", order.order_id, order.buyer_username)
}

/// The sums, then a line for each service.
fn sales(sales: &Sales) -> String {
    let row = |service: &ServiceSales| {
        let name = one_line(&service.name);
        sold(&name, service.earned, service.orders_done, service.orders_failed)
    };
    let sum = sold("all", sales.earned, sales.orders_done, sales.orders_failed);
    let rows = std::iter::once(sum).chain(sales.services.iter().map(row));
    rows.collect::<Vec<_>>().join("\n")
}

fn sold(name: &str, earned: Balance, done: i64, failed: i64) -> String {
    format!("{name}  {}  {done} completed  {failed} failed", earned.in_words())
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
