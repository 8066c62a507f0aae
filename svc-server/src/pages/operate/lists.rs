//! The lists behind the figures: orders that ended, escrows that hold credits, what waits in queues.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::escrow::EscrowStatus;
use svc_types::api::operate::{
    EndedOrder, ListEndedOrders, ListOpenEscrows, ListQueue, OpenEscrow, OrderOutcome, QueueEntry,
    QueueName,
};
use svc_types::api::orders::OrderStatus;
use svc_types::{EscrowId, MessageId};

use super::{WINDOWS, operator};
use crate::http::{Html, PageContext, PageRequest};
use crate::pages::Frame;
use crate::pages::orders::status::{self, Badge, Side};

/// How orders ended, and the id of the label of each.
const OUTCOMES: [(&str, &str); 2] =
    [("completed", "operate-orders-done"), ("failed", "operate-orders-failed")];

#[derive(Template)]
#[template(path = "operate_orders.html")]
struct EndedOrders {
    frame: Frame,
    outcomes: &'static [(&'static str, &'static str)],
    outcome: String,
    windows: &'static [(&'static str, &'static str)],
    window: String,
    orders: Vec<EndedOrder>,
    next: Option<String>,
}

pub(super) fn orders(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    operator(context)?;
    let asked = request.decode::<ListEndedOrders>()?;
    let page = context.ask(&asked)?;
    let outcome = asked.outcome.unwrap_or(OrderOutcome::Completed);
    let window = request.field("window").unwrap_or("7d");
    Html::of(&EndedOrders {
        frame: Frame::of(context, request, request.t("operate-ended"))?,
        outcomes: &OUTCOMES,
        outcome: outcome.to_string(),
        windows: &WINDOWS,
        window: window.to_owned(),
        next: request.next(page.next_cursor.as_ref()),
        orders: page.orders,
    })
}

/// The id that an order is listed by.
fn id(order: &EndedOrder) -> &str {
    let escrow = order.escrow_id.as_ref().map_or("", EscrowId::as_str);
    order.order_id.as_ref().map_or(escrow, MessageId::as_str)
}

/// The page of an order that was disputed; moderators may see no other.
fn path_of_order(order: &EndedOrder) -> Option<String> {
    let place = if order.order_id.is_some() { "orders" } else { "escrow" };
    order.was_disputed.then(|| format!("/{place}/{}", id(order)))
}

fn badge_of_order(order: &EndedOrder) -> Badge {
    status::badge(&order.status, Side::Moderator)
}

#[derive(Template)]
#[template(path = "operate_escrows.html")]
struct OpenEscrows {
    frame: Frame,
    escrows: Vec<OpenEscrow>,
    next: Option<String>,
}

pub(super) fn escrows(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    operator(context)?;
    let page = context.ask(&request.decode::<ListOpenEscrows>()?)?;
    Html::of(&OpenEscrows {
        frame: Frame::of(context, request, request.t("operate-escrows-open"))?,
        next: request.next(page.next_cursor.as_ref()),
        escrows: page.escrows,
    })
}

/// The page of a disputed escrow; moderators may see no other.
fn path_of_escrow(escrow: &OpenEscrow) -> Option<String> {
    let path = || match &escrow.order_id {
        Some(order) => format!("/orders/{order}"),
        None => format!("/escrow/{}", escrow.id),
    };
    (escrow.status == EscrowStatus::Disputed).then(path)
}

fn badge_of_escrow(escrow: &OpenEscrow) -> Badge {
    let status = match escrow.status {
        EscrowStatus::Delivered => OrderStatus::Delivered,
        EscrowStatus::Disputed => OrderStatus::Disputed,
        _ => OrderStatus::Open,
    };
    status::badge(&status, Side::Moderator)
}

#[derive(Template)]
#[template(path = "operate_queue.html")]
struct Waiting {
    frame: Frame,
    queues: &'static [&'static str],
    queue: QueueName,
    entries: Vec<QueueEntry>,
    next: Option<String>,
}

pub(super) fn queue(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    operator(context)?;
    let asked = request.decode::<ListQueue>()?;
    let page = context.ask(&asked)?;
    let title = request.t("operate-queue").with("queue", &asked.queue);
    Html::of(&Waiting {
        frame: Frame::of(context, request, title)?,
        queues: QueueName::WORDS,
        queue: asked.queue,
        next: request.next(page.next_cursor.as_ref()),
        entries: page.entries,
    })
}
