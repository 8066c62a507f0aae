//! What the tests of this crate and of others need.

pub mod postgres;
