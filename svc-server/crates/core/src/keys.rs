//! Keys and tokens: their forms, and what is stored of them.
//!
//! A key is `<prefix><key id>_<secret><checksum>`: 12, 30 and 6 characters of base62. The key id
//! finds the row, the SHA-256 of the whole key is compared, and the checksum distinguishes a mistyped key
//! without asking the database. 30 characters of base62 are 178 bits, so a plain hash is enough.

use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::ids;

/// What an account's key begins with.
pub const API_KEY: &str = "svc_ak_";
/// What a developer's key begins with.
pub const DEVELOPER_KEY: &str = "svc_dk_";
/// What an identity token begins with (spec §2.3).
pub const IDENTITY_TOKEN: &str = "svc_id_";
/// What an access token of OAuth begins with.
pub const ACCESS_TOKEN: &str = "svc_at_";
/// What a refresh token of OAuth begins with.
pub const REFRESH_TOKEN: &str = "svc_rt_";
/// What a webhook's secret begins with.
pub const WEBHOOK_SECRET: &str = "whsec_";

const KEY_ID_LENGTH: usize = 12;
const SECRET_LENGTH: usize = 30;
const CHECKSUM_LENGTH: usize = 6;
/// Length of what follows a key's prefix.
const KEY_LENGTH: usize = KEY_ID_LENGTH + 1 + SECRET_LENGTH + CHECKSUM_LENGTH;
/// Length of what follows an identity token's prefix: 32 bytes of base64url.
const TOKEN_LENGTH: usize = 43;
/// Length of what follows a webhook secret's prefix: 24 bytes of base64.
const WEBHOOK_SECRET_LENGTH: usize = 32;

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// SHA-256 of a secret, as it is stored.
pub type Hash = [u8; 32];

/// A new key, to be shown once.
pub struct NewKey {
    /// The whole key.
    pub key: String,
    /// The part that finds its row.
    pub key_id: String,
    /// What is stored.
    pub hash: Hash,
}

/// Makes a key with this prefix.
pub fn generate(prefix: &str) -> NewKey {
    generate_for(prefix, &new_key_id())
}

/// A new key id.
pub fn new_key_id() -> String {
    base62::<KEY_ID_LENGTH>()
}

/// Makes a key with this prefix and key id.
pub fn generate_for(prefix: &str, key_id: &str) -> NewKey {
    whole(prefix, key_id, &base62::<SECRET_LENGTH>())
}

/// Makes the key with this prefix and key id that follows from a secret seed.
pub fn generate_from(prefix: &str, key_id: &str, seed: &Hash) -> NewKey {
    let block =
        |n: u8| -> Hash { Sha256::new().chain_update(seed).chain_update([n]).finalize().into() };
    // As in random characters.
    let usable = (0..=u8::MAX).flat_map(block).filter(|byte| *byte < 248).take(SECRET_LENGTH);
    let secret: String = usable.map(|byte| char::from(BASE62[usize::from(byte) % 62])).collect();
    whole(prefix, key_id, &secret)
}

fn whole(prefix: &str, key_id: &str, secret: &str) -> NewKey {
    let body = format!("{prefix}{key_id}_{secret}");
    let key = format!("{body}{}", checksum(&body));
    NewKey { hash: hash(&key), key, key_id: key_id.to_owned() }
}

/// The key id of a well-formed key with this prefix.
pub fn key_id<'a>(prefix: &str, key: &'a str) -> Option<&'a str> {
    let rest = key.strip_prefix(prefix)?;
    if rest.len() != KEY_LENGTH || !rest.is_ascii() {
        return None;
    }
    let (key_id, secret) = rest.split_once('_')?;
    let (body, sum) = key.split_at(key.len() - CHECKSUM_LENGTH);
    // Forms of OAuth may hold any character, and PostgreSQL rejects NUL.
    let is_plain = key_id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let shape = key_id.len() == KEY_ID_LENGTH && is_plain && !secret.contains('_');
    (shape && checksum(body) == sum).then_some(key_id)
}

/// Makes an identity token and what is stored of it.
pub fn identity_token() -> (String, Hash) {
    let token = format!("{IDENTITY_TOKEN}{}", URL_SAFE_NO_PAD.encode(ids::random::<32>()));
    let hash = hash(&token);
    (token, hash)
}

/// Whether text has the form of an identity token.
pub fn is_identity_token(text: &str) -> bool {
    text.strip_prefix(IDENTITY_TOKEN)
        .is_some_and(|rest| rest.len() == TOKEN_LENGTH && rest.bytes().all(is_base64url))
}

fn is_base64url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Makes the value of a session cookie and what is stored of it.
pub fn session_token() -> (String, Hash) {
    let token = URL_SAFE_NO_PAD.encode(ids::random::<32>());
    let hash = hash(&token);
    (token, hash)
}

/// Makes the token of a claim link and what is stored of it.
pub fn claim_token() -> (String, Hash) {
    session_token()
}

/// Makes the token of a link in a mail and what is stored of it.
pub fn mail_token() -> (String, Hash) {
    session_token()
}

/// What is stored of a secret.
pub fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Whether a stored hash is this one, in constant time.
pub fn same(stored: &[u8], hash: &Hash) -> bool {
    stored.ct_eq(hash).into()
}

/// Keys and tokens of this platform that stand in a text, by their form.
pub fn find_all(text: &str) -> Vec<Found<'_>> {
    let keys = text.match_indices("svc_");
    let starts = keys.chain(text.match_indices(WEBHOOK_SECRET)).map(|(start, _)| &text[start..]);
    starts
        .filter_map(|rest| {
            let prefixed = |prefix: &str, length| rest.get(..prefix.len() + length);
            let api = prefixed(API_KEY, KEY_LENGTH).filter(|key| key_id(API_KEY, key).is_some());
            let developer = prefixed(DEVELOPER_KEY, KEY_LENGTH)
                .filter(|key| key_id(DEVELOPER_KEY, key).is_some());
            let token =
                prefixed(IDENTITY_TOKEN, TOKEN_LENGTH).filter(|text| is_identity_token(text));
            let secret = prefixed(WEBHOOK_SECRET, WEBHOOK_SECRET_LENGTH)
                .filter(|_| rest.starts_with(WEBHOOK_SECRET))
                .map(Found::WebhookSecret);
            let oauth = [ACCESS_TOKEN, REFRESH_TOKEN].into_iter().find_map(|prefix| {
                prefixed(prefix, KEY_LENGTH).filter(|key| key_id(prefix, key).is_some())
            });
            let token = token.map(Found::IdentityToken).or(oauth.map(Found::OauthToken));
            let api = api.map(Found::ApiKey);
            let key = api.or(developer.map(Found::DeveloperKey));
            key.or(token).or(secret)
        })
        .collect()
}

/// A key or token in a text, which may be live, dead or invented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// An account's key.
    ApiKey(&'a str),
    /// A developer app's key.
    DeveloperKey(&'a str),
    /// An identity token.
    IdentityToken(&'a str),
    /// An access or refresh token of OAuth.
    OauthToken(&'a str),
    /// A webhook's secret.
    WebhookSecret(&'a str),
}

impl<'a> Found<'a> {
    /// The key or token itself.
    pub const fn text(self) -> &'a str {
        match self {
            Self::ApiKey(text)
            | Self::DeveloperKey(text)
            | Self::IdentityToken(text)
            | Self::OauthToken(text)
            | Self::WebhookSecret(text) => text,
        }
    }
}

/// Random characters, each of the 62 equally likely.
fn base62<const N: usize>() -> String {
    let mut text = String::with_capacity(N);
    while text.len() < N {
        // Bytes from 248 on would make the first characters likelier than the rest.
        let usable = ids::random::<N>().into_iter().filter(|byte| *byte < 248);
        let left = N - text.len();
        text.extend(usable.take(left).map(|byte| char::from(BASE62[usize::from(byte) % 62])));
    }
    text
}

/// CRC-32 in six characters of base62.
fn checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[usize::try_from(rest % 62).expect("below 62")];
        rest /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

/// Bytes in hexadecimal, in small letters.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a `String` can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_new_key_has_the_documented_form() {
        let new = generate(API_KEY);
        assert_eq!(new.key.len(), API_KEY.len() + 49);
        assert_eq!(key_id(API_KEY, &new.key), Some(new.key_id.as_str()));
        assert_eq!(key_id(DEVELOPER_KEY, &new.key), None);
    }

    #[test]
    fn a_key_follows_from_its_seed() {
        let (key_id_of, seed) = (new_key_id(), hash("seed"));
        let from = |seed: &Hash| generate_from(REFRESH_TOKEN, &key_id_of, seed).key;
        assert_eq!(key_id(REFRESH_TOKEN, &from(&seed)), Some(key_id_of.as_str()));
        assert_eq!(from(&seed), from(&seed));
        assert_ne!(from(&seed), from(&hash("another seed")));
    }

    #[test]
    fn keys_in_a_text_are_found_wherever_they_stand() {
        let (key, token) = (generate(DEVELOPER_KEY).key, identity_token().0);
        let text = format!("use svc_ak_ or {key}, or ({token}) ü");
        assert_eq!(find_all(&text), [Found::DeveloperKey(&key), Found::IdentityToken(&token)]);
    }

    proptest! {
        #[test]
        fn one_changed_character_breaks_a_key(index in 7_usize..56, to in "[0-9A-Za-z_]") {
            let key = generate(API_KEY).key;
            let mut changed = key.clone();
            changed.replace_range(index..=index, &to);
            prop_assume!(changed != key);
            prop_assert_eq!(key_id(API_KEY, &changed), None);
        }

        #[test]
        fn no_text_is_a_key_by_accident(text in "\\PC{0,80}") {
            prop_assert_eq!(key_id(API_KEY, &text), None);
            prop_assert_eq!(find_all(&text), []);
        }
    }
}
