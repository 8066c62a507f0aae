//! Both signatures of a webhook, for senders and receivers.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

/// Prefix of every secret.
const PREFIX: &str = "whsec_";
/// Length of a secret in bytes, without its prefix.
const KEY_LENGTH: usize = 24;
/// Version of the signature of Standard Webhooks.
const VERSION: &str = "v1,";

type HmacSha256 = Hmac<Sha256>;

/// A webhook's secret: `whsec_` and 24 bytes in base64. Redacted in `Debug`, wiped on drop.
///
/// Its two signatures use different keys, so that neither is ever valid as the other: the whole
/// text for `X-Webhook-Signature`, the bytes after the prefix for `webhook-signature`.
#[derive(Clone)]
pub struct Secret {
    text: Zeroizing<String>,
    key: Zeroizing<[u8; KEY_LENGTH]>,
}

/// The text is not a secret of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretError {
    /// The text is empty.
    Empty,
    /// The text contains a space or a line break, for example because a file was read with its last
    /// newline.
    Whitespace,
    /// The text does not start with `whsec_`.
    Prefix,
    /// The text after the prefix is not 24 bytes in base64.
    Key,
}

impl fmt::Display for SecretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the webhook secret must not be empty",
            Self::Whitespace => "the webhook secret contains a space or a line break; remove it",
            Self::Prefix => "a webhook secret must begin with whsec_",
            Self::Key => "a webhook secret must be whsec_ and 24 bytes in base64 (32 characters)",
        })
    }
}

impl std::error::Error for SecretError {}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([redacted])")
    }
}

impl FromStr for Secret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        if text.is_empty() {
            return Err(SecretError::Empty);
        }
        if text.contains(char::is_whitespace) {
            return Err(SecretError::Whitespace);
        }
        let encoded = text.strip_prefix(PREFIX).ok_or(SecretError::Prefix)?;
        let bytes = Zeroizing::new(STANDARD.decode(encoded).map_err(|_| SecretError::Key)?);
        let key = <[u8; KEY_LENGTH]>::try_from(bytes.as_slice()).map_err(|_| SecretError::Key)?;
        Ok(Self { text: Zeroizing::new(text.to_owned()), key: Zeroizing::new(key) })
    }
}

impl Secret {
    /// Creates a secret from random bytes.
    pub fn from_bytes(key: [u8; KEY_LENGTH]) -> Self {
        let text = format!("{PREFIX}{}", STANDARD.encode(key));
        Self { text: Zeroizing::new(text), key: Zeroizing::new(key) }
    }

    /// Exposes the secret, for the code that sends it.
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// The value of `X-Webhook-Signature`: 64 lower-case hex digits.
    pub fn sign_body(&self, body: &[u8]) -> String {
        let digest = self.body_mac(body).finalize().into_bytes();
        digest.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(hex_digit).collect()
    }

    /// One signature of `webhook-signature`: `v1,` and base64.
    pub fn sign_standard(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        let digest = self.standard_mac(id, timestamp, body).finalize().into_bytes();
        format!("{VERSION}{}", STANDARD.encode(digest))
    }

    /// Whether this value of `X-Webhook-Signature` signs the body. All wrong signatures take the
    /// same time. Only 64 lower-case hex digits are accepted.
    #[must_use]
    pub fn verify_body(&self, body: &[u8], signature: &str) -> bool {
        let digest = from_hex(signature);
        digest.is_some_and(|digest| self.body_mac(body).verify_slice(&digest).is_ok())
    }

    /// Whether one of the `v1,` signatures in this value of `webhook-signature` signs id, time and
    /// body. All of them are checked; other versions are skipped.
    #[must_use]
    pub fn verify_standard(&self, id: &str, timestamp: i64, body: &[u8], signatures: &str) -> bool {
        let digests = signatures.split(' ').filter_map(|one| one.strip_prefix(VERSION));
        let digests = digests.filter_map(|encoded| STANDARD.decode(encoded).ok());
        let mac = self.standard_mac(id, timestamp, body);
        digests.fold(false, |is_found, digest| mac.clone().verify_slice(&digest).is_ok() | is_found)
    }

    fn body_mac(&self, body: &[u8]) -> HmacSha256 {
        mac(self.text.as_bytes()).chain_update(body)
    }

    fn standard_mac(&self, id: &str, timestamp: i64, body: &[u8]) -> HmacSha256 {
        let head = format!("{id}.{timestamp}.");
        mac(self.key.as_slice()).chain_update(head).chain_update(body)
    }
}

fn mac(key: &[u8]) -> HmacSha256 {
    HmacSha256::new_from_slice(key).expect("HMAC takes keys of any length")
}

fn hex_digit(value: u8) -> char {
    char::from_digit(value.into(), 16).expect("four bits are one digit")
}

/// Decodes 64 lower-case hex digits to 32 bytes.
fn from_hex(text: &str) -> Option<[u8; 32]> {
    let digits: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = from_hex_digit(pair[0])? << 4 | from_hex_digit(pair[1])?;
    }
    Some(bytes)
}

const fn from_hex_digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhook::vectors::{ALL, BODY_DIGEST};
    use proptest::prelude::*;
    use sha2::Digest;

    fn secret(text: &str) -> Secret {
        text.parse().unwrap()
    }

    #[test]
    fn the_vectors_are_signed_as_others_sign_them() {
        for vector in ALL {
            let secret = secret(vector.secret);
            let body = vector.body.as_bytes();
            assert_eq!(secret.sign_standard(vector.id, vector.timestamp, body), vector.standard);
            if let Some(signature) = vector.signature {
                assert_eq!(secret.sign_body(body), signature);
            }
        }
        let digest =
            Sha256::digest(ALL[0].body).into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
        assert_eq!(digest.map(hex_digit).collect::<String>(), BODY_DIGEST);
        assert_eq!(ALL[0].body.len(), 172);
    }

    #[test]
    fn a_secret_has_a_form_and_is_never_shown() {
        for (text, error) in [
            ("", SecretError::Empty),
            ("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX\n", SecretError::Whitespace),
            (" whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", SecretError::Whitespace),
            ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", SecretError::Prefix),
            ("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRY", SecretError::Key),
            ("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXAAAA", SecretError::Key),
            ("whsec_", SecretError::Key),
        ] {
            assert_eq!(text.parse::<Secret>().unwrap_err(), error, "{text:?}");
        }
        let secret = secret(ALL[0].secret);
        assert_eq!(format!("{secret:?}"), "Secret([redacted])");
        assert_eq!(Secret::from_bytes(*secret.key).expose(), ALL[0].secret);
    }

    #[test]
    fn only_the_exact_form_of_a_signature_is_taken() {
        let (secret, body) = (secret(ALL[0].secret), ALL[0].body.as_bytes());
        let signature = secret.sign_body(body);
        assert!(secret.verify_body(body, &signature));
        let shortened = &signature[..63];
        for wrong in [
            "",
            shortened,
            &signature.to_uppercase(),
            &format!("{signature}0"),
            &format!("sha256={signature}"),
            &format!(" {signature}"),
        ] {
            assert!(!secret.verify_body(body, wrong), "{wrong}");
        }
    }

    #[test]
    fn a_list_of_signatures_holds_when_one_of_them_does() {
        let [one, two, _] = ALL;
        let (secret, body) = (secret(one.secret), one.body.as_bytes());
        let verify = |list: &str| secret.verify_standard(one.id, one.timestamp, body, list);
        assert!(verify(&format!("{} {}", two.standard, one.standard)));
        assert!(verify(&format!("{} {}", one.standard, two.standard)));
        assert!(verify(&format!("v1a,abc {} v2,zzz", one.standard)));
        let version_2 = one.standard.replace("v1,", "v2,");
        for wrong in ["", " ", "v1,", "v1,%%%", two.standard, &version_2, &secret.sign_body(body)] {
            assert!(!verify(wrong), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_flipped_bit_is_refused(at in 0..ALL[0].body.len(), bit in 0..8_u32) {
            let [one, ..] = ALL;
            let secret = secret(one.secret);
            let mut body = one.body.as_bytes().to_vec();
            body[at] ^= 1 << bit;
            prop_assert!(!secret.verify_body(&body, one.signature.unwrap()));
            let (id, time) = (one.id, one.timestamp);
            prop_assert!(!secret.verify_standard(id, time, &body, one.standard));
            let other_time = one.timestamp ^ (1 << bit);
            prop_assert!(!secret.verify_standard(id, other_time, one.body.as_bytes(), one.standard));
        }

        #[test]
        fn what_is_signed_is_verified(key: [u8; 24], id in "[a-z0-9_]{1,40}", time: i64, body: Vec<u8>) {
            let secret = Secret::from_bytes(key);
            prop_assert!(secret.verify_body(&body, &secret.sign_body(&body)));
            let signed = secret.sign_standard(&id, time, &body);
            prop_assert!(secret.verify_standard(&id, time, &body, &signed));
        }

        #[test]
        fn any_text_may_stand_in_the_header(text: String) {
            let secret = secret(ALL[0].secret);
            prop_assert!(!secret.verify_body(b"", &text));
            prop_assert!(!secret.verify_standard("", 0, b"", &text));
        }
    }
}
