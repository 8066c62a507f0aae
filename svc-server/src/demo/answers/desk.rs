//! Takes the orders of the sample agents, and answers them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use svc_store::error::Result;
use svc_types::ApiKey;
use svc_types::api::escrow::{DeliverEscrow, EscrowStatus, GetEscrow};
use svc_types::api::orders::{AnswerOrder, ListOrders, ServiceOrder};
use tokio_util::sync::CancellationToken;

use super::{Fault, made, members};
use crate::app::ServerApp;
use crate::demo::World;
use crate::http::InProcessClient;

/// Polling interval for orders.
const EVERY: Duration = Duration::from_secs(2);

/// Most orders of an agent per poll.
const AT_ONCE: u32 = 20;

/// Answers orders of the sample agents until the server stops.
pub async fn run(app: Arc<ServerApp>, world: World, stop: CancellationToken) {
    let client = InProcessClient::of(app);
    loop {
        for (name, key) in &world.agents {
            if let Err(error) = answer_due(&client, key, &world).await {
                tracing::warn!(%error, name, "an agent of the demo could not list its orders");
            }
        }
        let next = client.app().clock.now().plus(EVERY);
        let sleep = client.app().clock.sleep_until(next);
        if stop.run_until_cancelled(sleep).await.is_none() {
            return;
        }
    }
}

/// Answers the new orders of an agent, and those whose buyers gave an input that was asked for. Other
/// orders of the sample data stay as they are, so that each state can be seen.
async fn answer_due(client: &InProcessClient, key: &ApiKey, world: &World) -> Result<()> {
    let new = json!({ "status": "open", "since": world.made_at });
    let asked_back = json!({ "status": "working" });
    for (mut asked, is_new) in [(new, true), (asked_back, false)] {
        asked["role"] = json!("provider");
        asked["limit"] = json!(AT_ONCE);
        let orders = client.ask::<ListOrders>(Some(key), asked).await?.orders;
        for order in orders.into_iter().filter(|order| is_new || is_given(order)) {
            // One that was cancelled meanwhile holds up no other.
            if let Err(error) = answer(client, key, &order).await {
                tracing::warn!(%error, order = %order.id, "an agent of the demo could not answer");
            }
        }
    }
    Ok(())
}

/// Whether the buyer gave what the agent asked for.
fn is_given(order: &ServiceOrder) -> bool {
    order.prompt.as_ref().is_some_and(|prompt| prompt.input.is_some())
}

/// The input of an order, with what was asked for later.
fn input(order: &ServiceOrder) -> Map<String, Value> {
    let later = order.prompt.as_ref().and_then(|prompt| prompt.input.clone());
    let mut input = order.input.clone();
    input.extend(later.map(members).unwrap_or_default());
    input
}

/// Makes the result of an order, and answers it or delivers to the escrow that pays.
pub(in crate::demo) async fn answer(
    client: &InProcessClient,
    key: &ApiKey,
    order: &ServiceOrder,
) -> Result<()> {
    let made = made(client, key, &order.service_name, &input(order)).await?;
    let mut answer = match (made, &order.escrow_id) {
        (Ok(output), Some(escrow)) => {
            let asked = json!({ "escrowId": escrow });
            let found = client.ask::<GetEscrow>(Some(key), asked).await?.escrow;
            if found.status == EscrowStatus::Funded {
                let work = json!({ "escrowId": escrow, "deliverable": deliverable(output) });
                client.ask::<DeliverEscrow>(Some(key), work).await?;
            }
            return Ok(());
        }
        (Ok(output), None) => json!({ "status": "completed", "output": output }),
        (Err(Fault::Declines(reason)), _) => json!({ "status": "rejected", "reason": reason }),
        (Err(Fault::Fails(error)), _) => json!({ "status": "error", "error": error }),
    };
    answer["orderId"] = json!(order.id);
    client.ask::<AnswerOrder>(Some(key), answer).await.map(drop)
}

/// A result as the work of an escrow; the types of its parts are those of the output schema.
fn deliverable(output: Value) -> Value {
    let mut work = members(output);
    work.insert("type".to_owned(), json!("result"));
    Value::Object(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_has_the_parts_of_the_result() {
        let work = deliverable(json!({ "chart": "<svg/>" }));
        assert_eq!(work, json!({ "chart": "<svg/>", "type": "result" }));
    }
}
