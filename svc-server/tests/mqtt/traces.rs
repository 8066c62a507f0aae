//! The trace of the request that caused an event, as a user property of MQTT 5.

use http::Method;
use serde_json::json;

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::wire::{Login, VERSIONS, Wire, dm, user_property};

/// What a trusted proxy sends, as W3C Trace Context shows it.
pub(crate) const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// Sends a message by a request with this header `traceparent`.
pub(crate) async fn write(app: &TestApp, from: &Member, to: &Member, trace: &str) {
    let request = from.raw(app, Method::POST, "/messages").header("traceparent", trace);
    let body = json!({ "recipientUsername": to.user.username, "content": "psst" });
    assert_eq!(request.json(&body).send().await.unwrap().status(), 201);
}

on_both_engines! {
    async fn a_message_carries_the_trace_that_a_trusted_proxy_named(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "trusted_proxies" = "127.0.0.1"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut wires = Vec::new();
        for level in VERSIONS {
            let login = Login::of(&ada, level).named(&format!("v{level}"));
            wires.push(Wire::listen(&app, &login, &[&dm(&ada)]).await);
        }
        write(&app, &bob, &ada, TRACE).await;
        bob.write(&ada, "without a trace").await;
        for wire in &mut wires {
            let expected = if wire.level == 5 { user_property(TRACE) } else { Vec::new() };
            let (properties, envelope) = wire.properties().await;
            assert_eq!((properties, &envelope["data"]["content"]), (expected, &json!("psst")));
            assert_eq!(wire.properties().await.0, b"");
        }
    }

    async fn a_client_whose_packets_must_be_small_gets_messages_without_their_trace(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "trusted_proxies" = "127.0.0.1"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut wire = Wire::listen(&app, &Login::of(&ada, 5), &[&dm(&ada)]).await;
        bob.write(&ada, "psst").await;
        let (_, body) = wire.packet().await.unwrap();
        let mut login = Login::of(&ada, 5).named("small");
        // A little more than that message, and less than one with a trace.
        let most = u32::try_from(body.len() + 30).unwrap();
        login.properties = [&[0x27][..], &most.to_be_bytes()].concat();
        let mut small = Wire::listen(&app, &login, &[&dm(&ada)]).await;
        write(&app, &bob, &ada, TRACE).await;
        assert_eq!(small.properties().await.0, b"");
        assert_eq!(wire.properties().await.0, user_property(TRACE));
    }
}
