//! The facilitator: checks signed payments and sends them to the chain.

use http::Method;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::Deserialize;

use crate::outbound::Outbound;

/// Most bytes of an answer.
const BYTES_MAX: usize = 64 * 1024;

/// Statuses of a facilitator that refuses the caller or is busy: it did not take the payment.
const NOT_TAKEN: [u16; 5] = [401, 403, 408, 425, 429];

/// Longest reason that is repeated.
const REASON_MAX: usize = 100;

/// What the facilitator thinks of a payment.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The chain would take it.
    Valid,
    /// It would not; why, as one word.
    Invalid(String),
}

/// The connection to it.
#[derive(Debug)]
pub(super) struct Facilitator {
    url: String,
    token: Option<HeaderValue>,
    outbound: Outbound,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Verified {
    is_valid: bool,
    #[serde(default)]
    invalid_reason: Option<String>,
}

impl Facilitator {
    pub(super) fn new(url: &str, token: Option<HeaderValue>, outbound: Outbound) -> Self {
        Self { url: url.trim_end_matches('/').to_owned(), token, outbound }
    }

    /// Whether the chain would take a payment.
    pub(super) async fn verify(&self, question: &str) -> Result<Verdict, String> {
        let (status, body) = self.post("verify", question).await?;
        if status != 200 {
            return Err(format!("/verify answers with status {status}"));
        }
        let verified: Verified = serde_json::from_slice(&body)
            .map_err(|error| format!("/verify answers something else: {error}"))?;
        if verified.is_valid {
            return Ok(Verdict::Valid);
        }
        Ok(Verdict::Invalid(word(verified.invalid_reason.as_deref())))
    }

    /// Sends a payment to the chain. Whether it took the payment is all that counts, and not what it says
    /// became of it.
    pub(super) async fn settle(&self, question: &str) -> Result<(), String> {
        let (status, _) = self.post("settle", question).await?;
        if (200..=499).contains(&status) && !NOT_TAKEN.contains(&status) {
            return Ok(());
        }
        Err(format!("/settle answers with status {status}"))
    }

    async fn post(&self, path: &str, question: &str) -> Result<(u16, Vec<u8>), String> {
        let json = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(CONTENT_TYPE, json)]);
        headers.extend(self.token.clone().map(|token| (AUTHORIZATION, token)));
        let (url, body) = (format!("{}/{path}", self.url), Some(question.to_owned()));
        let sent = self.outbound.send(Method::POST, &url, headers, body, BYTES_MAX).await;
        let answer =
            sent.map_err(|class| format!("/{path} does not answer: {}", class.as_str()))?;
        Ok((answer.status, answer.body))
    }
}

/// A reason as one word. A text of the chain may name what is behind the facilitator.
fn word(reason: Option<&str>) -> String {
    let is_word = |text: &&str| {
        text.len() <= REASON_MAX
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    reason.filter(is_word).unwrap_or("unknown").to_owned()
}
