//! One request to a provider, and its answer.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::HeaderValue;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use svc_core::services::link::{self, Begun};
use svc_store::error::{Error, Result};
use svc_types::api::links::LinkProvider;
use svc_types::api::webhooks::DeliveryErrorClass;
use url::{Url, form_urlencoded};

use super::{unavailable, unproved};
use crate::app::ServerApp;
use crate::outbound::{Answer, Rules, judge};

/// Time for one request.
const TIME: Duration = Duration::from_secs(5);

/// Most bytes of an answer.
const BYTES_MAX: usize = 64 * 1024;

/// Longest word of a refusal that is repeated.
const WORD_MAX: usize = 40;

/// The tokens that a code gives, as far as they are used.
#[derive(Deserialize)]
pub(super) struct Tokens {
    pub(super) id_token: Option<String>,
    pub(super) access_token: Option<String>,
}

/// A URL that people and this server may be sent to.
pub(super) fn permitted(app: &ServerApp, url: &str) -> Option<Url> {
    judge(url, &Rules::of(&app.config)).ok()
}

/// Gets a document.
pub(super) async fn document(
    app: &ServerApp,
    provider: &LinkProvider,
    url: &str,
) -> Result<Vec<u8>> {
    let answer = in_time(provider, app.outbound.get(url, BYTES_MAX)).await?;
    whole(provider, answer)
}

/// Gets a document that is the bearer's.
pub(super) async fn document_of(
    app: &ServerApp,
    provider: &LinkProvider,
    url: &str,
    token: &str,
) -> Result<Vec<u8>> {
    let malformed = |_| unavailable(provider, "its token is malformed");
    let mut bearer = HeaderValue::try_from(format!("Bearer {token}")).map_err(malformed)?;
    bearer.set_sensitive(true);
    let answer = in_time(provider, app.outbound.get_as(url, bearer, BYTES_MAX)).await?;
    whole(provider, answer)
}

/// Exchanges a code for tokens (RFC 6749, 4.1.3).
pub(super) async fn exchange(
    app: &ServerApp,
    provider: &LinkProvider,
    url: &str,
    code: &str,
    begun: &Begun,
) -> Result<Tokens> {
    let client = app.config.links.client(provider);
    let (id, secret) = client.ok_or_else(|| Error::not_found("provider"))?;
    let redirect_uri = link::redirect_uri(app, provider);
    let mut pairs = vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", &redirect_uri),
        ("code_verifier", &begun.verifier),
    ];
    let authorization = if secret.is_empty() {
        pairs.push(("client_id", id));
        None
    } else {
        Some(basic(id, secret)?)
    };
    let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    let posting = app.outbound.post_form(url, authorization, form, BYTES_MAX);
    let answer = in_time(provider, posting).await?;
    if matches!(answer.status, 400 | 401 | 403) {
        return Err(refused(provider, &answer.body));
    }
    parse(provider, &whole(provider, answer)?)
}

/// The proof of a client with a secret (RFC 6749, 2.3.1).
fn basic(id: &str, secret: &str) -> Result<HeaderValue> {
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = STANDARD.encode(format!("{}:{}", encode(id), encode(secret)));
    let mut header = HeaderValue::try_from(format!("Basic {pair}")).map_err(Error::internal)?;
    header.set_sensitive(true);
    Ok(header)
}

/// 400 for a code that the provider does not accept; 503 where it refuses this server. Another code would be refused
/// as well, until the operator mends the settings.
fn refused(provider: &LinkProvider, body: &[u8]) -> Error {
    #[derive(Deserialize)]
    struct Body {
        error: String,
    }
    let word = serde_json::from_slice::<Body>(body).map(|body| body.error).unwrap_or_default();
    let is_plain = |word: &&str| {
        word.len() <= WORD_MAX && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let word = Some(word.as_str()).filter(|word| !word.is_empty()).filter(is_plain);
    let word = word.unwrap_or("no reason");
    // X says the latter of a code that has expired, and of settings that are wrong.
    if !matches!(word, "invalid_grant" | "invalid_request") {
        return unavailable(provider, &format!("it refuses this server ({word})"));
    }
    if word == "invalid_request" {
        tracing::warn!(%provider, word, "a provider of linked accounts refused a code");
    }
    unproved(provider, &format!("it refused the code ({word})"))
}

async fn in_time(
    provider: &LinkProvider,
    asking: impl Future<Output = Result<Answer, DeliveryErrorClass>>,
) -> Result<Answer> {
    match tokio::time::timeout(TIME, asking).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(class)) => Err(unavailable(provider, class.as_str())),
        Err(_) => Err(unavailable(provider, "it is too slow")),
    }
}

/// The body of an answer that is complete and fine.
fn whole(provider: &LinkProvider, answer: Answer) -> Result<Vec<u8>> {
    if answer.status != 200 {
        return Err(unavailable(provider, &format!("status {}", answer.status)));
    }
    if answer.body.len() > BYTES_MAX {
        return Err(unavailable(provider, "its answer is longer than 64 KiB"));
    }
    Ok(answer.body)
}

/// Decodes a JSON object.
pub(super) fn parse<T: DeserializeOwned>(provider: &LinkProvider, body: &[u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(|_| unavailable(provider, "its answer is malformed"))
}
