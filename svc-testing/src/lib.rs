#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod program;
mod server;

pub use server::TestServer;
pub use svc_bot_kit::testing::{BotHarness, Clock, Fault, FaultProxy, Report};
