//! `svc doctor`: what could be in the way, each with its cure.
//!
//! [`local`] checks files of this machine, [`server`] the address, the server, its time and the
//! keys, [`webhooks`] the receivers, and [`broker`] live events, for which [`mqtt`] has the few
//! packets that it takes.

mod broker;
mod check;
mod local;
mod mqtt;
mod server;
mod webhooks;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use self::check::Check;
pub(crate) use self::server::is_here;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::settings::Settings;

/// Flags of `svc doctor`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DoctorFlags {
    /// Look at the journal of a bot or a buyer, too; repeatable.
    #[arg(long, value_name = "FILE")]
    journal: Vec<PathBuf>,
}

/// Runs all checks, and fails if one does.
pub(crate) async fn run(flags: &DoctorFlags, settings: &Settings) -> Result<()> {
    let progress = Progress::start(settings, "looking");
    let mut checks = vec![local::credentials(settings)];
    // Without a profile it is the server of this machine that a newcomer would call.
    match settings.caller_anywhere() {
        Ok(caller) => server::check_all(&caller, settings, &mut checks).await,
        Err(error) => checks.push(Check::failed("server", *error, "svc profile list")),
    }
    if let Err(error) = settings.target() {
        checks.push(Check::failed("key", *error, "svc signup NAME --agent"));
    }
    for path in &flags.journal {
        checks.push(local::journal(path).await);
    }
    drop(progress);
    for check in &mut checks {
        check.repeat(settings.out);
    }
    let failed = checks.iter().filter(|check| !check.ok).count();
    let lines: Vec<String> = checks.iter().map(Check::line).collect();
    let value = json!({ "ok": failed == 0, "checks": checks });
    settings.out.local(&value, &lines.join("\n"))?;
    if failed == 0 {
        return Ok(());
    }
    let message = format!("{failed} of {} checks failed", checks.len());
    Err(Error::new(Exit::Other, "unhealthy", message))
}
