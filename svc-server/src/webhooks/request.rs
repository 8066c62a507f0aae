//! Everything a webhook call needs, and its headers.

use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue};
use svc_core::services::webhook::secret::{Key, Secrets};
use svc_store::error::{Error, Result};
use svc_store::trace::{self, Trace};
use svc_types::webhook::{self, Secret};
use svc_types::{DeliveryId, EventId, Timestamp, UserId, WebhookId, WebhookSecretId};

/// A claimed delivery, ready to be sent.
#[derive(Clone, Debug)]
pub(super) struct OutboundRequest {
    pub(super) delivery: DeliveryId,
    pub(super) account: UserId,
    pub(super) webhook: WebhookId,
    pub(super) url: String,
    pub(super) event: EventId,
    pub(super) kind: String,
    pub(super) seq: Option<i64>,
    /// The number of the attempt, from 1.
    pub(super) attempt: i64,
    pub(super) is_test: bool,
    pub(super) body: String,
    /// The trace of the request that caused the event.
    pub(super) trace: Option<Trace>,
    pub(super) keys: Keys,
}

/// The live secrets of a webhook, ready to sign.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// The id of the secret that signs the single-signature header.
    pub(super) id: WebhookSecretId,
    signing: Secret,
    all: Vec<Secret>,
}

impl Keys {
    pub(super) fn new(secrets: Secrets) -> Result<Self> {
        let parse = |key: &Key| key.secret.expose().parse().map_err(Error::internal);
        let all = secrets.all.iter().map(parse).collect::<Result<_>>()?;
        Ok(Self { signing: parse(&secrets.signing)?, id: secrets.signing.id, all })
    }
}

impl OutboundRequest {
    /// The headers of a call made at `now`, which belongs to this trace.
    pub(super) fn headers(&self, now: Timestamp, trace: Option<&Trace>) -> Result<HeaderMap> {
        let (body, seconds) = (self.body.as_bytes(), now.as_millis() / 1_000);
        let id = self.event.as_str();
        let sign = |secret: &Secret| secret.sign_standard(id, seconds, body);
        let signatures: Vec<String> = self.keys.all.iter().map(sign).collect();
        let mut pairs = vec![
            (CONTENT_TYPE, "application/json".to_owned()),
            (USER_AGENT, webhook::USER_AGENT.to_owned()),
            (name(webhook::SIGNATURE), self.keys.signing.sign_body(body)),
            (name(webhook::EVENT), self.kind.clone()),
            (name(webhook::ID), id.to_owned()),
            (name(webhook::STANDARD_ID), id.to_owned()),
            (name(webhook::STANDARD_TIMESTAMP), seconds.to_string()),
            (name(webhook::STANDARD_SIGNATURE), signatures.join(" ")),
            (name(webhook::DELIVERY), self.delivery.to_string()),
            (name(webhook::ATTEMPT), self.attempt.to_string()),
        ];
        pairs.extend(self.seq.map(|seq| (name(webhook::SEQ), seq.to_string())));
        pairs.extend(trace.map(|trace| (name(trace::HEADER), trace.to_string())));
        pairs.extend(self.is_test.then(|| (name(webhook::TEST), "true".to_owned())));
        let pairs = pairs.into_iter().map(|(name, value)| {
            HeaderValue::try_from(value).map(|value| (name, value)).map_err(Error::internal)
        });
        pairs.collect()
    }
}

const fn name(text: &'static str) -> HeaderName {
    HeaderName::from_static(text)
}
