//! The travel rule, tested over every endpoint.

mod wire;
