//! Wakes the streams of this process that wait for events of an account.
//!
//! A wake-up only says that something may have happened; the stream reads the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_types::UserId;
use tokio::sync::watch;

/// The listeners of each account.
#[derive(Clone, Debug, Default)]
pub struct Listeners(Arc<Mutex<HashMap<UserId, watch::Sender<()>>>>);

/// Waits for events of one account until it is dropped.
#[derive(Debug)]
pub struct Listener {
    account: UserId,
    calls: watch::Receiver<()>,
    all: Listeners,
}

impl Listeners {
    /// Registers a listener of an account, unless it has `most` already.
    pub fn wait(&self, account: &UserId, most: usize) -> Option<Listener> {
        let mut waiting = self.waiting();
        let sender = waiting.entry(account.clone()).or_default();
        (sender.receiver_count() < most).then(|| Listener {
            account: account.clone(),
            calls: sender.subscribe(),
            all: self.clone(),
        })
    }

    /// Wakes the listeners of these accounts.
    pub fn call<'a>(&self, accounts: impl Iterator<Item = &'a UserId>) {
        let waiting = self.waiting();
        for sender in accounts.filter_map(|account| waiting.get(account)) {
            sender.send_replace(());
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<UserId, watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener {
    /// Waits until something may have happened since the last time.
    pub async fn called(&mut self) {
        // The sender lives as long as this listener.
        let _ = self.calls.changed().await;
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut waiting = self.all.waiting();
        // The count still includes this listener.
        if waiting.get(&self.account).is_some_and(|sender| sender.receiver_count() == 1) {
            waiting.remove(&self.account);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_a_bounded_number_of_listeners() {
        let (all, ada) = (Listeners::default(), UserId::from("usr_ada"));
        let first = all.wait(&ada, 2);
        assert!(first.is_some() && all.wait(&ada, 2).is_some());
        let second = all.wait(&ada, 2);
        assert!(second.is_some() && all.wait(&ada, 2).is_none());
        assert!(all.wait(&UserId::from("usr_bob"), 2).is_some());
        drop(second);
        assert!(all.wait(&ada, 2).is_some());
    }

    #[test]
    fn dropped_listeners_are_removed() {
        let (all, ada) = (Listeners::default(), UserId::from("usr_ada"));
        drop((all.wait(&ada, 2), all.wait(&ada, 2)));
        assert!(all.waiting().is_empty());
    }

    #[tokio::test]
    async fn a_call_wakes_all_listeners_of_the_account() {
        let (all, ada) = (Listeners::default(), UserId::from("usr_ada"));
        let (mut one, mut other) = (all.wait(&ada, 2).unwrap(), all.wait(&ada, 2).unwrap());
        all.call([UserId::from("usr_bob"), ada].iter());
        one.called().await;
        other.called().await;
    }
}
