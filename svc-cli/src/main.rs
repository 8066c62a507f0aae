//! The `svc` command: the platform from a shell.
//!
//! `run` has the command tree, `caller` sends, `output` prints, `exit` and `error` say how it
//! ended, `settings` and `store` know where to call and as whom. The other modules are commands.

mod account;
mod analytics;
mod api;
mod avatar;
mod batch;
mod billing;
mod call;
mod caller;
mod channels;
mod codegen;
mod conformance;
mod connect;
mod consent;
mod conversations;
mod credits;
mod developer;
mod device;
mod discover;
mod dm;
mod doctor;
mod email;
mod embed;
mod endpoint_command;
mod environment;
mod error;
mod escrow;
mod exec;
mod exit;
mod export;
mod factors;
mod feed;
mod field;
mod follow;
mod grants;
mod handle;
mod hashtags;
mod help;
mod hint;
mod identity;
mod input;
mod invites;
mod keys;
mod leaderboard;
mod limits;
mod links;
mod list;
mod listen;
mod lists;
mod login;
#[cfg(feature = "mcp")]
mod mcp;
mod moderation;
mod notifications;
mod operation;
mod order;
mod orders;
mod output;
mod owners;
mod password;
mod payouts;
mod pending;
mod post;
mod profile;
mod progress;
mod proof;
mod raw;
mod reactions;
mod relations;
mod reports;
mod run;
mod scheduled;
mod search;
mod security;
#[cfg(feature = "serve")]
mod serve;
mod services;
mod sessions;
mod settings;
mod several;
mod shell;
mod spend;
mod step_up;
mod store;
mod tiers;
mod time;
mod topup;
mod transport;
mod trigger;
mod untrusted;
mod users;
mod webhooks;

use std::process::ExitCode;

use crate::environment::Environment;

fn main() -> ExitCode {
    let environment = Environment::read();
    let out = environment.output();
    match run::run(environment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(mut error) => {
            out.error(&mut error);
            error.exit.code().into()
        }
    }
}
