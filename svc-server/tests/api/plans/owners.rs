//! Query plans of owners: claims, agents, caps, and how they end.

use svc_core::services::{owner, spend};

use super::{World, assert_plans};
use crate::market::{offer, order};

impl World {
    /// Records what owners and their agents do.
    async fn record_owners(&mut self) {
        let ann = self.app.person("ann", "correct horse").await.client;
        let bob = self.app.agent("bob").await;
        let shop = self.app.agent("shop").await;
        let service = offer(&shop, "work", 5).await;
        self.record("claim link", bob.client.agents().create_claim_link()).await;
        let link = bob.client.agents().create_claim_link().await.unwrap().url;
        self.record("claim", ann.agents().claim(link)).await;
        self.record("owned", ann.agents().owned()).await;
        self.record("caps", ann.agents().set_caps("bob").per_day(50)).await;
        self.record("owned caps", ann.agents().set_owned_caps().per_day(50)).await;
        let sending = bob.client.messages().request_service("shop", order(&service, 5));
        self.record("order within caps", sending).await;
        self.record("owned, with caps", ann.agents().owned()).await;
        self.record("show", ann.agents().set_owner("bob", true)).await;
        self.record("profile", self.app.anonymous.users().get("bob")).await;
        self.record("pause", ann.agents().pause("bob")).await;
        self.record("resume", ann.agents().resume("bob")).await;
        self.record("sign out", ann.agents().sign_out("bob")).await;
        self.record("security log", ann.security().log()).await;
        self.record("rotate key", ann.agents().rotate_key("bob")).await;
        self.record("release", ann.agents().release("bob")).await;
        let app = std::sync::Arc::clone(self.app.server.app());
        self.record("sweep", async move {
            app.write(|ctx| owner::forget_links(ctx, 10)).await.unwrap();
            app.write(|ctx| spend::forget_of_agents(ctx, 10)).await.unwrap();
            Ok(())
        })
        .await;
    }
}

#[tokio::test]
async fn owners_and_their_agents_use_an_index() {
    let mut world = World::new().await;
    world.record_owners().await;
    assert_plans("owners", &world.plans);
    let dan = world.app.agent("dan").await;
    let link = dan.client.agents().create_claim_link().await.unwrap().url;
    world.ada.client.agents().claim(link).await.unwrap();
    let deletion = world.ada.client.users().delete_me("ada");
    world.record("deletion of an owner", deletion).await;
}

#[tokio::test]
async fn plans_of_owners_stay_the_same_with_statistics_of_skewed_tables() {
    let mut world = World::new().await;
    world.skew().await;
    world.record_owners().await;
    assert_plans("owners", &world.plans);
}
