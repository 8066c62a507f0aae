//! Notifies the side of an order that did not act, never with a text.

use std::borrow::Cow;

use svc_store::error::Result;
use svc_types::api::connect::OrderData;
use svc_types::api::messages::Message;
use svc_types::api::orders::{OrderAction, OrderStatus, ServiceOrder};
use svc_types::{ServiceRequest, UserId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::notification::{self, Data, NewNotification};

/// The event of an order that a message has opened.
pub fn placed(message: &Message, request: &ServiceRequest) -> OrderData {
    OrderData {
        order_id: message.message_id.clone(),
        action: OrderAction::Placed,
        status: OrderStatus::Open,
        service_id: request.service_id.clone(),
        buyer_username: message.sender.username.clone(),
        provider_username: message.recipient.username.clone(),
        percent: None,
    }
}

/// Notifies the other side of what `by` did.
pub(super) fn other_side(
    ctx: &mut Ctx<'_, '_>,
    order: &ServiceOrder,
    by: &Account,
    action: OrderAction,
) -> Result<()> {
    let data = OrderData {
        order_id: order.id.clone(),
        action,
        status: order.status.clone(),
        service_id: order.service_id.clone(),
        buyer_username: order.buyer.username.clone(),
        provider_username: order.provider.username.clone(),
        percent: order.progress.as_ref().and_then(|progress| progress.percent),
    };
    let sides: [&UserId; 2] = [&order.buyer.id, &order.provider.id];
    let other = sides.into_iter().find(|id| **id != by.id);
    let notifications = other.map(|id| NewNotification::new(id, Data::Order(Cow::Borrowed(&data))));
    notification::notify(ctx, Some(&by.id), notifications.into_iter().collect())
}
