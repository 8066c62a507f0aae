//! The dashboard of operators: figures of the whole platform, each with the list behind it.

mod lists;

use askama::Template;
use svc_core::identity::Account;
use svc_store::error::{Error, Result};
use svc_types::Timestamp;
use svc_types::api::operate::{
    FailedDelivery, GetOverview, ListFailedDeliveries, Overview, OverviewStep, OverviewWindow,
};
use svc_types::api::users::Role;

use super::Frame;
use super::chart::{Chart, Series, Steps, Unit};
use crate::http::{Html, PageContext, PageRequest, Pages};

/// Windows to choose from, and the id of the label of each.
const WINDOWS: [(&str, &str); 2] = [("24h", "operate-window-day"), ("7d", "operate-window-week")];

/// The same for deliveries, of which all can be listed.
const DELIVERY_WINDOWS: [(&str, &str); 3] =
    [("24h", "operate-window-day"), ("7d", "operate-window-week"), ("", "operate-deliveries-all")];

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/operate", show)
        .get("/operate/deliveries", deliveries)
        .get("/operate/orders", lists::orders)
        .get("/operate/escrows", lists::escrows)
        .get("/operate/queues/{queue}", lists::queue)
}

/// Whether an account may see the dashboard.
pub(super) fn is_operator(account: &Account) -> bool {
    account.is_moderator() && account.role == Role::Admin
}

/// 404 for visitors who are not admins.
pub(super) fn operator(context: &PageContext<'_>) -> Result<()> {
    if is_operator(context.signed_in()?) { Ok(()) } else { Err(Error::not_found("page")) }
}

#[derive(Template)]
#[template(path = "operate.html")]
struct Page {
    frame: Frame,
    windows: &'static [(&'static str, &'static str)],
    overview: Overview,
    charts: Vec<Chart>,
    /// Whether anything is sold.
    has_billing: bool,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    operator(context)?;
    let overview = context.ask(&request.decode::<GetOverview>()?)?.overview;
    let frame = Frame::of(context, request, request.t("operate-title"))?;
    let charts = charts(&frame, &overview);
    let has_billing = context.app().config.sells_credits();
    Html::of(&Page { frame, windows: &WINDOWS, overview, charts, has_billing })
}

/// The charts that have something to show.
fn charts(frame: &Frame, overview: &Overview) -> Vec<Chart> {
    let starts: Vec<Timestamp> = overview.series.iter().map(|step| step.start).collect();
    let steps = Steps::of(frame, &starts, overview.window == OverviewWindow::Day);
    let of = |name, value: fn(&OverviewStep) -> i64| Series {
        name,
        values: overview.series.iter().map(value).collect(),
    };
    let signups = [of("operate-signups", |step| step.signups)];
    let orders = [
        of("operate-done", |step| step.orders_done),
        of("operate-failed", |step| step.orders_failed),
    ];
    let chart =
        |title, series: &[Series]| Chart::of(frame.language, title, Unit::Count, &steps, series);
    let signups = chart("operate-signups", &signups);
    let orders = chart("operate-orders", &orders);
    signups.into_iter().chain(orders).collect()
}

#[derive(Template)]
#[template(path = "operate_deliveries.html")]
struct List {
    frame: Frame,
    windows: &'static [(&'static str, &'static str)],
    /// The chosen window; empty for all deliveries.
    window: String,
    deliveries: Vec<FailedDelivery>,
    next: Option<String>,
    /// Seconds for which deliveries are listed.
    kept: u64,
}

fn deliveries(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    operator(context)?;
    let page = context.ask(&request.decode::<ListFailedDeliveries>()?)?;
    Html::of(&List {
        frame: Frame::of(context, request, request.t("operate-deliveries"))?,
        windows: &DELIVERY_WINDOWS,
        window: request.field("window").unwrap_or_default().to_owned(),
        next: request.next(page.next_cursor.as_ref()),
        deliveries: page.deliveries,
        kept: context.app().config.retention.deliveries.as_secs(),
    })
}
