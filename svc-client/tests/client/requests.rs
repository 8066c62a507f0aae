//! What is sent: headers, credentials, keys.

use serde_json::{Value, json};
use svc_client::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use svc_client::mock::Mock;
use svc_client::types::Code;
use svc_client::types::api::Deleted;
use svc_client::types::api::batch::RunBatch;
use svc_client::types::api::developers::{DeleteDeveloper, RegisterDeveloper};
use svc_client::types::api::health::{Alive, GetLive, HealthStatus};
use svc_client::types::api::messages::{DeleteMessage, SendMessage};
use svc_client::{Client, Error};

use crate::{delivered, post_office};

#[tokio::test]
async fn each_endpoint_receives_the_credential_it_checks() {
    let server = Mock::start().await;
    let deleted = |()| Deleted { deleted: true };
    let live = server.on::<GetLive>().answers(|_| Alive { status: HealthStatus::Ok });
    let account = server.on::<DeleteMessage>().answers(move |_| deleted(()));
    let developer = server.on::<DeleteDeveloper>().answers(move |_| deleted(()));
    let svc = server.client();
    svc.health().live().await.unwrap();
    svc.messages().delete("msg_1").await.unwrap();
    svc.developers().delete().await.unwrap();

    assert!(!live.received()[0].headers.contains_key(header::AUTHORIZATION));
    let sent = &account.received()[0].headers[header::AUTHORIZATION];
    assert_eq!(sent, "Bearer svc_ak_mock");
    let sent = &developer.received()[0].headers[header::AUTHORIZATION];
    assert_eq!(sent, "Bearer svc_dk_mock");
}

#[tokio::test]
async fn an_optional_credential_is_omitted_if_there_is_none() {
    let server = Mock::start().await;
    let rule = server.on::<RegisterDeveloper>().fails(Code::ValidationFailed);
    let anonymous = server.builder().developer_key("svc_dk_1").build().unwrap();
    let call = anonymous.developers().register("Vault", "https://vault.example");
    call.await.unwrap_err();
    assert!(!rule.received()[0].headers.contains_key(header::AUTHORIZATION));
}

#[tokio::test]
async fn a_request_names_the_client_and_its_body() {
    let server = Mock::start().await;
    let rule = server.on::<SendMessage>().answers(delivered);
    server.client().messages().send("bob", "hello").await.unwrap();
    let sent = &rule.received()[0];
    let agent = concat!("svc-client/", env!("CARGO_PKG_VERSION"));
    assert_eq!(sent.headers[header::USER_AGENT], agent);
    assert_eq!(sent.headers[header::CONTENT_TYPE], "application/json");
    let body: Value = serde_json::from_slice(&sent.body).unwrap();
    assert_eq!(body, json!({ "recipientUsername": "bob", "content": "hello" }));
}

#[tokio::test]
async fn a_message_of_a_program_is_marked_in_a_batch_too() {
    let server = Mock::start().await;
    let rule = server.on::<RunBatch>().fails(Code::ValidationFailed);
    let program = server.client().automated(|| {});
    program.batch().message("bob", "hello").await.unwrap_err();
    let body: Value = serde_json::from_slice(&rule.received()[0].body).unwrap();
    assert_eq!(body["operations"][0]["automated"], true);
}

#[tokio::test]
async fn a_manual_key_and_a_header_are_sent_as_given() {
    let server = Mock::start().await;
    let rule = server.on::<SendMessage>().answers(delivered);
    let name = HeaderName::from_static("traceparent");
    let call = server.client().messages().send("bob", "hello");
    let call = call
        .idempotency_key("order-7")
        .header(name, HeaderValue::from_static("t"))
        .header(header::USER_AGENT, HeaderValue::from_static("mine/1"));
    call.await.unwrap();
    let sent = &rule.received()[0].headers;
    let values = |name| sent.get_all(name).iter().collect::<Vec<_>>();
    assert_eq!(values("idempotency-key"), ["order-7"]);
    assert_eq!(values("traceparent"), ["t"]);
    assert_eq!(values("user-agent"), ["mine/1"]);
}

#[tokio::test]
async fn a_key_out_of_form_is_refused_before_sending() {
    let server = post_office().await;
    for key in ["", "a b", "ä", "a\nb", &"k".repeat(256)] {
        let call = server.client().messages().send("bob", "hello").idempotency_key(key);
        let error = call.await.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{key:?}");
        assert_eq!((error.field(), error.attempts()), (Some("Idempotency-Key"), 0));
    }
    let longest = "k".repeat(255);
    let call = server.client().messages().send("bob", "hello").idempotency_key(longest);
    call.await.unwrap();
}

#[tokio::test]
async fn a_replayed_answer_is_marked() {
    let server = Mock::start().await;
    let name = HeaderName::from_static("idempotent-replayed");
    let rule = server.on::<SendMessage>().answers(delivered).times(1);
    rule.header(name, HeaderValue::from_static("true"));
    server.on::<SendMessage>().answers(delivered);
    let svc = server.client();
    let replayed = svc.messages().send("bob", "hello").raw().await.unwrap();
    let fresh = svc.messages().send("bob", "hello").raw().await.unwrap();
    assert_eq!((replayed.replayed, fresh.replayed), (true, false));
    assert_eq!(replayed.status, StatusCode::CREATED);
    assert_eq!(replayed.request_id.as_deref(), Some("mock"));
}

#[tokio::test]
async fn a_path_without_a_type_has_the_same_key_retries_and_errors() {
    let server = Mock::start().await;
    let lost = server.on::<SendMessage>().drops().times(1);
    let sent = server.on::<SendMessage>().answers(delivered);
    let call = server.client().request(Method::POST, "/messages");
    let call = call.json(&json!({ "recipientUsername": "bob", "content": "hello" }));
    let value: Value = call.send().await.unwrap();
    assert_eq!(value["message"]["content"], "hello");
    let keys = [lost.received(), sent.received()].concat();
    assert_eq!(keys[0].headers["idempotency-key"], keys[1].headers["idempotency-key"]);
    assert_eq!(keys[0].headers[header::AUTHORIZATION], "Bearer svc_ak_mock");

    let missing = server.client().request(Method::GET, "/v1/any%20thing").query("a", "b &c");
    let error = missing.send::<Value>().await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }));

    let deleted = server.on::<DeleteDeveloper>().answers(|_| Deleted { deleted: true });
    let app = server.builder().developer_key("svc_dk_1").build().unwrap();
    app.request(Method::DELETE, "/v1/developers/me").send::<Value>().await.unwrap();
    let sent = &deleted.received()[0].headers[header::AUTHORIZATION];
    assert_eq!(sent, "Bearer svc_dk_1", "a client without an account calls as its app");
}

#[test]
fn a_call_can_be_moved_to_another_task() {
    fn assert_send<T: Send + 'static>(_: &T) {}
    let svc = Client::builder("https://svc.example/api").build().unwrap();
    let call = svc.messages().send("bob", "hello");
    assert_send(&call);
    assert_send(&call.clone().raw());
    assert_send(&call.into_future());
    assert_send(&svc.messages().list().stream());
}
