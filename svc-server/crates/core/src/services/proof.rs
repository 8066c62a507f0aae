//! Proofs of work: what a program pays for signing up, or for guessing on, where nothing else says who
//! it is. Challenges and solutions are those of ALTCHA, version 2.
//!
//! A challenge is signed and not stored, so that asking for many costs the server nothing. A proof is
//! stored until its challenge expires, because it works once.

use std::time::Duration;

use altcha::{
    CreateChallengeOptions, HmacAlgorithm, Payload, VerifySolutionOptions, create_challenge,
    sign_challenge, verify_solution,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::auth::{Challenge, ChallengeParameters};
use svc_types::{Code, Timestamp};

use crate::app::{App, Ctx};
use crate::keys::{self, Hash};

/// How long a challenge can be solved.
pub const CHALLENGE_LIFE: Duration = Duration::from_mins(10);

/// How keys are derived: browsers have it built in.
const ALGORITHM: &str = "PBKDF2/SHA-256";

/// What the key of a solution begins with, in hex: one in 256 does.
const PREFIX: &str = "00";

/// A solved challenge, of which it is not yet known whether it was used before.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    challenge: Hash,
    expires_at: Timestamp,
}

/// A new challenge.
pub fn challenge(app: &App, now: Timestamp) -> Result<Challenge> {
    let expires_at = now.plus(CHALLENGE_LIFE).as_millis() / 1_000;
    let secret = app.encrypt.challenge_secrets().next();
    let made = create_challenge(CreateChallengeOptions {
        algorithm: ALGORITHM.to_owned(),
        cost: app.config.signup.proof_cost,
        expires_at: Some(expires_at),
        hmac_signature_secret: secret.map(str::to_owned),
        key_prefix: PREFIX.to_owned(),
        ..CreateChallengeOptions::default()
    });
    let made = made.map_err(Error::internal)?;
    let signature = made.signature.ok_or_else(|| Error::internal("a challenge is not signed"))?;
    let parameters = ChallengeParameters {
        algorithm: made.parameters.algorithm,
        cost: made.parameters.cost,
        expires_at,
        key_length: u32::try_from(made.parameters.key_length).map_err(Error::internal)?,
        key_prefix: made.parameters.key_prefix,
        nonce: made.parameters.nonce,
        salt: made.parameters.salt,
    };
    Ok(Challenge { parameters, signature })
}

/// Checks a proof as it was sent, which takes milliseconds; 403 for one that proves nothing.
pub fn check(app: &App, text: &str, now: Timestamp) -> Result<Proof> {
    let mut payload = decode(text).ok_or_else(|| refusal("the proof is malformed"))?;
    let secret = app.encrypt.challenge_secrets().find(|secret| is_signed(&payload, secret));
    let secret = secret.ok_or_else(|| refusal("the challenge is not of this server"))?;
    let end = payload.challenge.parameters.expires_at.unwrap_or_default();
    let expires_at = Timestamp::from_millis(end.saturating_mul(1_000));
    if expires_at <= now {
        return Err(refusal("the challenge has expired"));
    }
    let signature = payload.challenge.signature.take().unwrap_or_default();
    if is_solved(&payload, secret) {
        Ok(Proof { challenge: keys::hash(&signature), expires_at })
    } else {
        Err(refusal("the solution is wrong"))
    }
}

fn decode(text: &str) -> Option<Payload> {
    let json = STANDARD.decode(text).ok()?;
    serde_json::from_slice(&json).ok()
}

/// Whether the challenge was signed with this secret.
fn is_signed(payload: &Payload, secret: &str) -> bool {
    let mut parameters = payload.challenge.parameters.clone();
    let right = sign_challenge(&HmacAlgorithm::Sha256, &mut parameters, None, secret, None);
    let right = right.ok().and_then(|challenge| challenge.signature).unwrap_or_default();
    let sent = payload.challenge.signature.as_deref().unwrap_or_default();
    !right.is_empty() && keys::same(&keys::hash(sent), &keys::hash(&right))
}

/// Whether the solution is one of a challenge that was signed here. ALTCHA reads the clock of the
/// system, so it judges the challenge without its end.
fn is_solved(payload: &Payload, secret: &str) -> bool {
    let mut parameters = payload.challenge.parameters.clone();
    parameters.expires_at = None;
    let signed = sign_challenge(&HmacAlgorithm::Sha256, &mut parameters, None, secret, None);
    let judged = signed.and_then(|challenge| {
        verify_solution(VerifySolutionOptions::new(&challenge, &payload.solution, secret))
    });
    judged.is_ok_and(|judged| judged.verified)
}

/// Uses a proof up; 403 if it was used before.
pub fn spend(ctx: &mut Ctx<'_, '_>, proof: &Proof) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "insert into spent_proof (challenge, expires_at) values ($1, $2)
             on conflict (challenge) do nothing"
        ),
        values![proof.challenge, proof.expires_at],
    )?;
    if rows == 1 { Ok(()) } else { Err(refusal("the proof was used before")) }
}

/// 403 where a proof is needed and none is sent.
pub fn needed() -> Error {
    refusal("a proof of work is needed")
}

fn refusal(message: &str) -> Error {
    let refusal = Refusal::new(Code::ProofRequired, message).field("proof");
    refusal.hint("solve GET /auth/challenge, and send the solution as proof").into()
}

forget_expired! {
    /// Forgets proofs whose challenge has expired.
    pub fn forget: "spent_proof" by "challenge"
}
