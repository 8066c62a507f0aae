//! ID tokens of other providers (OpenID Connect Core, 3.1.3.7).
//!
//! The signature is checked by `jsonwebtoken`, the claims here: time is that of the server's clock.

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::Value;
use svc_types::Timestamp;

use crate::keys::{self, Hash};

/// Algorithms that only the provider can sign with. `none` is not known to the library, and an HMAC
/// proves nothing with a key that is published.
const ALGORITHMS: [Algorithm; 8] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
];

/// Longest token.
const LENGTH_MAX: usize = 16 * 1024;

/// Keys of a provider that are kept.
const KEYS_MAX: usize = 32;

/// How far two clocks may differ, in seconds.
const SKEW: i64 = 60;

/// Longest id of an account (OpenID Connect Core, 2).
const SUBJECT_MAX: usize = 255;

/// The keys that a provider publishes.
#[derive(Clone, Debug, Default)]
pub struct ProviderKeys(Vec<Jwk>);

impl ProviderKeys {
    /// Those of a document that can be used; `None` if it is no set of keys.
    pub fn parse(document: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Document {
            keys: Vec<Value>,
        }
        let Document { keys } = serde_json::from_slice(document).ok()?;
        let keys = keys.into_iter().filter_map(|key| serde_json::from_value(key).ok());
        Some(Self(keys.filter(is_usable).take(KEYS_MAX).collect()))
    }

    /// The key of a token: the one it names, or the only one there is.
    fn of(&self, id: Option<&str>) -> Option<&Jwk> {
        match (id, self.0.as_slice()) {
            (None, [only]) => Some(only),
            (None, _) => None,
            (Some(id), keys) => keys.iter().find(|key| key.common.key_id.as_deref() == Some(id)),
        }
    }
}

/// Whether a key is public, and meant for signatures.
fn is_usable(key: &Jwk) -> bool {
    let is_public = matches!(
        key.algorithm,
        AlgorithmParameters::RSA(_) | AlgorithmParameters::EllipticCurve(_)
    );
    let signs = key.common.public_key_use.as_ref().is_none_or(|it| *it == PublicKeyUse::Signature);
    is_public && signs
}

/// What a token has to say.
#[derive(Clone, Debug)]
pub struct Expected<'a> {
    /// The provider.
    pub issuer: &'a str,
    /// This server, as the provider calls it.
    pub client_id: &'a str,
    /// Hash of the nonce of the request.
    pub nonce_hash: &'a Hash,
    /// The time.
    pub now: Timestamp,
}

/// The account that a token is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Its id.
    pub subject: String,
    /// Its verified address.
    pub email: String,
}

/// Why a token proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// No known key has signed it; the provider may have a new one.
    UnknownKey,
    /// This is wrong.
    Wrong(&'static str),
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: i64,
    iat: i64,
    nonce: Option<String>,
    email: Option<String>,
    email_verified: Option<bool>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// Checks a token.
pub fn verify(token: &str, keys: &ProviderKeys, expected: &Expected<'_>) -> Result<Proved, Flaw> {
    let claims = signed(token, keys)?;
    claims.check(expected)?;
    let is_subject = (1..=SUBJECT_MAX).contains(&claims.sub.len());
    if !is_subject {
        return Err(Flaw::Wrong("it names no account"));
    }
    let email = claims.email.filter(|_| claims.email_verified == Some(true));
    let email = email.ok_or(Flaw::Wrong("the account has no verified e-mail address"))?;
    Ok(Proved { subject: claims.sub, email })
}

/// The claims of a token with a right signature.
fn signed(token: &str, keys: &ProviderKeys) -> Result<Claims, Flaw> {
    let malformed = Flaw::Wrong("it is no signed token");
    if token.len() > LENGTH_MAX {
        return Err(malformed);
    }
    let header = decode_header(token).map_err(|_| malformed)?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(Flaw::Wrong("its algorithm is not allowed"));
    }
    let key = keys.of(header.kid.as_deref()).ok_or(Flaw::UnknownKey)?;
    let is_other = |named: &str| header.alg != named.parse().unwrap_or(Algorithm::HS256);
    if key.common.key_algorithm.is_some_and(|named| is_other(&named.to_string())) {
        return Err(Flaw::Wrong("its algorithm is not that of the key"));
    }
    let key = DecodingKey::from_jwk(key).map_err(|_| Flaw::UnknownKey)?;
    let mut validation = Validation::new(header.alg);
    // The claims are checked by this module, with the server's clock.
    validation.required_spec_claims.clear();
    (validation.validate_exp, validation.validate_nbf) = (false, false);
    validation.validate_aud = false;
    match decode(token, &key, &validation) {
        Ok(token) => Ok(token.claims),
        Err(error) if matches!(error.kind(), ErrorKind::Json(_)) => {
            Err(Flaw::Wrong("a claim is missing or malformed"))
        }
        Err(_) => Err(Flaw::Wrong("its signature is wrong")),
    }
}

impl Claims {
    fn check(&self, expected: &Expected<'_>) -> Result<(), Flaw> {
        if self.iss != expected.issuer {
            return Err(Flaw::Wrong("it comes from another issuer"));
        }
        self.check_audience(expected.client_id)?;
        let now = expected.now.as_millis() / 1000;
        if self.exp.saturating_add(SKEW) <= now {
            return Err(Flaw::Wrong("it has expired"));
        }
        if self.iat > now.saturating_add(SKEW) {
            return Err(Flaw::Wrong("it is from the future"));
        }
        let nonce = self.nonce.as_deref().map(keys::hash);
        if !nonce.is_some_and(|nonce| keys::same(expected.nonce_hash, &nonce)) {
            return Err(Flaw::Wrong("it is for another attempt"));
        }
        Ok(())
    }

    /// A token for several audiences names who asked for it.
    fn check_audience(&self, client_id: &str) -> Result<(), Flaw> {
        let (is_meant, is_shared) = match &self.aud {
            Audience::One(one) => (one == client_id, false),
            Audience::Several(all) => (all.iter().any(|it| it == client_id), all.len() > 1),
        };
        let is_asked_by = match self.azp.as_deref() {
            Some(azp) => azp == client_id,
            None => !is_shared,
        };
        if is_meant && is_asked_by { Ok(()) } else { Err(Flaw::Wrong("it is for another program")) }
    }
}
