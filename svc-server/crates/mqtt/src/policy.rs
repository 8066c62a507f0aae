//! Who may connect to the broker, and who may subscribe and publish there. Every such decision is
//! made here.

use std::fmt;

use svc_core::app::Ctx;
use svc_core::identity;
use svc_core::services::channel;
use svc_store::error::{Error, Result};
use svc_types::api::users::AccountStatus;
use svc_types::{ChannelId, Id, Scope, UserId};

/// Longest topic in bytes; every valid one is much shorter.
const TOPIC_BYTES_MAX: usize = 256;

/// Longest suffix of a client id, after the account id and `:`.
const SUFFIX_BYTES_MAX: usize = 64;

/// The account that a client acts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal(pub UserId);

/// The scopes of a key that may connect.
const LIVE_SCOPES: [Scope; 2] = [Scope::Read, Scope::Dm];

/// Why a client may not connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// The password is not a valid key, or the user name is not the id of its account.
    Login,
    /// The client id does not begin with the account id.
    ClientId,
    /// The account is suspended.
    Suspended,
    /// The key lacks a scope that live events need.
    Scope,
}

/// An action on a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Receive its messages.
    Subscribe,
    /// Send a message.
    Publish,
}

/// A valid topic. There are no others, and no wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Direct messages to an account.
    Dm(UserId),
    /// Other notifications of an account.
    Notifications(UserId),
    /// Messages of a channel.
    Channel(ChannelId),
    /// New posts of all accounts.
    GlobalFeed,
}

impl Topic {
    /// The topic of this name.
    pub fn parse(name: &str) -> Option<Self> {
        let is_odd = |char| matches!(char, '+' | '#' | '$' | '\0');
        if name.len() > TOPIC_BYTES_MAX || name.contains(is_odd) {
            return None;
        }
        let mut parts = name.split('/');
        let (Some("svc"), Some(kind), Some(id), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return None;
        };
        match (kind, id) {
            (_, "") => None,
            ("dm", id) => Some(Self::Dm(id.into())),
            ("notifications", id) => Some(Self::Notifications(id.into())),
            ("channels", id) => Some(Self::Channel(id.into())),
            ("feed", "global") => Some(Self::GlobalFeed),
            _ => None,
        }
    }
}

impl Topic {
    /// The names of the topics of a stream of events.
    pub(crate) fn of_stream(stream: &str) -> Vec<String> {
        if stream.starts_with(ChannelId::PREFIX) {
            return vec![Self::Channel(stream.into()).to_string()];
        }
        vec![Self::Dm(stream.into()).to_string(), Self::Notifications(stream.into()).to_string()]
    }

    /// What all topics of its kind begin with.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Dm(_) => "svc/dm",
            Self::Notifications(_) => "svc/notifications",
            Self::Channel(_) => "svc/channels",
            Self::GlobalFeed => "svc/feed/global",
        }
    }

    /// The stream of events with numbers that the topic is of; the global feed has none.
    pub(crate) fn stream(&self) -> Option<&str> {
        match self {
            Self::Dm(account) | Self::Notifications(account) => Some(account.as_str()),
            Self::Channel(channel) => Some(channel.as_str()),
            Self::GlobalFeed => None,
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dm(id) | Self::Notifications(id) => write!(f, "{}/{id}", self.kind()),
            Self::Channel(id) => write!(f, "{}/{id}", self.kind()),
            Self::GlobalFeed => f.write_str(self.kind()),
        }
    }
}

/// The result of an authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// The client acts for this account.
    Granted(Principal),
    /// The client may not connect.
    Denied(Denied),
}

/// Authenticates a client by its password, an API key. The user name is the account's id, or
/// absent. The client id begins with the account's id, because brokers keep sessions by client id
/// alone; an empty one is replaced by the broker.
pub fn authenticate(
    ctx: &mut Ctx<'_, '_>,
    username: Option<&str>,
    password: Option<&str>,
    client_id: &str,
) -> Result<Authentication> {
    let denied = |why| Ok(Authentication::Denied(why));
    let Some(key) = password else { return denied(Denied::Login) };
    let account = match identity::account_of_key(ctx, key) {
        Ok(account) => account,
        Err(Error::Refused(_)) => return denied(Denied::Login),
        Err(fault) => return Err(fault),
    };
    // A client's session outlives its connection and knows only its account, so every key that
    // connects must be allowed to receive all of the account's topics.
    if !LIVE_SCOPES.iter().all(|scope| account.scopes.contains(scope)) {
        return denied(Denied::Scope);
    }
    let name = username.unwrap_or_default();
    if !name.is_empty() && name != account.id.as_str() {
        return denied(Denied::Login);
    }
    if account.status == AccountStatus::Suspended {
        return denied(Denied::Suspended);
    }
    if !client_id.is_empty() && !is_of(client_id, &account.id) {
        return denied(Denied::ClientId);
    }
    Ok(Authentication::Granted(Principal(account.id)))
}

/// Whether a client id belongs to this account: its id, alone or with `:` and a suffix.
pub fn is_of(client_id: &str, account: &UserId) -> bool {
    let Some(rest) = client_id.strip_prefix(account.as_str()) else { return false };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    rest.is_empty()
        || rest.strip_prefix(':').is_some_and(|suffix| {
            (1..=SUFFIX_BYTES_MAX).contains(&suffix.len()) && suffix.bytes().all(is_plain)
        })
}

/// Whether a client may perform this action on the topic of this name.
pub fn authorize(
    ctx: &mut Ctx<'_, '_>,
    Principal(account): &Principal,
    action: Action,
    topic: &str,
) -> Result<bool> {
    let is_subscribe = action == Action::Subscribe;
    match Topic::parse(topic) {
        Some(Topic::Dm(of) | Topic::Notifications(of)) => Ok(is_subscribe && of == *account),
        Some(Topic::GlobalFeed) => Ok(is_subscribe),
        Some(Topic::Channel(id)) => {
            let member = channel::role(ctx, account, &id)?;
            Ok(member.is_some_and(|member| is_subscribe || member.may_post))
        }
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn topics_are_written_as_they_are_read() {
        for name in
            ["svc/dm/usr_1", "svc/notifications/usr_1", "svc/channels/chan_1", "svc/feed/global"]
        {
            assert_eq!(Topic::parse(name).unwrap().to_string(), name);
        }
    }

    #[test]
    fn an_invalid_name_is_not_a_topic() {
        let long = format!("svc/dm/{}", "x".repeat(65_536));
        for name in [
            "",
            "#",
            "+",
            "/",
            "svc",
            "svc/#",
            "svc/dm",
            "svc/dm/",
            "svc/dm/+",
            "svc/dm/usr_1/#",
            "svc/dm/usr_1/x",
            "svc/dm/usr_1/",
            "/svc/dm/usr_1",
            "svc//dm",
            "svc//usr_1",
            "$share/g/svc/dm/usr_1",
            "$SYS/#",
            "SVC/dm/usr_1",
            "svc/DM/usr_1",
            "svc/feed/usr_1",
            "svc/feed/global/",
            "svc/dm/usr\0",
            "ѕvc/dm/usr_1",
            " svc/dm/usr_1",
            &long,
        ] {
            assert_eq!(Topic::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_client_id_is_the_accounts_id_with_or_without_a_plain_suffix() {
        let account = UserId::from("usr_1");
        for own in ["usr_1", "usr_1:a", "usr_1:A-b_c.9", &format!("usr_1:{}", "x".repeat(64))] {
            assert!(is_of(own, &account), "{own}");
        }
        for foreign in [
            "usr_",
            "usr_2",
            "usr_12",
            "usr_1:",
            "usr_1:a b",
            "usr_1:ä",
            "usr_1:#",
            " usr_1",
            &format!("usr_1:{}", "x".repeat(65)),
        ] {
            assert!(!is_of(foreign, &account), "{foreign}");
        }
    }

    proptest! {
        #[test]
        fn no_wildcard_is_ever_a_topic(
            before in "[a-z/_]{0,20}", sign in "[+#$]", after in "\\PC{0,20}",
        ) {
            let name = format!("{before}{sign}{after}");
            prop_assert_eq!(Topic::parse(&name), None);
        }

        #[test]
        fn a_topic_has_one_name(name in "(svc|\\PC)/(dm|feed|notifications|channels|\\PC)/\\PC{0,9}") {
            if let Some(topic) = Topic::parse(&name) {
                prop_assert_eq!(topic.to_string(), name);
            }
        }
    }
}
