//! The `svc` command as its users meet it: the real program against a real server.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod again;
mod api;
mod batch;
mod billing;
mod bots;
mod calls;
#[path = "../../../svc-server/tests/api/chain.rs"]
#[expect(dead_code, reason = "the tests of the API ask for more")]
mod chain;
mod channels;
mod code_samples;
mod conformance;
mod consent;
mod device;
mod discovery;
mod doctor;
mod email;
mod escrows;
mod exits;
mod exports;
mod feed;
mod figures;
mod inbox;
mod keys;
mod limits;
mod links;
mod listen;
mod market;
mod mcp;
mod media;
mod moderation;
mod notifications;
mod orders;
mod output;
mod owners;
mod place;
mod profiles;
mod reactions;
mod readme;
mod relations;
mod rows;
mod scheduled;
mod serve;
mod shell;
mod signup;
mod terminal;
mod topups;
mod transcript;
mod tree;
mod verify;
mod webhooks;
