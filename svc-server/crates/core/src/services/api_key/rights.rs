//! What a key may do, from where, and how much it may spend: as requested and as stored.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::keys::{CreateApiKey, KEY_NETWORKS_MAX, KeySpend, UpdateApiKey};
use svc_types::{Code, Scope, Scopes, Text};

use crate::identity::Account;
use crate::services::spend::Caps;

/// The scopes of a key's row.
pub fn scopes(is_default: bool, stored: &str) -> Scopes {
    if is_default { Scopes::ALL } else { Scopes::from(stored) }
}

/// What a key is created or changed with.
#[derive(Clone, Debug)]
pub struct Rights {
    pub(super) scopes: Scopes,
    /// Networks separated by spaces; `None` for everywhere.
    pub(super) allow_from: Option<String>,
    pub(super) caps: Caps,
}

impl Rights {
    /// Those of the default key.
    pub(super) fn all() -> Self {
        Self { scopes: Scopes::ALL, allow_from: None, caps: Caps::default() }
    }

    /// The requested rights; 403 if the caller has not all of them.
    pub fn of(caller: &Account, request: &CreateApiKey) -> Result<Self> {
        let networks = request.allow_from.as_deref().unwrap_or_default();
        Ok(Self {
            scopes: own_scopes(caller, &request.scopes)?,
            allow_from: networks_of(networks)?,
            caps: request.spend.as_ref().map(caps_of).unwrap_or_default(),
        })
    }
}

/// What a request changes of a key's rights.
#[derive(Clone, Debug)]
pub struct Change {
    /// The new scopes.
    pub scopes: Option<Scopes>,
    /// The new networks, separated by spaces; `Some(None)` for everywhere.
    pub allow_from: Option<Option<String>>,
    /// The new caps.
    pub caps: Option<Caps>,
}

impl Change {
    /// The requested changes; 403 if the caller itself has not all of the scopes.
    pub fn of(caller: &Account, request: &UpdateApiKey) -> Result<Self> {
        let scopes = request.scopes.as_ref().map(|scopes| own_scopes(caller, scopes));
        let networks = request.allow_from.as_ref().map(|networks| networks_of(networks));
        Ok(Self {
            scopes: scopes.transpose()?,
            allow_from: networks.transpose()?,
            caps: request.spend.as_ref().map(caps_of),
        })
    }

    /// Whether a key with these rights could do more after the change.
    pub(super) fn is_wider(&self, scopes: Scopes, networks: Option<&str>, caps: Caps) -> bool {
        let leaves = |wide: &str, narrow: &str| {
            let wide: Vec<IpNet> = wide.split(' ').filter_map(network_of).collect();
            let mut networks = narrow.split(' ').filter_map(network_of);
            networks.any(|network| !wide.iter().any(|wide| wide.contains(&network)))
        };
        let more_scopes = self.scopes.is_some_and(|new| !scopes.holds(new));
        let more_networks = match (networks, &self.allow_from) {
            (Some(_), Some(None)) => true,
            (Some(old), Some(Some(new))) => leaves(old, new),
            (None, _) | (_, None) => false,
        };
        more_scopes || more_networks || self.caps.is_some_and(|new| new.exceeds(caps))
    }
}

/// The scopes of a request; 403 if the caller has not all of them.
fn own_scopes(caller: &Account, scopes: &[Scope]) -> Result<Scopes> {
    let scopes: Scopes = scopes.iter().collect();
    if scopes.is_empty() {
        return Err(Error::invalid("scopes", "scopes must name at least one scope"));
    }
    if !caller.scopes.holds(scopes) {
        let message = "a key can't get more scopes than the key that creates it";
        let refusal = Refusal::new(Code::InsufficientScope, message).field("scopes");
        return Err(refusal.hint(format!("this key has: {}", caller.scopes)).into());
    }
    Ok(scopes)
}

/// Networks as they are stored; `None` for everywhere.
fn networks_of(networks: &[Text<2, 43>]) -> Result<Option<String>> {
    let wrong = |message: String| Error::invalid("allowFrom", message);
    if networks.len() > KEY_NETWORKS_MAX {
        return Err(wrong(format!("allowFrom must list at most {KEY_NETWORKS_MAX} networks")));
    }
    let mut texts = Vec::with_capacity(networks.len());
    for network in networks {
        let parsed = network_of(network).ok_or_else(|| {
            wrong("allowFrom must list networks such as 203.0.113.0/24, or addresses".to_owned())
        })?;
        texts.push(parsed.trunc().to_string());
    }
    Ok((!texts.is_empty()).then(|| texts.join(" ")))
}

fn network_of(text: &str) -> Option<IpNet> {
    IpNet::from_str(text).ok().or_else(|| IpAddr::from_str(text).ok().map(IpNet::from))
}

fn caps_of(spend: &KeySpend) -> Caps {
    Caps::of(spend.per_order, spend.per_day)
}

/// Whether stored networks hold an address.
pub fn is_allowed_from(networks: &str, address: Option<IpAddr>) -> bool {
    let Some(address) = address.map(|address| address.to_canonical()) else { return false };
    networks.split(' ').filter_map(network_of).any(|network| network.contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_stored_without_host_bits_and_hold_mapped_addresses() {
        let stored = networks_of(&["203.0.113.9/24".into(), "2001:db8::1".into()]).unwrap();
        assert_eq!(stored.as_deref(), Some("203.0.113.0/24 2001:db8::1/128"));
        let stored = stored.unwrap();
        let from = |text: &str| is_allowed_from(&stored, Some(text.parse().unwrap()));
        assert!(from("203.0.113.200") && from("::ffff:203.0.113.1") && from("2001:db8::1"));
        assert!(!from("203.0.114.1") && !from("2001:db8::2"));
        assert!(!is_allowed_from(&stored, None));
        assert_eq!(networks_of(&[]).unwrap(), None);
        for wrong in ["203.0.113.0/33", "example.org", "10.0.0"] {
            assert!(networks_of(&[wrong.into()]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_change_is_wider_if_the_key_could_do_more_after_it() {
        let few: Scopes = [Scope::Read, Scope::Dm].iter().collect();
        let caps = |per_order, per_day| Caps { per_order, per_day };
        let is_wider = |change: Change| {
            change.is_wider(few, Some("10.0.0.0/8 192.0.2.1/32"), caps(Some(5), None))
        };
        let none = Change { scopes: None, allow_from: None, caps: None };
        let scopes = |scopes| Change { scopes: Some(scopes), ..none.clone() };
        let networks = |text: Option<&str>| Change {
            allow_from: Some(text.map(str::to_owned)),
            ..none.clone()
        };
        let spend = |caps| Change { caps: Some(caps), ..none.clone() };
        for wider in [
            scopes(Scopes::ALL),
            networks(None),
            networks(Some("10.0.0.0/7")),
            networks(Some("10.1.0.0/16 192.0.2.2/32")),
            spend(caps(None, None)),
            spend(caps(Some(6), Some(1))),
        ] {
            assert!(is_wider(wider.clone()), "{wider:?}");
        }
        for narrower in [
            none.clone(),
            scopes(few),
            networks(Some("10.1.0.0/16 192.0.2.1/32")),
            spend(caps(Some(5), Some(9))),
        ] {
            assert!(!is_wider(narrower.clone()), "{narrower:?}");
        }
        assert!(!networks(None).is_wider(few, None, Caps::default()));
    }
}
