//! One effect per Idempotency-Key.

use http::{HeaderValue, Method};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use svc_client::types::{ApiKey, Code, Scope, Who};
use svc_core::tasks::sweep;
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::raw::{Raw, answer, code_of};
use crate::world::{Credential, World, asks};

/// A POST with an Idempotency-Key.
pub(crate) fn post(
    app: &TestApp,
    who: &ApiKey,
    key: &str,
    path: &str,
    members: &Value,
) -> RequestBuilder {
    let request = app.raw(Method::POST, path).bearer_auth(who.expose());
    request.header("idempotency-key", key).json(members)
}

/// Sends a message with an Idempotency-Key.
async fn send(app: &TestApp, from: &Member, key: &str, to: &str, content: &str) -> Raw {
    let members = json!({ "recipientUsername": to, "content": content });
    answer(post(app, &from.key, key, "/messages", &members)).await
}

fn is_replay(answer: &Raw) -> bool {
    match answer.header("idempotent-replayed") {
        None => false,
        Some(value) => value == "true" || panic!("{value}"),
    }
}

/// Sends fifty equal requests at once, and returns the answer that all of them got.
pub(crate) async fn fifty(request: impl Fn() -> RequestBuilder) -> Raw {
    let sending = (0..50).map(|_| tokio::spawn(answer(request())));
    let mut answers = Vec::new();
    for sent in sending.collect::<Vec<_>>() {
        answers.push(sent.await.unwrap());
    }
    let (replays, mut first): (Vec<_>, Vec<_>) = answers.into_iter().partition(is_replay);
    let first = first.pop().filter(|_| first.is_empty()).expect("one did the work");
    for replay in replays {
        assert_eq!((replay.status, replay.text), (first.status, first.text.clone()));
    }
    first
}

/// Messages an account can list.
async fn messages(member: &Member) -> usize {
    member.client.messages().list().await.unwrap().messages.len()
}

on_both_engines! {
    async fn fifty_identical_concurrent_messages_are_one(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let members = json!({ "recipientUsername": "bob", "content": "psst" });
        let sent = fifty(|| post(&app, &ada.key, "one", "/messages", &members)).await;
        let listed = bob.client.messages().list().await.unwrap().messages;
        assert_eq!(sent.json(), json!({ "message": listed[0] }));
        assert_eq!(listed.len(), 1);
        let unread = bob.client.messages().unread_count().await.unwrap().unread;
        assert_eq!((unread.conversations, unread.messages), (1, 1));
    }

    async fn fifty_identical_concurrent_posts_use_one_slot(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        let members = json!({ "content": "hello" });
        let posted = fifty(|| post(&app, &ada.key, "one", "/posts", &members)).await;
        assert_eq!(posted.status, 201);
        let user = ada.client.users().me().await.unwrap().user;
        assert_eq!(user.posts_count, 1);
        app.advance(1800);
        let again = answer(post(&app, &ada.key, "one", "/posts", &members)).await;
        assert_eq!((is_replay(&again), again.text), (true, posted.text));
        assert_eq!(again.headers["x-ratelimit-reset"], posted.headers["x-ratelimit-reset"]);
        ada.client.posts().create("the slot is free").await.unwrap();
    }

    async fn a_key_belongs_to_one_request(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        send(&app, &ada, "one", "bob", "first").await.json();
        let other = send(&app, &ada, "one", "bob", "second").await.refusal();
        assert_eq!(other.code, Code::IdempotencyConflict);
        let members = json!({ "content": "first" });
        let elsewhere = post(&app, &ada.key, "one", "/posts", &members);
        assert_eq!(code_of(elsewhere).await, Code::IdempotencyConflict);
        assert!(!is_replay(&send(&app, &ada, "two", "bob", "second").await));
        assert_eq!(messages(&bob).await, 2);
    }

    async fn each_account_and_app_has_its_own_keys(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        app.agent("cyd").await;
        let sent = [send(&app, &ada, "one", "cyd", "psst").await, send(&app, &bob, "one", "cyd", "psst").await];
        assert!(sent.iter().all(|sent| sent.status == 201 && !is_replay(sent)));
    }

    async fn a_key_counts_with_and_without_a_cookie(app: TestApp) {
        let ada = app.person("ada", "correct horse").await;
        app.agent("bob").await;
        let first = send(&app, &ada, "one", "bob", "psst").await;
        let cookie = app.sign_in("ada", "correct horse").await;
        let members = json!({ "recipientUsername": "bob", "content": "psst" });
        let request = app.raw(Method::POST, "/messages").json(&members).header("cookie", cookie);
        let request = request.header("sec-fetch-site", "same-origin").header("idempotency-key", "one");
        let again = answer(request).await;
        assert_eq!((is_replay(&again), again.text), (true, first.text), "it is the same account");
    }

    async fn a_refusal_is_not_stored(app: TestApp) {
        let ada = app.agent("ada").await;
        assert_eq!(send(&app, &ada, "one", "bob", "psst").await.refusal().code, Code::NotFound);
        let bob = app.agent("bob").await;
        assert!(!is_replay(&send(&app, &ada, "one", "bob", "psst").await));
        assert_eq!(messages(&bob).await, 1);
        let members = json!({ "content": "first" });
        answer(post(&app, &ada.key, "two", "/posts", &members)).await.json();
        let limited = || post(&app, &ada.key, "three", "/posts", &members);
        assert_eq!(code_of(limited()).await, Code::RateLimited);
        app.advance(1800);
        assert!(!is_replay(&answer(limited()).await));
    }

    async fn a_response_is_stored_for_a_day_and_then_swept(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let first = send(&app, &ada, "one", "bob", "psst").await;
        app.advance(86_399);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(send(&app, &ada, "one", "bob", "psst").await.text, first.text);
        // PostgreSQL drops the whole half day at once, and this one ends at noon.
        app.advance(if app.engine == Engine::Postgres { 9_001 } else { 1 });
        sweep::once(app.server.app()).await.unwrap();
        let count = app.server.app().read(|ctx| {
            ctx.tx.one::<i64>(sql!("select count(*) from idempotency"), values![])
        });
        assert_eq!(count.await.unwrap(), 0);
        assert!(!is_replay(&send(&app, &ada, "one", "bob", "psst").await));
        assert_eq!(messages(&bob).await, 2);
    }

    async fn a_replay_returns_the_original_response(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let first = send(&app, &ada, "one", "bob", "psst").await;
        bob.client.users().delete_me("bob").await.unwrap();
        assert_eq!(send(&app, &ada, "one", "bob", "psst").await.text, first.text);
    }

    async fn a_replay_requires_current_access(app: TestApp) {
        let ada = app.agent("ada").await;
        let members = json!({ "content": "first" });
        answer(post(&app, &ada.key, "one", "/posts", &members)).await.json();
        let reader = ada.client.keys().create("reader", [Scope::Read]).await.unwrap().api_key;
        let by_reader = post(&app, &reader, "one", "/posts", &members);
        assert_eq!(code_of(by_reader).await, Code::InsufficientScope);
        app.suspend("ada").await;
        let suspended = post(&app, &ada.key, "one", "/posts", &members);
        assert_eq!(code_of(suspended).await, Code::AccountSuspended);
        ada.client.auth().logout().await.unwrap();
    }

    async fn a_key_is_1_to_255_visible_ascii_characters(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let longest = "k".repeat(255);
        for key in ["!", "~", "a-Z_0:9", longest.as_str()] {
            assert_eq!(send(&app, &ada, key, "bob", "psst").await.status, 201, "{key}");
        }
        let long = "k".repeat(256);
        let latin = HeaderValue::from_bytes(b"k\xe4y").unwrap();
        let utf8 = HeaderValue::from_bytes("k\u{e4}y".as_bytes()).unwrap();
        let malformed = [HeaderValue::from_static(""), HeaderValue::from_static("two words")];
        let malformed = malformed.into_iter().chain([long.parse().unwrap(), latin, utf8]);
        let members = json!({ "recipientUsername": "bob", "content": "psst" });
        let request = || app.raw(Method::POST, "/messages").bearer_auth(ada.key.expose()).json(&members);
        for key in malformed {
            let refusal = answer(request().header("idempotency-key", &key)).await.refusal();
            let (code, field) = (refusal.code, refusal.field.unwrap());
            assert_eq!((code, &*field), (Code::ValidationFailed, "Idempotency-Key"), "{key:?}");
        }
        let two = request().header("idempotency-key", "one").header("idempotency-key", "one");
        assert_eq!(code_of(two).await, Code::ValidationFailed);
        assert_eq!(messages(&bob).await, 4);
    }

    async fn anonymous_calls_ignore_the_key(app: TestApp) {
        for _ in 0..2 {
            let members = json!({ "appName": "Gate", "website": "https://gate.example.org" });
            let request = app.raw(Method::POST, "/v1/developers/register").header("idempotency-key", "one");
            assert_eq!(answer(request.json(&members)).await.status, 201);
        }
    }

    async fn every_post_accepts_a_key(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "public_url" = "http://localhost",
        "links.x.client_id" = "svc", "passes.boost" = "1",
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "payouts.enabled" = "true", "payouts.rate" = "0.01"
    ) {
        let world = World::new(app).await;
        let posts = asks().into_iter().filter(|ask| ask.method == Method::POST && ask.who != Who::Anyone);
        // These need a payment provider; `payments`, `tiers` and `payouts` test them.
        let provided = ["CreateCheckout", "ResumeSubscription", "OpenPortal", "ConnectPayouts"];
        let posts = posts.filter(|ask| !provided.contains(&ask.name));
        for ask in posts {
            let scene = world.scene_of(&ask).await;
            let party = &scene.party.member;
            let caller = world.who_may(&ask, &scene);
            let ask = world.fit(&ask, &scene, scene.party.name());
            let credential = match (ask.who, ask.name) {
                (Who::Developer, _) => Credential::DeveloperKey(world.gate.key.clone()),
                (_, "Logout") => Credential::Key(party.key.clone()),
                _ => Credential::Cookie(world.cookie(&caller.user.id).await),
            };
            let request = |by: &Credential| by.sign(ask.request(&world.app)).header("idempotency-key", "one more");
            assert_eq!(code_of(request(&credential)).await, Code::ValidationFailed, "{}", ask.name);
            let request = |by: &Credential| by.sign(ask.request(&world.app)).header("idempotency-key", ask.name);
            let first = answer(request(&credential)).await;
            assert_eq!((first.status, is_replay(&first)), (ask.status, false), "{} {}", ask.name, first.text);
            let new_key = first.json()["developer_api_key"].as_str().map(str::to_owned);
            let credential = match (ask.name, new_key) {
                ("RotateDeveloperKey", Some(key)) => Credential::DeveloperKey(key.into()),
                _ => credential,
            };
            let again = answer(request(&credential)).await;
            if ask.name == "VerifyIdentity" {
                assert_eq!((again.status, is_replay(&again)), (ask.status, false), "verified again");
            } else if ask.is_secret {
                assert_eq!(again.refusal().code, Code::IdempotencyConflict, "{}", ask.name);
            } else {
                assert_eq!((is_replay(&again), again.text), (true, first.text), "{}", ask.name);
            }
        }
    }
}
