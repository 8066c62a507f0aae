//! What tests of every layer need of a database.

pub mod pooler;
pub mod postgres;
pub mod proxy;
pub(crate) mod sqlite;

use svc_types::Timestamp;

/// The initial time of a test's clock: 2026-01-31T09:30:00.000Z.
pub const START: Timestamp = Timestamp::from_millis(1_769_851_800_000);
