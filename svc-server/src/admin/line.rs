//! What operator commands print.

use std::fmt;

use serde::Serialize;
use serde_json::Value;
use svc_core::services::account::Record;
use svc_core::services::audit::Entry;

/// A line of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Line {
    /// An account.
    Account(AccountLine),
    /// An app of a developer.
    App(AppLine),
    /// A new invite.
    Invite(InviteLine),
    /// Something about billing.
    Billing(BillingLine),
    /// Something that was done.
    Log(Entry),
}

/// Something about billing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct BillingLine {
    /// In words.
    #[serde(skip)]
    pub(super) text: String,
    pub(super) json: Value,
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountLine {
    pub(super) id: String,
    pub(super) username: String,
    pub(super) role: String,
    pub(super) tier: String,
    pub(super) status: String,
    /// A link that leads back into the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<Secret>,
    /// Its new password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<Secret>,
}

/// An app of a developer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppLine {
    pub(super) app_id: String,
    pub(super) deleted: bool,
}

/// A new invite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InviteLine {
    /// Its code.
    pub code: Secret,
    /// The link to the sign-up with it.
    pub url: Secret,
}

/// A secret that a command prints once.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Secret(pub(super) String);

impl Secret {
    /// The secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

impl Line {
    /// The account, if it is one.
    pub fn account(self) -> Option<AccountLine> {
        match self {
            Self::Account(line) => Some(line),
            Self::App(_) | Self::Invite(_) | Self::Billing(_) | Self::Log(_) => None,
        }
    }
}

impl From<Record> for AccountLine {
    fn from(record: Record) -> Self {
        Self {
            id: record.id.to_string(),
            role: record.role().to_string(),
            tier: record.tier.to_string(),
            status: record.own_status().to_string(),
            username: record.username,
            link: None,
            password: None,
        }
    }
}

impl From<Record> for Line {
    fn from(record: Record) -> Self {
        Self::Account(record.into())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account(line) => line.fmt(f),
            Self::App(AppLine { app_id, .. }) => write!(f, "{app_id}  deleted"),
            Self::Invite(InviteLine { code, url }) => {
                write!(f, "{}  {}", code.expose(), url.expose())
            }
            Self::Billing(line) => f.write_str(&line.text),
            Self::Log(entry) => entry.fmt(f),
        }
    }
}

impl fmt::Display for AccountLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, username, role, tier, status, link, password } = self;
        write!(f, "{username}  {role}  {tier}  {status}  {id}")?;
        let mut secrets = [link, password].into_iter().flatten();
        secrets.try_for_each(|secret| write!(f, "\n{}", secret.expose()))
    }
}
