//! The number of this node among those that share a database: part of every id that it makes.
//!
//! On SQLite the server is alone. On PostgreSQL a node leases a number and renews the lease every
//! two seconds; one that could not for eight seconds writes nothing, and after ten another node may
//! have its number. `tasks/node.rs` leases and renews it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use svc_store::error::{Refusal, Result};
use svc_types::Code;
use tokio::time::Instant;

use crate::ids;

/// Time between two renewals.
pub(crate) const RENEWED_EVERY: Duration = Duration::from_secs(2);

/// How long a renewal lasts: two seconds less than for the other nodes.
pub(crate) const LASTS: Duration = Duration::from_secs(8);

/// How long a renewal lasts for the other nodes, as SQL has it.
pub(crate) const LASTS_FOR_OTHERS: &str = "interval '10 s'";

/// The numbers of all nodes, as SQL has them.
pub(crate) const NUMBERS: &str = "generate_series(0, 63)";

/// How the holder of a node ends that has a broker, or the link to one.
const HAS_BROKER: &str = "-broker";

/// Whether another node of that kind runs, as SQL has it beside the row of `node`.
pub(crate) const BROKER_ELSEWHERE: &str = "exists (
    select 1 from node other
    where other.holder <> node.holder and other.holder like '%-broker'
        and other.bus <> 'command' and other.seen_at > clock_timestamp() - interval '10 s')";

/// The lease of a node's number.
#[derive(Debug)]
pub struct Node {
    /// Tells this process from others, and whether it has a broker.
    pub(crate) holder: String,
    /// Whether another node has a broker, as of the last renewal.
    is_beside_broker: AtomicBool,
    state: Mutex<State>,
    /// How it gets hints of other nodes; an operator's command gets none.
    bus: OnceLock<&'static str>,
    /// Held while the number is leased or renewed.
    pub(crate) renewing: tokio::sync::Mutex<()>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum State {
    /// No other process makes ids in this database.
    Alone,
    /// The number is leased until then.
    Leased { number: u64, until: Instant },
}

impl Node {
    /// A process that has leased no number yet.
    pub(crate) fn new(has_broker: bool) -> Self {
        let end = if has_broker { HAS_BROKER } else { "" };
        let holder = format!("{:016x}{end}", u64::from_ne_bytes(ids::random()));
        let (state, renewing) = (Mutex::new(State::Alone), tokio::sync::Mutex::default());
        let is_beside_broker = AtomicBool::new(false);
        Self { holder, is_beside_broker, state, bus: OnceLock::new(), renewing }
    }

    /// Refuses to write when another node may have its number.
    pub(crate) fn check(&self) -> Result<()> {
        match self.state() {
            State::Leased { until, .. } if until <= Instant::now() => {
                let message = "this node could not renew its lease in the database";
                let refusal = Refusal::new(Code::Overloaded, message);
                Err(refusal.retry_after(RENEWED_EVERY.as_secs()).into())
            }
            _ => Ok(()),
        }
    }

    /// Its number.
    pub fn number(&self) -> u64 {
        match self.state() {
            State::Alone => 0,
            State::Leased { number, .. } => number,
        }
    }

    /// Sets how it gets hints of other nodes.
    pub(crate) fn follow_by(&self, bus: &'static str) {
        // A server starts once.
        let _ = self.bus.set(bus);
    }

    /// Whether another node has a broker.
    pub(crate) fn is_beside_broker(&self) -> bool {
        self.is_beside_broker.load(Ordering::Relaxed)
    }

    /// Sets whether another node has one.
    pub(crate) fn note_broker_elsewhere(&self, is_there: bool) {
        self.is_beside_broker.store(is_there, Ordering::Relaxed);
    }

    pub(crate) fn bus(&self) -> &'static str {
        self.bus.get().copied().unwrap_or("command")
    }

    pub(crate) fn state(&self) -> State {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, state: State) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

#[cfg(test)]
mod tests {
    use svc_store::error::Error;

    use super::*;

    #[test]
    fn sql_has_the_numbers_and_times_of_leases() {
        let seconds = (LASTS + Duration::from_secs(2)).as_secs();
        assert_eq!(LASTS_FOR_OTHERS, format!("interval '{seconds} s'"));
        assert!(BROKER_ELSEWHERE.contains(LASTS_FOR_OTHERS));
        assert!(BROKER_ELSEWHERE.contains(&format!("'%{HAS_BROKER}'")));
        assert_eq!(NUMBERS, format!("generate_series(0, {})", ids::NODES_MAX - 1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_writes_while_its_lease_lasts() {
        let node = Node::new(false);
        node.check().unwrap();
        node.set(State::Leased { number: 3, until: Instant::now() + LASTS });
        node.check().unwrap();
        tokio::time::advance(LASTS).await;
        assert!(
            matches!(node.check(), Err(Error::Refused(refusal)) if refusal.code == Code::Overloaded)
        );
    }
}
