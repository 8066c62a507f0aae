//! Calls of webhooks: a delivery is claimed, sent, and what became of it written down.
//!
//! The database is the queue. Nothing waits in memory: a delivery is claimed when there is a free
//! slot to send it, and who claimed it loses it when the lease ends. So a crash costs at most a
//! second call with the same id.
//!
//! | module | what it holds |
//! |---|---|
//! | `sender` | the loop: writes down what ended, claims what is due |
//! | `claim` | which deliveries are sent next |
//! | `parcel` | all that a call needs, and its headers |
//! | `attempt` | one call and what became of it |
//! | `finish` | what an attempt changes in the database |
//! | `standing` | how a webhook has fared: breaker, warning, end |
//! | `schedule` | when a failed call is made again |
//! | `lease` | claims whose server is gone |
//! | `test` | the one call of a test |
//! | `meter` | what the operator is told |

mod attempt;
mod claim;
mod finish;
mod health;
mod lease;
mod meter;
mod request;
mod schedule;
mod sender;
mod test;

pub use self::claim::lag;
pub use self::sender::run;
pub use self::test::{attempt_once, lease_of_test};
