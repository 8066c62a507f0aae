//! Query plans of channels, their members and messages.

use svc_client::types::api::messages::Order;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::reports::Subject;
use svc_core::services::channel;

use super::{World, assert_plans};

/// Tables whose plans are recorded here.
const TABLES: &[&str] = &["channel", "'chan_'"];

impl World {
    async fn record_channels(&mut self) {
        let bob = self.app.agent("bob").await;
        let (ada, bob) = (self.ada.client.clone(), bob.client.clone());
        let (channels, bobs) = (ada.channels(), bob.channels());
        self.record_tables(TABLES, "create a channel", channels.create("rust-talk")).await;
        let id = channels.create("den").await.unwrap().channel.id;
        self.record_tables(TABLES, "channels", channels.list()).await;
        self.record_tables(TABLES, "joined channels", channels.list().mine(true).beginning("d"))
            .await;
        self.record_tables(TABLES, "a channel", channels.get(&id)).await;
        self.record_tables(TABLES, "join", bobs.join(&id)).await;
        let post = || bobs.post(&id, "hello").client_message_id("c");
        self.record_tables(TABLES, "write", post()).await;
        let message = post().await.unwrap().message.message_id;
        let answer = channels.post(&id, "hello").reply_to(&message);
        self.record_tables(TABLES, "answer", answer).await;
        for order in [Order::Desc, Order::Asc] {
            let list = channels.messages(&id).order(order.clone());
            self.record_tables(TABLES, &format!("messages, {order}"), list).await;
        }
        self.record_tables(TABLES, "a message", channels.get_message(&id, &message)).await;
        self.record_tables(TABLES, "read", channels.read(&id, &message)).await;
        self.record_tables(TABLES, "delete a message", bobs.delete_message(&id, &message)).await;
        self.record_tables(TABLES, "members", channels.members(&id)).await;
        self.record_tables(TABLES, "change", channels.update(&id).title("Den")).await;
        self.record_tables(TABLES, "remove a member", channels.remove(&id, "bob")).await;
        self.record_tables(TABLES, "leave", bobs.leave(&id)).await;
        self.record_tables(TABLES, "delete", channels.delete(&id)).await;
        let bobs_channel = bobs.create("of-bob").await.unwrap().channel.id;
        self.app.grant_role("ada", "moderator").await;
        let said = bobs.post(&bobs_channel, "spam").await.unwrap().message.message_id;
        let act = |subject| ada.moderation().act(subject, ModerationActionType::Remove, "a test");
        let remove = act(Subject::channel_message(&said));
        self.record_tables(TABLES, "remove a message", remove).await;
        self.record_tables(TABLES, "remove", act(Subject::channel(&bobs_channel))).await;
        let app = std::sync::Arc::clone(self.app.server.app());
        self.record_tables(TABLES, "sweep", async move {
            for sweep in channel::SWEEPS {
                app.write(move |ctx| sweep(ctx, 1_000)).await.unwrap();
            }
            Ok(())
        })
        .await;
    }
}

#[tokio::test]
async fn channels_members_and_messages_use_an_index() {
    let mut world = World::new().await;
    world.record_channels().await;
    assert_plans("channels", &world.plans);
}

#[tokio::test]
async fn plans_of_channels_stay_the_same_with_statistics_of_skewed_tables() {
    let mut world = World::new().await;
    world.skew().await;
    world.record_channels().await;
    assert_plans("channels", &world.plans);
}
