//! Nothing secret is ever printed.

use serde_json::json;
use svc_client::Error;
use svc_client::http::{HeaderName, HeaderValue, StatusCode, header::SET_COOKIE};
use svc_client::mock::Mock;
use svc_client::types::Code;
use svc_client::types::api::auth::{GetSession, Login, NewApiKey, RegenerateApiKey};
use svc_client::types::api::messages::SendMessage;

use crate::logs;

const API_KEY: &str = "svc_ak_planted";
const DEVELOPER_KEY: &str = "svc_dk_planted";
const PLANTED: [&str; 10] = [
    API_KEY,
    DEVELOPER_KEY,
    "svc_ak_fresh",
    "planted-password",
    "planted-cookie",
    "planted-content",
    "svc_id_planted",
    "svc_at_planted",
    "svc_rt_planted",
    "whsec_planted",
];

#[tokio::test]
async fn no_secret_in_debug_errors_or_logs() {
    logs::start();
    let shown = use_every_secret().await;

    let logged = logs::text();
    assert!(logged.contains("trying again"), "the logs were kept: {logged}");
    for secret in PLANTED {
        assert!(!logged.contains(secret), "{secret} in logs");
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
}

/// Calls with a secret at each place, and returns all that can be printed.
async fn use_every_secret() -> String {
    let server = Mock::start().await;
    let builder = server.builder().api_key(API_KEY).developer_key(DEVELOPER_KEY);
    let mut shown = vec![format!("{builder:?}")];
    let svc = builder.build().unwrap();
    shown.push(format!("{svc:?} {:?}", svc.messages()));

    for secret in PLANTED.iter().filter(|secret| secret.contains('_')) {
        let error = of_an_echo(secret).await;
        shown.push(format!("{error} {error:?}"));
    }

    server.on::<SendMessage>().fails(Code::Internal);
    let call = svc.messages().send("bob", "planted-content");
    shown.push(format!("{call:?}"));
    let error = call.await.unwrap_err();
    shown.push(format!("{error} {error:?}"));

    server.on::<RegenerateApiKey>().answers(|_| NewApiKey {
        api_key: "svc_ak_fresh".into(),
        key_id: "fresh".to_owned(),
        created_at: svc_client::types::Timestamp::from_millis(1),
    });
    shown.push(format!("{:?}", svc.auth().regenerate_api_key().raw().await.unwrap()));

    let cookie = HeaderValue::from_static("svc_session=planted-cookie");
    let wrong = json!({ "user": "planted-content" }).to_string();
    server.on::<Login>().sends(StatusCode::OK, wrong).header(SET_COOKIE, cookie);
    let error = svc.auth().login("bob", "planted-password").raw().await.unwrap_err();
    shown.push(format!("{error} {error:?}"));

    let verify = svc.agents().verify_identity("svc_id_planted");
    shown.push(format!("{verify:?}"));
    shown.push(format!("{:?}", verify.await.unwrap_err()));
    shown.concat()
}

/// The error of a proxy that repeats what it was sent.
async fn of_an_echo(secret: &str) -> Error {
    let server = Mock::start().await;
    let echo = format!("authorization: Bearer {secret}");
    server.on::<GetSession>().sends(StatusCode::BAD_GATEWAY, echo);
    server.client().auth().session().await.unwrap_err()
}

#[tokio::test]
async fn cookies_are_marked_sensitive() {
    let server = Mock::start().await;
    let cookie = HeaderValue::from_static("svc_session=planted-cookie");
    server
        .on::<RegenerateApiKey>()
        .answers(|_| NewApiKey {
            api_key: "svc_ak_fresh".into(),
            key_id: "fresh".to_owned(),
            created_at: svc_client::types::Timestamp::from_millis(1),
        })
        .header(SET_COOKIE, cookie)
        .header(HeaderName::from_static("x-other"), HeaderValue::from_static("shown"));
    let answer = server.client().auth().regenerate_api_key().raw().await.unwrap();
    let shown = format!("{answer:?}");
    assert!(shown.contains("shown") && !shown.contains("planted"), "{shown}");
}

#[test]
fn a_key_with_a_line_break_is_refused_without_showing_it() {
    let builder = svc_client::Client::builder("https://svc.example/api");
    let error = builder.api_key("svc_ak_planted\n").build().unwrap_err();
    assert!(!format!("{error} {error:?}").contains("planted"));
}
