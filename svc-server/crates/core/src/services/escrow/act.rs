//! An act on an escrow: what, by whom, with which words.

use svc_types::api::escrow::ActionKind;

use crate::identity::Account;

/// What is done, and by whom.
#[derive(Clone, Copy, Debug)]
pub struct Act<'a> {
    /// What is done.
    pub action: ActionKind,
    /// Who does it; none for the clock.
    pub by: Option<&'a Account>,
    /// What they say.
    pub note: Option<&'a str>,
}
