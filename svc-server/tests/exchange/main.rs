//! The exchange as a whole: random histories compared with a reference model, many callers at once, and
//! deadlines advanced by several servers; and random histories of everything else, with orders among it.
//!
//! | module | what it holds |
//! |---|---|
//! | `node`, `calls` | a server whose clock and sweeps a test moves, and requests to it |
//! | `step`, `generate` | what actors do, and random choices of it |
//! | `model` | what must come of it, written without the server's code |
//! | `real`, `histories` | the same steps at a server, compared |
//! | `bank` | many callers at once |
//! | `lists` | whether transfers are strictly serializable, judged by an oracle |
//! | `sweepers` | several servers that move the same clocks |
//! | `platform` | the same for accounts, posts, relations, messages, keys and limits |
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod bank;
mod calls;
mod generate;
mod histories;
mod lists;
mod model;
mod node;
mod platform;
mod real;
mod step;
mod sweepers;
