//! Who may connect to the broker, and who may hear and say what there. Nothing else decides.

use std::fmt;

use svc_core::app::Ctx;
use svc_core::identity;
use svc_core::services::channel;
use svc_store::error::{Error, Result};
use svc_types::api::users::AccountStatus;
use svc_types::{ChannelId, UserId};

/// Longest topic; the longest that means something is much shorter.
const TOPIC_BYTES_MAX: usize = 256;

/// Longest text a client may put behind its account's id.
const SUFFIX_BYTES_MAX: usize = 64;

/// The account that a client speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal(pub UserId);

/// Why a client may not connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// Its password is no account's living key, or its user name is not that account's id.
    Login,
    /// Its client id is not its account's.
    ClientId,
    /// Its account is suspended.
    Suspended,
}

/// What a client wants with a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// To hear it.
    Subscribe,
    /// To say something.
    Publish,
}

/// A topic that exists. There are no others, and no wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Direct messages to an account.
    Dm(UserId),
    /// What else an account is told.
    Notifications(UserId),
    /// What is written in a channel.
    Channel(ChannelId),
    /// New posts of everybody.
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

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dm(account) => write!(f, "svc/dm/{account}"),
            Self::Notifications(account) => write!(f, "svc/notifications/{account}"),
            Self::Channel(channel) => write!(f, "svc/channels/{channel}"),
            Self::GlobalFeed => f.write_str("svc/feed/global"),
        }
    }
}

/// Whose key the password is. The user name is the account's id, or left out; the client id is the
/// account's too, because brokers keep sessions by client id alone. An empty one is for the broker
/// to replace.
pub fn authenticate(
    ctx: &mut Ctx<'_, '_>,
    username: Option<&str>,
    password: Option<&str>,
    client_id: &str,
) -> Result<Result<Principal, Denied>> {
    let Some(key) = password else { return Ok(Err(Denied::Login)) };
    let account = match identity::account_of_key(ctx, key) {
        Ok(account) => account,
        Err(Error::Refused(_)) => return Ok(Err(Denied::Login)),
        Err(fault) => return Err(fault),
    };
    let name = username.unwrap_or_default();
    if !name.is_empty() && name != account.id.as_str() {
        return Ok(Err(Denied::Login));
    }
    if account.status == AccountStatus::Suspended {
        return Ok(Err(Denied::Suspended));
    }
    if !client_id.is_empty() && !is_of(client_id, &account.id) {
        return Ok(Err(Denied::ClientId));
    }
    Ok(Ok(Principal(account.id)))
}

/// Whether a client id is this account's: its id, alone or with `:` and a suffix.
pub fn is_of(client_id: &str, account: &UserId) -> bool {
    let Some(rest) = client_id.strip_prefix(account.as_str()) else { return false };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    rest.is_empty()
        || rest.strip_prefix(':').is_some_and(|suffix| {
            (1..=SUFFIX_BYTES_MAX).contains(&suffix.len()) && suffix.bytes().all(is_plain)
        })
}

/// Whether a client may do this with the topic of this name.
pub fn authorize(
    ctx: &mut Ctx<'_, '_>,
    Principal(account): &Principal,
    action: Action,
    topic: &str,
) -> Result<bool> {
    let hears = action == Action::Subscribe;
    match Topic::parse(topic) {
        Some(Topic::Dm(of) | Topic::Notifications(of)) => Ok(hears && of == *account),
        Some(Topic::GlobalFeed) => Ok(hears),
        Some(Topic::Channel(id)) => {
            let member = channel::role(ctx, account, &id)?;
            Ok(member.is_some_and(|member| hears || member.may_post))
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
    fn what_is_no_topic_is_none() {
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
    fn a_client_id_is_the_accounts_id_alone_or_with_a_plain_suffix() {
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
