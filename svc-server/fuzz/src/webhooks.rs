//! Webhooks, as a bot receives them: headers, signatures and events.
//!
//! An input is the headers, an empty line and the body. `$body` and `$standard` in a header are the right
//! signatures, which no mutation hits.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use svc_bot_kit::{MemoryReplay, Refused, WebhookEvent, WebhookVerifier};
use svc_types::Timestamp;
use svc_types::webhook::{SIGNATURE, STANDARD_ID, STANDARD_SIGNATURE, STANDARD_TIMESTAMP, Secret};

use crate::text::{line, text};

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
const NOW: i64 = 1_769_851_800;

pub(crate) fn judge(mut input: &[u8]) {
    let secret: Secret = SECRET.parse().expect("it is a secret");
    let mut lines = Vec::new();
    while !input.is_empty() {
        let line = text(line(&mut input));
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let headers = headers(&lines, &secret, input);
    let plain = WebhookVerifier::new([SECRET]).expect("it is a secret");
    let strict = plain.clone().require_timestamp(Duration::from_mins(5));
    let now = Timestamp::from_millis(1000 * NOW);
    for (verifier, name) in [(plain, SIGNATURE), (strict, STANDARD_SIGNATURE)] {
        let verifier = verifier.replay_guard(MemoryReplay::new(10));
        match verifier.verify_at(&headers, input, now) {
            Ok(hook) => {
                let signature = headers[name].to_str().expect("it was read");
                judge_signature(&secret, name, signature, &headers, input);
                let body = hook.event.webhook_body(hook.timestamp);
                let data = hook.event.data();
                let again = WebhookEvent::parse(hook.event.kind(), data.text());
                assert_eq!(again.ok().as_ref(), Some(&hook.event), "{body}");
                let twice = verifier.verify_at(&headers, input, now);
                assert!(matches!(twice, Err(Refused::InProgress)), "an event is taken once");
            }
            Err(refused) => judge_refusal(&refused),
        }
    }
}

/// A signature that was taken is that of the body, and of no other.
fn judge_signature(secret: &Secret, name: &str, signature: &str, headers: &HeaderMap, body: &[u8]) {
    let other = [body, b" "].concat();
    if name == SIGNATURE {
        assert_eq!(signature, secret.sign_body(body));
        return assert!(!secret.verify_body(&other, signature));
    }
    let (id, time) = (&headers[STANDARD_ID], &headers[STANDARD_TIMESTAMP]);
    let (id, time) = (id.to_str().expect("it was read"), time.to_str().expect("it was read"));
    let time: i64 = time.parse().expect("it was read");
    assert!(signature.contains(&secret.sign_standard(id, time, body)));
    assert!(!secret.verify_standard(id, time, &other, signature));
    assert!((time - NOW).abs() <= 300, "{time}");
}

fn judge_refusal(refused: &Refused) {
    assert!(matches!(refused.status().as_u16(), 400 | 401), "{refused}");
    assert!(!refused.to_string().is_empty());
}

/// The headers that HTTP allows, with the right signatures in their places.
fn headers(lines: &[String], secret: &Secret, body: &[u8]) -> HeaderMap {
    let pairs = lines.iter().filter_map(|line| line.split_once(':'));
    let pairs: Vec<(&str, &str)> = pairs.map(|(name, text)| (name, text.trim())).collect();
    let first =
        |name: &str| pairs.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| *text);
    let time = first(STANDARD_TIMESTAMP).parse().unwrap_or(0);
    let standard = secret.sign_standard(first(STANDARD_ID), time, body);
    let body = secret.sign_body(body);
    let mut headers = HeaderMap::new();
    for (name, text) in &pairs {
        let text = text.replace("$body", &body).replace("$standard", &standard);
        let name = HeaderName::try_from(*name);
        if let (Ok(name), Ok(text)) = (name, HeaderValue::try_from(text)) {
            headers.append(name, text);
        }
    }
    headers
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let of_kind = |event: WebhookEvent| {
        let body = event.webhook_body(Timestamp::from_millis(1000 * NOW));
        let kind = event.kind();
        format!(
            "x-webhook-signature: $body\nx-webhook-event: {kind}\nx-webhook-id: evt_1\nx-webhook-seq: 7\n\
             webhook-id: evt_1\nwebhook-timestamp: {NOW}\nwebhook-signature: v1,AAAA $standard\n\n{body}"
        )
        .into_bytes()
    };
    WebhookEvent::KINDS.iter().filter_map(|kind| WebhookEvent::sample(kind)).map(of_kind).collect()
}
