//! Webhooks: who is called for which events, with which secrets, and what is on its way.
//!
//! Whatever changes a webhook or what waits for it holds the webhook's row. Several are locked in
//! the order of account and id, after their accounts, before counters of events and deliveries.

pub mod delivery;
mod fan_out;
mod hold;
mod record;
pub mod recover;
pub mod retain;
pub mod secret;
pub mod settle;

pub use fan_out::{Listener, deliver, listeners};
pub use hold::{
    disable, down_for, enable, forget, forget_failures, keep_within_tier, suspend, unsuspend,
    withdraw,
};
pub use record::{
    Record, count_active, list_of, load, lock_owner, locked, member, most, own, to_api_all,
};
