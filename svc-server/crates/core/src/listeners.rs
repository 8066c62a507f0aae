//! Wakes the streams of this process that wait for events of an account or a channel.
//!
//! A wake-up only says that something may have happened; the stream reads the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_types::UserId;
use tokio::sync::watch;

/// The listeners of each account and channel, by its id.
#[derive(Clone, Debug, Default)]
pub struct Listeners(Arc<Mutex<HashMap<String, Waiting>>>);

/// The listeners of one account or channel.
#[derive(Debug)]
struct Waiting {
    sender: watch::Sender<()>,
    /// The latest event that they were woken for.
    last_seq: i64,
}

/// Waits for events of one account or channel until it is dropped.
#[derive(Debug)]
pub struct Listener {
    id: String,
    calls: watch::Receiver<()>,
    all: Listeners,
}

impl Listeners {
    /// Registers a listener of an account or a channel, unless that has `most` already. `last_seq` is
    /// the number of an event that it knows of.
    pub fn wait(&self, id: &str, most: usize, last_seq: i64) -> Option<Listener> {
        let mut waiting = self.waiting();
        let new = || Waiting { sender: watch::Sender::default(), last_seq };
        let Waiting { sender, .. } = waiting.entry(id.to_owned()).or_insert_with(new);
        (sender.receiver_count() < most).then(|| Listener {
            id: id.to_owned(),
            calls: sender.subscribe(),
            all: self.clone(),
        })
    }

    /// Wakes the listeners of an account or a channel for this event, unless they were woken for it.
    pub fn call(&self, id: &str, seq: i64) {
        if let Some(waiting) = self.waiting().get_mut(id)
            && waiting.last_seq < seq
        {
            waiting.last_seq = seq;
            waiting.sender.send_replace(());
        }
    }

    /// Wakes the listeners of these accounts: a credential may have ended.
    pub fn check<'a>(&self, accounts: impl Iterator<Item = &'a UserId>) {
        let waiting = self.waiting();
        for Waiting { sender, .. } in accounts.filter_map(|account| waiting.get(account.as_str())) {
            sender.send_replace(());
        }
    }

    /// The ids with a listener.
    pub fn ids(&self) -> Vec<String> {
        self.waiting().keys().cloned().collect()
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
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
        if waiting.get(&self.id).is_some_and(|it| it.sender.receiver_count() == 1) {
            waiting.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_a_bounded_number_of_listeners() {
        let (all, ada) = (Listeners::default(), "usr_ada");
        let first = all.wait(ada, 2, 0);
        assert!(first.is_some() && all.wait(ada, 2, 0).is_some());
        let second = all.wait(ada, 2, 0);
        assert!(second.is_some() && all.wait(ada, 2, 0).is_none());
        assert!(all.wait("usr_bob", 2, 0).is_some());
        drop(second);
        assert!(all.wait(ada, 2, 0).is_some());
    }

    #[test]
    fn dropped_listeners_are_removed() {
        let (all, ada) = (Listeners::default(), "usr_ada");
        drop((all.wait(ada, 2, 0), all.wait(ada, 2, 0)));
        assert!(all.waiting().is_empty());
    }

    #[tokio::test]
    async fn a_call_wakes_all_listeners_of_the_account() {
        let (all, ada) = (Listeners::default(), "usr_ada");
        let (mut one, mut other) = (all.wait(ada, 2, 4).unwrap(), all.wait(ada, 2, 4).unwrap());
        all.call(ada, 5);
        one.called().await;
        other.called().await;
        all.check(["usr_bob", ada].map(UserId::from).iter());
        one.called().await;
        other.called().await;
    }

    #[test]
    fn nobody_is_woken_twice_for_an_event() {
        let (all, ada) = (Listeners::default(), "usr_ada");
        let mut listener = all.wait(ada, 2, 4).unwrap();
        all.call(ada, 4);
        assert!(!listener.calls.has_changed().unwrap());
        all.call(ada, 5);
        listener.calls.mark_unchanged();
        all.call(ada, 5);
        assert!(!listener.calls.has_changed().unwrap());
    }
}
