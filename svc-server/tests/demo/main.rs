//! The program with `--dev --demo`: the data it creates and the bots that answer.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod world;
