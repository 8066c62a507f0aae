//! Webhooks, their deliveries, and recoveries.

use std::sync::Arc;

use svc_client::types::api::webhooks::DeliveryState;
use svc_core::tasks::recover;
use svc_server::testing::START;

use super::World;
use crate::app::Member;
use crate::webhooks::URL;

impl World {
    /// Tells of webhooks.
    pub(super) async fn tell_of_webhooks(&mut self, bob: &Member) {
        let client = self.ada.client.clone();
        let webhooks = client.webhooks();
        self.tell("make a webhook", webhooks.create(URL)).await;
        self.app.silence().await;
        self.tell("webhooks", webhooks.list()).await;
        let id = webhooks.list().await.unwrap().webhooks.remove(0).id;
        self.tell("a webhook", webhooks.get(&id)).await;
        // What is held wakes no sender, whose statements would be told beside.
        self.tell("disable", webhooks.disable(&id)).await;
        self.tell("an event of who has webhooks", bob.client.messages().send("ada", "x")).await;
        self.tell("deliveries", webhooks.deliveries(&id)).await;
        let pending = webhooks.deliveries(&id).state(DeliveryState::Pending);
        self.tell("deliveries that wait", pending).await;
        let delivery = webhooks.deliveries(&id).await.unwrap().deliveries.remove(0).id;
        self.tell("a delivery", webhooks.delivery(&id, &delivery)).await;
        self.tell("redeliver", webhooks.redeliver(&id, &delivery)).await;
        self.tell("rotate", webhooks.rotate_secret(&id)).await;
        self.tell("promote", webhooks.promote_secret(&id)).await;
        self.tell("figures of a webhook", webhooks.stats(&id)).await;
        self.tell("recover", webhooks.recover(&id, START)).await;
        let app = Arc::clone(self.app.server.app());
        self.tell("go on with a recovery", async move {
            recover::once(&app).await.unwrap();
            Ok(())
        })
        .await;
    }
}
