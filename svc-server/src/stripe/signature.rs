//! Whether Stripe sent a webhook: the header `Stripe-Signature`, checked before the body is read.
//!
//! The header is `t=SECONDS,v1=HEX`, with one `v1` for each secret while a secret is replaced. `v0`
//! signs test events with a scheme that anyone can compute, so it counts for nothing.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use svc_types::Timestamp;
use thiserror::Error;

use super::credentials::WebhookSecret;

/// How far the time of a signature may be from now, in seconds.
pub const TOLERANCE_SECONDS: i64 = 300;

/// Longest header, and most signatures in it.
const LENGTH_MAX: usize = 2_048;
const SIGNATURES_MAX: usize = 16;

/// Why a webhook is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SignatureError {
    /// The header has another form.
    #[error("Stripe-Signature must be t=SECONDS,v1=HEX")]
    Malformed,
    /// No secret made any of its signatures.
    #[error("no v1 signature of Stripe-Signature belongs to this body")]
    Wrong,
    /// It was signed too long ago, or will be.
    #[error("the time of Stripe-Signature is more than 300 seconds from now")]
    Time,
}

/// Checks that one of these secrets signed the body, at about this time. All secrets and signatures are
/// tried, each in constant time.
pub fn verify(
    body: &[u8],
    header: &str,
    secrets: &[WebhookSecret],
    now: Timestamp,
) -> Result<(), SignatureError> {
    let Signed { time, digests } = parse(header).ok_or(SignatureError::Malformed)?;
    let mut is_signed = false;
    for secret in secrets {
        let mac = mac(secret, &time, body);
        for digest in &digests {
            is_signed |= mac.clone().verify_slice(digest).is_ok();
        }
    }
    if !is_signed {
        return Err(SignatureError::Wrong);
    }
    // Only a signed time is compared: a changed one shows as a wrong signature.
    let seconds: i64 = time.parse().map_err(|_| SignatureError::Malformed)?;
    let now = now.as_millis().div_euclid(1_000);
    if now.abs_diff(seconds) > TOLERANCE_SECONDS.unsigned_abs() {
        return Err(SignatureError::Time);
    }
    Ok(())
}

/// What a header says.
struct Signed {
    /// The time as it was signed.
    time: String,
    digests: Vec<[u8; 32]>,
}

fn parse(header: &str) -> Option<Signed> {
    if header.len() > LENGTH_MAX {
        return None;
    }
    let (mut time, mut digests) = (None, Vec::new());
    for part in header.split(',') {
        match part.split_once('=')? {
            ("t", _) if time.is_some() => return None,
            ("t", text) if is_number(text) => time = Some(text.to_owned()),
            ("t", _) => return None,
            // A digest of another form can't be right; others of this header may be.
            ("v1", hex) => digests.extend(from_hex(hex)),
            _ => {}
        }
    }
    let is_bounded = digests.len() <= SIGNATURES_MAX;
    time.filter(|_| is_bounded).map(|time| Signed { time, digests })
}

/// Whether a text is a time in seconds that fits.
fn is_number(text: &str) -> bool {
    (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn mac(secret: &WebhookSecret, time: &str, body: &[u8]) -> Hmac<Sha256> {
    let mac = Hmac::<Sha256>::new_from_slice(secret.key()).expect("HMAC takes keys of any length");
    mac.chain_update(time).chain_update(b".").chain_update(body)
}

/// Decodes 64 hex digits to 32 bytes.
fn from_hex(text: &str) -> Option<[u8; 32]> {
    let digits: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = [pair[0], pair[1]].map(|digit| char::from(digit).to_digit(16));
        *byte = u8::try_from(high? << 4 | low?).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: i64 = 1_769_851_800;
    const BODY: &[u8] = br#"{"id":"evt_1"}"#;

    fn secret(text: &str) -> WebhookSecret {
        text.parse().unwrap()
    }

    fn hex(secret: &WebhookSecret, time: &str, body: &[u8]) -> String {
        let digest = mac(secret, time, body).finalize().into_bytes();
        digest.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    }

    fn header(secret: &WebhookSecret, time: i64, body: &[u8]) -> String {
        format!("t={time},v1={}", hex(secret, &time.to_string(), body))
    }

    fn check(header: &str, secrets: &[WebhookSecret]) -> Result<(), SignatureError> {
        verify(BODY, header, secrets, Timestamp::from_millis(NOW * 1_000 + 999))
    }

    #[test]
    fn any_v1_of_any_secret_is_enough() {
        let [old, new, other] =
            ["whsec_oldoldold", "whsec_newnewnew", "whsec_otherother"].map(secret);
        let (both, time) = ([old.clone(), new.clone()], NOW.to_string());
        let of = |secret: &WebhookSecret| format!("v1={}", hex(secret, &time, BODY));
        for signatures in [
            of(&old),
            of(&new),
            format!("{},{}", of(&other), of(&new)),
            format!("{},{},v0=00", of(&new), of(&other)),
            format!("v1=zz,v1=,v2=x,{}", of(&old)),
        ] {
            assert_eq!(check(&format!("t={time},{signatures}"), &both), Ok(()), "{signatures}");
            assert_eq!(check(&format!("{signatures},t={time}"), &both), Ok(()), "{signatures}");
        }
        assert_eq!(check(&format!("t={time},{}", of(&other)), &both), Err(SignatureError::Wrong));
        assert_eq!(check(&header(&new, NOW, BODY), &[]), Err(SignatureError::Wrong));
    }

    #[test]
    fn a_signature_of_version_0_is_none() {
        let secret = secret("whsec_abcdefgh");
        let v0 = header(&secret, NOW, BODY).replace("v1=", "v0=");
        assert_eq!(check(&v0, &[secret]), Err(SignatureError::Wrong));
    }

    #[test]
    fn a_time_may_differ_by_300_seconds() {
        let secret = secret("whsec_abcdefgh");
        for (time, result) in [
            (NOW - 300, Ok(())),
            (NOW + 300, Ok(())),
            (NOW - 301, Err(SignatureError::Time)),
            (NOW + 301, Err(SignatureError::Time)),
            (0, Err(SignatureError::Time)),
        ] {
            let header = header(&secret, time, BODY);
            assert_eq!(check(&header, std::slice::from_ref(&secret)), result, "{}", time - NOW);
        }
    }

    #[test]
    fn a_header_of_another_form_is_refused() {
        let secret = secret("whsec_abcdefgh");
        let digest = hex(&secret, &NOW.to_string(), BODY);
        let many = vec![format!("v1={digest}"); SIGNATURES_MAX + 1].join(",");
        for wrong in [
            String::new(),
            "t".to_owned(),
            format!("v1={digest}"),
            format!("t=,v1={digest}"),
            format!("t=-1,v1={digest}"),
            format!("t={NOW}.0,v1={digest}"),
            format!("t={NOW},t={NOW},v1={digest}"),
            format!("t=9999999999999999999,v1={digest}"),
            format!("t={NOW},v1={digest},"),
            format!("t={NOW},{many}"),
            format!("t={NOW},v1={digest},x={}", "x".repeat(LENGTH_MAX)),
        ] {
            assert_eq!(
                check(&wrong, std::slice::from_ref(&secret)),
                Err(SignatureError::Malformed),
                "{wrong}"
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_signed_is_verified(body: Vec<u8>, ahead in -300..=300_i64) {
            let secret = secret("whsec_abcdefgh");
            let header = header(&secret, NOW + ahead, &body);
            let now = Timestamp::from_millis(NOW * 1_000);
            prop_assert_eq!(verify(&body, &header, &[secret], now), Ok(()));
        }

        #[test]
        fn a_changed_byte_is_refused(at in 0..BODY.len(), byte: u8) {
            let secret = secret("whsec_abcdefgh");
            let mut body = BODY.to_vec();
            prop_assume!(body[at] != byte);
            body[at] = byte;
            let now = Timestamp::from_millis(NOW * 1_000);
            let wrong = Err(SignatureError::Wrong);
            prop_assert_eq!(verify(&body, &header(&secret, NOW, BODY), &[secret], now), wrong);
        }

        #[test]
        fn any_text_may_stand_in_the_header(text: String) {
            prop_assert!(check(&text, &[secret("whsec_abcdefgh")]).is_err());
        }
    }
}
