//! Texts on the bus begin with a code that only nodes of the database can make.
//!
//! Others that may publish on the subject can neither name numbers that no event has nor make nodes
//! read.

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use svc_core::encryption::Encryption;
use svc_store::db::TEXT_BYTES_MAX;

/// Bytes of a code.
const CODE: usize = 32;

/// Makes and verifies codes.
pub(super) struct Signer {
    /// One for each sealing key, the newest first: others may not have it yet, or still use an older
    /// one.
    keys: Vec<Hmac<Sha256>>,
}

impl Signer {
    /// With keys of the server, for texts of one subject.
    pub(super) fn of(encrypt: &Encryption, subject: &str) -> Self {
        Self { keys: encrypt.bus_secrets().map(|secret| key(secret, subject)).collect() }
    }

    /// The text with its code.
    pub(super) fn sign(&self, text: &str) -> Bytes {
        let code = self.keys.first().map(|key| key.clone().chain_update(text).finalize());
        let code = code.map(|code| code.into_bytes()).unwrap_or_default();
        [code.as_slice(), text.as_bytes()].concat().into()
    }

    /// The text of a message of these nodes; none of a foreign one.
    pub(super) fn verify<'a>(&self, message: &'a [u8]) -> Option<&'a str> {
        let (code, text) = message.split_at_checked(CODE)?;
        if text.len() > TEXT_BYTES_MAX {
            return None;
        }
        let is_by = |key: &Hmac<Sha256>| key.clone().chain_update(text).verify_slice(code).is_ok();
        let is_ours = self.keys.iter().any(is_by);
        is_ours.then(|| std::str::from_utf8(text).ok()).flatten()
    }
}

fn key(secret: &str, subject: &str) -> Hmac<Sha256> {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes());
    mac.expect("HMAC takes keys of any length").chain_update(subject).chain_update([0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(secrets: &[&str], subject: &str) -> Signer {
        Signer { keys: secrets.iter().map(|secret| key(secret, subject)).collect() }
    }

    #[test]
    fn what_another_node_signed_is_read() {
        let message = signer(&["new", "old"], "one").sign("node 1\nusr_1 7");
        for secrets in [&["new"][..], &["newer", "new"]] {
            assert_eq!(signer(secrets, "one").verify(&message), Some("node 1\nusr_1 7"));
        }
    }

    #[test]
    fn what_is_foreign_is_not_read() {
        let node = signer(&["key"], "one");
        let message = node.sign("node 1\nusr_1 7");
        assert_eq!(signer(&["other"], "one").verify(&message), None);
        assert_eq!(signer(&["key"], "two").verify(&message), None, "of another database");
        let mut changed = message.to_vec();
        *changed.last_mut().unwrap() = b'8';
        assert_eq!(node.verify(&changed), None);
        for garbage in [&b""[..], b"short", &[0; CODE], &vec![b'x'; 1_000_000]] {
            assert_eq!(node.verify(garbage), None);
        }
        let long = node.sign(&"x".repeat(TEXT_BYTES_MAX + 1));
        assert_eq!(node.verify(&long), None);
    }
}
