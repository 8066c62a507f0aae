//! Who waits in this process for what happens to an account.
//!
//! A call says only that something may have happened; what it was is read from the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_types::UserId;
use tokio::sync::watch;

/// Waiting listeners by account.
#[derive(Clone, Debug, Default)]
pub struct Listeners(Arc<Mutex<HashMap<UserId, watch::Sender<()>>>>);

/// One that waits, until it is dropped.
#[derive(Debug)]
pub struct Listener {
    account: UserId,
    calls: watch::Receiver<()>,
    all: Listeners,
}

impl Listeners {
    /// Begins to wait for an account, unless `most` wait for it already.
    pub fn wait(&self, account: &UserId, most: usize) -> Option<Listener> {
        let mut waiting = self.waiting();
        let sender = waiting.entry(account.clone()).or_default();
        (sender.receiver_count() < most).then(|| Listener {
            account: account.clone(),
            calls: sender.subscribe(),
            all: self.clone(),
        })
    }

    /// Calls who waits for these accounts.
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
        // The sender stays for as long as this one listens.
        let _ = self.calls.changed().await;
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut waiting = self.all.waiting();
        // This one still counts.
        if waiting.get(&self.account).is_some_and(|sender| sender.receiver_count() == 1) {
            waiting.remove(&self.account);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_wait_for_an_account_than_may() {
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
    fn nothing_is_kept_of_those_who_left() {
        let (all, ada) = (Listeners::default(), UserId::from("usr_ada"));
        drop((all.wait(&ada, 2), all.wait(&ada, 2)));
        assert!(all.waiting().is_empty());
    }

    #[tokio::test]
    async fn a_call_is_heard_by_all_who_wait_for_the_account() {
        let (all, ada) = (Listeners::default(), UserId::from("usr_ada"));
        let (mut one, mut other) = (all.wait(&ada, 2).unwrap(), all.wait(&ada, 2).unwrap());
        all.call([UserId::from("usr_bob"), ada].iter());
        one.called().await;
        other.called().await;
    }
}
