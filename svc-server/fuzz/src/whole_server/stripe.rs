//! Webhooks of Stripe. `$digest` in a header is the right signature for the time in that header, which no
//! mutation hits. What was not signed so, just now, changes nothing.

use std::fmt::Write;

use hmac::{Hmac, KeyInit, Mac};
use http::HeaderValue;
use sha2::Sha256;
use svc_store::db::sql;

use super::request::{Request, Route};
use super::server::with_server;

const ROUTES: [Route; 1] = [("POST", "/webhooks/stripe")];

/// The secret of servers of tests.
const SECRET: &[u8] = b"whsec_0123456789";

/// How long a signature is good, in seconds.
const TOLERANCE: u64 = 300;

const SIGNATURE: &str = "stripe-signature";

pub(crate) fn judge(input: &[u8]) {
    with_server(|server| {
        let mut request = Request::read(input, &ROUTES, &server.words);
        sign(&mut request);
        let now = server.now().as_millis() / 1000;
        let is_signed = is_signed(&request, now);
        let named = sql!("select coalesce(sum(dirty), 0) from provider_object");
        let before = server.count(named);
        let Some(answer) = server.send_input(request) else { return };
        let Some(body) = answer.granted() else {
            assert!(server.count(named) <= before, "what was refused has changed something");
            return;
        };
        assert!(is_signed, "an event was taken without a signature");
        assert_eq!(body["received"], true);
    });
}

/// Puts the right signatures into the headers that ask for them.
fn sign(request: &mut Request) {
    let Some(value) = request.headers.get_mut(SIGNATURE) else { return };
    let Ok(text) = value.to_str() else { return };
    let signed = text.replace("$digest", &digest(time(text), &request.body));
    if let Ok(signed) = HeaderValue::try_from(signed) {
        *value = signed;
    }
}

/// The time that a header says.
fn time(header: &str) -> &str {
    header.split(',').find_map(|part| part.strip_prefix("t=")).unwrap_or_default()
}

/// Whether the first header is signed at about this time.
fn is_signed(request: &Request, now: i64) -> bool {
    let header = request.headers.get(SIGNATURE).and_then(|value| value.to_str().ok());
    let header = header.unwrap_or_default();
    let right = format!("v1={}", digest(time(header), &request.body));
    let is_now = |time: i64| time.abs_diff(now) <= TOLERANCE;
    header.to_lowercase().contains(&right) && time(header).parse().is_ok_and(is_now)
}

fn digest(time: &str, body: &[u8]) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(SECRET).expect("HMAC takes keys of any length");
    let mac = mac.chain_update(time).chain_update(".").chain_update(body);
    mac.finalize().into_bytes().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes all text");
        text
    })
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let of = |kind: &str, object: &str, signature: &str| {
        format!(
            "POST /webhooks/stripe\ncontent-type: application/json\nstripe-signature: {signature}\n\n\
             {{\"id\":\"evt_1\",\"object\":\"event\",\"type\":\"{kind}\",\"created\":1769851800,\"livemode\":false,\
             \"data\":{{\"object\":{object}}}}}"
        )
        .into_bytes()
    };
    let session = r#"{"id":"cs_test_1","object":"checkout.session","client_reference_id":"pay_1"}"#;
    let charge = r#"{"id":"ch_1","object":"charge","payment_intent":"pi_1"}"#;
    let subscription = r#"{"id":"sub_1","object":"subscription","status":"active"}"#;
    let right = "t=1769851800,v1=$digest";
    vec![
        of("checkout.session.completed", session, right),
        of("charge.refunded", charge, right),
        of("customer.subscription.updated", subscription, right),
        of("payout.failed", r#"{"id":"po_1","object":"payout"}"#, right),
        of("charge.refunded", charge, "t=1769852100,v0=00,v1=$digest,v1=zz"),
        of("charge.refunded", charge, "t=1769852101,v1=$digest"),
        of("charge.refunded", charge, "t=1769851800,v1=00"),
    ]
}
