//! Who may connect, and how others are refused (spec §6.2).

use svc_client::types::{Scope, Text};

use crate::app::TestApp;
use crate::on_both_engines;
use crate::wire::{Login, VERSIONS, Will, Wire};

/// Code of a refusal in 3.1.1 and in 5.
async fn refused(app: &TestApp, login: &Login, codes: [u8; 2]) {
    let (mut wire, (present, code)) = Wire::try_connect(app, login).await;
    assert_eq!((present, code), (0, codes[usize::from(login.level == 5)]));
    assert_eq!(wire.packet().await, None, "a refused client is not kept");
}

on_both_engines! {
    async fn the_key_of_an_account_opens_the_broker(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        for level in VERSIONS {
            let login = Login::of(&ada, level);
            for username in [login.username.clone(), Some(String::new())] {
                Wire::connect(&app, &Login { username, ..login.clone() }).await.leave().await;
            }
            Wire::connect(&app, &login.clone().named("phone")).await.leave().await;
        }
        let nameless = Login { username: None, ..Login::of(&ada, 5) };
        Wire::connect(&app, &nameless).await.leave().await;
    }

    async fn an_unknown_login_is_refused(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let door = app.developer("Door").await;
        let token = ada.client.agents().create_identity_token().await.unwrap().token;
        for level in VERSIONS {
            let login = Login::of(&ada, level);
            let with = |password: &str| {
                Login { password: Some(password.to_owned()), ..login.clone() }
            };
            let anonymous = Login { username: None, password: None, ..login.clone() };
            refused(&app, &anonymous, [4, 0x86]).await;
            for password in ["", "wrong", door.key.expose(), token.expose()] {
                refused(&app, &with(password), [4, 0x86]).await;
            }
            let name = bob.user.id.to_string();
            refused(&app, &Login { username: Some(name), ..login.clone() }, [4, 0x86]).await;
            refused(&app, &Login { username: Some("ada".to_owned()), ..login }, [4, 0x86]).await;
        }
        app.suspend("bob").await;
        for level in VERSIONS {
            refused(&app, &Login::of(&bob, level), [5, 0x87]).await;
        }
    }

    async fn an_account_that_waits_for_approval_hears_nothing(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "signup.mode" = "approval"
    ) {
        let ada = app.agent("ada").await;
        for level in VERSIONS {
            refused(&app, &Login::of(&ada, level), [4, 0x86]).await;
        }
    }

    async fn a_key_connects_with_the_scopes_of_what_it_would_hear(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let with = async |name: &str, scopes: Vec<Scope>, networks: Vec<Text<2, 43>>| {
            let creating = ada.client.keys().create(name, scopes).allow_from(networks);
            let key = creating.await.unwrap().api_key;
            Login { password: Some(key.expose().to_owned()), ..Login::of(&ada, 5) }
        };
        let hears = || vec![Scope::Read, Scope::Dm];
        let whole = with("whole", hears(), Vec::new()).await;
        Wire::connect(&app, &whole).await.leave().await;
        let here = with("here", hears(), vec!["127.0.0.1".into()]).await;
        Wire::connect(&app, &here).await.leave().await;
        for (name, scopes) in [("no messages", vec![Scope::Read]), ("messages", vec![Scope::Dm])] {
            refused(&app, &with(name, scopes, Vec::new()).await, [5, 0x87]).await;
        }
        let elsewhere = with("elsewhere", hears(), vec!["203.0.113.0/24".into()]).await;
        refused(&app, &elsewhere, [4, 0x86]).await;
    }

    async fn a_key_publishes_in_channels_with_the_scope_write(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let topic = ada.client.channels().create("lab").await.unwrap().channel.topic;
        for (name, scopes, reason) in [
            ("reader", vec![Scope::Read, Scope::Dm], Some(0x87)),
            ("writer", vec![Scope::Read, Scope::Dm, Scope::Write], Some(0)),
        ] {
            let key = ada.client.keys().create(name, scopes).await.unwrap().api_key;
            let login = Login { password: Some(key.expose().to_owned()), ..Login::of(&ada, 5) };
            let mut wire = Wire::connect(&app, &login).await;
            assert_eq!(wire.published(&topic, r#"{"content":"hello"}"#).await, reason, "{name}");
        }
    }

    async fn a_client_id_belongs_to_its_account(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let own = ada.user.id.to_string();
        let foreign = [
            bob.user.id.to_string(), format!("{}:x", bob.user.id), "ada".to_owned(),
            format!("{own}:"), format!("{own}:#"), format!("{own}x"),
        ];
        for level in VERSIONS {
            for client_id in &foreign {
                let login = Login { client_id: client_id.clone(), ..Login::of(&ada, level) };
                refused(&app, &login, [2, 0x85]).await;
            }
        }
        let empty = |level| Login { client_id: String::new(), ..Login::of(&ada, level) };
        Wire::connect(&app, &empty(4)).await.leave().await;
        refused(&app, &empty(4).lasting(), [2, 0x85]).await;
        let mut wire = Wire::dial(&app, 5).await;
        wire.send(&empty(5).packet()).await;
        let (_, answer) = wire.packet().await.unwrap();
        let given = format!("{own}:auto-");
        let connack = String::from_utf8_lossy(&answer);
        assert!(connack.contains(&given), "version 5 receives its client id: {connack}");
    }

    async fn a_client_of_version_5_learns_what_the_broker_does(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let mut wire = Wire::dial(&app, 5).await;
        wire.send(&Login::of(&ada, 5).packet()).await;
        let (_, answer) = wire.packet().await.unwrap();
        for (what, property) in [
            ("quality 1 at most", &[0x24, 1][..]),
            ("no retained messages", &[0x25, 0]),
            ("no wildcards", &[0x28, 0]),
            ("no subscription ids", &[0x29, 0]),
            ("no shared subscriptions", &[0x2A, 0]),
            ("no topic aliases", &[0x22, 0, 0]),
            ("20 messages at once", &[0x21, 0, 20]),
            ("512 KiB", &[0x27, 0, 8, 0, 0]),
        ] {
            let is_said = answer.windows(property.len()).any(|found| found == property);
            assert!(is_said, "{what}");
        }
    }

    async fn a_will_message_needs_permission_to_publish(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        let will = |topic: &str| Will {
            topic: topic.to_owned(), payload: "{}".to_owned(), qos: 0, retain: false, delay: 0,
        };
        for level in VERSIONS {
            let with = |member, will| Login { will: Some(will), ..Login::of(member, level) };
            for topic in [format!("svc/dm/{}", ada.user.id), "svc/feed/global".to_owned()] {
                refused(&app, &with(&ada, will(&topic)), [5, 0x87]).await;
            }
            refused(&app, &with(&bob, will(&channel.topic)), [5, 0x87]).await;
            let retained = Will { retain: true, ..will(&channel.topic) };
            refused(&app, &with(&ada, retained), [5, 0x9A]).await;
            let twice = Will { qos: 2, ..will(&channel.topic) };
            refused(&app, &with(&ada, twice), [5, 0x9B]).await;
            Wire::connect(&app, &with(&ada, will(&channel.topic))).await.leave().await;
        }
    }

    async fn an_account_has_a_bounded_number_of_connections(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "limits.mqtt.connections_per_account" = "2"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let first = Wire::connect(&app, &Login::of(&ada, 5).named("1")).await;
        let _second = Wire::connect(&app, &Login::of(&ada, 4).named("2")).await;
        refused(&app, &Login::of(&ada, 4).named("3"), [3, 0x97]).await;
        refused(&app, &Login::of(&ada, 5).named("3"), [3, 0x97]).await;
        let _other = Wire::connect(&app, &Login::of(&bob, 4)).await;
        first.leave().await;
        Wire::connect(&app, &Login::of(&ada, 4).named("3")).await.leave().await;
    }

    async fn the_broker_has_a_bounded_number_of_connections(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "limits.mqtt.connections" = "2"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let _first = Wire::connect(&app, &Login::of(&ada, 5)).await;
        let _second = Wire::connect(&app, &Login::of(&bob, 4)).await;
        for level in VERSIONS {
            refused(&app, &Login::of(&ada, level).named("third"), [3, 0x97]).await;
        }
    }

    async fn a_refusal_says_what_to_change_if_the_client_has_room_for_it(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let login = Login { password: Some("wrong".to_owned()), ..Login::of(&ada, 5) };
        // Its largest packet: property 0x27.
        let small = Login { properties: vec![0x27, 0, 0, 0, 100], ..login.clone() };
        for (login, explains) in [(login, true), (small, false)] {
            let mut wire = Wire::dial(&app, 5).await;
            wire.send(&login.packet()).await;
            let (_, connack) = wire.packet().await.unwrap();
            assert_eq!(connack[..2], [0, 0x86]);
            let text = String::from_utf8_lossy(&connack);
            assert_eq!(text.contains("the password must be an API key"), explains, "{text}");
        }
    }

    async fn other_protocols_are_refused(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let ada = app.agent("ada").await;
        for (level, code) in [(3, 1), (6, 0x84)] {
            let (_, answer) = Wire::try_connect(&app, &Login::of(&ada, level)).await;
            assert_eq!(answer, (0, code));
        }
        let mut wire = Wire::dial(&app, 5).await;
        // Another way to log in: property 0x15.
        let login = Login { properties: vec![0x15, 0, 1, b'x'], ..Login::of(&ada, 5) };
        wire.send(&login.packet()).await;
        assert_eq!(wire.packet().await.unwrap().1[1], 0x8C);
        let mut wire = Wire::dial(&app, 4).await;
        wire.send(b"GET /health HTTP/1.1\r\n\r\n").await;
        assert_eq!(wire.packet().await, None);
    }
}
