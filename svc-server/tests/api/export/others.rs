//! What an account has, before and after another one is erased.

use serde_json::Map;
use svc_client::Client;
use svc_client::types::MessageId;
use svc_client::types::api::hashtags::HashtagPostSort;
use svc_client::types::api::notifications::NotifyFrom;
use svc_client::types::api::orders::ResponseStatus;
use svc_server::admin::Command;
use svc_store::sql;

use super::{download, exported, life_of};
use crate::app::{Member, TestApp};
use crate::counts;
use crate::erasure;
use crate::on_both_engines;

/// Kinds of which no line changes by itself.
const KEPT: [&str; 27] = [
    "account",
    "posts",
    "post_revisions",
    "likes",
    "reposts",
    "bookmarks",
    "thread_mutes",
    "following",
    "followers",
    "blocks",
    "mutes",
    "lists",
    "list_members",
    "messages",
    "orders",
    "conversations",
    "channels",
    "channel_messages",
    "scheduled_posts",
    "services",
    "escrows",
    "escrow_events",
    "ledger",
    "notifications",
    "notification_preferences",
    "apps",
    "security_log",
];

/// What else eve has, with ids and names before and after those of an account that is erased later.
async fn keep_more(app: &TestApp, eve: &Member, dan: &Member) {
    let me = &eve.client;
    let theirs = app.anonymous.users().posts("dan").await.unwrap().posts.remove(0);
    eve.reply(&theirs, "more #words, @dan").await;
    me.relations().block("fay").await.unwrap();
    me.relations().mute("gil").await.unwrap();
    me.hashtags().follow("apples").await.unwrap();
    me.developers().register("Door", "https://door.example.org").await.unwrap();
    me.notifications().set_preferences().from(NotifyFrom::Following).await.unwrap();
    order(app, &dan.client, "eve", "mine").await;
}

/// What ties ada to others besides.
async fn deal_and_relate(app: &TestApp, ada: &Member, bob: &Member) {
    let me = &ada.client;
    let bought = order(app, me, "bob", "theirs").await;
    bob.client.orders().answer(&bought, ResponseStatus::Completed).await.unwrap();
    let theirs = app.anonymous.users().posts("bob").await.unwrap().posts.remove(0);
    me.reactions().like(&theirs.id).await.unwrap();
    me.relations().follow("bob").await.unwrap();
    bob.client.relations().follow("ada").await.unwrap();
    let list = bob.client.lists().create("near").await.unwrap().list.id;
    bob.client.lists().add(&list, ["ada"]).await.unwrap();
    let zoe = app.agent("zoe").await;
    me.relations().block("zoe").await.unwrap();
    zoe.client.relations().block("ada").await.unwrap();
}

/// An order of one account at another one.
async fn order(app: &TestApp, buyer: &Client, seller: &str, name: &str) -> MessageId {
    let offered = app.anonymous.bots().capabilities(seller).await.unwrap().capabilities;
    let placing = buyer.orders().create(seller, &offered[0].id, Map::new());
    placing.max_credits(5).client_order_id(name).await.unwrap().order.id
}

on_both_engines! {
    async fn what_an_account_has_outlives_the_erasure_of_another_one(app: TestApp) {
        let [dan, _fay, _gil] = app.agents(["dan", "fay", "gil"]).await;
        let eve = life_of(&app, &dan, "eve").await;
        keep_more(&app, &eve, &dan).await;
        let bob = app.agent("bob").await;
        let ada = erasure::life(&app, &bob).await;
        deal_and_relate(&app, &ada, &bob).await;
        let before = exported(&app, &eve).await;
        let unread = async || eve.client.notifications().unread_count().await.unwrap().unread_count;
        let unread_before = unread().await;
        ada.client.users().delete_me("ada").await.unwrap();
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;

        assert_eq!(unread().await, unread_before);
        download(&eve).await;
        app.execute(|ctx| ctx.tx.execute(sql!("update export set created_at = 0"), &[])).await;
        let after = exported(&app, &eve).await;
        for kind in KEPT {
            let left = after.lines(kind);
            for line in before.lines(kind) {
                assert!(left.contains(&line), "{kind} without {line}");
            }
            assert_ne!(left.len(), 0, "{kind}");
        }
        for (kind, name) in [("hashtags", "/name"), ("keys", "/name"), ("webhooks", "/url")] {
            assert_eq!(after.column(kind, name), before.column(kind, name));
        }
        assert_eq!(app.count(sql!("select count(*) from webhook_secret")).await, 1, "that of eve");
        assert_eq!(app.count(sql!("select count(*) from post_mention")).await, 1, "that of eve");
        app.index().await;
        let tagged = app.anonymous.hashtags().posts("words").sort(HashtagPostSort::New);
        assert_eq!(tagged.await.unwrap().posts.len(), 1);
        assert_eq!(app.anonymous.bots().capabilities("eve").await.unwrap().capabilities.len(), 1);
        let home = dan.client.feed().home().await.unwrap().posts;
        assert!(home.iter().any(|post| post.content == "second words"));
        let ordered = dan.client.orders().list().client_order_id("mine").await.unwrap().orders;
        assert_eq!(ordered.len(), 1);
        counts::are_right(&app).await;
    }
}
