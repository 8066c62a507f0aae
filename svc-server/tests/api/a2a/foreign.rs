//! Buyers by the SDKs of the protocol, in Python and Node, over both bindings.

use serde_json::{Value, json};
use svc_client::types::api::orders::{OrderStatus, ProgressState, ResponseStatus};
use svc_client::types::api::services::Acceptance;
use svc_client::types::{Credits, MessageId};
use svc_server::testing::found;

use crate::app::TestApp;
use crate::foreign::{Foreign, set_clock};
use crate::market::{Market, object};
use crate::on_both_engines;

impl Market {
    /// The newest order, as soon as there is one that is open.
    async fn next_order(&self) -> MessageId {
        found("an order arrives", async || {
            let list = self.bob.client.orders().list().status(OrderStatus::Open);
            list.await.unwrap().orders.into_iter().next().map(|order| order.id)
        })
        .await
    }

    /// Bob works on an order and completes it.
    async fn complete(&self, id: &MessageId) {
        let orders = self.bob.client.orders();
        orders.progress(id, ProgressState::Working).await.unwrap();
        orders.progress(id, ProgressState::Working).partial(json!("half")).await.unwrap();
        orders
            .answer(id, ResponseStatus::Completed)
            .output(object(json!({ "n": 2 })))
            .await
            .unwrap();
    }
}

fn id(said: &Value) -> MessageId {
    said["id"].as_str().unwrap_or_else(|| panic!("{said}")).into()
}

/// Everything a buyer does, one step after the other.
async fn trades(app: TestApp, mut buyer: Foreign, binding: &str) {
    set_clock(&app);
    let market = Market::new(app).await;
    let update = market.bob.client.services().update(&market.service);
    update.acceptance(Acceptance::Explicit).await.unwrap();
    let root = market.app.root();
    for line in [&*root, market.ada.key.expose(), market.service.as_str(), binding] {
        buyer.say(line).await;
    }
    assert_eq!(buyer.hear().await, json!({ "card": "bob", "skill": market.service }));
    assert_eq!(buyer.hear().await, json!({ "state": "TASK_STATE_INPUT_REQUIRED" }));

    let polled = buyer.hear().await;
    assert_eq!(polled["state"], "TASK_STATE_SUBMITTED");
    let order = market.order_seen(&id(&polled)).await;
    assert_eq!((&order.status, order.offered_credits), (&OrderStatus::Open, Credits::from(5)));
    assert_eq!(Value::from(order.input), json!({ "text": "a b" }));
    market.complete(&order.id).await;
    buyer.say("go").await;
    let done = buyer.hear().await;
    assert_eq!(done["state"], "TASK_STATE_COMPLETED");
    assert_eq!(
        (&done["outputs"][0], done["outputs"][1]["n"].as_f64()),
        (&json!("half"), Some(2.0))
    );

    let waited = market.next_order().await;
    market.complete(&waited).await;
    assert_eq!(buyer.hear().await, json!({ "id": waited, "state": "TASK_STATE_COMPLETED" }));

    let streamed = buyer.hear().await;
    assert_eq!(streamed["state"], "TASK_STATE_SUBMITTED");
    market.complete(&id(&streamed)).await;
    let seen = buyer.hear().await;
    let seen: Vec<&Value> = seen.as_array().unwrap().iter().collect();
    // Changes that follow each other closely may arrive as one.
    let [half, output, last] = seen[seen.len() - 3..] else { panic!("{seen:?}") };
    assert_eq!(
        (half, output["n"].as_f64(), last),
        (&json!("half"), Some(2.0), &json!("TASK_STATE_COMPLETED"))
    );

    let asked = id(&buyer.hear().await);
    let ask = market.bob.client.orders().progress(&asked, ProgressState::InputRequired);
    ask.prompt("how many?").await.unwrap();
    buyer.say("go").await;
    assert_eq!(buyer.hear().await, json!("TASK_STATE_WORKING"));
    let input = market.order_seen(&asked).await.prompt.unwrap().input.unwrap();
    assert_eq!(input.to_string(), r#"{"n":3}"#);
    market
        .bob
        .client
        .orders()
        .answer(&asked, ResponseStatus::Rejected)
        .reason("too many")
        .await
        .unwrap();
    let seen = buyer.hear().await;
    assert_eq!(seen[0], json!(["TASK_STATE_INPUT_REQUIRED", "how many?"]));
    assert_eq!(seen.as_array().unwrap().last().unwrap(), "TASK_STATE_REJECTED");

    let cancelled = buyer.hear().await;
    assert_eq!(
        cancelled,
        json!({
            "id": cancelled["id"], "state": "TASK_STATE_CANCELED", "again": "TaskNotCancelableError",
            "other": "TaskNotFoundError", "listed": [cancelled["id"]],
        })
    );
    assert_eq!(market.order_seen(&id(&cancelled)).await.status, OrderStatus::Cancelled);
    // Three orders were completed; asking for the price cost nothing.
    assert_eq!(market.have().await, ["85+0", "115+0"]);
    assert_eq!(buyer.hear().await, json!(format!("{root}/a2a/bob/.well-known/agent-card.json")));
    market.is_consistent().await;
}

async fn python(app: TestApp, binding: &str) {
    let library = ["-c", "import a2a.utils.signing"];
    let Some(buyer) = Foreign::start("python3", "a2a_buyer.py", &library).await else { return };
    trades(app, buyer, binding).await;
}

async fn node(app: TestApp, binding: &str) {
    let library = ["-e", "require.resolve('@a2a-js/sdk')"];
    let Some(buyer) = Foreign::start("node", "a2a_buyer.cjs", &library).await else { return };
    trades(app, buyer, binding).await;
}

on_both_engines! {
    async fn a2a_sdk_trades_by_json_rpc(app: TestApp) {
        python(app, "JSONRPC").await;
    }

    async fn a2a_sdk_trades_by_http_and_json(app: TestApp) {
        python(app, "HTTP+JSON").await;
    }

    async fn a2a_js_trades_by_json_rpc(app: TestApp) {
        node(app, "JSONRPC").await;
    }

    async fn a2a_js_trades_by_http_and_json(app: TestApp) {
        node(app, "HTTP+JSON").await;
    }
}
