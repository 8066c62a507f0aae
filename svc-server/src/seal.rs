//! Sealing of secrets that must be read again: XChaCha20-Poly1305 with a key of the server's.
//!
//! A sealed text is a nonce of 24 bytes and the ciphertext; what it belongs to is authenticated
//! with it, so that it can't be moved to another place. The first key seals, all of them open.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use crate::config::Config;
use crate::db::DatabaseUrl;
use crate::error::{Error, Result};
use crate::ids;

/// Name of the file that holds the key when the settings give none.
pub const FILE: &str = "sealing.key";

const KEY_LENGTH: usize = 32;
const NONCE_LENGTH: usize = 24;

/// The keys, newest first.
pub struct Seal(Vec<XChaCha20Poly1305>);

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal([redacted])")
    }
}

impl Seal {
    /// The keys of the settings, else the one in the data folder, made when it is missing.
    pub fn open(config: &Config) -> Result<Self> {
        let texts = match config.exchange.sealing_keys.as_slice() {
            [] => {
                if matches!(config.database_url(), Ok(DatabaseUrl::Postgres(_))) {
                    tracing::warn!("several servers need the same exchange.sealing_keys");
                }
                vec![key_of_folder(&config.data_dir)?]
            }
            keys => keys.to_vec(),
        };
        let ciphers: Result<Vec<_>> = texts.iter().map(|text| cipher(text)).collect();
        ciphers.map(Self)
    }

    /// No keys: nothing can be sealed or opened.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Seals a text for the place `of`.
    pub fn seal(&self, of: &str, text: &str) -> Result<Vec<u8>> {
        let nonce = ids::random::<NONCE_LENGTH>();
        let payload = Payload { msg: text.as_bytes(), aad: of.as_bytes() };
        let key = self.0.first();
        let sealed = key.and_then(|key| key.encrypt(&XNonce::from(nonce), payload).ok());
        let sealed = sealed.ok_or_else(|| Error::internal("a text could not be sealed"))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Opens what was sealed for the place `of`.
    pub fn unseal(&self, of: &str, sealed: &[u8]) -> Result<String> {
        let text = sealed.split_first_chunk::<NONCE_LENGTH>().and_then(|(nonce, sealed)| {
            let payload = || Payload { msg: sealed, aad: of.as_bytes() };
            self.0.iter().find_map(|key| key.decrypt(&XNonce::from(*nonce), payload()).ok())
        });
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        text.ok_or_else(|| Error::internal("no sealing key of this server opens a stored secret"))
    }
}

fn cipher(text: &str) -> Result<XChaCha20Poly1305> {
    let key = STANDARD.decode(text.trim()).ok().filter(|key| key.len() == KEY_LENGTH);
    let key = key.and_then(|key| XChaCha20Poly1305::new_from_slice(&key).ok());
    key.ok_or_else(|| Error::internal("a sealing key must be 32 bytes in base64"))
}

fn key_of_folder(folder: &Path) -> Result<String> {
    let path = folder.join(FILE);
    let explain = |error: std::io::Error| Error::internal(format!("{}: {error}", path.display()));
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        read => return read.map_err(explain),
    }
    // Written beside its place, so that a half one is never found.
    let key = STANDARD.encode(ids::random::<KEY_LENGTH>());
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(explain)?;
    file.write_all(key.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(explain)?;
    match file.persist_noclobber(&path) {
        Ok(_) => Ok(key),
        // Another process has just made it.
        Err(_) => fs::read_to_string(&path).map_err(explain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(keys: &[u8]) -> Seal {
        let texts = keys.iter().map(|byte| STANDARD.encode([*byte; KEY_LENGTH]));
        Seal(texts.map(|text| cipher(&text).unwrap()).collect())
    }

    #[test]
    fn an_older_key_still_opens_what_it_sealed() {
        let sealed = seal(&[1]).seal("esc_1", "token").unwrap();
        assert_eq!(seal(&[2, 1]).unseal("esc_1", &sealed).unwrap(), "token");
        assert!(seal(&[2]).unseal("esc_1", &sealed).is_err());
    }

    #[test]
    fn a_sealed_text_can_not_be_moved_or_changed() {
        let seal = seal(&[1]);
        let mut sealed = seal.seal("esc_1", "token").unwrap();
        assert!(seal.unseal("esc_2", &sealed).is_err());
        sealed[30] ^= 1;
        assert!(seal.unseal("esc_1", &sealed).is_err());
        assert!(seal.unseal("esc_1", &[]).is_err());
    }
}
