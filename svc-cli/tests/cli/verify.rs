//! `svc webhooks verify`.

use svc_types::webhook::vectors::ALL;

use crate::shell::{Typed, typed};

fn verify(folder: &tempfile::TempDir, secret: &str, headers: &[String], body: &str) -> Typed {
    let mut line = vec!["webhooks", "verify", "--secret", secret];
    line.extend(headers.iter().flat_map(|header| ["--header", header]));
    typed(folder, &line).stdin(body)
}

/// The headers of the first vector.
fn headers() -> Vec<String> {
    let [vector, ..] = ALL;
    vec![
        format!("X-Webhook-Signature: {}", vector.signature.unwrap()),
        "X-Webhook-Event: like".to_owned(),
        format!("webhook-id: {}", vector.id),
        format!("webhook-timestamp: {}", vector.timestamp),
        format!("webhook-signature: {}", vector.standard),
    ]
}

#[test]
fn a_valid_signature_is_reported_for_each_scheme() {
    let folder = tempfile::tempdir().unwrap();
    let [vector, ..] = ALL;
    let printed = verify(&folder, vector.secret, &headers(), vector.body).ok();
    assert_eq!(printed, "x-webhook-signature  fits  like\nwebhook-signature  fits  like\n");
    let only = &headers()[..1];
    let printed = verify(&folder, vector.secret, only, vector.body).ok();
    assert_eq!(printed, "x-webhook-signature  fits  like\n");
}

#[test]
fn an_invalid_signature_is_reported_with_its_cause() {
    let folder = tempfile::tempdir().unwrap();
    let [vector, other, _] = ALL;
    let cases = [
        (vector.secret, "", "the body is empty"),
        (vector.secret, &*vector.body.replace(',', ", "), "was parsed and written again"),
        (other.secret, vector.body, "the secret is that of another webhook"),
    ];
    for (secret, body, words) in cases {
        let ended = verify(&folder, secret, &headers(), body).run().ends_with(4);
        assert!(ended.stderr.contains(words), "{ended:?}");
        assert!(!ended.stderr.contains("whsec_"), "{ended:?}");
    }
    let mut missing = headers();
    missing.retain(|header| !header.starts_with("webhook-id"));
    let ended = verify(&folder, vector.secret, &missing, vector.body).run().ends_with(4);
    let expected =
        "webhook-signature: the header webhook-id is missing\nhint: give the request as it came";
    assert!(ended.stderr.contains(expected), "{ended:?}");
    let short = ["X-Webhook-Signature: abc".to_owned()];
    let ended = verify(&folder, vector.secret, &short, vector.body).run().ends_with(4);
    let expected =
        "error: x-webhook-signature must be 64 lower-case hex digits\nhint: give the request";
    assert!(ended.stderr.starts_with(expected), "{ended:?}");
}

#[test]
fn what_can_not_be_verified_is_a_wrong_command() {
    let folder = tempfile::tempdir().unwrap();
    let [vector, ..] = ALL;
    let none = ["X-Webhook-Event: like".to_owned()];
    verify(&folder, vector.secret, &none, vector.body).run().ends_with(2);
    verify(&folder, "whsec_short", &headers(), vector.body).run().ends_with(2);
    verify(&folder, vector.secret, &["nonsense".to_owned()], vector.body).run().ends_with(2);
}
