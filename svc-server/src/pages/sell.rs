//! The seller console: what an agent earned, for the agent and its owner.

mod builder;
mod draft;
mod editor;
mod sample_orders;

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::api::owners::ListOwnedAgents;
use svc_types::api::sales::{GetSales, Sales, SalesStep, SalesWindow, ServiceSales};
use svc_types::api::services::{ListBotServices, Service, ServiceEnvelope, UpdateBotService};
use svc_types::{Handle, Timestamp};

use super::chart::{Chart, Series, Steps, Unit};
use super::{File, Flash, Frame};
use crate::http::{Done, Html, PageContext, PageRequest, Pages};

/// Windows to choose from: the word in the query, the id of the unit, and how many of it.
const WINDOWS: [(&str, &str, u32); 4] = [
    ("24h", "span-hours", 24),
    ("7d", "span-days", 7),
    ("30d", "span-days", 30),
    ("90d", "span-days", 90),
];

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/sell", show)
        .get("/sell/{username}/sales.csv", csv)
        .button::<UpdateBotService>("/sell/{username}/services/{serviceId}/active", changed)
        .and(editor::pages())
}

/// The console of the agent that a form is about.
fn console(request: &PageRequest) -> Done {
    Done::to(format!("/sell?agent={}", request.field("username").unwrap_or_default()))
}

fn changed(request: &PageRequest, _: &ServiceEnvelope) -> Done {
    console(request).say(Flash::Saved)
}

/// The agents that the visitor may look at: itself, or those it owns.
fn agents(context: &mut PageContext<'_>) -> Result<Vec<String>> {
    let account = context.signed_in()?;
    if account.is_agent {
        return Ok(vec![account.username.clone()]);
    }
    let owned = context.ask(&ListOwnedAgents {})?.agents;
    Ok(owned.into_iter().map(|agent| agent.username).collect())
}

/// A person without an agent.
#[derive(Template)]
#[template(path = "sell_start.html")]
struct Start {
    frame: Frame,
    has_payouts: bool,
}

#[derive(Template)]
#[template(path = "sell.html")]
struct Page {
    frame: Frame,
    agent: String,
    /// All agents to switch between.
    agents: Vec<String>,
    is_own: bool,
    window: SalesWindow,
    windows: &'static [(&'static str, &'static str, u32)],
    sales: Sales,
    charts: Vec<Chart>,
    rows: Vec<Row>,
    /// Whether earnings are paid out to the visitor.
    has_payouts: bool,
    /// Seconds for which deliveries to webhooks are kept.
    kept: u64,
}

/// A service: what is offered, and what it sold. One that was withdrawn is not offered any more.
struct Row {
    id: String,
    name: String,
    offered: Option<Service>,
    sold: Option<ServiceSales>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let agents = agents(context)?;
    let asked = request.field("agent");
    let Some(agent) = asked.map(str::to_owned).or_else(|| agents.first().cloned()) else {
        let frame = Frame::of(context, request, request.t("sell-title"))?;
        return Html::of(&Start { frame, has_payouts: has_payouts(context)? });
    };
    if !agents.contains(&agent) {
        return Err(Error::not_found("agent"));
    }
    let sales = sales(context, request, &agent)?;
    let username: Handle = agent.as_str().into();
    let offered = context.ask(&ListBotServices { username })?.services;
    let frame = Frame::of(context, request, request.t("sell-title"))?;
    Html::of(&Page {
        is_own: context.signed_in()?.is_agent,
        has_payouts: has_payouts(context)?,
        charts: charts(&frame, &sales),
        rows: rows(offered, &sales.services),
        window: sales.window.clone(),
        windows: &WINDOWS,
        kept: context.app().config.retention.deliveries.as_secs(),
        frame,
        agent,
        agents,
        sales,
    })
}

/// Whether earnings are paid out, to people.
fn has_payouts(context: &PageContext<'_>) -> Result<bool> {
    let config = &context.app().config;
    Ok(config.payouts.is_on(&config.billing) && !context.signed_in()?.is_agent)
}

fn sales(context: &mut PageContext<'_>, request: &PageRequest, agent: &str) -> Result<Sales> {
    let window = request.field("window").map(SalesWindow::from);
    let known = |window: &SalesWindow| WINDOWS.iter().any(|(word, ..)| *word == window.as_str());
    if window.as_ref().is_some_and(|window| !known(window)) {
        return Err(request.wrong("window", request.t("sell-window-wrong")));
    }
    Ok(context.ask(&GetSales { username: agent.into(), window })?.sales)
}

/// What is offered, in its order, then what was sold and withdrawn.
fn rows(offered: Vec<Service>, sold: &[ServiceSales]) -> Vec<Row> {
    let of = |id: &str| sold.iter().find(|one| one.id.as_str() == id).cloned();
    let is_offered = |one: &&ServiceSales| offered.iter().any(|service| service.id == one.id);
    let withdrawn: Vec<Row> = sold
        .iter()
        .filter(|one| !is_offered(one))
        .map(|one| Row {
            id: one.id.to_string(),
            name: one.name.clone(),
            offered: None,
            sold: Some(one.clone()),
        })
        .collect();
    let row = |service: Service| Row {
        id: service.id.to_string(),
        name: service.name.clone(),
        sold: of(service.id.as_str()),
        offered: Some(service),
    };
    offered.into_iter().map(row).chain(withdrawn).collect()
}

/// The charts that have something to show.
fn charts(frame: &Frame, sales: &Sales) -> Vec<Chart> {
    let starts: Vec<Timestamp> = sales.series.iter().map(|step| step.start).collect();
    let steps = Steps::of(frame, &starts, sales.window == SalesWindow::Day);
    let of = |name, value: fn(&SalesStep) -> i64| Series {
        name,
        values: sales.series.iter().map(value).collect(),
    };
    let earned = [of("sell-earned", |step| step.earned.micros())];
    let orders = [
        of("sell-chart-done", |step| step.orders_done),
        of("sell-chart-failed", |step| step.orders_failed),
    ];
    let earned = Chart::of(frame.language, "sell-chart-earnings", Unit::Credits, &steps, &earned);
    let orders = Chart::of(frame.language, "sell-chart-orders", Unit::Count, &steps, &orders);
    earned.into_iter().chain(orders).collect()
}

/// The series as a file, with numbers and times that programs read.
fn csv(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let agent = request.field("username").unwrap_or_default().to_owned();
    let sales = sales(context, request, &agent)?;
    let line = |step: &SalesStep| {
        let SalesStep { start, earned, orders_done, orders_failed, .. } = step;
        format!("{start},{earned},{orders_done},{orders_failed}\r\n")
    };
    let head = "start,earned,orders_done,orders_failed\r\n".to_owned();
    let text: String = std::iter::once(head).chain(sales.series.iter().map(line)).collect();
    let name = format!(
        "sales-{}-{}.csv",
        agent.replace(|c: char| !c.is_ascii_alphanumeric(), "-"),
        sales.window
    );
    Ok(Html::file(File { name, media_type: "text/csv; charset=utf-8", bytes: text.into_bytes() }))
}
