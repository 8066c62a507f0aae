//! The platform as a whole: random histories of accounts, posts, relations, messages, keys, limits and
//! orders, compared with a model.
//!
//! `SVC_PLATFORM_HISTORIES` says how many there are per engine. A failure prints a seed;
//! `SVC_PLATFORM_SEED` replays its history.
//!
//! | module | what it holds |
//! |---|---|
//! | `step`, `generate` | what actors do, and random choices of it |
//! | `model` | what must come of it, as plain maps |
//! | `real` | the same steps at a server, compared |
//! | `seeds` | one history per seed: found, made shorter, replayed |
//! | `histories` | as many as are wanted, on both engines |

mod generate;
mod histories;
mod model;
mod real;
mod seeds;
mod step;
