//! What tests of every layer need of a database.

pub mod postgres;
pub(crate) mod sqlite;
