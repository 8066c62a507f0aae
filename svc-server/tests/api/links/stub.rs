//! A provider that answers and signs whatever a test tells it to.

use std::collections::HashMap;
use std::io::Error;
use std::sync::{Arc, Mutex};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::stream;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// What the server is called at the provider.
pub(crate) const CLIENT: &str = "svc-at-stub";
pub(crate) const SECRET: &str = "secret/of+svc";

/// What the provider does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Answers with this status and text.
    Says(StatusCode, String),
    /// Sends the client elsewhere.
    Redirects(String),
    /// Reads, and never answers.
    Hangs,
    /// Reads, and closes the connection.
    Closes,
    /// Sends a part of an answer, and closes the connection.
    Breaks,
}

/// A request as received.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// A provider that runs until it is dropped.
pub(crate) struct Stub {
    pub(crate) url: String,
    replies: Arc<Mutex<HashMap<String, Reply>>>,
    hits: Arc<Mutex<Vec<Hit>>>,
    task: tokio::task::JoinHandle<()>,
}

/// A key that signs ID tokens.
pub(crate) struct Key {
    pub(crate) id: &'static str,
    pair: EcdsaKeyPair,
}

impl Key {
    pub(crate) fn new(id: &'static str) -> Self {
        Self { id, pair: EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap() }
    }

    /// The public key.
    pub(crate) fn jwk(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        let [x, y] = [&point[1..33], &point[33..65]].map(|part| URL_SAFE_NO_PAD.encode(part));
        json!({ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id,
            "x": x, "y": y })
    }

    /// A token with these claims.
    pub(crate) fn sign(&self, claims: &Value) -> String {
        self.sign_as(&json!({ "alg": "ES256", "kid": self.id }), claims)
    }

    /// A token with this header too.
    pub(crate) fn sign_as(&self, header: &Value, claims: &Value) -> String {
        let message = unsigned(header, claims);
        let signature = self.pair.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

/// Header and claims of a token, as they are signed.
pub(crate) fn unsigned(header: &Value, claims: &Value) -> String {
    let [header, claims] = [header, claims].map(|it| URL_SAFE_NO_PAD.encode(it.to_string()));
    format!("{header}.{claims}")
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Stub {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let replies = Arc::<Mutex<HashMap<String, Reply>>>::default();
        let hits = Arc::<Mutex<Vec<Hit>>>::default();
        let (told, seen) = (Arc::clone(&replies), Arc::clone(&hits));
        let serve = move |request: Request| serve(Arc::clone(&told), Arc::clone(&seen), request);
        let router = axum::Router::new().fallback(serve);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, replies, hits, task }
    }

    /// The settings of a server that links accounts here.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        let own = |path: &str| format!("{}{path}", self.url);
        vec![
            ("webhooks.allow_loopback", "true".to_owned()),
            ("webhooks.connect_timeout", "1s".to_owned()),
            ("webhooks.timeout", "1s".to_owned()),
            ("links.google.issuer", self.url.clone()),
            ("links.google.client_id", CLIENT.to_owned()),
            ("links.google.client_secret", SECRET.to_owned()),
            ("links.x.authorize_url", own("/x/authorize")),
            ("links.x.token_url", own("/x/token")),
            ("links.x.api_url", own("/x")),
            ("links.x.client_id", CLIENT.to_owned()),
            ("links.x.client_secret", SECRET.to_owned()),
        ]
    }

    /// Answers requests for a path from now on.
    pub(crate) fn reply(&self, path: &str, reply: Reply) {
        self.replies.lock().unwrap().insert(path.to_owned(), reply);
    }

    /// Answers requests for a path with this object.
    pub(crate) fn says(&self, path: &str, value: &Value) {
        self.reply(path, Reply::Says(StatusCode::OK, value.to_string()));
    }

    /// What an issuer publishes about itself.
    pub(crate) fn metadata(&self) -> Value {
        let own = |path: &str| format!("{}{path}", self.url);
        json!({ "issuer": self.url, "authorization_endpoint": own("/authorize"),
            "token_endpoint": own("/token"), "jwks_uri": own("/keys") })
    }

    /// Acts as an issuer with these keys.
    pub(crate) fn publish(&self, keys: &[&Key]) {
        self.says("/.well-known/openid-configuration", &self.metadata());
        let keys: Vec<Value> = keys.iter().map(|key| key.jwk()).collect();
        self.says("/keys", &json!({ "keys": keys }));
    }

    /// The requests for a path so far.
    pub(crate) fn hits(&self, path: &str) -> Vec<Hit> {
        let hits = self.hits.lock().unwrap();
        hits.iter().filter(|hit| hit.path == path).cloned().collect()
    }
}

async fn serve(
    replies: Arc<Mutex<HashMap<String, Reply>>>,
    hits: Arc<Mutex<Vec<Hit>>>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 100_000).await.unwrap();
    let (path, body) = (parts.uri.path().to_owned(), String::from_utf8(body.to_vec()).unwrap());
    let reply = replies.lock().unwrap().get(&path).cloned();
    hits.lock().unwrap().push(Hit { path, headers: parts.headers, body });
    match reply {
        Some(Reply::Says(status, text)) => {
            Response::builder().status(status).body(Body::from(text)).unwrap()
        }
        Some(Reply::Redirects(url)) => {
            Response::builder().status(302).header("location", url).body(Body::empty()).unwrap()
        }
        Some(Reply::Hangs) => std::future::pending().await,
        // The connection ends with the task that serves it.
        Some(Reply::Closes) => std::panic::resume_unwind(Box::new("the provider goes")),
        Some(Reply::Breaks) => {
            let parts = stream::iter([Ok("{"), Err(Error::other("the provider goes"))]);
            let response = Response::builder().header("content-length", 100);
            response.body(Body::from_stream(parts)).unwrap()
        }
        None => Response::builder().status(404).body(Body::empty()).unwrap(),
    }
}
