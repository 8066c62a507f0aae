//! Milestones of a plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Note;
use crate::credits::PositiveCredits;
use crate::time::Span;

/// Fewest and most milestones of a plan.
pub const MILESTONES: std::ops::RangeInclusive<usize> = 2..=20;

/// A part of a large task, with an escrow of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Milestone {
    /// Amount in credits.
    pub amount: PositiveCredits,
    /// Description of the task.
    pub description: Note,
    /// Time for the delivery, from now on: 1m to 90d; 7d when omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<Span>,
}

impl Milestone {
    /// A milestone to be delivered within 7 days.
    pub fn new(amount: impl Into<PositiveCredits>, description: impl Into<Note>) -> Self {
        Self { amount: amount.into(), description: description.into(), expires_in: None }
    }
}
