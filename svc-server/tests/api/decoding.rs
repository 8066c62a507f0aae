//! What requests may contain, member by member of every endpoint.

mod unknown;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Method;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use svc_client::types::{Code, ErrorBody, Who, wire};

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::raw::{answer, code_of, member};
use crate::world::{Ask, Scene, World, asks};

/// Calls an endpoint, as a permitted caller, with one member set to this value.
async fn refusal(world: &World, scene: &Scene, ask: &Ask, name: &str, value: &Value) -> ErrorBody {
    let mut ask = world.fit(ask, scene, scene.party.name());
    ask.members.insert(name.to_owned(), value.clone());
    let request = ask.request(&world.app);
    let request = match ask.who {
        Who::Anyone => request,
        Who::Developer => request.bearer_auth(world.gate.key.expose()),
        _ => request.bearer_auth(world.who_may(&ask, scene).key.expose()),
    };
    answer(request).await.refusal()
}

/// Refusals name no Rust type and nothing from serde.
#[track_caller]
fn is_plain_english(message: &str) {
    let foreign = [
        "u8", "u16", "u32", "u64", "i32", "i64", "f64", "boolean", "struct", "tuple", "expected",
        "variant",
    ];
    let mut words = message.split(|c: char| !c.is_alphanumeric());
    assert!(words.all(|word| !foreign.contains(&word)), "{message}");
}

/// The members that are not part of the path.
fn members(ask: &Ask) -> impl Iterator<Item = (&String, &Value)> {
    let in_path: Vec<_> = ask.parameters().collect();
    ask.members.iter().filter(move |(name, _)| !in_path.contains(&name.as_str()))
}

/// Values of other types than a member has; some are any JSON but null.
fn wrong(endpoint: &str, name: &str, value: &Value) -> impl Iterator<Item = Value> {
    let any = matches!((endpoint, name), (_, "evidence" | "partial") | ("InputOrder", "input"));
    let kind = std::mem::discriminant(value);
    let values =
        [json!(7), json!(1.5), json!(true), json!([]), json!({}), json!("true"), Value::Null];
    let differs = move |other: &Value| std::mem::discriminant(other) != kind;
    values.into_iter().filter(move |other| if any { other.is_null() } else { differs(other) })
}

/// A POST of `/messages` with this body.
fn send(app: &TestApp, from: &Member, body: impl Into<reqwest::Body>) -> RequestBuilder {
    let request = app.raw(Method::POST, "/messages").bearer_auth(from.key.expose());
    request.header("content-type", "application/json").body(body)
}

/// A message with this JSON text.
fn message(content: &str) -> String {
    format!(r#"{{"recipientUsername":"bob","content":{content}}}"#)
}

on_both_engines! {
    async fn a_member_of_another_type_is_refused_by_name(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "public_url" = "http://localhost",
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01"
    ) {
        let world = World::new(app).await;
        let scene = world.scene().await;
        for ask in asks().iter().filter(|ask| !wire::in_query(&ask.method)) {
            for (name, value) in members(ask) {
                for value in wrong(ask.name, name, value) {
                    let refused = refusal(&world, &scene, ask, name, &value).await;
                    let reported = (refused.code, refused.field.as_deref());
                    assert_eq!(reported, (Code::ValidationFailed, Some(&**name)), "{} {value}", ask.name);
                    is_plain_english(&refused.error);
                }
            }
        }
    }

    async fn the_null_character_is_refused_in_every_text(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "public_url" = "http://localhost",
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01"
    ) {
        let world = World::new(app).await;
        let scene = world.scene().await;
        for ask in &asks() {
            let nul = if wire::in_query(&ask.method) { "%00" } else { "a\0b" };
            for (name, _) in members(ask).filter(|(_, value)| value.is_string()) {
                let refused = refusal(&world, &scene, ask, name, &json!(nul)).await;
                let reported = (refused.code, refused.field.as_deref());
                assert_eq!(reported, (Code::ValidationFailed, Some(&**name)), "{}", ask.name);
            }
            for name in ask.parameters() {
                let refused = refusal(&world, &scene, ask, name, &json!("a%00b")).await;
                assert_eq!(refused.code, Code::ValidationFailed, "{}", ask.name);
            }
        }
    }

    async fn every_wrong_member_is_named(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = |body: Value| ada.raw(&app, Method::POST, "/posts").json(&body);
        let refused = answer(post(json!({ "mediaIds": 2, "replyPolicy": 1 }))).await.refusal();
        let errors: Vec<_> = refused.errors.iter().map(|one| (&*one.field, one.code.as_str())).collect();
        assert_eq!(errors, [("mediaIds", "invalid"), ("replyPolicy", "invalid"), ("content", "missing")]);
        assert_eq!((refused.field.as_deref(), &refused.error), (Some("mediaIds"), &refused.errors[0].message));
        let refused = answer(post(json!({ "content": 1, "mediaIds": 2 }))).await.refusal();
        let codes: Vec<_> = refused.errors.iter().map(|one| one.code.as_str()).collect();
        assert_eq!(codes, ["invalid"; 2], "a required member that was sent is not missing");
        let one = answer(post(json!({ "content": 1 }))).await.refusal();
        assert!(one.errors.is_empty(), "{one:?}");
        let strict = post(json!({ "content": 1, "contents": 2 })).header("prefer", "handling=strict");
        let refused = answer(strict).await.refusal();
        assert_eq!((refused.code, refused.errors.len()), (Code::UnknownMember, 0));
        let long = json!({ "mediaIds": 2, "replyPolicy": 1, "content": "x".repeat(65 * 1024) });
        assert!(answer(post(long)).await.refusal().errors.is_empty());
    }

    async fn query_parameters_are_typed(app: TestApp) {
        let world = World::new(app).await;
        let scene = world.scene().await;
        let of = |name: &str, value: &Value| -> &[&str] {
            match (name, value) {
                ("limit", _) => &["0", "101", "-1", "1.5", "x", "", "true", "99999999999999999999"],
                ("since", _) => &["yesterday", "2026-01-31", ""],
                ("sort" | "order" | "include" | "role" | "status" | "requestStatus" | "kind", _) => &["?", "", "NEW"],
                ("ids" | "usernames" | "types", _) => &["", ",", "a,,b"],
                ("maxPrice", _) => &["-1", "x", "", "true", "1e21", "1.0000001", "1000000001"],
                ("minRating", _) => &["0", "0.5", "4.7", "6", "x", ""],
                ("after", _) => &["-1", "1.5", "x", ""],
                ("service", _) => &[""],
                (_, Value::Bool(_)) => &["yes", "1", "", "TRUE"],
                ("theme" | "format", _) => &["?", "", "JSON"],
                ("maxWidth", _) => &["219", "1201", "-1", "1.5", "x", ""],
                ("maxwidth" | "maxheight", _) => &["0", "100001", "-1", "1.5", "x", ""],
                ("category", _) => &["?", "", "FUN"],
                ("afterVersion", _) => &["-1", "1.5", "x", ""],
                ("language", _) => &["", "x", "%%", "e n"],
                ("maxAnswerSeconds", _) => &["-1", "1.5", "x", "", "31536001"],
                (_, Value::Number(_)) => &["-1", "1.5", "x", "", "101"],
                _ => &[],
            }
        };
        for ask in asks().iter().filter(|ask| wire::in_query(&ask.method)) {
            for (name, value) in members(ask) {
                for text in of(name, value) {
                    let refused = refusal(&world, &scene, ask, name, &json!(text)).await;
                    let reported = (refused.code, refused.field.as_deref());
                    assert_eq!(reported, (Code::ValidationFailed, Some(&**name)), "{} {text}", ask.name);
                    is_plain_english(&refused.error);
                }
            }
        }
    }

    async fn a_cursor_of_another_list_is_refused(app: TestApp) {
        let world = World::new(app).await;
        let list = |query: &str| answer(world.app.raw(Method::GET, &format!("/users?limit=1{query}")));
        let cursor = list("").await.json()["nextCursor"].clone();
        let cursor = cursor.as_str().unwrap();
        let has_no_pages = ["ListEvents", "GetLeaderboard"];
        let pages = |ask: &Ask| ask.members.contains_key("limit") && !has_no_pages.contains(&ask.name);
        for mut ask in asks().into_iter().filter(pages) {
            let scene = world.scene_of(&ask).await;
            ask.members.remove("usernames");
            for cursor in ["", "AQ", "nonsense", "!!!!", "%20", cursor] {
                let refused = refusal(&world, &scene, &ask, "cursor", &json!(cursor)).await;
                let reported = (refused.code, refused.field.as_deref());
                assert_eq!(reported, (Code::InvalidCursor, Some("cursor")), "{}", ask.name);
            }
        }
        for other in ["&sort=followers", "&q=a", "&isAgent=true"] {
            let refused = list(&format!("&cursor={cursor}{other}")).await.refusal();
            assert_eq!(refused.code, Code::InvalidCursor, "{other}");
        }
        // A cursor begins with its list, which anybody can copy.
        for (sort, keys) in [
            ("new", ""), ("new", "usr_1\nusr_2"), ("new", "usr_\0"), ("followers", "7"), ("followers", "7\n"),
        ] {
            let first = list(&format!("&sort={sort}")).await.json();
            let of_list = URL_SAFE_NO_PAD.decode(first["nextCursor"].as_str().unwrap()).unwrap();
            let made_up = URL_SAFE_NO_PAD.encode([&of_list[..9], keys.as_bytes()].concat());
            let refused = list(&format!("&sort={sort}&cursor={made_up}")).await.refusal();
            assert_eq!(refused.code, Code::InvalidCursor, "{sort} {keys:?}");
        }
        let more = world.app.raw(Method::GET, &format!("/users?limit=2&cursor={cursor}"));
        assert_eq!(answer(more).await.json()["users"].as_array().unwrap().len(), 2);
    }

    async fn a_list_that_no_endpoint_takes_is_refused_as_a_whole(app: TestApp) {
        let ada = app.agent("ada").await;
        let list = ada.client.lists().create("many").await.unwrap().list.id;
        let add = |count: usize, name: &str| {
            let request = ada.raw(&app, Method::POST, &format!("/lists/{list}/members"));
            request.json(&json!({ "usernames": vec![name; count] }))
        };
        for (count, name, rule) in [
            (1_000, "bob", "usernames must have 1 to 100 names"),
            (1_001, "bob", "usernames must have at most 1000 elements"),
            (200_000, "", "usernames must have at most 1000 elements"),
        ] {
            let refused = answer(add(count, name)).await.refusal();
            assert_eq!((refused.code, &*refused.error), (Code::ValidationFailed, rule));
            assert_eq!(refused.field.as_deref(), Some("usernames"));
        }
    }

    async fn the_path_wins_over_a_member_of_its_name(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let found = answer(app.raw(Method::GET, "/users/ada?username=bob")).await.json();
        assert_eq!(found["user"]["username"], "ada");
        let post = ada.client.posts().create("first").await.unwrap().post.id;
        let path = format!("/posts/{post}/replies");
        let body = json!({ "postId": "post_0", "content": "second" });
        let request = app.raw(Method::POST, &path).bearer_auth(bob.key.expose()).json(&body);
        assert_eq!(answer(request).await.json()["post"]["replyToId"], json!(post));
    }

    async fn a_duplicate_member_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        let body = r#"{"content":"one","recipientUsername":"bob","content":"two"}"#;
        for (request, field) in [
            (send(&app, &ada, body), "content"),
            (send(&app, &ada, body.replacen("content", r"con\u0074ent", 1)), "content"),
            (app.raw(Method::GET, "/users?limit=1&limit=2"), "limit"),
            (app.raw(Method::GET, "/users?limit=1&l%69mit=1"), "limit"),
        ] {
            let refused = answer(request).await.refusal();
            assert_eq!((refused.code, &*refused.field.unwrap()), (Code::ValidationFailed, field));
        }
    }

    async fn a_member_of_free_form_json_that_occurs_twice_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        let payload = r#"{"recipientUsername":"bob","content":"x","schema":"weather.v1",
            "payload":{"a":[{"n":1,"n":2}]}}"#;
        let refused = answer(send(&app, &ada, payload)).await.refusal();
        assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some("/payload/a")));
        // The server would check one of the values, and the provider might read the other.
        let order = r#"{"schema":"service.request","payload":{"serviceId":"srv_0","serviceName":"x",
            "input":{"words":1,"words":2},"offeredCredits":1}}"#;
        let body = json!({ "recipientUsername": "bob", "content": order }).to_string();
        assert_eq!(code_of(send(&app, &ada, body)).await, Code::InvalidServiceMessage);
    }

    async fn a_body_that_is_not_a_json_object_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        let deep = "[".repeat(100_000);
        let texts = [
            "{", "[]", "null", "7", "\"\"", " ", "{'content':1}", "{\"content\":}", "{} {}", "{\"a\":01}",
            "{\"a\":NaN}", "{\"content\":\"a\nb\"}", "{\"a\":\"\\x\"}", "\u{feff}{}", &deep, "<a/>", "a=1",
        ];
        for text in texts {
            let refused = answer(send(&app, &ada, text.to_owned())).await.refusal();
            assert_eq!(refused.code, Code::InvalidJson, "{text:.40}");
        }
        let mut latin = message("\"p?st\"").into_bytes();
        *latin.iter_mut().find(|byte| **byte == b'?').unwrap() = 0xe4;
        assert_eq!(code_of(send(&app, &ada, latin)).await, Code::InvalidJson);
        assert_eq!(code_of(send(&app, &ada, message(r#""\ud800""#))).await, Code::ValidationFailed);
        assert_eq!(answer(send(&app, &ada, message(r#""\ud83e\udd80""#))).await.status, 201);
    }

    async fn nesting_depth_is_limited(app: TestApp) {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        let nested = |depth| format!(r#"{{"a":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        let with = |member: &str, value: String| {
            let start = r#"{"recipientUsername":"bob","content":"psst","schema":"weather.v1""#;
            send(&app, &ada, format!(r#"{start},"{member}":{value}}}"#))
        };
        assert_eq!(answer(with("payload", nested(30))).await.status, 201);
        for depth in [100, 200, 5_000] {
            assert_eq!(code_of(with("payload", nested(depth))).await, Code::ValidationFailed);
        }
        let nul = json!({ "rooms": [{ "na\0me": 1 }] }).to_string();
        let refused = answer(with("payload", nul)).await.refusal();
        let field = refused.field.unwrap();
        assert_eq!((refused.code, member(&field)), (Code::ValidationFailed, "payload"));
    }

    async fn percent_escapes_must_be_utf8(app: TestApp) {
        app.agent("ada").await;
        assert_eq!(answer(app.raw(Method::GET, "/users/%61da")).await.status, 200);
        assert_eq!(answer(app.raw(Method::GET, "/users?q=%61d")).await.status, 200);
        for query in ["q=%ff", "%ff=1", "q=a&new=%c3%28"] {
            assert_eq!(code_of(app.raw(Method::GET, &format!("/users?{query}"))).await, Code::ValidationFailed);
        }
        assert_eq!(code_of(app.raw(Method::GET, "/users/%zz")).await, Code::NotFound);
        assert_eq!(answer(app.raw(Method::GET, "/users?q=%zz")).await.json()["users"], json!([]));
    }
}
