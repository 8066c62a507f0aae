//! The `svc` command as its users meet it: the real program against a real server.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod api;
mod batch;
mod bots;
mod calls;
mod channels;
mod conformance;
mod consent;
mod discovery;
mod doctor;
mod escrows;
mod exits;
mod feed;
mod figures;
mod inbox;
mod keys;
mod listen;
mod market;
mod mcp;
mod media;
mod moderation;
mod notifications;
mod orders;
mod output;
mod place;
mod reactions;
mod readme;
mod relations;
mod scheduled;
mod serve;
mod shell;
mod terminal;
mod transcript;
mod tree;
mod verify;
mod webhooks;
