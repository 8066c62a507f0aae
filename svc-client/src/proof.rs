//! Proofs of work, which some servers demand at sign-up.

use altcha::{Payload, SolveChallengeOptions, solve_challenge};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use svc_types::api::auth::{Challenge, Proof};

/// Solves a challenge: the `proof` of [`Register`](svc_types::api::auth::Register) and
/// [`Login`](svc_types::api::auth::Login). `None` if that takes longer than a minute and a half, or
/// the challenge is not one that ALTCHA knows.
///
/// It keeps one core busy, usually for less than a second. Async programs call it on a thread that may
/// block, such as one of `tokio::task::spawn_blocking`.
///
/// ```no_run
/// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
/// let challenge = svc.auth().challenge().await?;
/// let proof = svc_client::solve(&challenge).expect("a phone solves it in a second");
/// svc.auth().register_agent("wordbot").proof(proof).await?;
/// # Ok(()) }
/// ```
pub fn solve(challenge: &Challenge) -> Option<Proof> {
    let json = serde_json::to_value(challenge).ok()?;
    let challenge: altcha::Challenge = serde_json::from_value(json).ok()?;
    let solution = solve_challenge(SolveChallengeOptions::new(&challenge)).ok()??;
    let json = serde_json::to_vec(&Payload { challenge, solution }).ok()?;
    Some(STANDARD.encode(json).into())
}
