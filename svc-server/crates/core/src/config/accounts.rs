//! Settings of accounts: how they end, and what gives access to them.

use std::time::Duration;

use serde::Deserialize;
use svc_store::error::SetupError;
use svc_types::Credits;

use super::span;
use crate::passwords::Cost;

/// Deleted accounts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accounts {
    /// Time until their content is erased.
    #[serde(deserialize_with = "span")]
    pub erase_after: Duration,
}

/// Passwords that people choose.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PasswordRules {
    /// A file of SHA-1 hashes that none of them may have; empty for none.
    pub breached_file: String,
    /// What their hashes cost; no setting.
    #[serde(skip)]
    pub cost: Cost,
}

/// Reports of vulnerabilities.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Security {
    /// Where to report them, as a URI; empty for nowhere.
    pub contact: String,
}

impl Security {
    pub(super) fn check(&self) -> Result<(), SetupError> {
        let is_uri = ["mailto:", "https://", "tel:"].iter().any(|it| self.contact.starts_with(it));
        let is_plain = self.contact.bytes().all(|byte| byte.is_ascii_graphic());
        if self.contact.is_empty() || is_uri && is_plain {
            return Ok(());
        }
        let message = "security.contact must begin with mailto:, https:// or tel:, without spaces";
        Err(SetupError::new(message.to_owned()))
    }
}

/// Programs that act for accounts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oauth {
    /// Whether they may register themselves.
    pub registration: bool,
    /// From which price on `/mcp` asks the person, although the caps would allow it.
    pub ask_above: Credits,
}

/// How long a sign-in lasts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionLife {
    /// At most.
    #[serde(deserialize_with = "span")]
    pub life: Duration,
    /// Without use.
    #[serde(deserialize_with = "span")]
    pub idle: Duration,
}
