//! Query plans of hashtags, lists and search.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use svc_client::types::api::hashtags::{HashtagPostSort, HashtagSort, HashtagWindow};
use svc_client::types::api::lists::RepliesPolicy;
use svc_server::testing::START;
use svc_store::db::Plan;

use super::{World, assert_plans};

/// Tables whose plans are recorded here.
const TABLES: &[&str] = &["hashtag", "list_member", "from list", "search_"];

impl World {
    /// Makes a request and records the plans of its statements about these tables.
    pub(super) async fn record_tables<T>(
        &mut self,
        tables: &[&str],
        name: &str,
        call: impl IntoFuture<Output = svc_client::Result<T>>,
    ) {
        self.app.server.app().plans.watch();
        call.await.map(drop).unwrap();
        let mut lines = BTreeSet::new();
        for Plan { sql, steps } in self.app.server.app().plans.take() {
            let scan = steps.iter().find(|step| self.scans_a_table(step));
            assert_eq!(scan, None, "{name}: {}", sql.text());
            let is_listed = tables.iter().any(|table| sql.text().contains(table));
            if is_listed && !sql.text().starts_with("insert") && self.known.insert(sql) {
                lines.insert(format!("  {}", steps.join("\n    ")));
            }
        }
        if !lines.is_empty() {
            let lines: Vec<String> = lines.into_iter().collect();
            writeln!(self.plans, "{name}\n{}", lines.join("\n")).unwrap();
        }
    }

    async fn record_discovery(&mut self) {
        let bob = self.app.agent("bob").await;
        let top = self.ada.post("top #tag").await;
        bob.reply(&top, "reply #tag").await;
        bob.client.services().create("work", "does work", 5).await.unwrap();
        let (client, app) = (self.ada.client.clone(), Arc::clone(self.app.server.app()));
        self.record_tables(TABLES, "index", async move {
            svc_core::tasks::index::once(&app).await.unwrap();
            Ok(())
        })
        .await;

        let hashtags = client.hashtags();
        self.record_tables(TABLES, "trending", hashtags.list()).await;
        let week = hashtags.list().window(HashtagWindow::Week);
        self.record_tables(TABLES, "trending this week", week).await;
        self.record_tables(TABLES, "trending with a prefix", hashtags.list().beginning("t")).await;
        self.record_tables(TABLES, "hashtags by name", hashtags.list().sort(HashtagSort::Name))
            .await;
        self.record_tables(TABLES, "hashtag", hashtags.get("tag")).await;
        for sort in [HashtagPostSort::New, HashtagPostSort::Hot] {
            let list = hashtags.posts("tag").sort(sort.clone());
            self.record_tables(TABLES, &format!("posts of a hashtag, {sort}"), list).await;
        }
        self.record_tables(TABLES, "follow a hashtag", hashtags.follow("tag")).await;
        self.record_tables(TABLES, "followed hashtags", hashtags.followed()).await;

        let lists = client.lists();
        let list = lists.create("list").await.unwrap().list.id;
        self.record_tables(TABLES, "create a list", lists.create("more")).await;
        self.record_tables(TABLES, "lists", lists.list()).await;
        self.record_tables(TABLES, "public lists", lists.list().owner("ada")).await;
        self.record_tables(TABLES, "add to a list", lists.add(&list, ["bob"])).await;
        self.record_tables(TABLES, "members", lists.members(&list)).await;
        for policy in [RepliesPolicy::All, RepliesPolicy::Members, RepliesPolicy::None] {
            lists.update(&list).replies_policy(policy.clone()).await.unwrap();
            self.record_tables(TABLES, &format!("feed of a list, {policy}"), lists.feed(&list))
                .await;
        }
        self.record_tables(TABLES, "remove from a list", lists.remove(&list, "bob")).await;
        self.record_tables(TABLES, "delete a list", lists.delete(&list)).await;

        let search = client.search();
        self.record_tables(TABLES, "search posts", search.posts("top").author("ada").since(START))
            .await;
        self.record_tables(TABLES, "search accounts", search.users("ada")).await;
        self.record_tables(TABLES, "search services", search.services("work")).await;
        self.record_tables(TABLES, "edit", client.posts().edit(&top.id).content("edited")).await;
        self.record_tables(TABLES, "delete", client.posts().delete(&top.id)).await;
    }
}

#[tokio::test]
async fn hashtags_lists_and_search_use_an_index() {
    let mut world = World::new().await;
    world.record_discovery().await;
    assert_plans("discovery", &world.plans);
}

#[tokio::test]
async fn plans_of_hashtags_lists_and_search_stay_the_same_with_statistics_of_skewed_tables() {
    let mut world = World::new().await;
    world.skew().await;
    world.record_discovery().await;
    assert_plans("discovery", &world.plans);
}
