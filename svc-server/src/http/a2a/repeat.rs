//! Messages that are sent again, as after an answer that was lost. Each counts once, whatever has changed since.

use serde_json::json;
use svc_types::api::orders::{InputOrder, ServiceOrder};
use svc_types::{Code, Credits, Text};

use super::bridge::{Content, orders};
use super::call::Call;
use super::fault::Fault;
use super::types::Message;

/// Most earlier questions of a task that a message may have answered.
const EARLIER_MAX: usize = 10;

/// The order that a message has placed. What a text orders, and whether a limit is needed, follows from what the
/// agent offers, which may have changed since. The endpoint recognizes all others.
pub(super) async fn placed(
    call: &Call,
    message: &Message,
    content: &Content,
    limit: Option<Credits>,
) -> Result<Option<ServiceOrder>, Fault> {
    if limit.is_some() && matches!(content, Content::Data(_)) {
        return Ok(None);
    }
    let mut asked = orders(call, 1);
    asked.client_order_id = Some(Text::from(message.message_id.as_str()));
    let found = match call.api.ask(&asked, None).await {
        Ok(page) => page.orders,
        // A key that may only spend places its order.
        Err(error) if error.code() == Code::InsufficientScope => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let most = limit.unwrap_or_default();
    let is_it = |order: &ServiceOrder| order.offered_credits <= most && is_input(order, content);
    Ok(found.into_iter().find(is_it))
}

/// Whether an order has this content as its service and input.
fn is_input(order: &ServiceOrder, content: &Content) -> bool {
    match content {
        Content::Data(data) => {
            data["serviceId"] == order.service_id.as_str() && data["input"] == json!(order.input)
        }
        Content::Text(text) => {
            let mut members = order.input.values();
            members.next().is_some_and(|it| it == text) && members.next().is_none()
        }
    }
}

/// Whether a message has answered an earlier question. Its key lets it count once.
pub(super) async fn was_given(call: &Call, request: &InputOrder, key: &str) -> bool {
    let present: usize = request.prompt_id.as_str().parse().unwrap_or_default();
    for earlier in (1..present).rev().take(EARLIER_MAX) {
        let again = InputOrder { prompt_id: Text::from(earlier.to_string()), ..request.clone() };
        if call.api.ask(&again, Some(key)).await.is_ok() {
            return true;
        }
    }
    false
}
