//! Query plans of webhooks, deliveries and recoveries.

use std::sync::Arc;

use svc_client::types::api::webhooks::DeliveryState;
use svc_core::tasks::recover;
use svc_server::testing::START;

use super::World;
use crate::app::Member;
use crate::receiver::{Mode, Receiver};
use crate::webhooks::URL;

impl World {
    /// Records webhooks.
    pub(super) async fn record_webhooks(&mut self, bob: &Member) {
        let client = self.ada.client.clone();
        let webhooks = client.webhooks();
        self.record("create a webhook", webhooks.create(URL)).await;
        self.app.silence().await;
        self.record("webhooks", webhooks.list()).await;
        let id = webhooks.list().await.unwrap().webhooks.remove(0).id;
        self.record("a webhook", webhooks.get(&id)).await;
        // A disabled webhook starts no sender, whose statements would be recorded too.
        self.record("disable", webhooks.disable(&id)).await;
        self.record(
            "an event for an account with webhooks",
            bob.client.messages().send("ada", "x"),
        )
        .await;
        self.record("deliveries", webhooks.deliveries(&id)).await;
        let pending = webhooks.deliveries(&id).state(DeliveryState::Pending);
        self.record("pending deliveries", pending).await;
        let delivery = webhooks.deliveries(&id).await.unwrap().deliveries.remove(0).id;
        self.record("a delivery", webhooks.delivery(&id, &delivery)).await;
        self.record("redeliver", webhooks.redeliver(&id, &delivery)).await;
        self.record("rotate", webhooks.rotate_secret(&id)).await;
        self.record("promote", webhooks.promote_secret(&id)).await;
        self.record("webhook statistics", webhooks.stats(&id)).await;
        self.record("recover", webhooks.recover(&id, START)).await;
        let app = Arc::clone(self.app.server.app());
        self.record("continue a recovery", async move {
            recover::once(&app).await.unwrap();
            Ok(())
        })
        .await;
    }
}

#[tokio::test]
async fn what_is_sent_to_webhooks_is_found_by_indexes() {
    let mut world = World::with(&[("webhooks.allow_loopback", "true")]).await;
    let receiver = Receiver::start(Mode::ok()).await;
    world.ada.client.webhooks().create(receiver.url()).await.unwrap();
    let bob = world.app.agent("bob").await;
    world.app.server.app().plans.watch();
    bob.write(&world.ada, "psst").await;
    receiver.reaches(1).await;
    let plans = world.app.server.app().plans.take();
    assert!(plans.iter().any(|plan| plan.sql.text().contains("in_flight")), "one was claimed");
    world.note("send", plans);
}
