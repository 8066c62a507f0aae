//! Resolves names to permitted addresses.
//!
//! The connection uses exactly the addresses checked here, so DNS rebinding has no effect.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use super::address::is_loopback;
use super::url::{Rules, is_local_name};

/// Concurrent lookups. Each blocks a thread until the system gives up, long after the call that asked.
const LOOKUPS_MAX: usize = 128;

/// The future of a lookup.
pub type Found = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Looks up the addresses of names.
pub trait Names: fmt::Debug + Send + Sync {
    /// Returns all addresses of a name.
    fn find(&self, name: &str) -> Found;
}

/// The system's resolver.
#[derive(Clone, Copy, Debug)]
pub struct SystemNames;

impl Names for SystemNames {
    fn find(&self, name: &str) -> Found {
        let name = name.to_owned();
        Box::pin(async move {
            let addresses = tokio::net::lookup_host((name, 0)).await?;
            Ok(addresses.map(|address| address.ip()).collect())
        })
    }
}

/// All addresses of a name are forbidden.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("none of the name's addresses may be called")]
pub(super) struct Blocked;

/// A resolver that drops forbidden addresses.
pub(super) struct Judged {
    names: Arc<dyn Names>,
    rules: Rules,
    turns: Arc<Semaphore>,
}

impl Judged {
    pub(super) fn new(names: Arc<dyn Names>, rules: Rules) -> Self {
        Self { names, rules, turns: Arc::new(Semaphore::new(LOOKUPS_MAX)) }
    }
}

impl Resolve for Judged {
    fn resolve(&self, name: Name) -> Resolving {
        let (names, rules) = (Arc::clone(&self.names), self.rules.clone());
        let turns = Arc::clone(&self.turns);
        Box::pin(async move {
            let turn = turns.acquire_owned().await?;
            let lookup = names.find(name.as_str());
            // A task, because the thread is taken until the lookup ends, even if the call has given up.
            let looking = tokio::spawn(async move {
                let found = lookup.await;
                drop(turn);
                found
            });
            let found = looking.await??;
            let permitted = permitted(name.as_str(), found, &rules);
            if permitted.is_empty() {
                return Err(Blocked.into());
            }
            let addresses = permitted.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// Filters the permitted addresses. A loopback name may be called without TLS, so it must resolve
/// to loopback.
fn permitted(name: &str, found: Vec<IpAddr>, rules: &Rules) -> Vec<IpAddr> {
    let is_local = is_local_name(name);
    let is_permitted =
        |address: &IpAddr| rules.permit(*address) && (!is_local || is_loopback(*address));
    found.into_iter().filter(is_permitted).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    fn ips(texts: &[&str]) -> Vec<IpAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn only_addresses_that_may_be_called_are_left() {
        let found = ips(&["10.0.0.1", "8.8.8.8", "127.0.0.1", "::ffff:10.0.0.1", "2a00::1"]);
        let left = permitted("bot.example.org", found.clone(), &Rules::default());
        assert_eq!(left, ips(&["8.8.8.8", "2a00::1"]));
        let rules = Rules { loopback: true, networks: vec!["10.0.0.0/8".parse().unwrap()] };
        assert_eq!(permitted("bot.example.org", found, &rules).len(), 5);
    }

    /// Names that all have a public, a loopback and a private address.
    #[derive(Debug)]
    struct Mixed;

    impl Names for Mixed {
        fn find(&self, _: &str) -> Found {
            Box::pin(async { Ok(ips(&["127.0.0.1", "8.8.8.8", "10.0.0.1"])) })
        }
    }

    #[tokio::test]
    async fn of_a_name_with_mixed_addresses_the_public_ones_are_called() {
        let resolver = Judged::new(Arc::new(Mixed), Rules::default());
        let addresses = resolver.resolve("bot.example.org".parse().unwrap()).await.unwrap();
        assert_eq!(addresses.map(|one| one.ip()).collect::<Vec<_>>(), ips(&["8.8.8.8"]));
    }

    /// Names whose lookup ends when it is allowed to.
    #[derive(Debug)]
    struct Slow(Arc<Semaphore>);

    impl Names for Slow {
        fn find(&self, _: &str) -> Found {
            let allowed = Arc::clone(&self.0);
            Box::pin(async move {
                allowed.acquire_owned().await.map_err(io::Error::other)?.forget();
                Ok(ips(&["8.8.8.8"]))
            })
        }
    }

    #[tokio::test]
    async fn a_lookup_whose_call_gave_up_counts_until_it_ends() {
        let allowed = Arc::new(Semaphore::new(0));
        let resolver = Judged::new(Arc::new(Slow(Arc::clone(&allowed))), Rules::default());
        let lookup = || resolver.resolve("bot.example.org".parse().unwrap());
        for _ in 0..LOOKUPS_MAX {
            assert!(timeout(Duration::ZERO, lookup()).await.is_err(), "it gives up");
        }
        assert_eq!(resolver.turns.available_permits(), 0, "the threads are still taken");
        allowed.add_permits(LOOKUPS_MAX + 1);
        assert_eq!(lookup().await.unwrap().count(), 1);
    }

    #[test]
    fn a_name_of_this_machine_leads_nowhere_else() {
        let rules = Rules { loopback: true, ..Rules::default() };
        let found = ips(&["8.8.8.8", "127.0.0.1"]);
        assert_eq!(permitted("localhost", found.clone(), &rules), ips(&["127.0.0.1"]));
        assert!(permitted("localhost", found, &Rules::default()).is_empty());
    }
}
