//! What moderators do: the acts with their effects, and what of it is in force.

mod act;
mod effect;
mod measure;
mod record;

pub use act::{Act, is_gone, is_protected, take};
pub use effect::{suspend, unsuspend};
pub use measure::{InForce, drop_all, expire, in_force};
pub use record::Record;
