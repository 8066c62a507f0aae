//! Bots on the real server.

mod agents;
mod away;
mod channels;
mod chat;
mod crashes;
mod failures;
mod faults;
mod health;
mod late;
#[path = "../../../../svc-client/tests/client/logs.rs"]
mod logs;
mod lost;
mod market;
mod messages;
mod orders;
mod publishing;
mod questions;
mod schedule;
mod sources;
mod spans;
mod stop;
mod suspended;
