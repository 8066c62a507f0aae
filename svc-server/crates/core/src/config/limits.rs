//! Bounds on requests and on what accounts do.

use std::time::Duration;

use serde::Deserialize;
use svc_store::error::SetupError;
use svc_types::Span;

use super::{MqttLimits, span};
use crate::services::trust::Trust;

/// Bounds on requests.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Largest request body in bytes.
    pub body_bytes: usize,
    /// Most bytes of an account's data in one export.
    pub export_bytes: u64,
    /// Open connections in all.
    pub connections: usize,
    /// Open connections from one network.
    pub connections_per_address: u32,
    /// Time for the head of a request.
    #[serde(deserialize_with = "span")]
    pub head_timeout: Duration,
    /// Time for a whole request.
    #[serde(deserialize_with = "span")]
    pub request_timeout: Duration,
    /// Whether accounts have budgets, and networks limits on new accounts and apps.
    pub budgets: bool,
    /// Messages from one account to another, except orders and their responses.
    pub dm_per_peer: Rate,
    /// What a new account may do.
    pub new: AccountLimits,
    /// What an established account may do.
    pub established: AccountLimits,
    /// What a trusted account may do.
    pub trusted: AccountLimits,
    /// New apps without an account.
    pub apps: AppLimits,
    /// Mails.
    pub mails: MailLimits,
    /// Connections to the broker.
    pub mqtt: MqttLimits,
    /// Top-level posts.
    pub posts: PostLimits,
    /// Password resets.
    pub resets: ResetLimits,
    /// Failed sign-ins.
    pub sign_in: SignInLimits,
    /// New accounts.
    pub sign_up: SignUpLimits,
    /// Pictures.
    pub uploads: UploadLimits,
}

/// Window for one top-level post, by tier (spec §8).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostLimits {
    /// Free tier.
    #[serde(deserialize_with = "span")]
    pub free_window: Duration,
    /// Boost tier.
    #[serde(deserialize_with = "span")]
    pub boost_window: Duration,
    /// Pro tier.
    #[serde(deserialize_with = "span")]
    pub pro_window: Duration,
}

/// Failed sign-ins.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignInLimits {
    /// Per account and network.
    pub account_failures: u32,
    /// Their window.
    #[serde(deserialize_with = "span")]
    pub account_window: Duration,
    /// Per network.
    pub address_failures: u32,
    /// Their window.
    #[serde(deserialize_with = "span")]
    pub address_window: Duration,
    /// Per account, from everywhere.
    pub everywhere_failures: u32,
    /// Their window.
    #[serde(deserialize_with = "span")]
    pub everywhere_window: Duration,
    /// How long a network is known after a sign-in.
    #[serde(deserialize_with = "span")]
    pub known_for: Duration,
}

/// New accounts per network.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignUpLimits {
    /// Most in a window; 0 means no limit.
    pub count: u32,
    /// The window.
    #[serde(deserialize_with = "span")]
    pub window: Duration,
}

/// New apps that belong to no account, per network.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppLimits {
    /// Most in a window; 0 means no limit.
    pub count: u32,
    /// The window.
    #[serde(deserialize_with = "span")]
    pub window: Duration,
}

/// Links that are sent by mail; 0 means no limit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailLimits {
    /// To the addresses of one account.
    pub per_account: u32,
    /// To one address.
    pub per_recipient: u32,
    /// Their window.
    #[serde(deserialize_with = "span")]
    pub window: Duration,
}

/// Requests for a password reset per network.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResetLimits {
    /// Most in a window; 0 means no limit.
    pub count: u32,
    /// The window.
    #[serde(deserialize_with = "span")]
    pub window: Duration,
}

/// Rates and quotas of an account. 0 means no limit, but for invites none.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountLimits {
    /// Changes of any kind.
    pub writes: Rate,
    /// Bytes sent.
    pub bytes: Rate,
    /// Messages.
    pub messages: Rate,
    /// First messages to accounts it has no conversation with.
    pub strangers: Rate,
    /// Orders and escrows.
    pub deals: Rate,
    /// Open escrows it has not paid.
    pub unfunded: u32,
    /// Apps it owns.
    pub apps: u32,
    /// Open invites.
    pub invites: u32,
}

impl Limits {
    /// Refuses a 0 that would allow nothing, such as no sign-in by a code from a new network, or no export: elsewhere
    /// it means that there is no limit.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        let closed = [
            ("body_bytes", self.body_bytes == 0),
            ("export_bytes", self.export_bytes == 0),
            ("connections", self.connections == 0),
            ("connections_per_address", self.connections_per_address == 0),
            ("sign_in.account_failures", self.sign_in.account_failures == 0),
            ("sign_in.everywhere_failures", self.sign_in.everywhere_failures == 0),
            ("mqtt.connections", self.mqtt.connections == 0),
            ("mqtt.connections_per_account", self.mqtt.connections_per_account == 0),
            ("mqtt.refused_per_address", self.mqtt.refused_per_address == 0),
            ("mqtt.waiting_per_address", self.mqtt.waiting_per_address == 0),
        ];
        let Some((name, _)) = closed.into_iter().find(|(_, is_closed)| *is_closed) else {
            return Ok(());
        };
        let message = format!("limits.{name} must be at least 1; here 0 would allow nothing");
        Err(SetupError::new(message))
    }

    /// What accounts may do that are trusted so far.
    pub const fn of(&self, trust: Trust) -> &AccountLimits {
        match trust {
            Trust::New => &self.new,
            Trust::Established => &self.established,
            Trust::Trusted => &self.trusted,
        }
    }
}

/// A count per duration, such as `600/1h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Rate {
    /// How many.
    pub count: u32,
    /// The time.
    pub window: Duration,
}

impl TryFrom<String> for Rate {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let read = |text: &str| {
            let (count, window) = text.split_once('/')?;
            let window: Span = window.parse().ok()?;
            Some(Self { count: count.parse().ok()?, window: window.duration() })
        };
        read(&text).ok_or("must be a number and a duration, such as 600/1h")
    }
}

/// Pictures an account uploads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadLimits {
    /// Most in a window; 0 means no limit.
    pub count: u32,
    /// The window.
    #[serde(deserialize_with = "span")]
    pub window: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_number_and_a_duration() {
        let rate = |text: &str| Rate::try_from(text.to_owned());
        let window = Duration::from_hours(1);
        assert_eq!(rate("600/1h"), Ok(Rate { count: 600, window }));
        assert_eq!(rate("0/1h"), Ok(Rate { count: 0, window }));
        for wrong in ["", "600", "600/", "/1h", "-1/1h", "600/0h", "600/1h/2", "4294967296/1h"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }
}
