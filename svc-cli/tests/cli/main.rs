//! The `svc` command as its users meet it: the real program against a real server.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod api;
mod bots;
mod calls;
mod consent;
mod doctor;
mod escrows;
mod exits;
mod inbox;
mod keys;
mod lossy;
mod market;
mod moderation;
mod notifications;
mod orders;
mod output;
mod place;
mod readme;
mod serve;
mod shell;
mod terminal;
mod transcript;
mod tree;
