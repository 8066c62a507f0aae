//! The form with which the buyer of an order gives the seller the time that it asks for.

use std::time::Duration;

use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::escrow::{EscrowEnvelope, ExtendEscrow};
use svc_types::api::orders::{ExtendOrder, OrderEnvelope, OrderStatus};

use super::orders::view::View;
use super::{Flash, escrow, orders};
use crate::http::{Done, Html, PageContext, PageRequest, Pages};

/// Times to choose from: the value of the field, and its days.
const TIMES: &[(&str, u64)] = &[("1d", 1), ("3d", 3), ("7d", 7), ("14d", 14), ("30d", 30)];

/// Seconds of a day.
const DAY: u64 = 86_400;

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    let (order, escrow) = ("/orders/{orderId}/extend", "/escrow/{escrowId}/extend");
    Pages::new()
        .form::<ExtendOrder>(order, orders::show, |_, answer: &OrderEnvelope| {
            Done::to(format!("/orders/{}", answer.order.id)).say(Flash::MoreTime)
        })
        .form::<ExtendEscrow>(escrow, show, |_, answer: &EscrowEnvelope| {
            Done::to(escrow::path(&answer.escrow)).say(Flash::MoreTime)
        })
}

/// The page of the order that an escrow pays for.
fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let view = View::of_escrow(context, request)?;
    orders::page(context, request, view)
}

/// More time that the seller asks for.
pub(super) struct Wish {
    pub(super) until: Timestamp,
    /// Where the form of the buyer is sent.
    pub(super) action: String,
    /// The field of that form.
    pub(super) field: &'static str,
    /// Times to choose from, and the shortest one that is enough.
    pub(super) times: &'static [(&'static str, u64)],
    pub(super) enough: &'static str,
}

impl Wish {
    pub(super) fn of(view: &View, now: Timestamp) -> Option<Self> {
        let until = wanted(view)?;
        let (action, field) = match &view.escrow {
            Some(escrow) => (format!("/escrow/{}/extend", escrow.id), "expiresIn"),
            None => (format!("{}/extend", view.path()), "answerWithin"),
        };
        Some(Self { until, action, field, times: TIMES, enough: enough(until.since(now)) })
    }
}

/// Until when the seller would need time for the result, unless it has that much.
fn wanted(view: &View) -> Option<Timestamp> {
    let is_worked_on = matches!(
        view.status,
        OrderStatus::Open | OrderStatus::Working | OrderStatus::InputRequired
    );
    let until = view.order.as_ref()?.wants_until.filter(|_| is_worked_on)?;
    let (_, due, _) = view.deadline()?;
    (until > due).then_some(until)
}

/// The shortest time that covers this one; else the longest.
fn enough(wanted: Duration) -> &'static str {
    let covering = TIMES.iter().find(|(_, days)| wanted <= Duration::from_secs(days * DAY));
    covering.or(TIMES.last()).map_or("", |(value, _)| *value)
}
