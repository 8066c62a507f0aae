//! The keys that sign ID tokens, attestations and agent cards, one of each algorithm at a time.
//!
//! A key signs for 90 days. The next one is published a week before it signs, so that everyone who
//! caches keys has it in time, and each stays published for a month after.

use std::time::Duration;

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::encoding::Pkcs8V1Der;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256,
};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Map, Value, json};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::Timestamp;

use crate::app::{App, Ctx};
use crate::ids;

/// How long a key signs.
const LIFE: Duration = Duration::from_hours(90 * 24);

/// How long before that it is published.
const BEFORE: Duration = Duration::from_hours(7 * 24);

/// How long after that it is published.
const AFTER: Duration = Duration::from_hours(31 * 24);

/// An algorithm of signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alg {
    /// ECDSA on P-256.
    Es256,
    /// RSA with PKCS #1 v1.5, for clients that know nothing else.
    Rs256,
}

impl Alg {
    /// Both, in the order of preference.
    pub const ALL: [Self; 2] = [Self::Es256, Self::Rs256];

    /// Its registered name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::Rs256 => "RS256",
        }
    }

    /// The algorithm with this stored name.
    pub fn stored(text: &str) -> Self {
        if text == Self::Rs256.as_str() { Self::Rs256 } else { Self::Es256 }
    }
}

/// A key that has to be made.
#[derive(Clone, Copy, Debug)]
pub struct Missing {
    alg: Alg,
    n: i64,
    active_from: Timestamp,
}

/// A new key, not yet stored.
pub struct NewKey {
    place: Missing,
    kid: String,
    /// PKCS #8.
    private: Vec<u8>,
    public: Value,
}

/// The keys that have to be made by now: those that sign, and those that soon will. Keys that begin later were made by
/// a clock that was far ahead: without others, nothing could be signed until then. When their time comes, others with
/// larger numbers sign, and only the ends of those count.
pub fn missing(ctx: &mut Ctx<'_, '_>) -> Result<Vec<Missing>> {
    let now = ctx.now();
    let mut missing = Vec::new();
    for alg in Alg::ALL {
        let (last, until, signing): (Option<i64>, Option<Timestamp>, i64) = ctx.tx.one(
            sql!(
                "select max(n),
                    (select k.active_until from signing_key k
                        where k.alg = $1 and k.active_from <= $2 order by k.n desc limit 1),
                    count(case when active_from <= $3 and active_until > $3 then 1 end)
                 from signing_key where alg = $1"
            ),
            values![alg.as_str(), now.plus(BEFORE * 2), now],
        )?;
        let n = last.unwrap_or(0) + 1;
        match until {
            Some(until) if signing > 0 && until.minus(BEFORE) > now => {}
            Some(until) if signing > 0 => {
                missing.push(Missing { alg, n, active_from: until.max(now) });
            }
            _ => missing.push(Missing { alg, n, active_from: now }),
        }
    }
    Ok(missing)
}

/// Whether there is any key, which the first use makes.
pub fn is_any(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let sql = sql!("select n from signing_key where alg = $1 limit 1");
    Ok(ctx.tx.optional::<i64>(sql, values![Alg::Es256.as_str()])?.is_some())
}

impl Missing {
    /// Makes the key, which takes a while.
    pub fn make(self) -> Result<NewKey> {
        let kid = URL_SAFE_NO_PAD.encode(ids::random::<12>());
        let (private, public) = match self.alg {
            Alg::Es256 => elliptic(&kid)?,
            Alg::Rs256 => rsa(&kid)?,
        };
        Ok(NewKey { place: self, kid, private, public })
    }
}

fn elliptic(kid: &str) -> Result<(Vec<u8>, Value)> {
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(failed)?;
    let private = pair.to_pkcs8v1().map_err(failed)?;
    // An uncompressed point: 4, then both coordinates.
    let point = pair.public_key().as_ref();
    let (x, y) = point.get(1..).unwrap_or_default().split_at(32);
    let encode = |bytes| URL_SAFE_NO_PAD.encode(bytes);
    let public = json!({
        "kty": "EC", "crv": "P-256", "x": encode(x), "y": encode(y),
        "use": "sig", "alg": "ES256", "kid": kid,
    });
    Ok((private.as_ref().to_vec(), public))
}

/// How the public half of a key of 2048 bits begins and ends in DER, around its modulus.
const RSA_BEGIN: &[u8] = &[0x30, 0x82, 0x01, 0x0a, 0x02, 0x82, 0x01, 0x01, 0x00];
const RSA_END: &[u8] = &[0x02, 0x03, 0x01, 0x00, 0x01];

fn rsa(kid: &str) -> Result<(Vec<u8>, Value)> {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).map_err(failed)?;
    let private: Pkcs8V1Der<'_> = pair.as_der().map_err(failed)?;
    let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    // PKCS #1: a sequence of the modulus, whose first byte is 0, and of the exponent 65537.
    let der = pair.public_key().as_ref();
    let modulus = der.strip_prefix(RSA_BEGIN).and_then(|rest| rest.strip_suffix(RSA_END));
    let modulus = modulus.ok_or_else(|| failed("its public half has another form"))?;
    let public = json!({
        "kty": "RSA", "n": encode(modulus), "e": encode(&[1, 0, 1]),
        "use": "sig", "alg": "RS256", "kid": kid,
    });
    Ok((private.as_ref().to_vec(), public))
}

#[track_caller]
fn failed(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("a signing key could not be made or used: {error}"))
}

/// Stores a new key, unless another node was faster.
pub fn add(ctx: &mut Ctx<'_, '_>, key: &NewKey) -> Result<()> {
    let NewKey { place: Missing { alg, n, active_from }, kid, private, public } = key;
    let sealed = ctx.app.encrypt.encrypt(&owner(kid), &STANDARD.encode(private))?;
    ctx.tx.execute(
        sql!(
            "insert into signing_key (alg, n, kid, public, sealed, active_from, active_until)
             values ($1, $2, $3, $4, $5, $6, $7) on conflict (alg, n) do nothing"
        ),
        values![
            alg.as_str(),
            n,
            kid,
            public.to_string(),
            sealed,
            active_from,
            active_from.plus(LIFE)
        ],
    )?;
    Ok(())
}

/// To whom the encrypted key belongs.
fn owner(kid: &str) -> String {
    format!("signing_key {kid}")
}

/// The public keys: current, next and former ones.
pub fn published(ctx: &mut Ctx<'_, '_>) -> Result<Vec<Value>> {
    let since = ctx.now().minus(AFTER);
    let mut published = Vec::new();
    for alg in Alg::ALL {
        let keys: Vec<String> = ctx.tx.all(
            sql!(
                "select public from signing_key where alg = $1 and active_until > $2
                 order by n desc limit 10"
            ),
            values![alg.as_str(), since],
        )?;
        for key in keys {
            published.push(serde_json::from_str(&key).map_err(Error::internal)?);
        }
    }
    Ok(published)
}

/// A JSON Web Signature without its payload, in base64url (RFC 7515, appendix F).
#[derive(Clone, Debug)]
pub struct Detached {
    /// The protected header.
    pub protected: String,
    /// The signature over it and the payload.
    pub signature: String,
}

/// Signs claims as a JSON Web Token of a type, by the key that is due now.
pub fn sign(
    ctx: &mut Ctx<'_, '_>,
    alg: Alg,
    typ: &str,
    claims: &Map<String, Value>,
) -> Result<String> {
    let claims = serde_json::to_vec(claims).map_err(Error::internal)?;
    let Detached { protected, signature } = sign_detached(ctx, alg, typ, &claims)?;
    Ok(format!("{protected}.{}.{signature}", URL_SAFE_NO_PAD.encode(claims)))
}

/// Signs bytes of this type (`typ`), by the key that is due now.
pub fn sign_detached(
    ctx: &mut Ctx<'_, '_>,
    alg: Alg,
    typ: &str,
    payload: &[u8],
) -> Result<Detached> {
    let now = ctx.now();
    let found: Option<(String, Vec<u8>)> = ctx.tx.optional(
        sql!(
            "select kid, sealed from signing_key where alg = $1 and active_from <= $2
             order by n desc limit 1"
        ),
        values![alg.as_str(), now],
    )?;
    let (kid, sealed) = found.ok_or_else(|| Error::internal("no key signs yet"))?;
    let private = ctx.app.encrypt.decrypt(&owner(&kid), &sealed)?;
    let private = STANDARD.decode(private).map_err(Error::internal)?;
    let header = json!({ "alg": alg.as_str(), "typ": typ, "kid": kid });
    let encode = |value: &[u8]| URL_SAFE_NO_PAD.encode(value);
    let protected = encode(header.to_string().as_bytes());
    let signed = format!("{protected}.{}", encode(payload));
    let signature = encode(&signature(alg, &private, signed.as_bytes())?);
    Ok(Detached { protected, signature })
}

fn signature(alg: Alg, private: &[u8], text: &[u8]) -> Result<Vec<u8>> {
    let random = SystemRandom::new();
    match alg {
        Alg::Es256 => {
            let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, private)
                .map_err(failed)?;
            Ok(pair.sign(&random, text).map_err(failed)?.as_ref().to_vec())
        }
        Alg::Rs256 => {
            let pair = RsaKeyPair::from_pkcs8(private).map_err(failed)?;
            let mut signature = vec![0; pair.public_modulus_len()];
            pair.sign(&RSA_PKCS1_SHA256, &random, text, &mut signature).map_err(failed)?;
            Ok(signature)
        }
    }
}

/// Deletes keys that are published no longer.
pub fn forget(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(AFTER);
    let mut rows = 0;
    for alg in Alg::ALL {
        rows += ctx.tx.execute(
            sql!(
                "delete from signing_key where alg = $1 and n in
                 (select n from signing_key where alg = $1 and active_until <= $2 limit $3)"
            ),
            values![alg.as_str(), before, most],
        )?;
    }
    Ok(rows)
}

struct Stored {
    alg: String,
    n: i64,
    kid: String,
    sealed: Vec<u8>,
}
row!(Stored { alg: "alg", n: "n", kid: "kid", sealed: "sealed" });

fn stored(ctx: &mut Ctx<'_, '_>, alg: Alg) -> Result<Vec<Stored>> {
    let sql = sql!("select ", Stored::COLUMNS, " from signing_key where alg = $1 order by n");
    ctx.tx.all(sql, values![alg.as_str()])
}

/// Encrypts every key with the newest key of the server; there are a handful. One that no key opens is left as it is:
/// it is lost already.
pub fn reencrypt(ctx: &mut Ctx<'_, '_>) -> Result<()> {
    for alg in Alg::ALL {
        for key in stored(ctx, alg)? {
            let Ok(text) = ctx.app.encrypt.decrypt(&owner(&key.kid), &key.sealed) else { continue };
            let sealed = ctx.app.encrypt.encrypt(&owner(&key.kid), &text)?;
            let sql = sql!("update signing_key set sealed = $1 where alg = $2 and n = $3");
            ctx.tx.execute(sql, values![sealed, key.alg, key.n])?;
        }
    }
    Ok(())
}

/// Ends the keys that no key of this server opens, so that others sign at once. Those that signed stay published, since
/// what they signed can still be verified.
pub fn give_up_lost(ctx: &mut Ctx<'_, '_>) -> Result<()> {
    let now = ctx.now();
    for alg in Alg::ALL {
        // The last one first, so that none that is lost becomes the next.
        for key in stored(ctx, alg)?.into_iter().rev() {
            if ctx.app.encrypt.decrypt(&owner(&key.kid), &key.sealed).is_ok() {
                continue;
            }
            let unused =
                sql!("delete from signing_key where alg = $1 and n = $2 and active_from > $3");
            ctx.tx.execute(unused, values![key.alg, key.n, now])?;
            let ended = sql!(
                "update signing_key set active_until = $1
                 where alg = $2 and n = $3 and active_until > $1"
            );
            ctx.tx.execute(ended, values![now, key.alg, key.n])?;
            // The next one may have been made by a key that is left.
            let next = sql!(
                "update signing_key set active_from = $1
                 where alg = $2 and n = $3 and active_from > $1"
            );
            ctx.tx.execute(next, values![now, key.alg, key.n + 1])?;
        }
    }
    Ok(())
}

/// Makes the keys that are due: all of them at the first use.
pub async fn ensure(app: &std::sync::Arc<App>) -> Result<()> {
    for place in app.read(missing).await? {
        let made = tokio::task::spawn_blocking(move || place.make());
        let key = made.await.map_err(Error::internal)??;
        app.write(move |ctx| add(ctx, &key)).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, ParsedPublicKey};

    use super::*;

    #[test]
    fn what_a_key_signs_its_public_half_verifies() {
        let place = Missing { alg: Alg::Es256, n: 1, active_from: Timestamp::from_millis(0) };
        let key = place.make().unwrap();
        let signature = signature(Alg::Es256, &key.private, b"text").unwrap();
        let part = |name: &str| URL_SAFE_NO_PAD.decode(key.public[name].as_str().unwrap()).unwrap();
        let point = [vec![4], part("x"), part("y")].concat();
        let public = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).unwrap();
        assert!(public.verify_sig(b"text", &signature).is_ok());
        assert!(public.verify_sig(b"other", &signature).is_err());
    }
}
