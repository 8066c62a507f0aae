//! Verifies that a request comes from the platform.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use svc_client::types::Timestamp;
use svc_client::types::api::connect::{WebhookBody, WebhookEvent};
use svc_types::webhook::{self, Secret, SecretError};

use super::cause;
use super::refused::Refused;
use super::replay::{Claim, ReplayKey, ReplayStore};
use super::verified::Verified;
use crate::clock::now;

/// Verifies that a webhook was sent by the platform, and optionally that it is new.
///
/// It is cheap to clone. With [`new`](Self::new) alone it checks what the specification requires:
/// `X-Webhook-Signature` must be the HMAC-SHA256 of the body. That signature covers no header, so an
/// attacker with a copy of a request can replay it, even with another `X-Webhook-Id`.
/// [`require_timestamp`](Self::require_timestamp) and [`replay_guard`](Self::replay_guard) prevent
/// that.
///
/// ```
/// use std::time::Duration;
/// use svc_bot_kit::{MemoryReplay, WebhookVerifier};
///
/// let secrets = ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"];
/// let verifier = WebhookVerifier::new(secrets)?
///     .require_timestamp(Duration::from_secs(300))
///     .replay_guard(MemoryReplay::new(100_000));
/// # Ok::<(), svc_bot_kit::SecretError>(())
/// ```
#[derive(Clone)]
pub struct WebhookVerifier {
    secrets: Arc<[Secret]>,
    tolerance: Option<Duration>,
    replay: Option<Arc<dyn ReplayStore>>,
}

impl WebhookVerifier {
    /// Accepts requests signed with any of these secrets: one, or two during a rotation.
    ///
    /// # Errors
    /// If a secret is malformed or there is none.
    ///
    /// ```
    /// use svc_bot_kit::WebhookVerifier;
    ///
    /// let read_from_a_file = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX\n";
    /// let error = WebhookVerifier::new([read_from_a_file]).unwrap_err();
    /// assert!(error.to_string().contains("a line break"));
    /// ```
    pub fn new<S: AsRef<str>>(secrets: impl IntoIterator<Item = S>) -> Result<Self, SecretError> {
        let secrets = secrets.into_iter().map(|secret| Secret::from_str(secret.as_ref()));
        let secrets: Arc<[Secret]> = secrets.collect::<Result<_, _>>()?;
        if secrets.is_empty() {
            return Err(SecretError::Empty);
        }
        Ok(Self { secrets, tolerance: None, replay: None })
    }

    /// Accepts only requests with a signed id and timestamp, at most `tolerance` before or after the
    /// local time.
    ///
    /// This requires the three headers of Standard Webhooks: `webhook-id`, `webhook-timestamp` and
    /// `webhook-signature`.
    ///
    /// # Panics
    /// If the tolerance is zero, which would refuse every request rather than disable the check.
    ///
    /// ```should_panic
    /// # let secrets = ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"];
    /// # let verifier = svc_bot_kit::WebhookVerifier::new(secrets).expect("it is a secret");
    /// verifier.require_timestamp(std::time::Duration::ZERO);
    /// ```
    #[must_use]
    pub fn require_timestamp(mut self, tolerance: Duration) -> Self {
        assert!(!tolerance.is_zero(), "a tolerance of zero refuses every webhook; use 300 seconds");
        self.tolerance = Some(tolerance);
        self
    }

    /// Accepts each event once, according to this store.
    ///
    /// ```
    /// # let secrets = ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"];
    /// # let verifier = svc_bot_kit::WebhookVerifier::new(secrets)?;
    /// let verifier = verifier.replay_guard(svc_bot_kit::MemoryReplay::new(100_000));
    /// # Ok::<(), svc_bot_kit::SecretError>(())
    /// ```
    #[must_use]
    pub fn replay_guard(mut self, store: impl ReplayStore) -> Self {
        self.replay = Some(Arc::new(store));
        self
    }

    /// Verifies a request and returns its event.
    ///
    /// `body` must be the bytes as received. With a replay guard the event is now claimed: call
    /// [`Verified::confirm`] once it is handled, otherwise it may be delivered again.
    ///
    /// ```
    /// use svc_bot_kit::{Refused, WebhookEvent, WebhookVerifier};
    ///
    /// fn receive(hooks: &WebhookVerifier, headers: &http::HeaderMap, body: &[u8]) -> Result<(), Refused> {
    ///     let hook = hooks.verify(headers, body)?;
    ///     if let WebhookEvent::Like(like) = &hook.event {
    ///         println!("@{} likes {}", like.actor_username, like.post_id);
    ///     }
    ///     hook.confirm()
    /// }
    /// ```
    pub fn verify(
        &self,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Verified<WebhookEvent>, Refused> {
        self.verify_at(headers, body, now())
    }

    /// Like [`verify`](Self::verify), with an explicit current time.
    ///
    /// ```
    /// use svc_bot_kit::{Refused, WebhookVerifier, client::types::Timestamp};
    ///
    /// fn is_old(hooks: &WebhookVerifier, headers: &http::HeaderMap, body: &[u8]) -> bool {
    ///     let new_year = Timestamp::from_millis(1_767_225_600_000);
    ///     matches!(hooks.verify_at(headers, body, new_year), Err(Refused::TooOld { .. }))
    /// }
    /// ```
    pub fn verify_at(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Verified<WebhookEvent>, Refused> {
        let (secret_index, key, id) = match self.tolerance {
            Some(tolerance) => {
                let (index, id) = self.strict(headers, body, now, tolerance)?;
                (index, ReplayKey::of_id(id), Some(id.to_owned()))
            }
            None => (self.plain(headers, body)?, ReplayKey::of_body(body), unsigned_id(headers)),
        };
        let (event, timestamp) = read(headers, body)?;
        let claim = match &self.replay {
            Some(store) => Some(Claim::new(store.clone(), key.clone())?),
            None => None,
        };
        Ok(Verified {
            event,
            timestamp,
            id,
            seq: optional(headers, webhook::SEQ).and_then(|seq| seq.parse().ok()),
            is_test: optional(headers, webhook::TEST).as_deref() == Some("true"),
            secret_index,
            replay_protected: self.tolerance.is_some() || claim.is_some(),
            key,
            claim,
        })
    }

    /// Checks the signature of the specification, which covers only the body.
    fn plain(&self, headers: &HeaderMap, body: &[u8]) -> Result<usize, Refused> {
        let signature = required(headers, webhook::SIGNATURE)?;
        let signs = |body: &[u8]| self.find(|secret| secret.verify_body(body, signature));
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if signature.len() != 64 || !signature.bytes().all(is_hex) {
            return Err(Refused::MalformedSignature);
        }
        signs(body).ok_or_else(|| cause::of(body, |other| signs(other).is_some()))
    }

    /// Checks the signature of Standard Webhooks, which covers id, timestamp and body. Returns the id, too.
    fn strict<'a>(
        &self,
        headers: &'a HeaderMap,
        body: &[u8],
        now: Timestamp,
        tolerance: Duration,
    ) -> Result<(usize, &'a str), Refused> {
        let id = required(headers, webhook::STANDARD_ID)?;
        let time = required(headers, webhook::STANDARD_TIMESTAMP)?;
        let signatures = required(headers, webhook::STANDARD_SIGNATURE)?;
        let time: i64 = time.parse().map_err(|_| Refused::MalformedTimestamp)?;
        let signs =
            |body: &[u8]| self.find(|secret| secret.verify_standard(id, time, body, signatures));
        let index = signs(body).ok_or_else(|| cause::of(body, |other| signs(other).is_some()))?;
        in_time(time, now, tolerance)?;
        Ok((index, id))
    }

    /// The index of the first matching secret. All secrets are tried, so that timing reveals nothing.
    fn find(&self, holds: impl Fn(&Secret) -> bool) -> Option<usize> {
        let tried = self.secrets.iter().enumerate();
        tried.fold(None, |found, (index, secret)| {
            let holds = holds(secret);
            found.or(holds.then_some(index))
        })
    }
}

impl fmt::Debug for WebhookVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookVerifier")
            .field("secrets", &self.secrets.len())
            .field("tolerance", &self.tolerance)
            .field("replay_guard", &self.replay.is_some())
            .finish()
    }
}

/// A header that must be present, not empty and not repeated: two values could be read differently.
fn required<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<&'a str, Refused> {
    let mut values = headers.get_all(name).iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return Err(Refused::Missing { header: name }),
        (Some(_), Some(_)) => return Err(Refused::Repeated { header: name }),
        (Some(value), None) => value.to_str().unwrap_or_default(),
    };
    if value.is_empty() { Err(Refused::Empty { header: name }) } else { Ok(value) }
}

/// The id of an event in a header that no signature covers.
fn unsigned_id(headers: &HeaderMap) -> Option<String> {
    optional(headers, webhook::ID).or_else(|| optional(headers, webhook::STANDARD_ID))
}

/// An optional header.
fn optional(headers: &HeaderMap, name: &'static str) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Checks that a time in Unix seconds is within the tolerance.
fn in_time(time: i64, now: Timestamp, tolerance: Duration) -> Result<(), Refused> {
    let now = now.as_millis() / 1000;
    let most = i64::try_from(tolerance.as_secs().max(1)).unwrap_or(i64::MAX);
    let ahead = time.saturating_sub(now);
    if ahead > most {
        return Err(Refused::TooNew { seconds: ahead.unsigned_abs() });
    }
    if ahead < -most {
        return Err(Refused::TooOld { seconds: ahead.unsigned_abs() });
    }
    Ok(())
}

/// Parses the body of a verified request.
fn read(headers: &HeaderMap, body: &[u8]) -> Result<(WebhookEvent, Timestamp), Refused> {
    let body: WebhookBody =
        serde_json::from_slice(body).map_err(|error| Refused::Body { at: error.column() })?;
    let named = optional(headers, webhook::EVENT);
    if named.is_some_and(|named| named != body.event) {
        return Err(Refused::OtherKind);
    }
    let event = WebhookEvent::parse(&body.event, body.data.text())
        .map_err(|error| Refused::Body { at: error.column() })?;
    Ok((event, body.timestamp))
}
