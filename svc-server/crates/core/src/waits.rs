//! Requests of this process that wait for a change of an order or a payment.
//!
//! A waiting request holds no connection and runs no query. It is woken by a commit of this process, or by a
//! [task](crate::tasks::waits) that asks once a second, for all of them, what other processes have committed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_types::UserId;
use tokio::sync::watch;

/// Most requests of an account that wait at a time.
pub const WAITS_MAX: usize = 20;

/// What waits, by the id of the order or payment.
#[derive(Clone, Debug, Default)]
pub struct Waits(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    subjects: HashMap<String, Subject>,
    /// How many requests of each account wait.
    accounts: HashMap<UserId, usize>,
}

/// An order or a payment that is waited for.
#[derive(Debug)]
struct Subject {
    calls: watch::Sender<()>,
    /// The version that was seen last.
    version: i64,
}

/// Waits for changes of one order or payment until it is dropped.
#[derive(Debug)]
pub struct Waiter {
    account: UserId,
    subject: String,
    calls: watch::Receiver<()>,
    all: Waits,
}

impl Waits {
    /// Registers a request of an account that saw `version`; `None` if too many wait already.
    pub fn wait(&self, account: &UserId, subject: &str, version: i64) -> Option<Waiter> {
        let mut waiting = self.waiting();
        let count = waiting.accounts.entry(account.clone()).or_default();
        if *count >= WAITS_MAX {
            return None;
        }
        *count += 1;
        let new = || Subject { calls: watch::Sender::default(), version };
        let known = waiting.subjects.entry(subject.to_owned()).or_insert_with(new);
        let (account, subject) = (account.clone(), subject.to_owned());
        Some(Waiter { account, subject, calls: known.calls.subscribe(), all: self.clone() })
    }

    /// Wakes what waits for an order or a payment.
    pub fn call(&self, subject: &str) {
        if let Some(subject) = self.waiting().subjects.get(subject) {
            subject.calls.send_replace(());
        }
    }

    /// How many requests wait.
    pub fn count(&self) -> usize {
        self.waiting().accounts.values().sum()
    }

    /// The orders and payments that are waited for.
    pub fn subjects(&self) -> Vec<String> {
        self.waiting().subjects.keys().cloned().collect()
    }

    /// Wakes what waits for an order or a payment if it has another version than the one seen last.
    pub fn note(&self, subject: &str, version: i64) {
        if let Some(subject) = self.waiting().subjects.get_mut(subject)
            && subject.version != version
        {
            subject.version = version;
            subject.calls.send_replace(());
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiter {
    /// Waits until its subject may have changed since the last time.
    pub async fn called(&mut self) {
        // The sender lives as long as this wait.
        let _ = self.calls.changed().await;
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut waiting = self.all.waiting();
        // The count still includes this wait.
        if waiting.subjects.get(&self.subject).is_some_and(|it| it.calls.receiver_count() == 1) {
            waiting.subjects.remove(&self.subject);
        }
        if let Some(count) = waiting.accounts.get_mut(&self.account) {
            *count -= 1;
            if *count == 0 {
                waiting.accounts.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_a_bounded_number_of_waits() {
        let (all, ada) = (Waits::default(), UserId::from("usr_ada"));
        let order = |number: usize| format!("msg_{number}");
        let waits: Vec<_> = (0..WAITS_MAX).map(|it| all.wait(&ada, &order(it), 1)).collect();
        assert!(waits.iter().all(Option::is_some));
        assert!(all.wait(&ada, &order(0), 1).is_none());
        assert!(all.wait(&UserId::from("usr_bob"), &order(0), 1).is_some());
        drop(waits);
        assert!(all.wait(&ada, &order(0), 1).is_some());
        assert!(all.subjects().is_empty() && all.waiting().accounts.is_empty());
    }

    #[tokio::test]
    async fn a_change_wakes_all_that_wait_for_the_order() {
        let (all, order) = (Waits::default(), "msg_1");
        let wait = |account| all.wait(&UserId::from(account), order, 3).unwrap();
        let (mut one, mut other) = (wait("usr_ada"), wait("usr_bob"));
        all.call(order);
        one.called().await;
        other.called().await;
        all.note(order, 3);
        all.call("msg_2");
        assert!(!one.calls.has_changed().unwrap(), "nothing has changed");
        all.note(order, 4);
        one.called().await;
        other.called().await;
    }
}
