//! Networks, the unit of every limit and count by address.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A surrounding network has this many times the limit of a network.
pub const AROUND: u32 = 4;

/// The addresses that share a limit: an IPv4 address or an IPv6 /64, which is what one line or
/// machine gets; counting single IPv6 addresses would bound nothing. The surrounding network is the
/// /24 or /48, which is what one customer may get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Network {
    first: IpAddr,
    bits: u32,
}

impl Network {
    /// The network of an address; an IPv4-mapped IPv6 address counts as IPv4.
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            address @ IpAddr::V4(_) => Self::cut(address, 32),
            address @ IpAddr::V6(_) => Self::cut(address, 64),
        }
    }

    /// The surrounding network.
    #[must_use]
    pub fn around(self) -> Self {
        let bits = if self.first.is_ipv4() { 24 } else { 48 };
        Self::cut(self.first, bits)
    }

    /// Whether it is the loopback network.
    pub const fn is_loopback(self) -> bool {
        match self.first {
            IpAddr::V4(address) => address.is_loopback(),
            // The /64 of `::1`, in which no other address is used.
            IpAddr::V6(address) => address.is_unspecified() && self.bits == 64,
        }
    }

    fn cut(address: IpAddr, bits: u32) -> Self {
        let first = match address {
            IpAddr::V4(address) => {
                Ipv4Addr::from_bits(address.to_bits() & !0 << (32 - bits)).into()
            }
            IpAddr::V6(address) => {
                Ipv6Addr::from_bits(address.to_bits() & !0 << (128 - bits)).into()
            }
        };
        Self { first, bits }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

/// Counts something by network and by surrounding network.
#[derive(Debug, Default)]
pub struct Crowd(HashMap<Network, u32>);

impl Crowd {
    /// Counts one more, unless its network has `most` or the surrounding network [`AROUND`] times
    /// that.
    pub fn enter(&mut self, network: Network, most: u32) -> bool {
        let around = network.around();
        let has_room =
            self.count(network) < most && self.count(around) < most.saturating_mul(AROUND);
        if has_room {
            for counted in [network, around] {
                *self.0.entry(counted).or_insert(0) += 1;
            }
        }
        has_room
    }

    /// Counts one less.
    pub fn leave(&mut self, network: Network) {
        for counted in [network, network.around()] {
            let left = self.count(counted).saturating_sub(1);
            if left == 0 {
                self.0.remove(&counted);
            } else {
                self.0.insert(counted, left);
            }
        }
    }

    fn count(&self, network: Network) -> u32 {
        self.0.get(&network).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    #[test]
    fn an_address_counts_by_its_network() {
        for (address, own, around) in [
            ("192.0.2.7", "192.0.2.7/32", "192.0.2.0/24"),
            ("::ffff:192.0.2.7", "192.0.2.7/32", "192.0.2.0/24"),
            ("2001:db8:1:2:3::4", "2001:db8:1:2::/64", "2001:db8:1::/48"),
            ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ] {
            assert_eq!(network(address).to_string(), own);
            assert_eq!(network(address).around().to_string(), around);
        }
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    }

    #[test]
    fn loopback_is_recognized() {
        for (address, is_loopback) in
            [("127.0.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("192.0.2.7", false)]
        {
            assert_eq!(network(address).is_loopback(), is_loopback, "{address}");
        }
    }

    #[test]
    fn a_crowd_has_room_for_a_network_and_four_times_that_around_it() {
        let mut crowd = Crowd::default();
        let networks: Vec<Network> =
            (0..6).map(|n| network(&format!("2001:db8:0:{n}::"))).collect();
        let mut enter = |network| crowd.enter(network, 2);
        assert!(enter(networks[0]) && enter(networks[0]) && !enter(networks[0]));
        for network in &networks[1..4] {
            assert!(enter(*network) && enter(*network));
        }
        assert!(!enter(networks[4]), "the /48 is full");
        assert!(enter(network("192.0.2.1")));
        crowd.leave(networks[0]);
        assert!(crowd.enter(networks[4], 2) && !crowd.enter(networks[5], 2));
        for network in [0, 1, 1, 2, 2, 3, 3, 4].map(|index: usize| networks[index]) {
            crowd.leave(network);
        }
        crowd.leave(network("192.0.2.1"));
        assert!(crowd.0.is_empty(), "counts of zero are removed");
    }
}
