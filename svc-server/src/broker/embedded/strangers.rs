//! Connections of whom nothing is known yet but their address, and how many of each are listened to.
//!
//! Loopback is not counted: behind a proxy on this machine all clients have its address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::config::MqttLimits;

/// Within this time an address may have so many refused CONNECTs as the limits say.
const REFUSALS_WINDOW: Duration = Duration::from_mins(5);

/// Addresses whose refusals are counted; when there are more, all begin anew.
const REFUSED_MAX: usize = 10_000;

/// What is counted of addresses.
pub(super) struct Strangers {
    refused_max: u32,
    waiting_max: u32,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Default)]
struct Counts {
    /// Refused CONNECTs, and when the first of them was.
    refused: HashMap<IpAddr, (u32, Instant)>,
    /// Open connections without a CONNECT.
    waiting: HashMap<IpAddr, u32>,
}

/// A connection that was not let in yet; no longer counted once it is dropped.
pub(super) struct Stranger {
    address: IpAddr,
    counts: Arc<Mutex<Counts>>,
}

impl Strangers {
    pub(super) fn new(limits: &MqttLimits) -> Self {
        let (refused_max, waiting_max) = (limits.refused_per_address, limits.waiting_per_address);
        Self { refused_max, waiting_max, counts: Arc::default() }
    }

    /// Counts one more of this address, unless there are too many, or were refused.
    pub(super) fn greet(&self, address: IpAddr) -> Option<Stranger> {
        if !address.is_loopback() {
            let mut counts = lock(&self.counts);
            let waiting = counts.waiting.get(&address).copied().unwrap_or(0);
            if waiting >= self.waiting_max || counts.refused(address) >= self.refused_max {
                return None;
            }
            counts.waiting.insert(address, waiting + 1);
        }
        Some(Stranger { address, counts: Arc::clone(&self.counts) })
    }
}

impl Stranger {
    /// It said nothing, or the wrong thing.
    pub(super) fn refuse(self) {
        metrics::counter!("svc_mqtt_refused_total").increment(1);
        if !self.address.is_loopback() {
            lock(&self.counts).refuse(self.address);
        }
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts);
        if let Some(waiting) = counts.waiting.get_mut(&self.address) {
            *waiting -= 1;
            if *waiting == 0 {
                counts.waiting.remove(&self.address);
            }
        }
    }
}

impl Counts {
    fn refused(&self, address: IpAddr) -> u32 {
        let counted = self.refused.get(&address);
        counted
            .filter(|(_, since)| since.elapsed() < REFUSALS_WINDOW)
            .map_or(0, |counted| counted.0)
    }

    fn refuse(&mut self, address: IpAddr) {
        if self.refused.len() >= REFUSED_MAX {
            self.refused.clear();
        }
        let now = Instant::now();
        let (count, since) = self.refused.entry(address).or_insert((0, now));
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

    fn strangers() -> Strangers {
        Strangers::new(&MqttLimits {
            connections: 10,
            connections_per_account: 10,
            publishes_per_second: 1,
            refused_per_address: 2,
            waiting_per_address: 2,
        })
    }

    fn addresses() -> [IpAddr; 2] {
        [1, 2].map(|last| IpAddr::from([192, 0, 2, last]))
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_was_refused_too_often_waits() {
        let (strangers, [one, other]) = (strangers(), addresses());
        for _ in 0..2 {
            strangers.greet(one).unwrap().refuse();
        }
        assert!(strangers.greet(one).is_none() && strangers.greet(other).is_some());
        tokio::time::advance(REFUSALS_WINDOW).await;
        assert!(strangers.greet(one).is_some());
    }

    #[tokio::test]
    async fn an_address_has_a_bounded_number_of_silent_connections() {
        let (strangers, [one, other]) = (strangers(), addresses());
        let silent = [strangers.greet(one).unwrap(), strangers.greet(one).unwrap()];
        for _ in 0..3 {
            assert!(strangers.greet(one).is_none(), "however often it tries");
        }
        let _other = strangers.greet(other).unwrap();
        drop(silent);
        let _again = strangers.greet(one).unwrap();
        assert_eq!(lock(&strangers.counts).waiting.len(), 2);
        let here: Vec<_> = (0..5).map(|_| strangers.greet([127, 0, 0, 1].into())).collect();
        assert!(here.iter().all(Option::is_some), "this machine's own are not counted");
    }
}
