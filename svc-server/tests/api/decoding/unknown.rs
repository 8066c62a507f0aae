//! Members and parameters that an endpoint does not know.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::escrow::EscrowStatus;

use super::send;
use crate::market::Market;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

on_both_engines! {
    async fn unknown_members_are_ignored(app: TestApp) {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        let body = r#"{"recipientUsername":"bob","new":null,"":[{}],"content":"psst","id":"msg_0"}"#;
        let sent = answer(send(&app, &ada, body)).await;
        assert_eq!(sent.header("svc-ignored"), Some("new, id"));
        let sent = sent.json();
        assert_eq!(sent["message"]["content"], "psst");
        assert_ne!(sent["message"]["messageId"], "msg_0");
    }

    async fn ignored_members_are_named_and_their_names_are_escaped_and_bounded(app: TestApp) {
        let ada = app.agent("ada").await;
        let batch = |body: Value| ada.raw(&app, Method::POST, "/batch").json(&body);
        let nested = json!({ "operations": [{ "op": "follow", "username": "bob", "a, b\n/": 1 }], "ops": [] });
        let sent = answer(batch(nested)).await;
        assert_eq!(sent.header("svc-ignored"), Some("ops, /operations/0/a%2C%20b%0A~1"));
        let names = (0..50).map(|n| (format!("{n:0>100}"), json!(n)));
        let mut many: serde_json::Map<String, Value> = names.collect();
        many.insert("operations".to_owned(), json!([{ "op": "follow", "username": "bob" }]));
        let sent = answer(batch(Value::Object(many))).await;
        let names: Vec<&str> = sent.header("svc-ignored").unwrap().split(", ").collect();
        assert_eq!(names, [&*"0".repeat(64); 10]);
        let known = answer(batch(json!({ "operations": [{ "op": "follow", "username": "bob" }] }))).await;
        assert!(!known.headers.contains_key("svc-ignored"));
    }

    async fn unknown_members_are_refused_where_the_caller_prefers_it(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let body = json!({ "recipientUsername": "bob", "content": "psst", "replyTo": "msg_0" });
        for prefer in ["handling=strict", "wait=5, Handling=\"strict\"; x=1, handling=lenient"] {
            let sent = ada.raw(&app, Method::POST, "/messages").header("prefer", prefer).json(&body);
            let refused = answer(sent).await;
            assert_eq!(refused.header("preference-applied"), Some("handling=strict"));
            let refused = refused.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::UnknownMember, Some("replyTo")));
            assert_eq!(refused.hint.as_deref(), Some("replyToId"));
        }
        let nested = json!({ "operations": [{ "op": "follow", "username": "bob", "usernames": [] }] });
        let nested = ada.raw(&app, Method::POST, "/batch").header("prefer", "handling=strict").json(&nested);
        let refused = answer(nested).await.refusal();
        assert_eq!((refused.code, refused.field.as_deref()), (Code::UnknownMember, Some("/operations/0/usernames")));
        let inbox = answer(bob.raw(&app, Method::GET, "/messages")).await.json();
        assert_eq!(inbox["messages"], json!([]));
        let long = "x".repeat(257);
        let sent = ada.raw(&app, Method::POST, "/messages").header("prefer", long).json(&body);
        let refused = answer(sent).await.refusal();
        assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some("Prefer")));
        for prefer in ["handling=lenient, handling=strict", "handling", "strict"] {
            let sent = ada.raw(&app, Method::POST, "/messages").header("prefer", prefer).json(&body);
            let sent = answer(sent).await;
            assert_eq!((sent.status.as_u16(), sent.header("svc-ignored")), (201, Some("replyTo")), "{prefer}");
        }
    }

    async fn an_operator_can_have_every_unknown_member_refused(app: TestApp, "api.strict" = "all") {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        let body = |name: &str| json!({ "recipientUsername": "bob", "content": "psst", name: "msg_0" });
        let sent = answer(ada.raw(&app, Method::POST, "/messages").json(&body("replyTo"))).await;
        assert!(!sent.headers.contains_key("preference-applied"), "nothing was preferred");
        let refused = sent.refusal();
        assert_eq!((refused.code, refused.hint.as_deref()), (Code::UnknownMember, Some("replyToId")));
        let known = ada.raw(&app, Method::POST, "/messages").json(&body("clientMessageId"));
        assert_eq!(answer(known).await.status, 201);
    }

    async fn unknown_parameters_are_refused_with_a_suggestion(app: TestApp) {
        let ada = app.agent("ada").await;
        for (path, field, hint) in [
            ("/messages?withUser=ada", "withUser", "with"),
            ("/users?limmit=1", "limmit", "limit"),
            ("/users?Limit=1", "Limit", "limit"),
            ("/auth/session?x=1", "x", "there is none"),
            ("/v1/escrow/esc_1?x=1", "x", "there is none"),
            ("/users/ada/followers?x=1", "x", "there are limit, cursor"),
            ("/users?limit=1&=", "", "there are ids, usernames, q, isAgent, sort, window, limit, cursor"),
        ] {
            let refused = answer(ada.raw(&app, Method::GET, path)).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::UnknownParameter, Some(field)));
            assert_eq!(refused.hint.as_deref(), Some(hint), "{path}");
        }
        let refused = answer(app.raw(Method::GET, "/messages?withUser=ada")).await.refusal();
        assert_eq!(refused.code, Code::Unauthorized, "an unauthorized caller learns nothing about the form");
        // Consumers of oEmbed may send unknown parameters.
        let other = answer(app.raw(Method::GET, "/oembed?url=http://example.org/&dnt=true")).await;
        assert_eq!(other.refusal().field.as_deref(), Some("url"));
    }

    async fn parameters_are_refused_where_fields_are_sent_in_the_body(app: TestApp) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let escrow = market.escrow(&EscrowStatus::Delivered).await.id;
        let release = format!("/v1/escrow/{escrow}/release?deliverableVersion=7");
        for (method, path, field) in [
            (Method::POST, &*release, "deliverableVersion"),
            (Method::POST, "/users/bob/mute?expiresIn=1h&x=1", "expiresIn"),
            (Method::PUT, "/notifications/preferences?from=following", "from"),
            (Method::PATCH, "/users/me?bio=hi", "bio"),
            (Method::POST, "/auth/logout?x", "x"),
        ] {
            let refused = answer(ada.raw(app, method, path)).await.refusal();
            let found = (refused.code, refused.field.as_deref());
            assert_eq!(found, (Code::UnknownParameter, Some(field)), "{path}");
            let hint = "the fields of this call are sent as JSON in its body";
            assert_eq!(refused.hint.as_deref(), Some(hint));
        }
        assert_eq!(market.seen(&escrow).await.status, EscrowStatus::Delivered);
        let viewer = ada.client.users().get("bob").await.unwrap().user.viewer.unwrap();
        assert!(!viewer.muting, "a mute without an end is not what was asked for");
        let guest = answer(app.raw(Method::POST, "/users/bob/mute?expiresIn=1h")).await.refusal();
        assert_eq!(guest.code, Code::Unauthorized, "an unauthorized caller learns nothing about the form");
        assert_eq!(answer(ada.raw(app, Method::POST, "/users/bob/mute?")).await.status, 200);
    }

    async fn unknown_members_are_refused_where_credits_move(app: TestApp) {
        let market = Market::new(app).await;
        let body = json!({ "providerUsername": "bob", "serviceId": market.service, "amount": 5,
            "description": "work", "expiresin": "1d" });
        let create = market.ada.raw(&market.app, Method::POST, "/v1/escrow").json(&body);
        let refused = answer(create).await.refusal();
        assert_eq!((refused.code, refused.field.as_deref()), (Code::UnknownMember, Some("expiresin")));
        assert_eq!(refused.hint.as_deref(), Some("expiresIn"));
        let escrow = market.escrow(&EscrowStatus::Delivered).await.id;
        for member in ["amount", "ratings"] {
            let path = format!("/v1/escrow/{escrow}/release");
            let release = market.ada.raw(&market.app, Method::POST, &path).json(&json!({ member: 5 }));
            assert_eq!(code_of(release).await, Code::UnknownMember);
        }
        assert_eq!(market.seen(&escrow).await.status, EscrowStatus::Delivered);
        let service = json!({ "name": "more", "description": "more", "priceCredits": 1, "price": 2 });
        let offer = market.bob.raw(&market.app, Method::POST, "/v1/bots/me/services").json(&service);
        assert_eq!(code_of(offer).await, Code::UnknownMember);
        assert_eq!(market.have().await, ["90+10", "100+0"]);
    }

    async fn a_name_longer_than_any_known_one_is_compared_with_none(app: TestApp) {
        let ada = app.agent("ada").await;
        for (length, hint) in [(8, "content"), (64, "content"), (65, "there are "), (900_000, "there are ")] {
            let name = format!("content{}", "t".repeat(length - 7));
            let send = ada.raw(&app, Method::POST, "/messages").header("prefer", "handling=strict");
            let body = json!({ "recipientUsername": "bob", "content": "psst", name: 1 });
            let refused = answer(send.json(&body)).await.refusal();
            assert_eq!(refused.code, Code::UnknownMember, "{length}");
            assert!(refused.hint.unwrap().starts_with(hint), "{length}");
        }
    }
}
