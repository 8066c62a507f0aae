//! Webhooks in a server of axum: the extractor, the layer and the router.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode};
use axum::response::IntoResponse;
use axum::{Router, routing::post};
use http_body_util::BodyExt;
use svc_bot_kit::{MemoryReplay, Webhook, WebhookEvent, WebhookLayer, WebhookRouter, sign};
use svc_client::types::api::connect::FollowData;
use tower::ServiceExt;

use super::{SECRET, follow, plain, strict};

/// The events that the handlers received, and their response.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn add(&self, text: impl Into<String>) {
        self.0.lock().unwrap().push(text.into());
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// A signed request to `/hook`.
fn request(event: &WebhookEvent) -> Request<Body> {
    let mut request = sign::test_request::<Body>(SECRET, event).unwrap();
    *request.uri_mut() = "/hook".parse().unwrap();
    request
}

/// Copies of a request.
async fn copies<const N: usize>(request: Request<Body>) -> [Request<Body>; N] {
    let (parts, body) = request.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    [(); N].map(|()| Request::from_parts(parts.clone(), Body::from(bytes.clone())))
}

async fn status(app: &Router, request: Request<Body>) -> StatusCode {
    app.clone().oneshot(request).await.unwrap().status()
}

#[tokio::test]
async fn the_extractor_accepts_signed_requests_only() {
    async fn receive(Webhook(hook): Webhook<FollowData>) -> String {
        format!("{} {}", hook.event.actor_username, hook.id.is_some())
    }
    let app = Router::new().route("/hook", post(receive)).with_state(strict(&[SECRET]));
    let answer = app.clone().oneshot(request(&follow("ada"))).await.unwrap();
    let text = answer.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(text, "ada true");

    let like = WebhookEvent::parse("like", r#"{"postId":"p","actorId":"u","actorUsername":"a"}"#);
    assert_eq!(status(&app, request(&like.unwrap())).await, 200, "another kind, not run");

    let mut stranger = request(&follow("eve"));
    stranger.headers_mut().remove("webhook-signature");
    assert_eq!(status(&app, stranger).await, 401);
    let mut typed = request(&follow("eve"));
    typed.headers_mut().insert("content-type", HeaderValue::from_static("text/plain"));
    assert_eq!(status(&app, typed).await, 415);
    let mut large = request(&follow("eve"));
    *large.body_mut() = Body::from(vec![b' '; 512 * 1024 + 1]);
    assert_eq!(status(&app, large).await, 413);
}

#[tokio::test]
async fn the_layer_forwards_the_same_bytes_and_accepts_each_event_once() {
    let seen = Notes::default();
    let kept = seen.clone();
    let verifier = strict(&[SECRET]).replay_guard(MemoryReplay::new(10));
    let app = Router::new()
        .route("/hook", post(async move |body: String| kept.add(body)))
        .layer(WebhookLayer::new(verifier));
    let [first, again] = copies(request(&follow("ada"))).await;
    let (parts, body) = first.into_parts();
    let sent = body.collect().await.unwrap().to_bytes();
    let first = Request::from_parts(parts, Body::from(sent.clone()));
    assert_eq!(status(&app, first).await, 200);
    assert_eq!(status(&app, again).await, 200, "a duplicate, so that the sender stops");
    assert_eq!(seen.all(), [String::from_utf8(sent.to_vec()).unwrap()]);
}

#[tokio::test]
async fn a_handler_is_called_again_until_it_answers_with_a_success() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let handler = async move |Webhook(hook): Webhook| {
        assert!(hook.replay_protected);
        match counted.fetch_add(1, Ordering::Relaxed) {
            0 => panic!("a handler of a test"),
            1 => StatusCode::INTERNAL_SERVER_ERROR,
            2 => StatusCode::TOO_MANY_REQUESTS,
            3 => StatusCode::FOUND,
            _ => StatusCode::NO_CONTENT,
        }
    };
    let verifier = plain(&[SECRET]).replay_guard(MemoryReplay::new(10));
    let app = Router::new()
        .route("/hook", post(handler))
        .layer(WebhookLayer::new(verifier.clone()))
        .with_state(verifier);
    let [first, again @ ..] = copies::<6>(request(&follow("ada"))).await;
    let panicking = tokio::spawn(app.clone().oneshot(first)).await;
    assert!(panicking.is_err_and(|error| error.is_panic()));
    for (again, expected) in again.into_iter().zip([500, 429, 302, 204, 200]) {
        assert_eq!(status(&app, again).await, expected);
    }
    assert_eq!(calls.load(Ordering::Relaxed), 5, "the last one was a duplicate");
}

#[tokio::test]
async fn the_router_has_a_handler_for_each_kind() {
    let seen = Notes::default();
    let [of_follow, order, like] = [seen.clone(), seen.clone(), seen.clone()];
    let hooks = WebhookRouter::new(strict(&[SECRET])).on_follow(move |hook| {
        of_follow.add(format!("follow {}", hook.event.actor_username));
        async {}
    });
    let app = |hooks: WebhookRouter| Router::new().route_service("/hook", hooks.into_service());
    let hooks = hooks.on_like(move |hook| {
        like.add(format!("like {}", hook.event.post_id));
        async { (StatusCode::IM_A_TEAPOT, "no").into_response() }
    });
    let hooks = hooks.on_service_request(move |asked, message| {
        order.add(format!("{} of {}", asked.service_name, message.event.sender.username));
        async { StatusCode::NO_CONTENT }
    });
    let app = app(hooks);
    assert_eq!(status(&app, request(&follow("ada"))).await, 200);
    let like = WebhookEvent::parse("like", r#"{"postId":"p1","actorId":"u","actorUsername":"a"}"#);
    assert_eq!(status(&app, request(&like.unwrap())).await, 418);
    let wave = WebhookEvent::parse("wave", "{}").unwrap();
    assert_eq!(status(&app, request(&wave)).await, 204, "a kind without a handler");
    for content in [ORDER, "hello"] {
        assert_eq!(status(&app, request(&message(content))).await, 204);
    }
    assert_eq!(seen.all(), ["follow ada", "like p1", "count-words of ada"]);
}

#[tokio::test]
async fn the_router_runs_a_handler_until_it_answers_with_a_success() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let hooks = WebhookRouter::new(plain(&[SECRET]).replay_guard(MemoryReplay::new(10)));
    let hooks = hooks.on_follow(move |_| {
        let is_first = counted.fetch_add(1, Ordering::Relaxed) == 0;
        let failed = StatusCode::INTERNAL_SERVER_ERROR;
        std::future::ready(if is_first { failed } else { StatusCode::NO_CONTENT })
    });
    let app = Router::new().route_service("/hook", hooks.into_service());
    let requests = copies::<3>(request(&follow("ada"))).await;
    for (request, expected) in requests.into_iter().zip([500, 204, 200]) {
        assert_eq!(status(&app, request).await, expected);
    }
    assert_eq!(calls.load(Ordering::Relaxed), 2, "the last one was a duplicate");
}

const ORDER: &str = r#"{"schema":"service.request","payload":{"serviceId":"srv_1","serviceName":"count-words","input":{},"offeredCredits":5}}"#;

/// A direct message of ada.
fn message(content: &str) -> WebhookEvent {
    let ada = serde_json::json!({ "id": "usr_1", "username": "ada", "displayName": "Ada", "avatar": "/a.png", "isAgent": true });
    let data = serde_json::json!({
        "messageId": "msg_1", "conversationId": "conv_1", "sender": ada, "recipient": ada,
        "content": content, "createdAt": "2026-01-02T03:04:05.678Z",
    });
    WebhookEvent::parse("direct_message", &data.to_string()).unwrap()
}
