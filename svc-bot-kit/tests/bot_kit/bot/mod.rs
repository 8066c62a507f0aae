//! Bots on the real server.

mod away;
mod crashes;
mod faults;
mod health;
mod late;
mod lost;
mod market;
mod messages;
mod orders;
mod publishing;
mod schedule;
mod sources;
mod stop;
