//! From a committed change to an envelope, and what the database stores (spec §6).

use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::connect::{ChannelPublish, GetConnect};
use svc_client::types::api::health::HealthStatus;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType};
use svc_client::types::api::reports::Subject;
use svc_server::admin::Command;
use svc_server::testing::until;
use svc_store::sql;

use crate::app::{Member, TestApp, code};
use crate::on_both_engines;
use crate::wire::{Login, VERSIONS, Wire, dm, notifications};

/// The newest event as the list shows it.
async fn newest(member: &Member) -> Value {
    let events = member.client.events().list().await.unwrap().events;
    serde_json::to_value(events.last().unwrap()).unwrap()
}

/// Waits until no event waits to be marked.
async fn all_marked(app: &TestApp) {
    let waiting = sql!("select count(*) from event where relayed_at is null");
    until("every event is marked as relayed", async || app.count(waiting).await == 0).await;
}

on_both_engines! {
    async fn live_events_equal_the_listed_events(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "bus.url" = "none"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for level in VERSIONS {
            let topics = [dm(&bob), notifications(&bob)];
            let topics = [&*topics[0], &*topics[1]];
            let mut wire = Wire::listen(&app, &Login::of(&bob, level), &topics).await;
            let sent = ada.write(&bob, "hello \u{1f600}").await;
            let (topic, envelope) = wire.envelope().await;
            assert_eq!((&*topic, &envelope), (topics[0], &newest(&bob).await));
            assert_eq!(envelope["data"]["messageId"], json!(sent.message_id));
            let post = if level == 4 { bob.post("mine").await } else {
                app.advance(3_600);
                bob.post("mine too").await
            };
            ada.reply(&post, "yours").await;
            let (topic, envelope) = wire.envelope().await;
            assert_eq!((&*topic, &envelope), (topics[1], &newest(&bob).await));
            wire.leave().await;
        }
        all_marked(&app).await;
    }

    async fn disabled_live_notifications_are_not_sent(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut wire = Wire::listen(&app, &Login::of(&bob, 5), &[&dm(&bob)]).await;
        let set = |mqtt: bool| {
            let ways = ChannelsUpdate { in_app: None, webhook: None, mqtt: Some(mqtt) };
            bob.client.notifications().set_preferences().of(NotificationType::DirectMessage, ways)
        };
        set(false).await.unwrap();
        ada.write(&bob, "in silence").await;
        set(true).await.unwrap();
        ada.write(&bob, "aloud").await;
        let (_, envelope) = wire.envelope().await;
        assert_eq!((&envelope["data"]["content"], &envelope["seq"]), (&json!("aloud"), &json!(2)));
    }

    async fn the_largest_message_arrives(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut wire = Wire::listen(&app, &Login::of(&bob, 5), &[&dm(&bob)]).await;
        let longest = "\u{1f600}".repeat(40_000);
        ada.write(&bob, &longest).await;
        let (_, envelope) = wire.envelope().await;
        assert_eq!(envelope["data"]["content"], json!(longest));
        // A client that accepts only small packets does not receive it, but the next one.
        let mut login = Login::of(&bob, 5);
        login.properties = [&[0x27][..], &1_000_u32.to_be_bytes()].concat();
        let mut small = Wire::listen(&app, &login, &[&dm(&bob)]).await;
        ada.write(&bob, &longest).await;
        ada.write(&bob, "short").await;
        assert_eq!(small.envelope().await.1["data"]["content"], "short");
    }

    async fn everyone_receives_new_and_deleted_posts(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "bus.url" = "none"
    ) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let mut wire = Wire::listen(&app, &Login::of(&bob, 5), &["svc/feed/global"]).await;
        app.limit(&cyd).await;
        cyd.post("of a limited account, which the feed leaves out").await;
        let long = "ä".repeat(5_000);
        let post = ada.post(&long).await;
        let reply = bob.reply(&post, "not top-level").await;
        let longest = "x".repeat(8_192);
        bob.post(&longest).await;
        bob.client.posts().delete(&reply.id).await.unwrap();
        ada.client.posts().delete(&post.id).await.unwrap();
        let (topic, envelope) = wire.envelope().await;
        assert_eq!((&*topic, &envelope["event"]), ("svc/feed/global", &json!("post")));
        assert_eq!(envelope["seq"], Value::Null, "the feed of all has no numbers");
        assert_eq!(envelope["data"]["id"], json!(post.id));
        assert_eq!(envelope["data"]["content"], json!("ä".repeat(500)));
        assert_eq!(envelope["data"]["contentTruncated"], json!(true));
        let (_, envelope) = wire.envelope().await;
        assert_eq!(envelope["data"]["content"], json!(longest), "8 KiB are not too long");
        assert_eq!(envelope["data"]["contentTruncated"], Value::Null);
        let (_, envelope) = wire.envelope().await;
        assert_eq!(envelope["event"], "post_deleted");
        assert_eq!(envelope["data"], json!({ "postId": post.id }));
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        ada.client.channels().post(&channel.id, "read from the channel later").await.unwrap();
        let kept = sql!("select count(*) from event where stream = 'feed/global' or stream like 'chan%'");
        until("no event of the feed or a channel is kept", async || app.count(kept).await == 0).await;
    }

    async fn mirrors_of_the_feed_learn_that_a_post_is_hidden(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "bus.url" = "none"
    ) {
        let [ada, bob, judge] = app.agents(["ada", "bob", "judge"]).await;
        app.grant_role("judge", "moderator").await;
        let post = ada.post("what everybody got").await;
        let reply = ada.reply(&post, "not top-level").await;
        let mut wire = Wire::listen(&app, &Login::of(&bob, 5), &["svc/feed/global"]).await;
        for id in [&reply.id, &post.id, &post.id] {
            let act = judge.client.moderation().act(Subject::post(id), ModerationActionType::Hide, "a test");
            act.await.unwrap();
        }
        bob.post("the next one").await;
        let (_, envelope) = wire.envelope().await;
        assert_eq!((&envelope["event"], &envelope["data"]), (&json!("post_deleted"), &json!({ "postId": post.id })));
        assert_eq!(wire.envelope().await.1["data"]["content"], "the next one", "it is said once");
    }

    async fn mirrors_of_the_feed_learn_that_an_account_is_erased(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "bus.url" = "none"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("what everybody got").await;
        ada.reply(&post, "not top-level").await;
        ada.client.users().delete_me("ada").await.unwrap();
        let mut wire = Wire::listen(&app, &Login::of(&bob, 5), &["svc/feed/global"]).await;
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        let (_, envelope) = wire.envelope().await;
        assert_eq!((&envelope["event"], &envelope["data"]), (&json!("post_deleted"), &json!({ "postId": post.id })));
        bob.post("the next one").await;
        assert_eq!(wire.envelope().await.1["data"]["content"], "the next one");
    }

    async fn the_sweeper_sends_lost_events(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "bus.url" = "none"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut wire = Wire::listen(&app, &Login::of(&bob, 4), &[&dm(&bob)]).await;
        ada.write(&bob, "lost").await;
        let (_, sent_event) = wire.envelope().await;
        all_marked(&app).await;
        // As a crash between commit and relay leaves it.
        app.execute(|ctx| ctx.tx.execute(sql!("update event set relayed_at = null"), &[])).await;
        wire.receives_nothing(&app).await;
        app.advance(10);
        assert_eq!(wire.envelope().await.1, sent_event);
        all_marked(&app).await;
        // Events that are too old by then are not sent.
        app.execute(|ctx| {
            let sql = sql!("update event set relayed_at = null, created_at = created_at - 1000000");
            ctx.tx.execute(sql, &[])
        }).await;
        // More than once: the sweeper's last round may still be ending, and the next is counted from there.
        let waiting = sql!("select count(*) from event where relayed_at is null");
        until("the sweeper marks old events", async || {
            app.advance(10);
            app.count(waiting).await == 0
        }).await;
        wire.receives_nothing(&app).await;
    }

    async fn the_api_returns_where_to_connect(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        bob.write(&ada, "one").await;
        let connect = ada.client.events().connect().await.unwrap().connect;
        let id = &ada.user.id;
        assert_eq!(connect.broker_url, format!("mqtt://{}", app.server.mqtt()));
        assert_eq!((&connect.username, &connect.client_id_prefix), (&id.to_string(), &id.to_string()));
        assert_eq!(connect.topics.dm, dm(&ada));
        assert_eq!(connect.topics.notifications, notifications(&ada));
        assert_eq!(connect.topics.channels, [channel.topic]);
        assert_eq!(connect.topics.feed_global, "svc/feed/global");
        assert_eq!(connect.channel_publish, ChannelPublish::Mqtt);
        assert_eq!((connect.qos, connect.keep_alive_seconds), (1, 60));
        assert_eq!((connect.max_packet_bytes, connect.latest_seq), (524_288, 1));
        assert_eq!(connect.protocols, ["3.1.1", "5"]);
        let health = app.anonymous.health().read().await.unwrap();
        assert_eq!(health.checks["broker"], HealthStatus::Ok);
    }

    async fn clients_connect_to_the_host_that_the_settings_name(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "public_url" = "https://svc.example.org:8443"
    ) {
        let ada = app.agent("ada").await;
        let connect = ada.client.events().connect().await.unwrap().connect;
        assert_eq!(connect.broker_url, format!("mqtt://svc.example.org:{}", app.server.mqtt().port()));
    }

    async fn without_a_broker_nothing_waits_for_one(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.write(&bob, "hello").await;
        ada.post("hello").await;
        let waiting = sql!("select count(*) from event where relayed_at is null");
        assert_eq!(app.count(waiting).await, 0);
        let refused = ada.client.events().connect().await;
        assert_eq!(code::<GetConnect>(refused), Code::FeatureNotConfigured);
        let health = app.anonymous.health().read().await.unwrap();
        assert_eq!((health.status, &health.checks["broker"]), (HealthStatus::Ok, &HealthStatus::Disabled));
    }
}
