//! An action on an escrow: its kind, actor and texts.

use svc_types::api::escrow::ActionKind;

use crate::identity::Account;

/// An action and its actor.
#[derive(Clone, Copy, Debug)]
pub struct Act<'a> {
    /// What is done.
    pub action: ActionKind,
    /// Who does it; none for the clock.
    pub by: Option<&'a Account>,
    /// What they say.
    pub note: Option<&'a str>,
}
