//! Encryption of secrets that must be read back: XChaCha20-Poly1305 with a key of the server.
//!
//! A ciphertext begins with its nonce of 24 bytes. The id of its owner is authenticated with it, so
//! that it can't be moved to another row. The first key encrypts; any key decrypts.

mod known;

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use sha2::{Digest, Sha256};
use svc_store::db::Db;
use svc_store::error::{Error, Result};

use crate::config::Config;
use crate::{data_dir, ids};

/// Name of the file that holds the key when the settings give none.
pub const FILE: &str = "sealing.key";

const KEY_LENGTH: usize = 32;
const NONCE_LENGTH: usize = 24;

/// The keys, newest first.
pub struct Encryption(Vec<Key>);

/// A key, and an id that does not reveal it.
struct Key {
    id: String,
    cipher: XChaCha20Poly1305,
    /// The secret that signs challenges.
    challenges: String,
    /// The secret that signs what nodes send each other.
    bus: String,
}

impl std::fmt::Debug for Encryption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Encryption([redacted])")
    }
}

impl Encryption {
    /// The keys of the settings, or else the one in the data folder, which is created with a new
    /// database. Refused if they can't decrypt the secrets in the database.
    pub async fn open(config: &Config, db: &Db) -> Result<Self> {
        let known = known::read(db).await?;
        let encrypt = Self::read(config, known.is_new())?;
        known.check(&encrypt, &source(config))?;
        known::note(db, &encrypt, &source(config)).await?;
        Ok(encrypt)
    }

    /// Refuses the keys of these settings if they can't decrypt what is in the database; nothing is changed.
    pub async fn check(config: &Config, db: &Db) -> Result<()> {
        let known = known::read(db).await?;
        if known.is_new() {
            return Ok(());
        }
        known.check(&Self::read(config, false)?, &source(config))
    }

    /// Whether these settings begin with a key with which no server has begun to encrypt.
    pub async fn begins_with_new_key(config: &Config, db: &Db) -> Result<bool> {
        let known = known::read(db).await?;
        Ok(!known.is_new() && !known.has_first_of(&Self::read(config, false)?))
    }

    /// Like [`open`](Self::open) after keys were lost: what they encrypted is given up.
    pub async fn open_after_loss(config: &Config, db: &Db) -> Result<Self> {
        let encrypt = Self::read(config, true)?;
        known::forget_others(db, &encrypt).await?;
        known::note(db, &encrypt, &source(config)).await?;
        Ok(encrypt)
    }

    /// Whether a server encrypts with a key that this one lacks.
    ///
    /// If `webhooks reseal` forgot the key with which this one goes on to encrypt, that is noted again. Otherwise nothing
    /// would keep an operator from removing the key, and what it encrypted since would be lost.
    pub async fn lacks_key(&self, db: &Db) -> Result<bool> {
        let (known, place) = (known::read(db).await?, "exchange.sealing_keys");
        let lacks_key = known.check(self, place).is_err();
        if !lacks_key && !known.is_new() && !known.has_first_of(self) {
            known::note(db, self, place).await?;
        }
        Ok(lacks_key)
    }

    /// Forgets the older keys once everything is encrypted with the first.
    pub async fn forget_older(&self, db: &Db) -> Result<()> {
        known::forget_older(db, self).await
    }

    /// Reads the keys; `may_make` allows creating one.
    fn read(config: &Config, may_make: bool) -> Result<Self> {
        let texts = match config.exchange.sealing_keys.as_slice() {
            [] => vec![key_of_folder(&config.data_dir, may_make)?],
            keys => keys.to_vec(),
        };
        let place = source(config);
        texts.iter().map(|text| key(text, &place)).collect::<Result<_>>().map(Self)
    }

    /// No keys: nothing can be encrypted or decrypted.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// The secrets that sign challenges, that of the newest key first.
    pub fn challenge_secrets(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|key| &*key.challenges)
    }

    /// The secrets that sign what nodes send each other, that of the newest key first.
    pub fn bus_secrets(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|key| &*key.bus)
    }

    /// Encrypts a text that belongs to `of`.
    pub fn encrypt(&self, of: &str, text: &str) -> Result<Vec<u8>> {
        let nonce = ids::random::<NONCE_LENGTH>();
        let payload = Payload { msg: text.as_bytes(), aad: of.as_bytes() };
        let key = self.0.first();
        let encrypted = key.and_then(|key| key.cipher.encrypt(&XNonce::from(nonce), payload).ok());
        let encrypted = encrypted.ok_or_else(|| Error::internal("failed to encrypt a text"))?;
        Ok([nonce.as_slice(), &encrypted].concat())
    }

    /// Decrypts a text that belongs to `of`.
    pub fn decrypt(&self, of: &str, encrypted: &[u8]) -> Result<String> {
        let text = encrypted.split_first_chunk::<NONCE_LENGTH>().and_then(|(nonce, encrypted)| {
            let payload = || Payload { msg: encrypted, aad: of.as_bytes() };
            self.0.iter().find_map(|key| key.cipher.decrypt(&XNonce::from(*nonce), payload()).ok())
        });
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        text.ok_or_else(|| Error::internal("no sealing key of this server opens a stored secret"))
    }
}

/// Where the keys come from, for error messages.
fn source(config: &Config) -> String {
    if config.exchange.sealing_keys.is_empty() {
        config.data_dir.join(FILE).display().to_string()
    } else {
        "exchange.sealing_keys".to_owned()
    }
}

fn key(text: &str, place: &str) -> Result<Key> {
    let bytes = STANDARD.decode(text.trim()).ok().filter(|key| key.len() == KEY_LENGTH);
    let cipher = bytes.as_deref().and_then(|key| XChaCha20Poly1305::new_from_slice(key).ok());
    match (bytes, cipher) {
        (Some(bytes), Some(cipher)) => {
            let (challenges, bus) = (secret_of("challenges", &bytes), secret_of("the bus", &bytes));
            Ok(Key { id: id(&bytes), cipher, challenges, bus })
        }
        _ => Err(Error::setup(format!("{place} must hold 32 bytes in base64"))),
    }
}

/// A secret for only one use, so that nothing that is signed with it decrypts anything.
fn secret_of(what: &str, key: &[u8]) -> String {
    let hash = Sha256::new().chain_update(format!("the secret of {what} of svc")).chain_update(key);
    STANDARD.encode(hash.finalize())
}

/// The id of a key: part of a hash, which reveals nothing of it.
fn id(key: &[u8]) -> String {
    let hash = Sha256::new().chain_update("the id of a sealing key of svc").chain_update(key);
    let hash = hash.finalize();
    let (first, _) = hash.split_first_chunk().expect("a hash has 32 bytes");
    format!("{:016x}", u64::from_be_bytes(*first))
}

fn key_of_folder(folder: &Path, may_make: bool) -> Result<String> {
    let path = folder.join(FILE);
    let explain = |error: std::io::Error| Error::setup(format!("{}: {error}", path.display()));
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        read => {
            data_dir::refuse_open_own_file(&path)?;
            return read.map_err(explain);
        }
    }
    if !may_make {
        return Err(Error::setup(format!(
            "{} is missing, and a key sealed secrets in the database: put it back from a backup, or \
             give this server the key of the others by exchange.sealing_keys; only if no server has it \
             any more, `svc-server webhooks reseal --lost` gives up what it sealed",
            path.display()
        )));
    }
    // Written to a temporary file first, so that no partial key is ever read.
    let key = STANDARD.encode(ids::random::<KEY_LENGTH>());
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(explain)?;
    file.write_all(key.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(explain)?;
    match file.persist_noclobber(&path) {
        Ok(_) => Ok(key),
        // Another process has just created it.
        Err(_) => fs::read_to_string(&path).map_err(explain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encrypt(keys: &[u8]) -> Encryption {
        let texts = keys.iter().map(|byte| STANDARD.encode([*byte; KEY_LENGTH]));
        Encryption(texts.map(|text| key(&text, "a test").unwrap()).collect())
    }

    #[test]
    fn an_older_key_still_decrypts() {
        let encrypted = encrypt(&[1]).encrypt("esc_1", "token").unwrap();
        assert_eq!(encrypt(&[2, 1]).decrypt("esc_1", &encrypted).unwrap(), "token");
        assert!(encrypt(&[2]).decrypt("esc_1", &encrypted).is_err());
        let (both, one, two) = (encrypt(&[2, 1]), encrypt(&[1]), encrypt(&[2]));
        assert!(
            both.challenge_secrets().eq(two.challenge_secrets().chain(one.challenge_secrets()))
        );
        assert!(both.bus_secrets().eq(two.bus_secrets().chain(one.bus_secrets())));
    }

    #[test]
    fn a_ciphertext_can_not_be_moved_or_changed() {
        let encrypt = encrypt(&[1]);
        let mut encrypted = encrypt.encrypt("esc_1", "token").unwrap();
        assert!(encrypt.decrypt("esc_2", &encrypted).is_err());
        encrypted[30] ^= 1;
        assert!(encrypt.decrypt("esc_1", &encrypted).is_err());
        assert!(encrypt.decrypt("esc_1", &[]).is_err());
    }
}
