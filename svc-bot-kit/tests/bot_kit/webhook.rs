//! Verification and routing of webhooks.

mod receiving;

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
#[cfg(feature = "journal")]
use svc_bot_kit::Journal;
use svc_bot_kit::{
    MemoryReplay, Refused, ReplayKey, ReplayStore, Secret, Seen, StoreError, WebhookEvent,
    WebhookVerifier,
};
use svc_client::types::Timestamp;
use svc_types::webhook::vectors::{ALL, BODY_DIGEST, Vector};

const SECRET: &str = ALL[0].secret;
const OTHER: &str = ALL[1].secret;

fn plain(secrets: &[&str]) -> WebhookVerifier {
    WebhookVerifier::new(secrets).unwrap()
}

fn strict(secrets: &[&str]) -> WebhookVerifier {
    plain(secrets).require_timestamp(Duration::from_secs(300))
}

/// The headers of a vector.
fn headers(vector: &Vector) -> HeaderMap {
    let time = vector.timestamp.to_string();
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("x-webhook-signature", vector.signature.unwrap_or("none")),
        ("x-webhook-event", "like"),
        ("x-webhook-id", vector.id),
        ("webhook-id", vector.id),
        ("webhook-timestamp", &time),
        ("webhook-signature", vector.standard),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    }
    headers
}

fn at(vector: &Vector, later: i64) -> Timestamp {
    Timestamp::from_millis((vector.timestamp + later) * 1000)
}

fn follow(name: &str) -> WebhookEvent {
    let data = format!(r#"{{"actorId":"usr_1","actorUsername":"{name}"}}"#);
    WebhookEvent::parse("follow", &data).unwrap()
}

#[test]
fn the_vectors_are_accepted_with_each_secret() {
    for (index, vector) in ALL[..2].iter().enumerate() {
        let (headers, body) = (headers(vector), vector.body.as_bytes());
        let hook = plain(&[SECRET, OTHER]).verify(&headers, body).unwrap();
        assert_eq!((hook.secret_index, hook.replay_protected), (index, false));
        assert_eq!(hook.key().as_str(), BODY_DIGEST);
        let WebhookEvent::Like(like) = &hook.event else { panic!("{hook:?}") };
        assert_eq!(like.actor_username, "ada");
        let hook = strict(&[SECRET, OTHER]).verify_at(&headers, body, at(vector, 0)).unwrap();
        assert_eq!((hook.secret_index, hook.replay_protected), (index, true));
        assert_eq!(hook.key().as_str(), vector.id);
    }
}

#[test]
fn the_published_vector_of_standard_webhooks_is_signed_rightly() {
    let vector = &ALL[2];
    let checked =
        strict(&[vector.secret]).verify_at(&headers(vector), vector.body.as_bytes(), at(vector, 0));
    // Its signature is right; its body is none of ours.
    assert!(matches!(checked, Err(Refused::Body { .. })), "{checked:?}");
}

#[test]
fn an_impossible_secret_is_refused_with_its_cause() {
    let cause = |secret: &str| WebhookVerifier::new([secret]).unwrap_err().to_string();
    assert!(cause(&format!("{SECRET}\n")).contains("a line break"));
    assert!(cause("svc_ak_1").contains("whsec_"));
    assert!(WebhookVerifier::new([""; 0]).is_err());
    let shown = format!("{:?}", plain(&[SECRET]));
    assert!(!shown.contains("whsec_") && shown.contains("secrets: 1"), "{shown}");
}

#[test]
fn a_required_header_must_be_present_once() {
    let vector = &ALL[0];
    let cases: [(&'static str, &WebhookVerifier); 4] = [
        ("x-webhook-signature", &plain(&[SECRET])),
        ("webhook-id", &strict(&[SECRET])),
        ("webhook-timestamp", &strict(&[SECRET])),
        ("webhook-signature", &strict(&[SECRET])),
    ];
    for (name, verifier) in cases {
        let verify = |headers: &HeaderMap| {
            verifier.verify_at(headers, vector.body.as_bytes(), at(vector, 0)).unwrap_err()
        };
        let mut gone = headers(vector);
        let value = gone.remove(name).unwrap();
        let refused = verify(&gone);
        assert!(matches!(refused, Refused::Missing { header, .. } if header == name), "{refused}");
        let mut empty = headers(vector);
        empty.insert(name, HeaderValue::from_static(""));
        let refused = verify(&empty);
        assert!(matches!(refused, Refused::Empty { header, .. } if header == name), "{refused}");
        let mut twice = headers(vector);
        twice.append(name, value);
        let refused = verify(&twice);
        assert!(matches!(refused, Refused::Repeated { header, .. } if header == name), "{refused}");
        for refused in [verify(&gone), verify(&empty), verify(&twice)] {
            assert_eq!(refused.status(), 401);
        }
    }
}

#[test]
fn a_signature_is_64_lower_case_hex_digits() {
    let vector = &ALL[0];
    let right = vector.signature.unwrap();
    let prefixed = format!("sha256={right}");
    let spaced = format!("{right} ");
    for wrong in [&right.to_uppercase(), &right[..63], &prefixed, &spaced, "0"] {
        let mut headers = headers(vector);
        headers.insert("x-webhook-signature", HeaderValue::from_str(wrong).unwrap());
        let refused = plain(&[SECRET]).verify(&headers, vector.body.as_bytes()).unwrap_err();
        assert!(matches!(refused, Refused::MalformedSignature), "{wrong}: {refused}");
    }
    let wrong = plain(&[OTHER]).verify(&headers(vector), vector.body.as_bytes()).unwrap_err();
    assert!(wrong.to_string().contains("the secret is that of another webhook"), "{wrong}");
}

#[test]
fn a_changed_body_is_reported_with_its_cause_and_never_printed() {
    let vector = &ALL[0];
    let value: serde_json::Value = serde_json::from_str(vector.body).unwrap();
    let pretty = vector.body.replace(':', ": ").replace("03: 04: 05", "03:04:05");
    let line = format!("{}\n", vector.body);
    let sorted = value.to_string();
    for (body, words) in [
        ("", "the body is empty"),
        (&*pretty, "was parsed and written again; verify the bytes"),
        (&*line, "was parsed and written again; verify the bytes"),
        (&*sorted, "does not fit either"),
    ] {
        for verifier in [plain(&[SECRET]), strict(&[SECRET])] {
            let refused = verifier.verify_at(&headers(vector), body.as_bytes(), at(vector, 0));
            let refused = refused.unwrap_err();
            assert!(refused.to_string().contains(words), "{refused}");
            for text in [refused.to_string(), format!("{refused:?}")] {
                assert!(!text.contains("ada") && !text.contains("whsec_"), "{text}");
            }
        }
    }
}

#[test]
fn strict_mode_refuses_old_and_future_requests() {
    let vector = &ALL[0];
    let verify = |later: i64| {
        strict(&[SECRET]).verify_at(&headers(vector), vector.body.as_bytes(), at(vector, later))
    };
    assert!(verify(300).is_ok() && verify(-300).is_ok());
    let old = verify(301).unwrap_err().to_string();
    assert!(old.starts_with("the request is 301 seconds old"), "{old}");
    let new = verify(-301).unwrap_err().to_string();
    assert!(new.starts_with("the request is 301 seconds ahead"), "{new}");
    let mut odd = headers(vector);
    odd.insert("webhook-timestamp", HeaderValue::from_static("yesterday"));
    let refused = strict(&[SECRET]).verify(&odd, vector.body.as_bytes());
    assert!(matches!(refused, Err(Refused::MalformedTimestamp)));
}

#[test]
fn strict_mode_is_not_satisfied_by_the_signature_of_the_body() {
    let vector = &ALL[0];
    let mut bare = headers(vector);
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        bare.remove(name);
    }
    assert!(plain(&[SECRET]).verify(&bare, vector.body.as_bytes()).is_ok());
    let refused = strict(&[SECRET]).verify_at(&bare, vector.body.as_bytes(), at(vector, 0));
    assert!(matches!(refused, Err(Refused::Missing { .. })));
}

#[test]
fn a_rotation_refuses_no_signatures() {
    let [old, new, _] = ALL;
    let both: &str = Box::leak(format!("{} {}", new.standard, old.standard).into());
    // Of the body signs one secret, of the three headers each that is live (before, after
    // `rotate-secret`, after `promote-secret`, after the end of the overlap).
    let moments = [
        (old.signature, old.standard, &[SECRET][..]),
        (old.signature, both, &[OTHER, SECRET]),
        (new.signature, both, &[OTHER, SECRET]),
        (new.signature, new.standard, &[OTHER]),
    ];
    for (signature, standard, secrets) in moments {
        let vector = Vector { signature, standard, ..old };
        let (headers, body) = (headers(&vector), vector.body.as_bytes());
        plain(secrets).verify(&headers, body).unwrap();
        strict(secrets).verify_at(&headers, body, at(&vector, 0)).unwrap();
    }
}

#[test]
fn the_kind_in_the_header_must_be_that_of_the_body() {
    let vector = &ALL[0];
    let mut headers = headers(vector);
    headers.insert("x-webhook-event", HeaderValue::from_static("follow"));
    let refused = plain(&[SECRET]).verify(&headers, vector.body.as_bytes()).unwrap_err();
    assert!(matches!(refused, Refused::OtherKind) && refused.status() == 400, "{refused}");
    headers.remove("x-webhook-event");
    assert!(plain(&[SECRET]).verify(&headers, vector.body.as_bytes()).is_ok());
}

#[test]
fn an_event_has_the_id_and_the_number_of_its_headers_and_says_whether_it_is_a_test() {
    let vector = &ALL[0];
    let read = |more: &[(&'static str, &'static str)]| {
        let mut headers = headers(vector);
        for &(name, value) in more {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let hook = plain(&[SECRET]).verify(&headers, vector.body.as_bytes()).unwrap();
        (hook.id, hook.seq, hook.is_test)
    };
    let id = Some(vector.id.to_owned());
    assert_eq!(read(&[]), (id.clone(), None, false));
    let sample = [("x-webhook-seq", "42"), ("x-webhook-test", "true")];
    assert_eq!(read(&sample), (id.clone(), Some(42), true));
    let odd = [("x-webhook-seq", "-1"), ("x-webhook-test", "false")];
    assert_eq!(read(&odd), (id, None, false));
}

#[test]
fn an_event_whose_time_is_signed_has_the_signed_id() {
    let vector = &ALL[0];
    let mut forged = headers(vector);
    forged.insert("x-webhook-id", HeaderValue::from_static("evt_forged"));
    let hook = strict(&[SECRET]).verify_at(&forged, vector.body.as_bytes(), at(vector, 0)).unwrap();
    assert_eq!(hook.id.as_deref(), Some(vector.id));
}

#[test]
fn a_body_is_a_duplicate_under_any_id() {
    let vector = &ALL[0];
    let verifier = plain(&[SECRET]).replay_guard(MemoryReplay::new(10));
    let body = vector.body.as_bytes();
    verifier.verify(&headers(vector), body).unwrap().confirm().unwrap();
    let mut forged = headers(vector);
    forged.insert("x-webhook-id", HeaderValue::from_static("evt_forged"));
    forged.insert("webhook-id", HeaderValue::from_static("evt_forged"));
    let refused = verifier.verify(&forged, body).unwrap_err();
    assert!(matches!(refused, Refused::Duplicate) && refused.status() == 200);
    let strict = strict(&[SECRET]).replay_guard(MemoryReplay::new(10));
    let refused = strict.verify_at(&forged, body, at(vector, 0)).unwrap_err();
    assert!(matches!(refused, Refused::WrongSignature { .. }), "the id is signed there");
}

#[test]
fn a_retry_with_its_own_time_and_signature_is_a_duplicate() {
    let vector = &ALL[0];
    let (body, later) = (vector.body.as_bytes(), vector.timestamp + 60);
    let secret: Secret = SECRET.parse().unwrap();
    let mut retry = headers(vector);
    for (name, value) in [
        ("webhook-timestamp", later.to_string()),
        ("webhook-signature", secret.sign_standard(vector.id, later, body)),
    ] {
        retry.insert(name, HeaderValue::from_str(&value).unwrap());
    }
    for verifier in [plain(&[SECRET]), strict(&[SECRET])] {
        let verifier = verifier.replay_guard(MemoryReplay::new(10));
        let first = verifier.verify_at(&headers(vector), body, at(vector, 0)).unwrap();
        first.confirm().unwrap();
        let refused = verifier.verify_at(&retry, body, at(vector, 60)).unwrap_err();
        assert!(matches!(refused, Refused::Duplicate), "{refused}");
    }
}

#[test]
fn an_unconfirmed_event_is_accepted_again() {
    let vector = &ALL[0];
    let verifier = plain(&[SECRET]).replay_guard(MemoryReplay::new(10));
    let verify = || verifier.verify(&headers(vector), vector.body.as_bytes());
    let working = verify().unwrap();
    let meanwhile = verify().unwrap_err();
    assert!(matches!(meanwhile, Refused::InProgress) && meanwhile.status() == 409);
    drop(working);
    verify().unwrap().confirm().unwrap();
    assert!(matches!(verify(), Err(Refused::Duplicate)));
}

#[cfg(feature = "journal")]
#[test]
fn a_journal_knows_after_a_restart_which_events_were_handled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hooks.db");
    let vector = &ALL[0];
    let verify = |journal: &Journal| {
        let verifier = plain(&[SECRET]).replay_guard(journal.clone());
        verifier.verify(&headers(vector), vector.body.as_bytes())
    };
    let journal = Journal::open(&path).unwrap();
    let working = verify(&journal).unwrap();
    assert!(matches!(verify(&journal), Err(Refused::InProgress)));
    let key = working.key().clone();
    drop(working);
    assert_eq!(journal.claim(&key).unwrap(), Seen::Never, "it was not handled");
    drop(journal);
    let journal = Journal::open(&path).unwrap();
    verify(&journal).expect("a claim ends with its process").confirm().unwrap();
    drop(journal);
    let journal = Journal::open(&path).unwrap();
    assert!(matches!(verify(&journal), Err(Refused::Duplicate)));
}

#[test]
fn a_failing_store_accepts_nothing() {
    struct Broken;
    impl ReplayStore for Broken {
        fn claim(&self, _: &ReplayKey) -> Result<Seen, StoreError> {
            Err("no disk".into())
        }
        fn confirm(&self, _: &ReplayKey) -> Result<(), StoreError> {
            Ok(())
        }
        fn release(&self, _: &ReplayKey) -> Result<(), StoreError> {
            Ok(())
        }
    }
    let vector = &ALL[0];
    let verifier = plain(&[SECRET]).replay_guard(Broken);
    let refused = verifier.verify(&headers(vector), vector.body.as_bytes()).unwrap_err();
    assert_eq!(refused.status(), 503);
}

proptest::proptest! {
    #[test]
    fn a_flipped_bit_anywhere_is_refused(part in 0..4_usize, at_byte in 0..172_usize, bit in 0..8_u32) {
        let vector = &ALL[0];
        let (mut headers, mut body) = (headers(vector), vector.body.as_bytes().to_vec());
        if part == 0 {
            body[at_byte] ^= 1 << bit;
            let refused = plain(&[SECRET]).verify(&headers, &body);
            let is_wrong = matches!(refused, Err(Refused::WrongSignature { .. }));
            proptest::prop_assert!(is_wrong);
        } else {
            let name = ["webhook-signature", "webhook-id", "webhook-timestamp"][part - 1];
            let mut value = headers[name].as_bytes().to_vec();
            let at_byte = at_byte % value.len();
            value[at_byte] ^= 1 << bit;
            // What is no header value never arrives.
            let Ok(value) = HeaderValue::from_bytes(&value) else { return Ok(()) };
            headers.insert(name, value);
        }
        let refused = strict(&[SECRET]).verify_at(&headers, &body, at(vector, 0));
        // Before the body is read: what it holds is not what refuses it.
        proptest::prop_assert_eq!(refused.map(drop).unwrap_err().status(), 401);
    }

    #[test]
    fn any_header_is_read_without_a_panic(name in "(x-)?webhook-(id|signature|timestamp|event)", value: Vec<u8>) {
        let Ok(value) = HeaderValue::from_bytes(&value) else { return Ok(()) };
        let vector = &ALL[0];
        let mut headers = headers(vector);
        headers.insert(HeaderName::from_bytes(name.as_bytes()).unwrap(), value);
        let _ = plain(&[SECRET]).verify(&headers, vector.body.as_bytes());
        let _ = strict(&[SECRET]).verify_at(&headers, vector.body.as_bytes(), at(vector, 0));
    }
}
