//! Query plans of feeds: each reads the index of its order, however many posts there are.

use svc_client::types::api::feed::{FeedSort, Window};
use svc_store::sql;

use super::{World, assert_plans};

impl World {
    async fn record_feeds(&mut self) {
        let [bob, eve] = self.app.agents(["bob", "eve"]).await;
        let top = bob.post("top #tag").await;
        let client = self.ada.client.clone();
        client.relations().follow("bob").await.unwrap();
        eve.client.reactions().repost(&top.id).await.unwrap();
        client.relations().follow("eve").await.unwrap();
        client.hashtags().follow("tag").await.unwrap();
        client.feed().home().await.unwrap();
        client.feed().home().limit(1).await.unwrap();
        self.known.clear();
        self.record("by key and post", client.posts().get(&top.id)).await;
        self.plans.clear();
        for sort in [FeedSort::Hot, FeedSort::New] {
            self.record(&format!("global, {sort}"), client.feed().global().sort(sort)).await;
        }
        for window in [Window::All, Window::Day] {
            let list = client.feed().global().sort(FeedSort::Top).window(window.clone());
            self.record(&format!("global, top, {window}"), list).await;
        }
        self.record("home", client.feed().home()).await;
        let many = sql!("update account set following_count = 1000 where username = 'ada'");
        self.app.execute(move |ctx| ctx.tx.execute(many, &[])).await;
        self.record("home of an account that follows many", client.feed().home()).await;
        self.record("followers", client.relations().followers("bob")).await;
        self.record("following", client.relations().following("ada")).await;
        self.record("suggested", client.relations().suggested()).await;
        self.record("likes", client.reactions().likes(&top.id)).await;
        self.record("reposts", client.reactions().reposts(&top.id)).await;
        self.record("bookmarks", client.reactions().bookmarks()).await;
    }
}

#[tokio::test]
async fn feeds_use_an_index() {
    let mut world = World::new().await;
    world.record_feeds().await;
    assert_plans("feeds", &world.plans);
}
