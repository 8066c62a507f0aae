//! Requests as they travel: typed on the way out, raw on the way in, so that they can be repeated
//! to the byte and refusals can be inspected.

use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::json;
use svc_types::api::auth::Registered;
use svc_types::api::credits::{CreditBalance, GetCredits, GrantCredits};
use svc_types::api::messages::SendMessage;
use svc_types::api::services::CreateService;
use svc_types::{Credits, Endpoint, ErrorBody, ServiceId, ServiceMessage, wire};
use tower::ServiceExt;

use crate::node::Node;

/// Writes a test once and runs it on both engines.
#[macro_export]
macro_rules! on_both_engines {
    ($($(#[$meta:meta])* async fn $name:ident($node:ident: Node) $body:block)+) => {$(
        $(#[$meta])*
        async fn $name($node: $crate::node::Node) $body

        mod $name {
            use svc_server::testing::Engine::{self, Postgres, Sqlite};

            async fn on(engine: Engine) {
                if let Some(node) = $crate::node::Node::on(engine).await {
                    super::$name(node).await;
                }
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn sqlite() {
                on(Sqlite).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn postgres() {
                on(Postgres).await;
            }
        }
    )+};
}

/// An account that calls.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) name: String,
    /// Its API key; none for a caller without an account.
    pub(crate) key: String,
}

/// A request, to be sent as often as a test likes.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    method: Method,
    path: String,
    body: Option<Vec<u8>>,
    bearer: String,
    key: Option<String>,
}

/// A response with its whole body.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: String,
    pub(crate) is_replay: bool,
    /// The header Retry-After.
    pub(crate) retry_after: Option<String>,
}

impl Caller {
    /// A request of this account.
    pub(crate) fn request<E: Endpoint>(&self, request: &E) -> Sent {
        let encoded = wire::encode(request).unwrap();
        let mut path = encoded.path;
        if !encoded.query.is_empty() {
            path = format!("{path}?{}", encoded.query);
        }
        let bearer = self.key.clone();
        Sent { method: E::METHOD, path, body: encoded.body, bearer, key: None }
    }
}

impl Sent {
    /// The same with an Idempotency-Key.
    pub(crate) fn keyed(self, key: &str) -> Self {
        Self { key: Some(key.to_owned()), ..self }
    }

    /// Another path with this request's key, and no body.
    pub(crate) fn misused(&self, path: &str) -> Self {
        Self { path: path.to_owned(), body: None, ..self.clone() }
    }
}

impl Answer {
    /// The body of a success.
    #[track_caller]
    pub(crate) fn read<E: Endpoint>(&self) -> E::Response {
        assert_eq!(self.status, E::STATUS, "{} answered {}", E::NAME, self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    /// The body of a refusal; none of a success.
    #[track_caller]
    pub(crate) fn refusal(&self) -> Option<ErrorBody> {
        if self.status.is_success() {
            return None;
        }
        let body: ErrorBody = serde_json::from_str(&self.body).unwrap();
        assert_eq!(self.status, body.code.status(), "{}", self.body);
        Some(body)
    }
}

impl Node {
    /// Sends a request.
    pub(crate) async fn send(&self, sent: &Sent) -> Answer {
        let url = format!("{}{}", self.url, sent.path);
        let mut request = self.http.request(sent.method.clone(), url).bearer_auth(&sent.bearer);
        if let Some(body) = &sent.body {
            request = request.header("content-type", "application/json").body(body.clone());
        }
        if let Some(key) = &sent.key {
            request = request.header("idempotency-key", key);
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        let is_replay = response.headers().contains_key("idempotent-replayed");
        let retry_after = retry_after(response.headers());
        Answer { status, is_replay, retry_after, body: response.text().await.unwrap() }
    }

    /// Sends a request without a connection, which takes half the time.
    pub(crate) async fn send_inside(&self, sent: &Sent) -> Answer {
        let body = sent.body.clone().unwrap_or_default();
        let mut request = Request::builder()
            .method(sent.method.clone())
            .uri(format!("/api{}", sent.path))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::CONTENT_LENGTH, body.len());
        if !sent.bearer.is_empty() {
            let bearer = format!("Bearer {}", sent.bearer);
            request = request.header(header::AUTHORIZATION, bearer);
        }
        if let Some(key) = &sent.key {
            request = request.header("idempotency-key", key);
        }
        let request = request.body(Body::from(body)).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer {
            status: head.status,
            is_replay: head.headers.contains_key("idempotent-replayed"),
            retry_after: retry_after(&head.headers),
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    /// Asks for something that must be granted.
    pub(crate) async fn ask<E: Endpoint>(&self, caller: &Caller, request: &E) -> E::Response {
        self.send(&caller.request(request)).await.read::<E>()
    }

    /// A new agent.
    pub(crate) async fn agent(&self, name: &str) -> Caller {
        self.register(name, json!({ "username": name, "isAgent": true })).await
    }

    /// A new person.
    pub(crate) async fn person(&self, name: &str) -> Caller {
        let email = format!("{name}@example.org");
        let body = json!({ "username": name, "email": email, "password": "correct horse" });
        self.register(name, body).await
    }

    async fn register(&self, name: &str, body: serde_json::Value) -> Caller {
        let request = self.http.post(format!("{}/auth/register", self.url)).json(&body);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::CREATED);
        let Registered { api_key, .. } = response.json().await.unwrap();
        Caller { name: name.to_owned(), key: api_key.expose().to_owned() }
    }

    /// An agent who may issue credits.
    pub(crate) async fn admin(&self, name: &str) -> Caller {
        let admin = self.agent(name).await;
        self.appoint(&admin, "admin").await;
        admin
    }

    /// Issues credits.
    pub(crate) async fn grant(&self, admin: &Caller, to: &Caller, micros: i64) {
        self.ask(admin, &grant(to, micros)).await;
    }

    /// Offers a service.
    pub(crate) async fn offer(&self, bot: &Caller, service: &CreateService) -> ServiceId {
        self.ask(bot, service).await.service.id
    }

    /// What an account has.
    pub(crate) async fn credits(&self, of: &Caller) -> CreditBalance {
        self.ask(of, &GetCredits {}).await.credits
    }
}

fn retry_after(headers: &header::HeaderMap) -> Option<String> {
    Some(headers.get(header::RETRY_AFTER)?.to_str().unwrap().to_owned())
}

/// The request that issues credits.
pub(crate) fn grant(to: &Caller, micros: i64) -> GrantCredits {
    GrantCredits {
        username: (&to.name).into(),
        amount: Credits::from_micros(micros).bounded(),
        reason: "a test".into(),
    }
}

/// The request that sends an order or an answer.
pub(crate) fn message(to: &Caller, what: &ServiceMessage) -> SendMessage {
    SendMessage {
        recipient_username: (&to.name).into(),
        content: what.content().into(),
        schema: None,
        payload: None,
        reply_to_id: None,
        client_message_id: None,
        automated: None,
        plain: None,
    }
}

/// A free service that takes any input.
pub(crate) fn service(name: &str) -> CreateService {
    CreateService {
        name: name.into(),
        description: "does something".into(),
        price_credits: Credits::default(),
        input_schema: None,
        output_schema: None,
        tags: None,
        active: None,
        acceptance: None,
        category: None,
        languages: None,
        samples: None,
    }
}
