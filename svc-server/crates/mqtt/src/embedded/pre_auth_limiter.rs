//! Limits connections by network before authentication, when only the address is known.
//!
//! Loopback and trusted proxies are exempt: all clients of a proxy have its address, so one could lock out the others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_core::config::MqttLimits;
use svc_core::network::{AROUND, Crowd, Network};
use tokio::time::Instant;

/// The window in which a network's refused CONNECTs are counted.
const REFUSALS_WINDOW: Duration = Duration::from_mins(5);

/// Networks whose refusals are counted; beyond that, counting starts over.
const REFUSED_MAX: usize = 10_000;

/// Counts the unauthenticated connections and the refusals of each network.
pub(super) struct PreAuthLimiter {
    refused_max: u32,
    waiting_max: u32,
    proxies: Vec<IpAddr>,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Default)]
struct Counts {
    /// Refused CONNECTs by network and surrounding network, and when the window began.
    refused: HashMap<Network, (u32, Instant)>,
    /// Open connections without a CONNECT.
    waiting: Crowd,
}

/// An unauthenticated connection, counted until it is dropped.
pub(super) struct PreAuthSlot {
    /// Its network; `None` for loopback and proxies, which are not counted.
    network: Option<Network>,
    counts: Arc<Mutex<Counts>>,
}

impl PreAuthLimiter {
    pub(super) fn new(limits: &MqttLimits, proxies: Vec<IpAddr>) -> Self {
        let (refused_max, waiting_max) = (limits.refused_per_address, limits.waiting_per_address);
        Self { refused_max, waiting_max, proxies, counts: Arc::default() }
    }

    /// Admits a connection from this address, unless its network is over a limit.
    pub(super) fn enter(&self, address: IpAddr) -> Option<PreAuthSlot> {
        let is_counted = |network: &Network| {
            !network.is_loopback() && !self.proxies.contains(&address.to_canonical())
        };
        let network = Some(Network::of(address)).filter(is_counted);
        if let Some(network) = network {
            let mut counts = lock(&self.counts);
            let was_refused = counts.refused(network) >= self.refused_max
                || counts.refused(network.around()) >= self.refused_max.saturating_mul(AROUND);
            if was_refused || !counts.waiting.enter(network, self.waiting_max) {
                return None;
            }
        }
        Some(PreAuthSlot { network, counts: Arc::clone(&self.counts) })
    }
}

impl PreAuthSlot {
    /// Counts a refused or missing CONNECT against the network.
    pub(super) fn refuse(self) {
        metrics::counter!("svc_mqtt_refused_total").increment(1);
        if let Some(network) = self.network {
            let mut counts = lock(&self.counts);
            counts.refuse(network);
            counts.refuse(network.around());
        }
    }
}

impl Drop for PreAuthSlot {
    fn drop(&mut self) {
        if let Some(network) = self.network {
            lock(&self.counts).waiting.leave(network);
        }
    }
}

impl Counts {
    fn refused(&self, network: Network) -> u32 {
        let counted = self.refused.get(&network);
        counted
            .filter(|(_, since)| since.elapsed() < REFUSALS_WINDOW)
            .map_or(0, |counted| counted.0)
    }

    fn refuse(&mut self, network: Network) {
        if self.refused.len() >= REFUSED_MAX {
            self.refused.clear();
        }
        let now = Instant::now();
        let (count, since) = self.refused.entry(network).or_insert((0, now));
        if now.duration_since(*since) >= REFUSALS_WINDOW {
            (*count, *since) = (0, now);
        }
        *count += 1;
    }
}

fn lock(counts: &Mutex<Counts>) -> MutexGuard<'_, Counts> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter() -> PreAuthLimiter {
        limiter_behind(Vec::new())
    }

    fn limiter_behind(proxies: Vec<IpAddr>) -> PreAuthLimiter {
        let limits = MqttLimits {
            connections: 10,
            connections_per_account: 10,
            publishes_per_second: 1,
            refused_per_address: 2,
            waiting_per_address: 2,
        };
        PreAuthLimiter::new(&limits, proxies)
    }

    fn addresses() -> [IpAddr; 2] {
        [1, 2].map(|last| IpAddr::from([192, 0, 2, last]))
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_with_too_many_refusals_waits() {
        let (limiter, [one, other]) = (limiter(), addresses());
        for _ in 0..2 {
            limiter.enter(one).unwrap().refuse();
        }
        assert!(limiter.enter(one).is_none() && limiter.enter(other).is_some());
        tokio::time::advance(REFUSALS_WINDOW).await;
        assert!(limiter.enter(one).is_some());
    }

    #[tokio::test]
    async fn clients_of_a_trusted_proxy_are_not_locked_out_by_one_of_them() {
        let [proxy, other] = addresses();
        let limiter = limiter_behind(vec![proxy]);
        let IpAddr::V4(proxy_v4) = proxy else { panic!("{proxy}") };
        let mapped = IpAddr::from(proxy_v4.to_ipv6_mapped());
        for address in [proxy, mapped, other] {
            for _ in 0..2 {
                limiter.enter(address).unwrap().refuse();
            }
        }
        let _silent = [1, 2, 3].map(|_| limiter.enter(proxy).unwrap());
        assert!(limiter.enter(mapped).is_some(), "as a listener for IPv6 sees it");
        assert!(limiter.enter(other).is_none());
    }

    #[tokio::test]
    async fn addresses_of_one_network_count_as_one() {
        let limiter = limiter();
        let at = |text: &str| limiter.enter(text.parse().unwrap());
        at("2001:db8::1").unwrap().refuse();
        at("2001:db8::2").unwrap().refuse();
        assert!(at("2001:db8::3").is_none(), "the /64 was refused twice");
        for network in 1..4 {
            for host in 1..3 {
                at(&format!("2001:db8:0:{network}::{host}")).unwrap().refuse();
            }
        }
        assert!(at("2001:db8:0:4::1").is_none(), "the /48 was refused four times that");
        assert!(at("2001:db8:1::1").is_some());
    }

    #[tokio::test]
    async fn an_address_has_a_bounded_number_of_silent_connections() {
        let (limiter, [one, other]) = (limiter(), addresses());
        let silent = [limiter.enter(one).unwrap(), limiter.enter(one).unwrap()];
        for _ in 0..3 {
            assert!(limiter.enter(one).is_none(), "however often it tries");
        }
        let _other = limiter.enter(other).unwrap();
        drop(silent);
        let _again = limiter.enter(one).unwrap();
        let here: Vec<_> = (0..5).map(|_| limiter.enter([127, 0, 0, 1].into())).collect();
        assert!(here.iter().all(Option::is_some), "loopback is not counted");
    }
}
