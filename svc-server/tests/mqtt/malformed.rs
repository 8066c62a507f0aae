//! Malformed packets: the connection ends, with a reason where the protocol has one.

use std::time::Duration;

use tokio::time::timeout;

use crate::on_both_engines;
use crate::wire::{Login, VERSIONS, Wire, framed, text};

on_both_engines! {
    async fn a_forbidden_packet_ends_the_connection(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        for level in VERSIONS {
            let empty: &[u8] = if level == 5 { &[0] } else { &[] };
            let publish = |first, topic: &[u8]| framed(first, &[topic, &[0, 1], empty].concat());
            let topic = text("svc/channels/chan_1");
            let cases = [
                ("a second CONNECT", Login::of(&ada, level).packet(), 0x82),
                ("a packet of the server", vec![0x20, 2, 0, 0], 0x82),
                ("a packet id of zero", framed(0x82, &[&[0, 0], empty, &text("x"), &[1]].concat()), 0x82),
                ("reserved flags", framed(0x80, &[&[0, 1], empty, &text("x"), &[1]].concat()), 0x81),
                ("quality three", framed(0x82, &[&[0, 1], empty, &text("x"), &[3]].concat()), 0x81),
                ("no filter", framed(0x82, &[&[0, 1], empty].concat()), 0x82),
                ("half a text", framed(0x82, &[&[0, 1], empty, &[0, 9, b'x']].concat()), 0x81),
                ("no UTF-8", framed(0x82, &[&[0, 1], empty, &[0, 1, 0xFF], &[1]].concat()), 0x81),
                ("U+0000", framed(0x82, &[&[0, 1], empty, &[0, 1, 0], &[1]].concat()), 0x81),
                ("more than a ping", framed(0xC0, b"x"), 0x81),
                ("a length of five bytes", vec![0x30, 0xFF, 0xFF, 0xFF, 0xFF, 1], 0x81),
                ("256 MiB", vec![0x30, 0xFF, 0xFF, 0xFF, 0x7F], 0x95),
                ("a retained message", publish(0x33, &topic), 0x9A),
                ("quality two", publish(0x34, &topic), 0x9B),
                ("quality three", publish(0x36, &topic), 0x81),
                ("no topic", publish(0x32, &text("")), 0x82),
                ("an acknowledgement of nothing to come", vec![0x62, 2, 0, 1], 0x82),
            ];
            for (what, packet, reason) in cases {
                let mut wire = Wire::connect(&app, &Login::of(&ada, level)).await;
                wire.send(&packet).await;
                assert_eq!(wire.ended().await, wire.reason(reason), "{what}, level {level}");
            }
        }
        // Version 5 alone: a topic alias, a subscription id, a property of another packet.
        let alias = [&text("x")[..], &[0, 1, 3, 0x23, 0, 1]].concat();
        let number = [&[0, 1, 2, 0x0B, 1][..], &text("x"), &[1]].concat();
        let odd = [&[0, 1, 3, 0x23, 0, 1][..], &text("x"), &[1]].concat();
        for (first, body, reason) in [(0x32, alias, 0x94), (0x82, number, 0xA1), (0x82, odd, 0x82)] {
            let mut wire = Wire::connect(&app, &Login::of(&ada, 5)).await;
            wire.send(&framed(first, &body)).await;
            assert_eq!(wire.ended().await, Some(reason));
        }
    }

    async fn a_connection_without_connect_is_closed(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let ada = app.agent("ada").await;
        let good = Login::of(&ada, 4).packet();
        let mut reserved = good.clone();
        // Behind the name of the protocol and its level.
        let flags = good.windows(4).position(|name| name == b"MQTT").unwrap() + 5;
        reserved[flags] |= 1;
        let no_user = Login { username: None, ..Login::of(&ada, 4) }.packet();
        let cases = [
            vec![0xC0, 0],
            reserved,
            no_user,
            vec![0x10, 0xFF, 0xFF, 0xFF, 0x7F],
        ];
        for (number, packet) in cases.iter().enumerate() {
            let mut wire = Wire::dial(&app, 4).await;
            wire.send(packet).await;
            assert_eq!(wire.packet().await, None, "case {number}");
        }
    }

    async fn silent_sockets_and_half_a_connect_block_no_other_client_and_are_closed(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let mut silent = Vec::new();
        for _ in 0..200 {
            silent.push(Wire::dial(&app, 4).await);
        }
        let whole = Login::of(&ada, 4).packet();
        silent[0].send(&whole[..whole.len() - 1]).await;
        let soon = Duration::from_secs(3);
        let login = Login::of(&ada, 5);
        timeout(soon, Wire::connect(&app, &login)).await.unwrap().leave().await;
        for wire in &mut silent {
            assert_eq!(wire.packet().await, None);
        }
    }
}
