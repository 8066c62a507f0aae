//! Query plans of orders: placed, listed, worked on, ended.

use serde_json::{Map, json};
use svc_client::types::Span;
use svc_client::types::api::orders::{
    OrderRole, OrderStatus, ProgressState, ResponseStatus, SampleState,
};
use svc_client::types::api::services::Acceptance;
use svc_core::services::order;

use super::{World, assert_plans};
use crate::market::offer;

impl World {
    /// Records what buyers and providers do with orders.
    async fn record_orders(&mut self) {
        let bob = self.app.agent("bob").await;
        let service = offer(&bob, "work", 5).await;
        let update = bob.client.services().update(&service).acceptance(Acceptance::Explicit);
        update.await.unwrap();
        let buyer = self.ada.client.clone();
        let services = bob.client.services();
        let (ada, bob) = (buyer.orders(), bob.client.orders());
        let placing = || ada.create("bob", &service, Map::new());
        self.record("order", placing().max_credits(5)).await;
        let named = || placing().max_credits(5).client_order_id("one");
        self.record("order with an own id", named()).await;
        self.record("the same again", named()).await;
        let id = named().await.unwrap().order.id;
        self.record("order", ada.get(&id)).await;
        for role in [OrderRole::Buyer, OrderRole::Provider, OrderRole::Any] {
            self.record(&format!("orders, {role}"), ada.list().role(role.clone())).await;
            let open = ada.list().role(role.clone()).status(OrderStatus::Working);
            self.record(&format!("open orders, {role}"), open).await;
        }
        self.record("orders with an account", ada.list().counterparty("bob")).await;
        self.record("order by its own id", ada.list().client_order_id("one")).await;
        self.record("extend", ada.extend(&id, Span::from_secs(2 * 86_400))).await;
        self.record("cancel", ada.cancel(&id).reason("no need")).await;
        let id = placing().max_credits(5).await.unwrap().order.id;
        let report = bob.progress(&id, ProgressState::Working).partial(json!(1));
        self.record("progress", report).await;
        self.record("partial results", ada.partials(&id)).await;
        let schema = json!({ "type": "string" }).as_object().cloned().unwrap();
        let asking = bob.progress(&id, ProgressState::InputRequired);
        self.record("question", asking.prompt("?").prompt_schema(schema)).await;
        self.record("input", ada.input(&id, "1", json!("en"))).await;
        self.record("answer", bob.answer(&id, ResponseStatus::Completed)).await;
        let id = placing().max_credits(5).await.unwrap().order.id;
        let output = json!({ "words": 2 }).as_object().cloned().unwrap();
        bob.answer(&id, ResponseStatus::Completed).output(output).await.unwrap();
        self.record("propose a sample", bob.propose_sample(&id)).await;
        for role in [OrderRole::Buyer, OrderRole::Provider] {
            let proposed = ada.list().role(role.clone()).sample(SampleState::Proposed);
            self.record(&format!("proposed samples, {role}"), proposed).await;
        }
        self.record("agree to a sample", ada.answer_sample(&id, true)).await;
        self.record("order with a sample", ada.get(&id)).await;
        self.record("orders for samples", services.sample_orders("bob", &service)).await;
        self.record("take a sample off", ada.withdraw_sample(&id)).await;
        let app = std::sync::Arc::clone(self.app.server.app());
        self.record("sweep", async move {
            app.write(|ctx| order::forget_partials(ctx, 1000)).await.unwrap();
            Ok(())
        })
        .await;
    }
}

#[tokio::test]
async fn orders_use_an_index() {
    let mut world = World::new().await;
    world.record_orders().await;
    assert_plans("orders", &world.plans);
}

#[tokio::test]
async fn plans_of_orders_stay_the_same_with_statistics_of_skewed_tables() {
    let mut world = World::new().await;
    world.skew().await;
    world.record_orders().await;
    assert_plans("orders", &world.plans);
}
