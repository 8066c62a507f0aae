//! Webhook deliveries: claimed, sent, recorded.
//!
//! The database is the queue, and no delivery waits in memory. A sender claims a delivery when it
//! has a free slot, and loses the claim when the lease ends. A crash therefore costs at most a
//! second call with the same id.
//!
//! | module | what it holds |
//! |---|---|
//! | `sender` | the loop: records finished calls, claims due deliveries |
//! | `claim` | which deliveries are sent next |
//! | `request` | everything a call needs, and its headers |
//! | `attempt` | one call and its result |
//! | `finish` | what an attempt changes in the database |
//! | `health` | circuit breaker, warning and disabling |
//! | `schedule` | the time of the next retry |
//! | `lease` | expired claims |
//! | `test` | test deliveries |
//! | `meter` | metrics |

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
pub use self::sender::{run, send_due};
pub use self::test::{attempt_once, lease_of_test};
