//! Settings of credits and deals.

use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use svc_store::error::SetupError;
use svc_types::Credits;
use svc_types::api::escrow::DisputeOutcome;

use super::{duration, span};

/// Credits and deals.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// Credits of a new account.
    pub signup_grant: Credits,
    /// What an account needs for them.
    #[serde(deserialize_with = "condition")]
    pub grant_requires: Option<GrantCondition>,
    /// Time until an unanswered service request expires.
    #[serde(deserialize_with = "span")]
    pub request_life: Duration,
    /// Time for the buyer to review a delivery.
    #[serde(deserialize_with = "span")]
    pub review_window: Duration,
    /// Time until an undecided dispute ends, if it does.
    #[serde(deserialize_with = "span_or_never")]
    pub dispute_timeout: Option<Duration>,
    /// How it ends then.
    pub dispute_timeout_outcome: DisputeOutcome,
    /// Time between two audits, if there are any.
    #[serde(deserialize_with = "span_or_never")]
    pub audit_every: Option<Duration>,
    /// Encryption keys in base64, newest first.
    pub(crate) sealing_keys: Vec<String>,
}

/// What an account needs for the sign-up grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantCondition {
    /// A linked account elsewhere; each pays once.
    Linked,
    /// An invite; each pays once.
    Invite,
    /// The approval of a moderator.
    Approval,
    /// Nothing: for private servers.
    Nothing,
}

impl Exchange {
    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        let outcome = &self.dispute_timeout_outcome;
        if !matches!(outcome, DisputeOutcome::Release | DisputeOutcome::Refund) {
            return Err(SetupError::new(
                "exchange.dispute_timeout_outcome must be release or refund".to_owned(),
            ));
        }
        if self.signup_grant.micros() == 0 || self.grant_requires.is_some() {
            return Ok(());
        }
        let message = "exchange.signup_grant is above 0, and free credits are what fake accounts are \
                       made for: set exchange.grant_requires to what a new account needs for them: \
                       linked, invite, approval, or nothing on a private server";
        Err(SetupError::new(message.to_owned()))
    }
}

fn condition<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<GrantCondition>, D::Error> {
    Ok(match String::deserialize(deserializer)?.as_str() {
        "" => None,
        "linked" => Some(GrantCondition::Linked),
        "invite" => Some(GrantCondition::Invite),
        "approval" => Some(GrantCondition::Approval),
        "nothing" => Some(GrantCondition::Nothing),
        _ => return Err(D::Error::custom("must be linked, invite, approval or nothing")),
    })
}

fn span_or_never<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    duration(&text).map(Some)
}
