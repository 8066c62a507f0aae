//! Settings of how requests are read.

use serde::Deserialize;

/// How requests are read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiSettings {
    /// Which endpoints refuse unknown members of bodies.
    pub strict: Strictness,
}

/// Which endpoints refuse unknown members of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// Those that declare it, and others if the caller prefers it.
    Declared,
    /// All of them.
    All,
}
