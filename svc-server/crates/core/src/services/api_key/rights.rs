//! What a key may do, from where, and how much it may spend: as requested and as stored.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::keys::{CreateApiKey, KEY_NETWORKS_MAX, KeySpend};
use svc_types::{Code, PositiveCredits, Scope, Scopes, Text};

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

/// The scopes of a request; 403 if the caller has not all of them.
pub fn own_scopes(caller: &Account, scopes: &[Scope]) -> Result<Scopes> {
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
pub fn networks_of(networks: &[Text<2, 43>]) -> Result<Option<String>> {
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

/// Caps as they are stored.
pub(super) fn caps_of(spend: &KeySpend) -> Caps {
    let micros = |credits: PositiveCredits| credits.micros();
    Caps { per_order: spend.per_order.map(micros), per_day: spend.per_day.map(micros) }
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
}
