//! What outlives a connection, and what ends one.

use serde_json::json;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::{Scope, Span};
use svc_server::admin::Command;
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::app::TestApp;
use crate::held::Held;
use crate::on_both_engines;
use crate::wire::{Login, VERSIONS, Wire, dm, notifications};

on_both_engines! {
    async fn a_persistent_session_stores_missed_messages(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for level in VERSIONS {
            let login = Login::of(&bob, level).lasting();
            let mut wire = Wire::listen(&app, &login, &[&dm(&bob)]).await;
            ada.write(&bob, "seen").await;
            let (_, id, _, _) = wire.message().await;
            // It is gone before it acknowledges.
            drop(wire);
            ada.write(&bob, "missed").await;
            let (mut wire, answer) = Wire::try_connect(&app, &login).await;
            assert_eq!(answer, (1, 0), "the session is there");
            let (_, again, envelope, is_repeated) = wire.message().await;
            assert_eq!((again, is_repeated), (id, true));
            assert_eq!(envelope["data"]["content"], "seen");
            wire.acknowledge(id).await;
            assert_eq!(wire.envelope().await.1["data"]["content"], "missed");
            wire.receives_nothing(&app).await;
            wire.leave().await;
            let (wire, answer) = Wire::try_connect(&app, &Login::of(&bob, level)).await;
            assert_eq!(answer, (0, 0), "a clean start forgets it");
            wire.leave().await;
        }
    }

    async fn a_text_that_is_gone_when_a_client_comes_back_is_not_sent(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("mine").await;
        for level in VERSIONS {
            let login = Login::of(&bob, level).lasting().named(&level.to_string());
            let topic = notifications(&bob);
            let mut wire = Wire::listen(&app, &login, &[&topic]).await;
            let mut other = Wire::listen(&app, &Login::of(&bob, level), &[&topic]).await;
            let seen = ada.reply(&post, "a secret").await;
            assert_eq!(wire.message().await.2["data"]["content"], "a secret");
            // It is gone before it acknowledges.
            drop(wire);
            let missed = ada.reply(&post, "another secret").await;
            ada.reply(&post, "hello").await;
            for content in ["a secret", "another secret", "hello"] {
                assert_eq!(other.envelope().await.1["data"]["content"], content);
            }
            for reply in [seen, missed] {
                ada.client.posts().delete(&reply.id).await.unwrap();
            }
            let mut wire = Wire::connect(&app, &login).await;
            let listed = bob.client.events().list().limit(100).await.unwrap().events;
            for (event, content) in listed[listed.len() - 3..].iter().zip(["", "", "hello"]) {
                let (_, envelope) = wire.envelope().await;
                assert_eq!(envelope["data"]["content"], content);
                assert_eq!(envelope, serde_json::to_value(event).unwrap());
            }
            wire.receives_nothing(&app).await;
            wire.leave().await;
            other.leave().await;
        }
    }

    async fn a_text_that_moderators_hide_while_a_client_is_away_is_not_sent(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob, judge] = app.agents(["ada", "bob", "judge"]).await;
        app.grant_role("judge", "moderator").await;
        let login = Login::of(&bob, 5).lasting().named("away");
        let mut other = Wire::listen(&app, &Login::of(&bob, 5), &[&dm(&bob)]).await;
        drop(Wire::listen(&app, &login, &[&dm(&bob)]).await);
        let message = ada.write(&bob, "a secret").await.message_id;
        assert_eq!(other.envelope().await.1["data"]["content"], "a secret");
        let subject = || Subject::message(&message);
        bob.client.reports().create(subject(), ReportReason::Spam).await.unwrap();
        let hide = ModerationActionType::Hide;
        judge.client.moderation().act(subject(), hide, "the rules").await.unwrap();
        let mut wire = Wire::connect(&app, &login).await;
        let (_, envelope) = wire.envelope().await;
        assert_eq!(envelope["data"]["content"], "");
        assert_eq!(envelope["data"]["messageId"], json!(message));
        wire.leave().await;
        other.leave().await;
    }

    async fn a_channel_message_that_is_deleted_while_a_client_is_away_is_sent_without_its_text(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channels = ada.client.channels();
        let channel = channels.create("open").await.unwrap().channel;
        bob.client.channels().join(&channel.id).await.unwrap();
        for level in VERSIONS {
            let login = Login::of(&bob, level).lasting().named(&level.to_string());
            let mut other = Wire::listen(&app, &Login::of(&bob, level), &[&channel.topic]).await;
            drop(Wire::listen(&app, &login, &[&channel.topic]).await);
            let secret = channels.post(&channel.id, "a secret").await.unwrap().message.message_id;
            channels.post(&channel.id, "hello").await.unwrap();
            channels.delete_message(&channel.id, &secret).await.unwrap();
            for content in [json!("a secret"), json!("hello"), json!(null)] {
                assert_eq!(other.envelope().await.1["data"]["content"], content);
            }
            let mut wire = Wire::connect(&app, &login).await;
            let (_, envelope) = wire.envelope().await;
            assert_eq!(envelope["data"]["content"], "");
            assert_eq!(envelope["data"]["messageId"], json!(secret));
            for kind in ["channel_message", "channel_message_deleted"] {
                assert_eq!(wire.envelope().await.1["event"], kind);
            }
            wire.leave().await;
            other.leave().await;
        }
    }

    async fn a_reconnecting_client_receives_no_more_at_once_than_its_receive_maximum(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut login = Login::of(&bob, 5).lasting();
        let mut wire = Wire::listen(&app, &login, &[&dm(&bob)]).await;
        for content in ["one", "two", "three"] {
            ada.write(&bob, content).await;
            wire.message().await;
        }
        drop(wire);
        // Receive Maximum.
        login.properties.extend([0x21, 0, 1]);
        let mut wire = Wire::connect(&app, &login).await;
        for content in ["one", "two", "three"] {
            let (_, id, envelope, is_repeated) = wire.message().await;
            assert_eq!((&envelope["data"]["content"], is_repeated), (&content.into(), true));
            assert!(wire.is_answered().await, "what follows waits for the acknowledgement");
            wire.acknowledge(id).await;
        }
        wire.receives_nothing(&app).await;
    }

    async fn a_session_that_does_not_last_ends_with_its_connection(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for level in VERSIONS {
            Wire::listen(&app, &Login::of(&bob, level), &[&dm(&bob)]).await.leave().await;
            ada.write(&bob, "unheard").await;
            let (mut wire, answer) = Wire::try_connect(&app, &Login::of(&bob, level)).await;
            assert_eq!(answer, (0, 0));
            wire.receives_nothing(&app).await;
        }
    }

    async fn a_session_without_persistence_is_not_resumed(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for level in VERSIONS {
            let login = Login::of(&bob, level);
            let mut older = Wire::listen(&app, &login, &[&dm(&bob)]).await;
            let (mut newer, answer) = Wire::try_connect(&app, &login.lasting()).await;
            assert_eq!(answer, (0, 0), "it begins again");
            assert_eq!(older.ended().await, older.reason(0x8E));
            ada.write(&bob, "not asked for").await;
            newer.receives_nothing(&app).await;
            newer.leave().await;
        }
    }

    async fn the_newer_of_two_connections_wins(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for level in VERSIONS {
            for login in [Login::of(&bob, level), Login::of(&bob, level).lasting()] {
                let mut older = Wire::listen(&app, &login, &[&dm(&bob)]).await;
                let mut newer = Wire::listen(&app, &login, &[&dm(&bob)]).await;
                assert_eq!(older.ended().await, older.reason(0x8E));
                ada.write(&bob, "to the newer").await;
                assert_eq!(newer.envelope().await.1["data"]["content"], "to the newer");
                newer.receives_nothing(&app).await;
                newer.leave().await;
            }
        }
    }

    async fn a_key_that_was_regenerated_ends_all_connections(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut other = Wire::connect(&app, &Login::of(&ada, 5)).await;
        let mut wires = Vec::new();
        for level in VERSIONS {
            let login = Login::of(&bob, level).named(&level.to_string());
            wires.push(Wire::listen(&app, &login, &[&dm(&bob)]).await);
        }
        let old = Login::of(&bob, 5);
        bob.client.auth().regenerate_api_key().await.unwrap();
        for wire in &mut wires {
            assert_eq!(wire.ended().await, wire.reason(0x98));
        }
        assert_eq!(Wire::try_connect(&app, &old).await.1, (0, 0x86));
        other.receives_nothing(&app).await;
    }

    async fn a_key_that_ends_takes_the_connections_of_its_account_along(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let scopes = || vec![Scope::Read, Scope::Dm];
        for is_deleted in [true, false] {
            let creating = ada.client.keys().create(if is_deleted { "deleted" } else { "brief" }, scopes());
            let created = creating.expires_in(Span::from_secs(3_600)).await.unwrap();
            let key = created.api_key.expose().to_owned();
            let login = Login { password: Some(key), ..Login::of(&ada, 5) };
            let mut wire = Wire::listen(&app, &login, &[&dm(&ada)]).await;
            if is_deleted {
                ada.client.keys().delete(&*created.key.key_id).await.unwrap();
            } else {
                app.advance(3_600);
            }
            assert_eq!(wire.ended().await, Some(0x98));
            assert_eq!(Wire::try_connect(&app, &login).await.1, (0, 0x86));
            Wire::connect(&app, &Login::of(&ada, 5)).await.leave().await;
        }
        // One that may do less than when it connected is asked again, too.
        let created = ada.client.keys().create("narrowed", scopes()).await.unwrap();
        let key = created.api_key.expose().to_owned();
        let login = Login { password: Some(key), ..Login::of(&ada, 5) };
        let mut wire = Wire::listen(&app, &login, &[&dm(&ada)]).await;
        let update = || ada.client.keys().update(&*created.key.key_id);
        update().name("renamed").await.unwrap();
        assert!(wire.is_answered().await, "a new name ends nothing");
        update().scopes([Scope::Read]).await.unwrap();
        assert_eq!(wire.ended().await, Some(0x98));
        assert_eq!(Wire::try_connect(&app, &login).await.1, (0, 0x87));
    }

    async fn who_signs_an_account_out_ends_its_connections(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let (ann, bot) = (app.person("ann", "correct horse").await, app.agent("bot").await);
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        ann.client.agents().claim(link).await.unwrap();
        let mut of_bot = Wire::connect(&app, &Login::of(&bot, 5)).await;
        let mut of_ann = Wire::connect(&app, &Login::of(&ann, 5)).await;
        ann.client.agents().sign_out("bot").await.unwrap();
        assert_eq!(of_bot.ended().await, Some(0x98));
        of_ann.receives_nothing(&app).await;
        app.server.admin(Command::ResetPassword { username: "ann".to_owned() }).await;
        assert_eq!(of_ann.ended().await, Some(0x98));
        for member in [&ann, &bot] {
            Wire::connect(&app, &Login::of(member, 5)).await.leave().await;
        }
    }

    async fn an_account_that_is_suspended_or_deleted_loses_its_sessions(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let asleep = Login::of(&bob, 5).named("asleep").lasting();
        Wire::listen(&app, &asleep, &[&dm(&bob)]).await.leave().await;
        let mut wire = Wire::connect(&app, &Login::of(&bob, 5)).await;
        app.suspend("bob").await;
        assert_eq!(wire.ended().await, Some(0x98));
        app.unsuspend("bob").await;
        assert_eq!(Wire::try_connect(&app, &asleep).await.1, (0, 0));
        let mut wire = Wire::connect(&app, &Login::of(&ada, 4)).await;
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(wire.ended().await, None);
        assert_eq!(Wire::try_connect(&app, &Login::of(&ada, 5)).await.1, (0, 0x86));
    }

    async fn a_revocation_by_another_process_is_detected(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let mut ended = Wire::connect(&app, &Login::of(&ada, 5)).await;
        let mut other = Wire::connect(&app, &Login::of(&bob, 5)).await;
        let id = ada.user.id.clone();
        let sql = sql!("update account set status = 'suspended' where id = $1");
        app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
        app.advance(10);
        assert_eq!(ended.ended().await, Some(0x98));
        other.receives_nothing(&app).await;
        // What an operator's command ends, such as keys, it writes down, at the time of the database.
        cyd.client.users().delete_me("cyd").await.unwrap();
        let id = bob.user.id.clone();
        let sql = sql!(
            "insert into revocation (nonce, node, kind, accounts, at)
             select '1', 'another', 'account', $1, max(at) from revocation"
        );
        app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
        app.advance(1);
        assert_eq!(other.ended().await, Some(0x98));
    }

    async fn an_account_has_a_bounded_number_of_lasting_sessions(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let login = |number: i32| Login::of(&ada, 4).named(&number.to_string()).lasting();
        for number in 0..11 {
            Wire::connect(&app, &login(number)).await.leave().await;
        }
        assert_eq!(Wire::try_connect(&app, &login(10)).await.1, (1, 0));
        assert_eq!(Wire::try_connect(&app, &login(1)).await.1, (1, 0));
        assert_eq!(Wire::try_connect(&app, &login(0)).await.1, (0, 0), "the oldest made room");
    }

    async fn a_silent_client_is_disconnected(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let ada = app.agent("ada").await;
        let silent = Login { keep_alive: 1, ..Login::of(&ada, 5) };
        let mut wire = Wire::connect(&app, &silent).await;
        assert_eq!(wire.ended().await, Some(0x8D));
    }

    async fn no_client_is_kept_silent_or_absent_for_longer_than_the_server_says(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let answered = async |keep_alive: u16, expiry: u32| {
            let mut login = Login { keep_alive, ..Login::of(&ada, 5) };
            login.properties = [&[0x11][..], &expiry.to_be_bytes()].concat();
            let mut wire = Wire::dial(&app, 5).await;
            wire.send(&login.packet()).await;
            let (first, body) = wire.packet().await.unwrap();
            assert_eq!((first, body[1]), (0x20, 0));
            wire.leave().await;
            body[3..].to_vec()
        };
        // What a client gets for which all is as it asked.
        let usual = answered(1_200, 86_400).await;
        let (minutes, day) = ([0x13, 0x04, 0xB0], [0x11, 0x00, 0x01, 0x51, 0x80]);
        assert_eq!(answered(1_201, 86_400).await, [&usual[..], &minutes[..]].concat());
        assert_eq!(answered(0, 86_400).await, [&usual[..], &minutes[..]].concat());
        assert_eq!(answered(1_200, 86_401).await, [&usual[..], &day[..]].concat());
        let both = [&usual[..], &minutes[..], &day[..]].concat();
        assert_eq!(answered(u16::MAX, u32::MAX).await, both);
    }

    async fn a_stopping_server_sends_a_disconnect(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let ada = app.agent("ada").await;
        let mut wires = Vec::new();
        for level in VERSIONS {
            let login = Login::of(&ada, level).named(&level.to_string());
            wires.push(Wire::connect(&app, &login).await);
        }
        app.server.stop().await;
        for mut wire in wires {
            assert_eq!(wire.ended().await, wire.reason(0x8B));
        }
    }
}

#[tokio::test]
async fn a_client_is_not_silent_while_the_server_is_slow() {
    let settings = [("mqtt_listen", "127.0.0.1:0")];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let ada = app.agent("ada").await;
    let channel = ada.client.channels().create("open").await.unwrap().channel;
    let brief = |name: &str| Login { keep_alive: 1, ..Login::of(&ada, 5).named(name) };
    let mut wire = Wire::connect(&app, &brief("loud")).await;
    // Nothing is written for as long as a client may be silent: until one that is silent ends.
    let held = Held::by(&app, |_| Ok(0)).await;
    wire.publish(&channel.topic, 9, r#"{"content":"hello"}"#).await;
    wire.send(&[0xC0, 0]).await;
    let mut silent = Wire::connect(&app, &brief("silent")).await;
    assert_eq!(silent.ended().await, Some(0x8D));
    held.release().await;
    assert_eq!(wire.packet().await, Some((0x40, vec![0, 9])));
    assert_eq!(wire.packet().await, Some((0xD0, Vec::new())));
    assert!(wire.is_answered().await, "it is still connected");
}
