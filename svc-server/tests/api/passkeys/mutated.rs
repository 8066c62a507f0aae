//! Answers that no device gives: bytes of good ones changed, and CBOR of any shape. None of them is
//! accepted, and none does harm.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use svc_client::types::api::passkeys::PasskeyCeremony;

use crate::device::{Device, ORIGIN, PRESENT, Says, VERIFIED, attestation, coded, text};
use crate::on_both_engines;
use crate::raw::answer;

/// Answers that a test tries.
const CASES: usize = 300;

/// The formats of attestation that there are.
const FORMATS: [&str; 8] =
    ["none", "packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple", "x"];

/// A change of bytes: where, how many are taken out, and what is put in.
type Change = (prop::sample::Index, usize, Vec<u8>);

fn changed(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, removed, added) in changes {
        let at = at.index(bytes.len() + 1);
        let end = (at + removed).min(bytes.len());
        bytes.splice(at..end, added.iter().copied());
    }
    bytes
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    vec((any::<prop::sample::Index>(), 0..4_usize, vec(any::<u8>(), 0..4)), 1..4)
}

/// CBOR of any shape, some of it not well-formed.
fn cbor() -> impl Strategy<Value = Vec<u8>> {
    let number = prop_oneof![
        any::<u8>().prop_map(|one| vec![one]),
        Just(b"\x1b\xff\xff\xff\xff\xff\xff\xff\xff".to_vec()),
        Just(b"\x3b\xff\xff\xff\xff\xff\xff\xff\xff".to_vec()),
        Just(b"\x5b\xff\xff\xff\xff\xff\xff\xff\xff".to_vec()),
        Just(b"\x9b\x00\x00\x00\xff\xff\xff\xff\xff".to_vec()),
    ];
    let text = prop_oneof![
        Just(b"\x63alg\x26".to_vec()),
        Just(b"\x63sig\x41\x00".to_vec()),
        Just(b"\x63x5c\x81\x43\x30\x01\x00".to_vec()),
        Just(b"\x63ver\x632.0".to_vec()),
        Just(b"\x67pubArea\x41\x00".to_vec()),
        Just(b"\x68certInfo\x44\xff\x54\x43\x47".to_vec()),
    ];
    let leaf = prop_oneof![number, text];
    leaf.prop_recursive(6, 64, 6, |inner| {
        let head = prop_oneof![Just(0x80_u8), Just(0xa0), Just(0x40), Just(0x60), Just(0xc0)];
        (head, vec(inner, 0..6)).prop_map(|(head, parts)| {
            let length = u8::try_from(parts.len()).unwrap();
            [vec![head | length], parts.concat()].concat()
        })
    })
}

/// Deep nesting, which a recursive reader would follow to the end of its stack.
fn deep() -> Vec<u8> {
    vec![0x81; 8_000]
}

fn drawn<T>(runner: &mut TestRunner, strategy: &impl Strategy<Value = T>) -> T {
    strategy.new_tree(runner).unwrap().current()
}

fn says(options: &Value) -> Says {
    Says {
        kind: "webauthn.create".to_owned(),
        challenge: text(&options["challenge"]),
        origin: ORIGIN.to_owned(),
        rp_id: text(&options["rp"]["id"]),
        flags: PRESENT | VERIFIED,
        counter: 0,
        handle: String::new(),
        is_forged: false,
    }
}

on_both_engines! {
    async fn attestation_objects_of_any_bytes_are_refused_without_a_fault(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", "correct horse").await;
        let mut runner = TestRunner::deterministic();
        for case in 0..CASES {
            let begun = ada.client.passkeys().begin().await.unwrap();
            let device = Device::new();
            let says = says(&begun.options["publicKey"]);
            let data = device.new_key(&says);
            let format = FORMATS[case % FORMATS.len()];
            let object = match case % 3 {
                0 => changed(&attestation("none", b"\xa0", &data), &drawn(&mut runner, &changes())),
                1 => attestation(format, &drawn(&mut runner, &cbor()), &data),
                _ if case == 2 => deep(),
                _ => attestation(format, b"\xa0", &changed(&data, &drawn(&mut runner, &changes()))),
            };
            let body = json!({
                "ceremonyId": begun.ceremony_id, "credential": device.enrolment(&says, &object),
                "name": "odd",
            });
            let received = answer(ada.raw(&app, http::Method::POST, "/auth/passkeys").json(&body)).await;
            let status = received.status.as_u16();
            // Some changes leave a good answer: of a statement nobody asked for, or of the key's id.
            assert!([201, 401].contains(&status), "{case} {}: {}", coded(&object), received.text);
            if status == 201 {
                let added = received.json()["passkey"]["passkeyId"].as_str().unwrap().to_owned();
                ada.client.passkeys().delete(added.as_str()).await.unwrap();
            }
        }
    }

    async fn signatures_of_any_bytes_are_refused_without_a_fault(
        app: TestApp, "public_url" = "https://svc.example.org", "limits.sign_in.account_failures" = "1000",
        "limits.sign_in.address_failures" = "1000", "limits.sign_in.everywhere_failures" = "1000"
    ) {
        let ada = app.person("ada", "correct horse").await;
        let mut device = Device::of(&ada).await;
        let mut runner = TestRunner::deterministic();
        for case in 0..CASES {
            let begun = app.anonymous.passkeys().begin_login().await.unwrap();
            let PasskeyCeremony { ceremony_id, options, .. } = begun;
            let mut signed = device.signs(&options);
            let part = ["authenticatorData", "signature", "clientDataJSON", "userHandle"][case % 4];
            let bytes = decoded(&signed["response"][part]);
            let odd = changed(&bytes, &drawn(&mut runner, &changes()));
            signed["response"][part] = coded(&odd).into();
            let body = json!({ "ceremonyId": ceremony_id, "credential": signed });
            let received = answer(app.raw(http::Method::POST, "/auth/login/passkey").json(&body)).await;
            let expected = if odd == bytes { 200 } else { 401 };
            assert_eq!(received.status.as_u16(), expected, "{case} {part}: {}", received.text);
        }
    }
}

fn decoded(value: &Value) -> Vec<u8> {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text(value)).unwrap()
}
