//! Settings of signing up.

use serde::Deserialize;
use svc_store::error::SetupError;

/// Most iterations of a proof: checking one takes as many, in tens of milliseconds.
const PROOF_COST_MAX: u32 = 200_000;

/// Who may sign up.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signup {
    /// Who may.
    pub mode: SignupMode,
    /// Whether they need a proof of work.
    pub proof: bool,
    /// Iterations of each try at a proof; it takes 256 tries on average.
    pub proof_cost: u32,
}

/// Who may sign up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignupMode {
    /// Everybody.
    Open,
    /// Who has an invite.
    Invite,
    /// Everybody, and a moderator approves each account that has no invite.
    Approval,
    /// Nobody.
    Closed,
}

impl Signup {
    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        if (1..=PROOF_COST_MAX).contains(&self.proof_cost) {
            return Ok(());
        }
        let message = format!("signup.proof_cost must be from 1 to {PROOF_COST_MAX}");
        Err(SetupError::new(message))
    }
}
