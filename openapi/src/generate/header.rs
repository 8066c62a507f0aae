//! Headers of responses, and headers of requests.

use serde_json::{Value, json};
use svc_types::wire::PREFER_MAX;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::{Components, Ref, Required};

use crate::generate::schema::typed;

/// Present on every response.
pub(crate) const REQUEST_ID: &str = "X-Request-Id";
/// Present if waiting may help.
pub(crate) const RETRY_AFTER: &str = "Retry-After";
/// Present on responses of limited calls (spec §8).
pub(crate) const WINDOW: [&str; 3] =
    ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
/// Present on responses of calls that are charged to budgets, and on their refusal.
pub(crate) const BUDGETS: [&str; 2] = ["RateLimit-Policy", "RateLimit"];
/// Present on a replayed response.
pub(crate) const IDEMPOTENT_REPLAYED: &str = "Idempotent-Replayed";
/// Present on sign-in and sign-out.
pub(crate) const SET_COOKIE: &str = "Set-Cookie";

/// Present on a request whose unknown members were ignored, or refused as preferred.
pub(crate) const HANDLING: [&str; 2] = ["Svc-Ignored", "Preference-Applied"];
/// Present on responses of a deprecated operation.
pub(crate) const FAREWELL: [&str; 2] = ["Deprecation", "Sunset"];
/// Present on 401, and on 403 for a lack of scope.
pub(crate) const WWW_AUTHENTICATE: &str = "WWW-Authenticate";
/// Present on documents, which are not sent again while they are the same.
pub(crate) const ETAG: &str = "ETag";

/// Present on responses to writes, and on requests for what everybody may read: the write that must be seen.
pub(crate) const CONSISTENCY: &str = "X-Svc-Consistency";
/// Most characters of its value: a timeline and a position in the log of PostgreSQL.
const CONSISTENCY_MAX: usize = 28;

/// What x402 says: what to pay, the payment, which is a header of requests, and its outcome.
pub(crate) const PAYMENT: [&str; 3] = ["PAYMENT-REQUIRED", "PAYMENT-SIGNATURE", "PAYMENT-RESPONSE"];

const PREFER: &str = "Prefer";

const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// The response headers and the request headers as components.
pub(crate) fn components() -> Components {
    let mut components = Components::builder()
        .parameter(IDEMPOTENCY_KEY, idempotency_key_parameter())
        .parameter(PREFER, prefer_parameter())
        .parameter(CONSISTENCY, consistency_parameter());
    for (name, schema, description) in response_headers() {
        let header =
            HeaderBuilder::new().schema(Some(typed(schema))).description(Some(description));
        components = components.header(name, header.build());
    }
    components.build()
}

fn response_headers() -> [(&'static str, Value, &'static str); 18] {
    let count = || json!({ "type": "integer", "minimum": 0 });
    let [limit, remaining, reset] = WINDOW;
    let [policy, left] = BUDGETS;
    let [ignored, applied] = HANDLING;
    let [deprecation, sunset] = FAREWELL;
    let [required, _, settled] = PAYMENT;
    [
        (REQUEST_ID, json!({ "type": "string" }), "Id of the request in the server's log."),
        (
            RETRY_AFTER,
            json!({ "type": "integer", "minimum": 1 }),
            "Seconds to wait before trying again.",
        ),
        (limit, count(), "Number of calls allowed in the window."),
        (remaining, count(), "Number of calls left in the window."),
        (reset, count(), "End of the window in Unix seconds."),
        (
            policy,
            json!({ "type": "string" }),
            "The budgets the call took from, or the one that had not enough, each as \
             `\"writes\";q=600;w=3600`: 600 in 3600 seconds; `qu=\"content-bytes\"` where bytes are counted.",
        ),
        (
            left,
            json!({ "type": "string" }),
            "The remaining budgets, each as `\"writes\";r=599;t=6`: what remains, and the seconds until it is full.",
        ),
        (
            IDEMPOTENT_REPLAYED,
            json!({ "type": "string", "enum": ["true"] }),
            "Present if this is the stored response to an earlier call with the same Idempotency-Key.",
        ),
        (
            SET_COOKIE,
            json!({ "type": "string" }),
            "The session cookie, set at sign-in and cleared at sign-out.",
        ),
        (
            ignored,
            json!({ "type": "string" }),
            "The first ten members of the body that were not known and ignored, separated by commas: \
             names, or JSON pointers of nested ones, percent-encoded.",
        ),
        (
            applied,
            json!({ "type": "string", "enum": ["handling=strict"] }),
            "Unknown members are refused, as preferred. Refusals of every status have it, too.",
        ),
        (
            deprecation,
            json!({ "type": "string", "pattern": "^@[0-9]+$" }),
            "Since when the operation is deprecated (RFC 9745): `@` and Unix seconds.",
        ),
        (
            sunset,
            json!({ "type": "string" }),
            "Until when the operation is served at least (RFC 8594): an HTTP date.",
        ),
        (
            WWW_AUTHENTICATE,
            json!({ "type": "string" }),
            "How to get a token that would do: `Bearer` with `resource_metadata` and `scope`, and with `error` if one \
             was sent (RFC 6750, RFC 9728).",
        ),
        (
            required,
            json!({ "type": "string" }),
            "What to pay: base64 of JSON, a `PaymentRequired` of x402 version 2.",
        ),
        (
            settled,
            json!({ "type": "string" }),
            "What became of the payment: base64 of JSON, a `SettleResponse` of x402 version 2.",
        ),
        (
            ETAG,
            json!({ "type": "string" }),
            "Tag of these bytes; with `If-None-Match` the response is 304 while they are the same.",
        ),
        (
            CONSISTENCY,
            json!({ "type": "string", "maxLength": CONSISTENCY_MAX }),
            "The write, from a server that may answer guests a little late. A GET without a credential that sends it \
             back sees it.",
        ),
    ]
}

fn idempotency_key_parameter() -> Parameter {
    let schema =
        json!({ "type": "string", "pattern": "^[!-~]+$", "minLength": 1, "maxLength": 255 });
    Parameter::builder()
        .name(IDEMPOTENCY_KEY)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("Makes retries safe: repeated calls with the same key take effect once."))
        .example(Some("order-1".into()))
        .schema(Some(typed(schema)))
        .build()
}

fn prefer_parameter() -> Parameter {
    // Unknown preferences are ignored (RFC 7240).
    let schema = json!({ "type": "string", "maxLength": PREFER_MAX });
    Parameter::builder()
        .name(PREFER)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "With `handling=strict` (RFC 7240) unknown members of the body are refused.",
        ))
        .schema(Some(typed(schema)))
        .example(Some("handling=strict".into()))
        .build()
}

fn consistency_parameter() -> Parameter {
    let schema = json!({ "type": "string", "maxLength": CONSISTENCY_MAX });
    Parameter::builder()
        .name(CONSISTENCY)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "As the response to a write had it: without a credential, the answer has seen that write.",
        ))
        .schema(Some(typed(schema)))
        .example(Some("1-0/16B3748".into()))
        .build()
}

/// A reference to the parameter that names a write.
pub(crate) fn consistency() -> Ref {
    Ref::new(format!("#/components/parameters/{CONSISTENCY}"))
}

/// A reference to the parameter that has unknown members refused.
pub(crate) fn prefer() -> Ref {
    Ref::new(format!("#/components/parameters/{PREFER}"))
}

/// A reference to a response header.
pub(crate) fn reference(name: &str) -> Ref {
    Ref::new(format!("#/components/headers/{name}"))
}

/// A reference to the parameter that makes a call repeatable.
pub(crate) fn idempotency_key() -> Ref {
    Ref::new(format!("#/components/parameters/{IDEMPOTENCY_KEY}"))
}
