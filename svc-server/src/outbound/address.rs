//! Public addresses: an allow list, not a deny list.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, bits: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, 0), bits)
}

const fn v6(a: u16, b: u16, bits: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), bits)
}

/// Non-public IPv4 networks: this network, private, shared, loopback, link-local, special purpose,
/// documentation, 6to4 relays, benchmarks, multicast, reserved.
const V4_REFUSED: [Ipv4Net; 15] = [
    v4(0, 0, 0, 8),
    v4(10, 0, 0, 8),
    v4(100, 64, 0, 10),
    v4(127, 0, 0, 8),
    v4(169, 254, 0, 16),
    v4(172, 16, 0, 12),
    v4(192, 0, 0, 24),
    v4(192, 0, 2, 24),
    v4(192, 88, 99, 24),
    v4(192, 168, 0, 16),
    v4(198, 18, 0, 15),
    v4(198, 51, 100, 24),
    v4(203, 0, 113, 24),
    v4(224, 0, 0, 4),
    v4(240, 0, 0, 4),
];

/// The publicly routed IPv6 network.
const V6_GLOBAL: Ipv6Net = v6(0x2000, 0, 3);

/// Exceptions in it: special purpose (with Teredo), documentation, 6to4, documentation.
const V6_REFUSED: [Ipv6Net; 4] =
    [v6(0x2001, 0, 23), v6(0x2001, 0x0db8, 32), v6(0x2002, 0, 16), v6(0x3fff, 0, 20)];

/// Whether this is a public address of the internet.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => !V4_REFUSED.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            V6_GLOBAL.contains(&address)
                && !V6_REFUSED.iter().any(|network| network.contains(&address))
        }
    }
}

/// Whether the address is loopback.
pub fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn the_edges_of_each_range_are_known() {
        let refused = [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.169.254",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.0.255",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "1fff:ffff::1",
            "2001::1",
            "2001:1ff:ffff::1",
            "2001:db8::1",
            "2002:808:808::1",
            "3fff::1",
            "3fff:fff::1",
            "4000::1",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ];
        for address in refused {
            assert!(!is_public(ip(address)), "{address}");
        }
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "191.255.255.255",
            "192.0.1.0",
            "192.0.3.0",
            "192.88.98.255",
            "192.88.100.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "198.51.99.255",
            "203.0.112.255",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2003::1",
            "2a00::1",
            "3ffe::1",
            "3fff:1000::1",
        ];
        for address in public {
            assert!(is_public(ip(address)), "{address}");
        }
    }

    /// The same table, written with the standard library's predicates.
    fn is_public_by_hand(address: Ipv4Addr) -> bool {
        let [a, b, c, _] = address.octets();
        let special = matches!(
            (a, b, c),
            (0 | 240..=255, ..)
                | (192, 0, 0)
                | (192, 88, 99)
                | (100, 64..=127, _)
                | (198, 18 | 19, _)
        ) || address.is_documentation()
            || address.is_multicast();
        !special && !address.is_private() && !address.is_loopback() && !address.is_link_local()
    }

    proptest! {
        #[test]
        fn two_tables_agree_on_ipv4(bits: u32) {
            let address = Ipv4Addr::from_bits(bits);
            prop_assert_eq!(is_public(address.into()), is_public_by_hand(address));
            let mapped = address.to_ipv6_mapped();
            prop_assert_eq!(is_public(mapped.into()), is_public(address.into()));
        }

        #[test]
        fn nothing_outside_of_the_routed_ipv6_is_public(bits: u128) {
            let address = Ipv6Addr::from_bits(bits);
            let [first, second, ..] = address.segments();
            let routed = (0x2000..0x4000).contains(&first)
                && !(first == 0x2001 && (second < 0x200 || second == 0xdb8))
                && first != 0x2002
                && !(first == 0x3fff && second < 0x1000);
            prop_assert_eq!(is_public(address.into()), routed || address.to_ipv4_mapped().is_some_and(is_public_by_hand));
        }
    }
}
