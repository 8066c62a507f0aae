//! Edge cases of the HTTP layer: paths, methods, bodies, proxies.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};

use http::{HeaderValue, Method};
use serde_json::json;
use svc_client::types::{Code, Scope};
use svc_server::testing::until;

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::raw::{Raw, answer, code_of};
use crate::world::{PASSWORD, World, asks};

/// A message whose body has exactly this many bytes.
fn message_of(bytes: usize) -> String {
    let (start, end) = (r#"{"recipientUsername":"bob","content":"psst","pad":""#, r#""}"#);
    format!("{start}{}{end}", "x".repeat(bytes - start.len() - end.len()))
}

/// A POST with this body, as JSON.
fn post(
    app: &TestApp,
    who: &Member,
    path: &str,
    body: impl Into<reqwest::Body>,
) -> reqwest::RequestBuilder {
    let request = app.raw(Method::POST, path).bearer_auth(who.key.expose());
    request.header("content-type", "application/json").body(body)
}

/// Sends a body in chunks; the answer is its first line and its body.
async fn send_chunked(app: &TestApp, who: &Member, body: String) -> (String, String) {
    let address = app.server.url().replace("http://", "").replace("/api", "");
    let key = who.key.expose().to_owned();
    let sending = tokio::task::spawn_blocking(move || {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        write!(
            stream,
            "POST /api/messages HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        for chunk in body.as_bytes().chunks(60) {
            write!(stream, "{:x}\r\n{}\r\n", chunk.len(), str::from_utf8(chunk).unwrap()).unwrap();
        }
        write!(stream, "0\r\n\r\n").unwrap();
        let mut received = String::new();
        stream.read_to_string(&mut received).unwrap();
        received
    });
    let received = sending.await.unwrap();
    let (start, body) = received.split_once("\r\n\r\n").unwrap();
    (start.lines().next().unwrap().to_owned(), body.to_owned())
}

/// Signs up from where the headers say.
async fn sign_up(app: &TestApp, name: &str, forwarded: &str) -> Raw {
    let request = app.raw(Method::POST, "/auth/register").header("x-forwarded-for", forwarded);
    answer(request.json(&json!({ "username": name, "isAgent": true }))).await
}

/// The request id of the answer to a request that came with one.
async fn request_id(app: &TestApp, given: &str) -> String {
    let received = answer(app.raw(Method::GET, "/nothing").header("x-request-id", given)).await;
    received.refusal().request_id
}

on_both_engines! {
    async fn an_unknown_path_is_not_found(app: TestApp) {
        app.agent("ada").await;
        let paths = [
            "/nothing", "/users/ada/", "//users", "/users/ada/posts/more", "/auth", "/v1", "",
            "/", "/../nothing", "/../api", "/docs/nothing", "/users//avatar", "/posts//thread", "/Users",
        ];
        for path in paths {
            let received = answer(app.raw(Method::GET, path)).await;
            assert_eq!(received.refusal().code, Code::NotFound, "{path}");
        }
    }

    async fn a_wrong_method_is_refused_with_the_allowed_ones(app: TestApp) {
        let mut taken: BTreeMap<&str, BTreeSet<Method>> = BTreeMap::new();
        for ask in asks() {
            let methods = taken.entry(ask.path).or_default();
            if ask.method == Method::GET {
                methods.insert(Method::HEAD);
            }
            methods.insert(ask.method);
        }
        // Uploads are not endpoints; see `http/plain.rs`.
        taken.entry("/users/me/avatar").or_default().extend([Method::PUT, Method::POST]);
        for (path, methods) in taken {
            let others = [Method::PUT, Method::OPTIONS, Method::TRACE];
            for method in others.into_iter().filter(|method| !methods.contains(method)) {
                let received = answer(app.raw(method, path)).await;
                assert_eq!(received.refusal().code, Code::MethodNotAllowed, "{path}");
                let allowed = received.header("allow").unwrap().split(',');
                let allowed: BTreeSet<Method> = allowed.map(|name| name.trim().parse().unwrap()).collect();
                assert_eq!(allowed, methods, "{path}");
            }
        }
    }

    async fn non_api_routes_use_the_same_error_format(app: TestApp) {
        for path in ["/openapi.json", "/asyncapi.json", "/docs/", "/users/ada/avatar"] {
            assert_eq!(code_of(app.raw(Method::DELETE, path)).await, Code::MethodNotAllowed, "{path}");
        }
        for path in ["/users/%ff", "/users/%ff/avatar", "/docs/%ff", "/posts/%c3%28/thread"] {
            assert_eq!(code_of(app.raw(Method::GET, path)).await, Code::ValidationFailed, "{path}");
        }
    }

    async fn head_is_get_without_a_body(app: TestApp) {
        app.agent("ada").await;
        for (path, status) in [
            ("/users/ada", 200), ("/health", 200), ("/users/ada/avatar", 200), ("/users/nobody", 404),
            ("/users/me", 401), ("/auth/login", 405),
        ] {
            let received = answer(app.raw(Method::HEAD, path)).await;
            assert_eq!((received.status.as_u16(), &*received.text), (status, ""), "{path}");
            assert!(received.headers.contains_key("x-request-id"), "{path}");
            let get = answer(app.raw(Method::GET, path)).await;
            assert_eq!(received.status, get.status, "{path}");
            assert_eq!(received.header("content-length"), get.header("content-length"), "{path}");
        }
    }

    async fn every_response_has_a_request_id(app: TestApp) {
        let ada = app.agent("ada").await;
        let session = ada.client.auth().session().raw().await.unwrap();
        assert!(session.request_id.unwrap().starts_with("req_"));
        let [one, other] = [request_id(&app, "").await, request_id(&app, "").await];
        assert_ne!(one, other);
    }

    async fn an_untrusted_peer_sets_neither_request_id_nor_address(
        app: TestApp, "limits.budgets" = "true", "limits.sign_up.count" = "1"
    ) {
        assert!(request_id(&app, "mine").await.starts_with("req_"));
        assert_eq!(sign_up(&app, "ada", "203.0.113.1").await.status, 201);
        let second = sign_up(&app, "bob", "203.0.113.2").await;
        assert_eq!(second.refusal().code, Code::RateLimited, "both come from the same address");
    }

    async fn a_trusted_proxy_sets_request_id_and_address(
        app: TestApp, "trusted_proxies" = "127.0.0.1,198.51.100.7", "limits.budgets" = "true",
        "limits.sign_up.count" = "1"
    ) {
        let longest = "r".repeat(128);
        for given in ["mine", &longest] {
            assert_eq!(request_id(&app, given).await, given);
        }
        for given in ["", "two words", &"r".repeat(129)] {
            assert!(request_id(&app, given).await.starts_with("req_"));
        }
        assert_eq!(sign_up(&app, "ada", "203.0.113.1").await.status, 201);
        assert_eq!(sign_up(&app, "bob", "203.0.113.2").await.status, 201);
        for forwarded in [
            "203.0.113.1", "203.0.113.1:4711", "192.0.2.9, 203.0.113.1", "203.0.113.1, 198.51.100.7:443",
        ] {
            let again = sign_up(&app, "cyd", forwarded).await;
            assert_eq!(again.refusal().code, Code::RateLimited, "{forwarded}");
        }
        // What precedes an entry that is not an address may be made up, so the address of the socket counts.
        assert_eq!(sign_up(&app, "dan", "192.0.2.50, unknown, 198.51.100.7").await.status, 201);
        let other = sign_up(&app, "eve", "192.0.2.51, unknown, 198.51.100.7").await;
        assert_eq!(other.refusal().code, Code::RateLimited);
    }

    async fn what_a_client_puts_before_its_address_does_not_hide_it(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.agent("ada").await;
        let creating = ada.client.keys().create("inside", vec![Scope::Read]);
        let created = creating.allow_from(vec!["127.0.0.0/8".into()]).await.unwrap();
        let me = |forwarded: &[u8]| {
            let request = app.raw(Method::GET, "/users/me").bearer_auth(created.api_key.expose());
            request.header("x-forwarded-for", HeaderValue::from_bytes(forwarded).unwrap())
        };
        for forwarded in [
            &b"203.0.113.9"[..], &b"unknown, 203.0.113.9"[..], &b"\xff, 203.0.113.9"[..],
        ] {
            let refused = answer(me(forwarded)).await.refusal();
            assert_eq!(refused.code, Code::AddressNotAllowed, "{forwarded:?}");
        }
        assert_eq!(answer(me(b"127.0.0.1")).await.status, 200);
    }

    async fn a_cookie_of_another_program_on_the_host_hides_no_session(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let own = app.sign_in("ada", PASSWORD).await;
        let sent = [&b"city=K\xc3\xb6ln; raw=\xff; "[..], own.as_bytes()].concat();
        let cookies = HeaderValue::from_bytes(&sent).unwrap();
        let asked = app.raw(Method::GET, "/auth/session").header("cookie", cookies);
        assert_eq!(answer(asked).await.status, 200);
    }

    async fn a_body_of_exactly_the_limit_is_read(app: TestApp) {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        let body = message_of(1024 * 1024);
        assert_eq!(answer(post(&app, &ada, "/messages", body)).await.status, 201);
    }

    async fn one_byte_over_the_limit_is_too_large(app: TestApp, "limits.body_bytes" = "200") {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        assert_eq!(answer(post(&app, &ada, "/messages", message_of(200))).await.status, 201);
        assert_eq!(code_of(post(&app, &ada, "/messages", message_of(201))).await, Code::PayloadTooLarge);
        assert_eq!(send_chunked(&app, &ada, message_of(200)).await.0, "HTTP/1.1 201 Created");
        let (status, body) = send_chunked(&app, &ada, message_of(201)).await;
        assert_eq!(status, "HTTP/1.1 413 Payload Too Large");
        assert!(body.contains(r#""code":"payload_too_large""#), "{body}");
        let nobody = Member { key: "nonsense".into(), ..ada };
        let (status, _) = send_chunked(&app, &nobody, message_of(201)).await;
        assert_eq!(status, "HTTP/1.1 401 Unauthorized", "without a key the body is not read");
    }

    async fn large_requests_that_do_not_arrive_leave_room_for_small_ones(app: TestApp) {
        let address = app.server.url().replace("http://", "").replace("/api", "");
        let head = "POST /api/auth/register HTTP/1.1\r\nHost: svc\r\nContent-Type: application/json\r\n\
                    Content-Length: 1048576\r\n\r\n{";
        let connect = |_| {
            let mut stream = std::net::TcpStream::connect(&address).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream
        };
        let stalled: Vec<_> = (0..128).map(connect).collect();
        let send = async |bytes: usize| {
            let request = app.raw(Method::POST, "/auth/register");
            answer(request.json(&json!({ "username": "?", "pad": "x".repeat(bytes) }))).await
        };
        until("all of them are counted", async || send(100_000).await.status == 503).await;
        let refused = send(100_000).await.refusal();
        assert_eq!((refused.code, refused.retry_after), (Code::Overloaded, Some(1)));
        assert_eq!(send(1).await.refusal().code, Code::ValidationFailed);
        drop(stalled);
        until("they are gone", async || send(100_000).await.status == 400).await;
    }

    async fn a_body_needs_a_json_content_type(app: TestApp) {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        let request = |content_type: Option<&str>| {
            let request = app.raw(Method::POST, "/messages").bearer_auth(ada.key.expose());
            let request = request.body(message_of(100));
            match content_type {
                Some(content_type) => request.header("content-type", content_type),
                None => request,
            }
        };
        for fine in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
            assert_eq!(answer(request(Some(fine))).await.status, 201, "{fine}");
        }
        for other in [None, Some(""), Some("text/plain"), Some("application/jsonx"), Some("multipart/form-data")] {
            assert_eq!(code_of(request(other)).await, Code::UnsupportedMediaType, "{other:?}");
        }
    }

    async fn a_compressed_body_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        app.agent("bob").await;
        let request = |coding: &str| {
            let request = app.raw(Method::POST, "/messages").bearer_auth(ada.key.expose());
            let request = request.header("content-type", "application/json");
            request.header("content-encoding", coding).body(message_of(100))
        };
        assert_eq!(answer(request("identity")).await.status, 201);
        for coding in ["gzip", "br", "identity, gzip"] {
            let refused = answer(request(coding)).await.refusal();
            assert_eq!(refused.code, Code::UnsupportedMediaType, "{coding}");
            assert_eq!(refused.hint.as_deref(), Some("send it without Content-Encoding"));
        }
    }

    async fn an_empty_body_has_no_members(app: TestApp) {
        let ada = app.agent("ada").await;
        let request = |method, path| app.raw(method, path).bearer_auth(ada.key.expose());
        let unchanged = answer(request(Method::PATCH, "/users/me")).await;
        assert_eq!(unchanged.json(), json!({ "user": ada.user }));
        assert_eq!(answer(request(Method::POST, "/v1/agents/me/identity-token")).await.status, 200);
        let refusal = answer(request(Method::POST, "/messages")).await.refusal();
        assert_eq!((refusal.code, &*refusal.field.unwrap()), (Code::ValidationFailed, "recipientUsername"));
    }

    async fn the_first_failed_check_is_reported(app: TestApp, "limits.body_bytes" = "300") {
        let world = World::new(app).await;
        let app = &world.app;
        let scene = world.scene().await;
        let party = &scene.party.member;
        let cookie = world.cookie(&party.user.id).await;
        let gate = world.gate.key.expose();
        let anonymous = |path: &str, body: String| {
            app.raw(Method::POST, path).header("content-type", "application/json").body(body)
        };
        let broken = || "{".to_owned();
        let cases = [
            (app.raw(Method::PUT, "/messages").body(message_of(301)), Code::MethodNotAllowed),
            (anonymous("/nothing", message_of(301)), Code::NotFound),
            (anonymous("/messages", message_of(301)), Code::PayloadTooLarge),
            (app.raw(Method::POST, "/messages").body("x"), Code::UnsupportedMediaType),
            (anonymous("/messages", broken()), Code::Unauthorized),
            (anonymous("/messages", broken()).bearer_auth(gate), Code::DeveloperKeyRefused),
            (anonymous("/messages", broken()).header("cookie", &cookie), Code::CrossSiteRequest),
            (anonymous("/messages", broken()).bearer_auth(gate).header("idempotency-key", ""), Code::DeveloperKeyRefused),
            (post(app, party, "/messages", broken()).header("idempotency-key", ""), Code::ValidationFailed),
            (post(app, party, "/messages", broken()), Code::InvalidJson),
            (post(app, party, "/posts/post_0/replies", r#"{"content":""}"#), Code::ValidationFailed),
            (post(app, party, "/posts/post_0/replies", r#"{"content":"x"}"#), Code::NotFound),
            (anonymous("/auth/password", broken()), Code::Unauthorized),
            (anonymous("/auth/login", broken()), Code::InvalidJson),
        ];
        for (number, (request, code)) in cases.into_iter().enumerate() {
            assert_eq!(code_of(request).await, code, "case {number}");
        }
        let keyed = |body: &'static str| post(app, party, "/posts", body).header("idempotency-key", "one");
        assert_eq!(answer(keyed(r#"{"content":"x"}"#)).await.status, 201);
        assert_eq!(code_of(keyed("{")).await, Code::IdempotencyConflict, "the key comes before the body");
        let quote = post(app, party, "/posts", r#"{"content":"x","quoteOfId":"post_0"}"#);
        assert_eq!(code_of(quote).await, Code::NotFound, "the slot comes last");
        app.suspend(&party.user.username).await;
        assert_eq!(code_of(post(app, party, "/posts", broken())).await, Code::AccountSuspended);
        let answers = post(app, party, "/messages", broken());
        assert_eq!(code_of(answers).await, Code::InvalidJson, "an answer to an order is allowed");
    }

    async fn a_failed_login_reveals_nothing(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let request = |body: &'static str| {
            app.raw(Method::POST, "/auth/login").header("content-type", "application/json").body(body)
        };
        let received = answer(request(r#"{"username":"ada","password":7654321}"#)).await;
        let refusal = received.refusal();
        assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("password")));
        assert!(!received.text.contains("7654321"), "{}", received.text);
    }
}
