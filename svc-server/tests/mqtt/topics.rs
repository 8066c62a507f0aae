//! Who may subscribe to what (spec §6.2): four kinds of topics, and no wildcards.

use crate::on_both_engines;
use crate::wire::{Login, VERSIONS, Wire, dm, framed, notifications, text};

on_both_engines! {
    async fn each_filter_is_authorized_separately_and_answered_in_order(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let open = ada.client.channels().create("open").await.unwrap().channel;
        let own = [dm(&bob), notifications(&bob), "svc/feed/global".to_owned()];
        let others = [
            dm(&ada), notifications(&ada), open.topic.clone(), "svc/channels/chan_1".to_owned(),
        ];
        let id = &bob.user.id;
        let odd = [
            "#", "+", "svc/#", "svc/dm/+", "svc/+/x", "$SYS/#", "$share/g/svc/feed/global",
            "/svc/feed/global", "svc//global", "svc/feed", "svc/feed/global/x", "SVC/feed/global",
        ];
        let odd = odd.map(str::to_owned).into_iter().chain([
            format!("svc/dm/{id}/#"), format!("$share/g/svc/dm/{id}"), format!("svc/DM/{id}"),
            format!("svc/dm/{}", "x".repeat(60_000)),
        ]);
        let mut asked: Vec<String> = others.into_iter().chain(odd).collect();
        // Allowed ones are mixed with refused ones.
        for (place, topic) in own.iter().enumerate() {
            asked.insert(place * 5, topic.clone());
        }
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        for level in VERSIONS {
            let refused = if level == 5 { 0x87 } else { 0x80 };
            let granted = |topic: &&str| own.iter().any(|own| own == topic);
            let expected: Vec<u8> =
                asked.iter().map(|topic| if granted(topic) { 1 } else { refused }).collect();
            let mut wire = Wire::connect(&app, &Login::of(&bob, level)).await;
            assert_eq!(wire.subscribe(&asked).await, expected);
            wire.leave().await;
        }
    }

    async fn members_of_a_channel_may_subscribe(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        let mut wire = Wire::connect(&app, &Login::of(&bob, 5)).await;
        assert_eq!(wire.subscribe(&[&channel.topic]).await, [0x87]);
        bob.client.channels().join(&channel.id).await.unwrap();
        assert_eq!(wire.subscribe(&[&channel.topic]).await, [1]);
        bob.client.channels().leave(&channel.id).await.unwrap();
        assert_eq!(wire.subscribe(&[&channel.topic]).await, [0x87]);
    }

    async fn quality_two_is_granted_as_one_and_zero_as_zero(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        for level in VERSIONS {
            let mut wire = Wire::connect(&app, &Login::of(&ada, level)).await;
            for (asked, granted) in [(0, 0), (1, 1), (2, 1)] {
                let empty: &[u8] = if level == 5 { &[0] } else { &[] };
                let body = [&[0, 3], empty, &text(&dm(&ada)), &[asked]].concat();
                wire.send(&framed(0x82, &body)).await;
                let (_, answer) = wire.packet().await.unwrap();
                assert_eq!(answer.last(), Some(&granted));
            }
        }
    }

    async fn every_unsubscribe_is_answered_once(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for level in VERSIONS {
            let topic = dm(&ada);
            let mut wire = Wire::listen(&app, &Login::of(&ada, level), &[&topic]).await;
            let answers = wire.unsubscribe(&[&topic, "svc/never/received"]).await;
            assert_eq!(answers, if level == 5 { vec![0, 0x11] } else { vec![] });
            bob.write(&ada, "unheard").await;
            wire.receives_nothing(&app).await;
            wire.leave().await;
        }
    }

    async fn subscriptions_are_bounded(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let ada = app.agent("ada").await;
        let many: Vec<String> = (0..201).map(|number| format!("svc/dm/{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for (level, code) in [(4, 0x80), (5, 0x97)] {
            let mut wire = Wire::connect(&app, &Login::of(&ada, level)).await;
            assert_eq!(wire.subscribe(&many).await, [code; 201]);
            assert_eq!(wire.subscribe(&[&dm(&ada)]).await, [1]);
            let own = notifications(&ada);
            // With the one it has, 198 others and this one are 200, and 199 others are too many.
            let fitting = [&many[..198], &[&*own]].concat();
            assert_eq!(wire.subscribe(&fitting).await.last(), Some(&1));
            let too_many = [&many[..199], &[&*own]].concat();
            assert_eq!(wire.subscribe(&too_many).await, [code; 200]);
        }
    }

    async fn subscribing_again_is_allowed(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let mut topics = vec![dm(&ada), notifications(&ada), "svc/feed/global".to_owned()];
        for number in 0..100 {
            let name = format!("channel-{number}");
            topics.push(ada.client.channels().create(name).await.unwrap().channel.topic);
        }
        let topics: Vec<&str> = topics.iter().map(String::as_str).collect();
        for level in VERSIONS {
            let login = Login::of(&ada, level).lasting();
            Wire::listen(&app, &login, &topics).await.leave().await;
            Wire::listen(&app, &login, &topics).await.leave().await;
        }
    }
}
