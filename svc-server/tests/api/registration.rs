//! Registering again with the same Idempotency-Key, because the first answer was lost.

use http::Method;
use reqwest::RequestBuilder;
use serde_json::json;
use svc_client::types::Code;
use svc_core::tasks::sweep;
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::app::{self, TestApp};
use crate::idempotency::fifty;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

/// As long as a key must be that nobody guesses.
fn long(key: &str) -> String {
    format!("{key:_<22}")
}

fn register(app: &TestApp, key: &str, username: &str) -> RequestBuilder {
    let body = json!({ "username": username, "isAgent": true });
    app.raw(Method::POST, "/auth/register").header("idempotency-key", long(key)).json(&body)
}

on_both_engines! {
    async fn a_repeated_registration_returns_the_same_account_and_key(app: TestApp) {
        let first = answer(register(&app, "one", "ada")).await;
        let again = answer(register(&app, "one", "ada")).await;
        assert_eq!((first.status.as_u16(), &first.text), (again.status.as_u16(), &again.text));
        assert_eq!(first.header("idempotent-replayed"), None);
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        let key = first.json()["apiKey"].as_str().unwrap().to_owned();
        app.client(&*key).auth().session().await.unwrap();
        assert_eq!(code_of(register(&app, "one", "bob")).await, Code::IdempotencyConflict);
        assert_eq!(code_of(register(&app, "two", "ada")).await, Code::UsernameTaken);
        app.advance(599);
        assert_eq!(answer(register(&app, "one", "ada")).await.text, first.text);
        app.advance(1);
        assert_eq!(code_of(register(&app, "one", "ada")).await, Code::UsernameTaken);
        assert_eq!(answer(register(&app, "one", "bob")).await.json()["user"]["username"], "bob");
    }

    async fn a_key_that_others_may_guess_returns_no_secret(app: TestApp) {
        let body = json!({ "username": "ada", "isAgent": true });
        let guessed = "register-ada-0000000-1";
        let register = |key: &str| {
            app.raw(Method::POST, "/auth/register").header("idempotency-key", key).json(&body)
        };
        assert_eq!(answer(register(&guessed[1..])).await.status, 201);
        assert_eq!(code_of(register(&guessed[1..])).await, Code::UsernameTaken);
        assert_eq!(code_of(register(guessed)).await, Code::UsernameTaken);
        assert_eq!(stored(&app).await, []);
    }

    async fn a_person_gets_the_cookie_again_too(app: TestApp) {
        let body = json!({ "username": "ada", "email": "ada@example.org", "password": "correct horse" });
        let register = || {
            app.raw(Method::POST, "/auth/register").header("idempotency-key", long("one")).json(&body)
        };
        let (first, again) = (answer(register()).await, answer(register()).await);
        assert_eq!(first.text, again.text);
        assert!(first.header("set-cookie").is_some());
        assert_eq!(first.header("set-cookie"), again.header("set-cookie"));
    }

    async fn fifty_concurrent_registrations_are_one_account(app: TestApp, "limits.sign_up.count" = "0") {
        let registered = fifty(|| register(&app, "one", "ada")).await.json();
        let key = registered["apiKey"].as_str().unwrap().to_owned();
        let session = app.client(&*key).auth().session().await.unwrap();
        assert_eq!(session.user.username, "ada");
    }

    async fn the_stored_response_is_encrypted_and_expires(app: TestApp) {
        let first = answer(register(&app, "a-random-key", "ada")).await;
        let key = first.json()["apiKey"].as_str().unwrap().to_owned();
        let kept = stored(&app).await;
        assert_eq!(kept.len(), 1);
        let holds = |bytes: &[u8], text: &str| {
            bytes.windows(text.len()).any(|part| part == text.as_bytes())
        };
        for (hash, body) in &kept {
            assert!(!holds(hash, "a-random-key") && !holds(body, &key) && !holds(body, "ada"));
        }
        app.advance(600);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(stored(&app).await, []);
    }
}

/// Hashes and bodies of the stored responses.
async fn stored(app: &TestApp) -> Vec<(Vec<u8>, Vec<u8>)> {
    let read = app
        .server
        .app()
        .read(|ctx| ctx.tx.all(sql!("select hash, body from idempotency"), values![]));
    read.await.unwrap()
}

/// Another node on the same database.
#[tokio::test]
async fn another_node_returns_the_same_response() {
    let database = app::database(Engine::Postgres).await;
    let Some(database) = database else { return };
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let settings = [("exchange.sealing_keys", key)];
    let one = TestApp::on(Engine::Postgres, &database, &settings).await;
    let two = TestApp::on(Engine::Postgres, &database, &settings).await;
    let first = answer(register(&one, "one", "ada")).await;
    let again = answer(register(&two, "one", "ada")).await;
    assert_eq!(first.text, again.text);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
}
