//! What tests of every layer need of a database.

pub mod pooler;
pub mod postgres;
pub mod proxy;
pub(crate) mod sqlite;
