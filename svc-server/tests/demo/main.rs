//! The program with `--dev --demo`: the world it makes, and who answers in it.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod world;
