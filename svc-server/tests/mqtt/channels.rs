//! Messages that clients publish in channels, and when subscriptions end.

use serde_json::json;
use svc_client::types::api::channels::{Channel, PostPolicy};

use crate::app::Member;
use crate::on_both_engines;
use crate::wire::{Login, VERSIONS, Will, Wire, dm, framed, text};

async fn open(owner: &Member, members: &[&Member]) -> Channel {
    let channel = owner.client.channels().create("open").await.unwrap().channel;
    for member in members {
        member.client.channels().join(&channel.id).await.unwrap();
    }
    channel
}

on_both_engines! {
    async fn a_published_message_is_stored_and_sent_by_the_server(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = open(&ada, &[&bob]).await;
        let mut subscriber = Wire::listen(&app, &Login::of(&ada, 5), &[&channel.topic]).await;
        for level in VERSIONS {
            let mut wire = Wire::connect(&app, &Login::of(&bob, level)).await;
            let forged = json!({
                "content": "hello", "sender": { "id": ada.user.id, "username": "ada", "isAgent": true },
                "clientMessageId": format!("m{level}"),
            });
            for _ in 0..2 {
                // The second is a client that did not see the first acknowledged.
                assert_eq!(wire.published(&channel.topic, &forged.to_string()).await, Some(0));
            }
            let (topic, envelope) = subscriber.envelope().await;
            assert_eq!((&topic, &envelope["event"]), (&channel.topic, &json!("channel_message")));
            assert_eq!(envelope["seq"], json!(level - 3));
            let stored = ada.client.channels().messages(&channel.id).await.unwrap().messages;
            assert_eq!(stored.len(), usize::from(level - 3));
            assert_eq!(envelope["data"], serde_json::to_value(&stored[0]).unwrap());
            assert_eq!(envelope["data"]["sender"]["username"], "bob");
            subscriber.receives_nothing(&app).await;
        }
        let posted = bob.client.channels().post(&channel.id, "by the API").await.unwrap().message;
        assert_eq!(subscriber.envelope().await.1["data"], serde_json::to_value(&posted).unwrap());
    }

    async fn a_forbidden_publish_is_refused(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let channel = open(&ada, &[&bob]).await;
        let says = r#"{"content":"hello"}"#;
        ada.client.channels().update(&channel.id).post_policy(PostPolicy::Owner).await.unwrap();
        for member in [&bob, &eve] {
            let (own, foreign) = (dm(member), dm(&ada));
            for topic in [&channel.topic, &own, &foreign, "svc/feed/global", "x", "svc/#"] {
                let mut five = Wire::connect(&app, &Login::of(member, 5)).await;
                assert_eq!(five.published(topic, says).await, Some(0x87), "{topic}");
                // At QoS 0 there is no acknowledgement: version 5 drops it and goes on.
                let body = [&text(topic)[..], &[0], says.as_bytes()].concat();
                five.send(&framed(0x30, &body)).await;
                assert!(five.is_answered().await, "{topic}");
                let mut three = Wire::connect(&app, &Login::of(member, 4)).await;
                assert_eq!(three.published(topic, says).await, None, "{topic}");
                // Version 3.1.1 ends the connection all the same.
                let mut three = Wire::connect(&app, &Login::of(member, 4)).await;
                let body = [&text(topic)[..], says.as_bytes()].concat();
                three.send(&framed(0x30, &body)).await;
                assert_eq!(three.packet().await, None, "{topic}");
            }
        }
        let stored = ada.client.channels().messages(&channel.id).await.unwrap().messages;
        assert_eq!(stored, []);
    }

    async fn an_invalid_message_is_refused_without_retry(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let channel = open(&ada, &[]).await;
        let order = json!({ "content": "x", "schema": "service.request", "payload": {} });
        let key = json!({ "content": ada.key.expose() });
        for says in ["", "hello", "{}", r#"{"content":""}"#, &order.to_string(), &key.to_string()] {
            let mut five = Wire::connect(&app, &Login::of(&ada, 5)).await;
            assert_eq!(five.published(&channel.topic, says).await, Some(0x99), "{says}");
            let mut three = Wire::connect(&app, &Login::of(&ada, 4)).await;
            assert_eq!(three.published(&channel.topic, says).await, Some(0), "{says}");
        }
    }

    async fn the_publish_rate_of_a_connection_is_limited(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "limits.mqtt.publishes_per_second" = "0"
    ) {
        let ada = app.agent("ada").await;
        let channel = open(&ada, &[]).await;
        let mut five = Wire::connect(&app, &Login::of(&ada, 5)).await;
        assert_eq!(five.published(&channel.topic, r#"{"content":"x"}"#).await, Some(0x97));
    }

    async fn published_messages_use_the_budgets_of_their_account(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "limits.budgets" = "true",
        "limits.new.bytes" = "1000/1d"
    ) {
        let ada = app.agent("ada").await;
        let channel = open(&ada, &[]).await;
        let says = json!({ "content": "x".repeat(600) }).to_string();
        let mut five = Wire::connect(&app, &Login::of(&ada, 5)).await;
        assert_eq!(five.published(&channel.topic, &says).await, Some(0));
        assert_eq!(five.published(&channel.topic, &says).await, Some(0x97));
        assert_eq!(five.published(&channel.topic, r#"{"content":"short"}"#).await, Some(0));
    }

    async fn a_former_member_receives_nothing_more_of_a_channel(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = open(&ada, &[&bob]).await;
        let login = |level| Login::of(&bob, level).named(&level.to_string());
        let mut wires = Vec::new();
        for level in VERSIONS {
            wires.push(Wire::listen(&app, &login(level), &[&channel.topic]).await);
        }
        // A session that waits for its client.
        let asleep = Login::of(&bob, 5).named("asleep").lasting();
        Wire::listen(&app, &asleep, &[&channel.topic, &dm(&bob)]).await.leave().await;
        let post = |content| ada.client.channels().post(&channel.id, content);
        post("before").await.unwrap();
        for wire in &mut wires {
            assert_eq!(wire.envelope().await.1["data"]["content"], "before");
        }
        bob.client.channels().leave(&channel.id).await.unwrap();
        post("after").await.unwrap();
        ada.write(&bob, "still delivered").await;
        for wire in &mut wires {
            wire.receives_nothing(&app).await;
        }
        let mut woken = Wire::connect(&app, &asleep).await;
        assert_eq!(woken.envelope().await.1["data"]["content"], "still delivered");
        bob.client.channels().join(&channel.id).await.unwrap();
        assert_eq!(woken.subscribe(&[&channel.topic]).await, [1]);
        ada.client.channels().remove(&channel.id, "bob").await.unwrap();
        post("after all").await.unwrap();
        woken.receives_nothing(&app).await;
    }

    async fn unacknowledged_messages_are_not_resent_to_a_removed_member(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = open(&ada, &[&bob]).await;
        for (level, stays) in [(4, true), (4, false), (5, true), (5, false)] {
            let login = Login::of(&bob, level).named(&format!("{level}-{stays}")).lasting();
            let mut wire = Wire::listen(&app, &login, &[&channel.topic, &dm(&bob)]).await;
            ada.client.channels().post(&channel.id, "for members").await.unwrap();
            wire.message().await;
            ada.write(&bob, "for bob").await;
            wire.message().await;
            if !stays {
                wire.unsubscribe(&[&channel.topic]).await;
            }
            drop(wire);
            ada.client.channels().remove(&channel.id, "bob").await.unwrap();
            let mut wire = Wire::connect(&app, &login).await;
            let (_, id, envelope, is_repeated) = wire.message().await;
            assert_eq!((&envelope["data"]["content"], is_repeated), (&json!("for bob"), true));
            wire.acknowledge(id).await;
            wire.receives_nothing(&app).await;
            bob.client.channels().join(&channel.id).await.unwrap();
        }
    }

    async fn a_will_message_waits_for_its_delay(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let channel = open(&ada, &[]).await;
        let subscriber = Login::of(&ada, 5).named("subscriber");
        let mut subscriber = Wire::listen(&app, &subscriber, &[&channel.topic]).await;
        let will = |delay| Will {
            topic: channel.topic.clone(), payload: r#"{"content":"goodbye"}"#.to_owned(), qos: 1,
            retain: false, delay,
        };
        let login = |delay| Login { will: Some(will(delay)), ..Login::of(&ada, 5).lasting() };
        // It comes back before an hour is over, and before a second is not.
        drop(Wire::connect(&app, &login(3_600)).await);
        let back = Wire::connect(&app, &login(1)).await;
        subscriber.receives_nothing(&app).await;
        drop(back);
        assert_eq!(subscriber.envelope().await.1["data"]["content"], "goodbye");
        subscriber.receives_nothing(&app).await;
    }

    async fn a_client_that_resumes_discards_its_former_will_message(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let channel = open(&ada, &[]).await;
        let subscriber = Login::of(&ada, 5).named("subscriber");
        let mut subscriber = Wire::listen(&app, &subscriber, &[&channel.topic]).await;
        let login = |content: &str| {
            let will = Will {
                topic: channel.topic.clone(), payload: json!({ "content": content }).to_string(),
                qos: 1, retain: false, delay: 1,
            };
            Login { will: Some(will), ..Login::of(&ada, 5).lasting() }
        };
        drop(Wire::connect(&app, &login("discarded")).await);
        let _back = Wire::connect(&app, &login("kept for later")).await;
        // Its delay begins later and is as long, so it arrives after the discarded one would.
        drop(Wire::connect(&app, &login("published").named("other")).await);
        assert_eq!(subscriber.envelope().await.1["data"]["content"], "published");
    }

    async fn a_will_message_is_published_when_its_session_ends_at_the_latest(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let channel = open(&ada, &[]).await;
        let subscriber = Login::of(&ada, 5).named("subscriber");
        let mut subscriber = Wire::listen(&app, &subscriber, &[&channel.topic]).await;
        let will = Will {
            topic: channel.topic.clone(), payload: r#"{"content":"goodbye"}"#.to_owned(), qos: 1,
            retain: false, delay: 3_600,
        };
        let short = Login { will: Some(will), ..Login::of(&ada, 5) };
        drop(Wire::connect(&app, &short).await);
        assert_eq!(subscriber.envelope().await.1["data"]["content"], "goodbye");
        let long = short.lasting();
        // It discards its session while its will message waits.
        drop(Wire::connect(&app, &long).await);
        let back = Wire::connect(&app, &Login::of(&ada, 5)).await;
        assert_eq!(subscriber.envelope().await.1["data"]["content"], "goodbye");
        back.leave().await;
        // It goes, and has its session end at once.
        let mut wire = Wire::connect(&app, &long).await;
        wire.send(&[0xE0, 7, 0x04, 5, 0x11, 0, 0, 0, 0]).await;
        assert_eq!(subscriber.envelope().await.1["data"]["content"], "goodbye");
    }

    async fn will_messages_of_many_accounts_wait_at_the_same_time(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"];
        let bots = app.agents(names).await;
        let channel = open(&ada, &bots.each_ref()).await;
        let mut subscriber = Wire::listen(&app, &Login::of(&ada, 5), &[&channel.topic]).await;
        let leave = async |member: &Member, suffix: usize, delay: u32| {
            let payload = r#"{"content":"goodbye"}"#.to_owned();
            let topic = channel.topic.clone();
            let will = Will { topic, payload, qos: 1, retain: false, delay };
            let login = Login { will: Some(will), ..Login::of(member, 5).lasting() };
            drop(Wire::connect(&app, &login.named(&suffix.to_string())).await);
        };
        for bot in &bots {
            for suffix in 0..10 {
                leave(bot, suffix, 3_600).await;
            }
        }
        leave(&ada, 0, 1).await;
        let first = subscriber.envelope().await.1;
        assert_eq!(first["data"]["sender"]["username"], "ada", "all others wait: {first}");
    }

    async fn only_a_normal_disconnect_discards_the_will_message(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let channel = open(&ada, &[]).await;
        let subscriber = Login::of(&ada, 5).named("subscriber");
        let mut subscriber = Wire::listen(&app, &subscriber, &[&channel.topic]).await;
        let payload = r#"{"content":"goodbye"}"#.to_owned();
        let topic = channel.topic.clone();
        let will = Will { topic, payload, qos: 1, retain: false, delay: 0 };
        let login = Login { will: Some(will), ..Login::of(&ada, 5) };
        for reason in [0x04, 0x80, 0x81, 0x82, 0x83, 0x93, 0x97] {
            let mut wire = Wire::connect(&app, &login).await;
            wire.send(&[0xE0, 1, reason]).await;
            assert_eq!(subscriber.envelope().await.1["data"]["content"], "goodbye", "{reason}");
        }
        for goodbye in [&[0xE0, 0][..], &[0xE0, 1, 0]] {
            let mut wire = Wire::connect(&app, &login).await;
            wire.send(goodbye).await;
            assert_eq!(wire.packet().await, None);
            subscriber.receives_nothing(&app).await;
        }
    }

    async fn a_will_message_does_not_outlive_its_key(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let channel = open(&ada, &[&bob, &cyd]).await;
        let mut subscriber = Wire::listen(&app, &Login::of(&ada, 5), &[&channel.topic]).await;
        for member in [&bob, &cyd] {
            let payload = r#"{"content":"goodbye"}"#.to_owned();
            let topic = channel.topic.clone();
            let will = Will { topic, payload, qos: 1, retain: false, delay: 1 };
            let login = Login { will: Some(will), ..Login::of(member, 5).lasting() };
            drop(Wire::connect(&app, &login).await);
        }
        bob.client.auth().regenerate_api_key().await.unwrap();
        // That of cyd is due later than that of bob would be.
        assert_eq!(subscriber.envelope().await.1["data"]["sender"]["username"], "cyd");
    }

    async fn a_paused_agent_hears_its_channels_and_publishes_nothing(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let ann = app.person("ann", "correct horse").await;
        let link = bob.client.agents().create_claim_link().await.unwrap().url;
        ann.client.agents().claim(link).await.unwrap();
        let channel = open(&ada, &[&bob]).await;
        let says = r#"{"content":"hello"}"#;
        let mut wire = Wire::listen(&app, &Login::of(&bob, 5), &[&channel.topic]).await;
        assert_eq!(wire.published(&channel.topic, says).await, Some(0));
        wire.envelope().await;
        ann.client.agents().pause("bob").await.unwrap();
        // On the connection that was open before, and on a new one.
        assert_eq!(wire.published(&channel.topic, says).await, Some(0x87));
        ada.client.channels().post(&channel.id, "for all").await.unwrap();
        let mut wire = Wire::listen(&app, &Login::of(&bob, 5), &[&channel.topic]).await;
        ada.client.channels().post(&channel.id, "still for all").await.unwrap();
        assert_eq!(wire.envelope().await.1["data"]["content"], "still for all");
        ann.client.agents().resume("bob").await.unwrap();
        assert_eq!(wire.published(&channel.topic, says).await, Some(0));
        let stored = ada.client.channels().messages(&channel.id).await.unwrap().messages;
        assert_eq!(stored.len(), 4);
    }

    async fn rotating_keys_and_signing_out_end_the_connections_of_an_agent(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let bob = app.agent("bob").await;
        let ann = app.person("ann", "correct horse").await;
        let link = bob.client.agents().create_claim_link().await.unwrap().url;
        ann.client.agents().claim(link).await.unwrap();
        let mut wire = Wire::connect(&app, &Login::of(&bob, 5)).await;
        ann.client.agents().sign_out("bob").await.unwrap();
        assert_eq!(wire.ended().await, wire.reason(0x98));
        let mut wire = Wire::connect(&app, &Login::of(&bob, 5)).await;
        ann.client.agents().rotate_key("bob").await.unwrap();
        assert_eq!(wire.ended().await, wire.reason(0x98));
    }

    async fn a_will_message_is_published_when_a_connection_breaks(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = open(&ada, &[&bob]).await;
        let mut subscriber = Wire::listen(&app, &Login::of(&ada, 5), &[&channel.topic]).await;
        let payload = r#"{"content":"goodbye"}"#.to_owned();
        for level in VERSIONS {
            let will = Will {
                topic: channel.topic.clone(), payload: payload.clone(), qos: 1, retain: false, delay: 0,
            };
            let login = Login { will: Some(will), ..Login::of(&bob, level) };
            drop(Wire::connect(&app, &login).await);
            let (_, envelope) = subscriber.envelope().await;
            assert_eq!(envelope["data"]["content"], "goodbye");
            assert_eq!(envelope["data"]["sender"]["username"], "bob");
            Wire::connect(&app, &login).await.leave().await;
            subscriber.receives_nothing(&app).await;
            // A disconnected client has no will message.
            let mut thrown = Wire::connect(&app, &login).await;
            app.suspend("bob").await;
            assert_eq!(thrown.ended().await, thrown.reason(0x98));
            app.unsuspend("bob").await;
            subscriber.receives_nothing(&app).await;
        }
    }
}
