//! Signed requests as from the platform, for tests of your receiver.

use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use sha2::{Digest, Sha256};
use svc_client::types::api::connect::{Event, WebhookEvent};
use svc_client::types::{EventId, Id, Timestamp};
use svc_types::webhook::{self, Secret, SecretError};

use crate::clock::now;

/// Creates a request with an event, signed now.
///
/// The body can be any type that implements `From<Vec<u8>>`, such as axum's.
///
/// ```
/// use svc_bot_kit::{WebhookEvent, WebhookVerifier, sign};
///
/// let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
/// let data = r#"{"actorId":"usr_1","actorUsername":"ada"}"#;
/// let event = WebhookEvent::parse("follow", data)?;
/// let request = sign::test_request::<Vec<u8>>(secret, &event)?;
/// let hook = WebhookVerifier::new([secret])?.verify(request.headers(), request.body())?;
/// assert_eq!(hook.event, event);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn test_request<B: From<Vec<u8>>>(
    secret: &str,
    event: &WebhookEvent,
) -> Result<Request<B>, SecretError> {
    let secret: Secret = secret.parse()?;
    let now = now();
    let body = event.webhook_body(now);
    let id = id_of(&body);
    let sending = Sending { id: &id, kind: event.kind(), seq: None, attempt: 1, is_test: false };
    Ok(request(&secret, &sending, now, body.into_bytes()))
}

/// Creates the request with an event from the list of events, with the same bytes as from the platform.
///
/// ```
/// use svc_bot_kit::{Secret, sign};
/// use svc_bot_kit::client::types::{Timestamp, api::connect::Event};
///
/// fn forward(secret: &Secret, event: &Event, now: Timestamp) -> http::Request<Vec<u8>> {
///     sign::forwarded(secret, event, 1, now)
/// }
/// ```
pub fn forwarded(secret: &Secret, event: &Event, attempt: u32, at: Timestamp) -> Request<Vec<u8>> {
    let (id, kind, seq) = (event.id.as_str(), event.event.as_str(), Some(event.seq));
    let sending = Sending { id, kind, seq, attempt, is_test: false };
    request(secret, &sending, at, event.webhook_body().into_bytes())
}

/// Creates a request with a sample event, marked as a test.
///
/// ```
/// use svc_bot_kit::{Secret, WebhookEvent, sign};
/// use svc_bot_kit::client::types::Timestamp;
///
/// fn trigger(secret: &Secret, event: &WebhookEvent, now: Timestamp) -> http::Request<Vec<u8>> {
///     sign::sample(secret, event, now)
/// }
/// ```
pub fn sample(secret: &Secret, event: &WebhookEvent, at: Timestamp) -> Request<Vec<u8>> {
    let body = event.webhook_body(at);
    let id = id_of(&body);
    let sending = Sending { id: &id, kind: event.kind(), seq: None, attempt: 1, is_test: true };
    request(secret, &sending, at, body.into_bytes())
}

/// The content of the headers, apart from signatures.
struct Sending<'a> {
    id: &'a str,
    kind: &'a str,
    seq: Option<u64>,
    attempt: u32,
    is_test: bool,
}

fn request<B: From<Vec<u8>>>(
    secret: &Secret,
    sending: &Sending<'_>,
    at: Timestamp,
    body: Vec<u8>,
) -> Request<B> {
    let headers = headers(secret, sending, at, &body);
    let mut request = Request::new(B::from(body));
    *request.method_mut() = Method::POST;
    *request.headers_mut() = headers;
    request
}

fn headers(secret: &Secret, sending: &Sending<'_>, at: Timestamp, body: &[u8]) -> HeaderMap {
    let seconds = at.as_millis() / 1000;
    let number = sending.id.split_once('_').map_or(sending.id, |(_, number)| number);
    let values = [
        ("content-type", Some("application/json".to_owned())),
        ("user-agent", Some(webhook::USER_AGENT.to_owned())),
        (webhook::SIGNATURE, Some(secret.sign_body(body))),
        (webhook::EVENT, Some(sending.kind.to_owned())),
        (webhook::ID, Some(sending.id.to_owned())),
        (webhook::STANDARD_ID, Some(sending.id.to_owned())),
        (webhook::STANDARD_TIMESTAMP, Some(seconds.to_string())),
        (webhook::STANDARD_SIGNATURE, Some(secret.sign_standard(sending.id, seconds, body))),
        (webhook::DELIVERY, Some(format!("dlv_{number}"))),
        (webhook::ATTEMPT, Some(sending.attempt.to_string())),
        (webhook::SEQ, sending.seq.map(|seq| seq.to_string())),
        (webhook::TEST, sending.is_test.then(|| "true".to_owned())),
    ];
    // An id or kind that is not a valid header value is left out; the receiver reports it as missing.
    let valid = values.into_iter().filter_map(|(name, value)| {
        Some((HeaderName::from_static(name), HeaderValue::from_str(&value?).ok()?))
    });
    valid.collect()
}

/// An id for an event without one, derived from its body so that different bodies have different ids.
fn id_of(body: &str) -> String {
    let digest = Sha256::digest(body);
    let number = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    EventId::from_number(number).to_string()
}
