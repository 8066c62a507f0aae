//! The commands `audit` and `reconcile`: they check the database as it is, and their exit code says
//! what they found.

use std::fmt::Display;
use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;
use svc_core::audit;
use svc_core::audit::counts::{self, Mended};
use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_server::app::ServerApp;
use svc_server::cli::Flags;
use svc_server::{billing, cli, server, x402};
use svc_store::clock::Clock;
use svc_store::error::{Error, Result};
use svc_types::Span;

use super::{complain, failed};

/// Exit code of `audit` and `reconcile` when the check itself failed, unlike one that found something.
const COULD_NOT_LOOK: u8 = 2;

pub(super) fn audit_command(flags: &Flags, repair_counts: bool, json: bool) -> ExitCode {
    print_report(audit_now(flags, repair_counts, json), json, audit::Report::holds)
}

pub(super) fn reconcile_command(flags: &Flags, since: Span, fix: bool, json: bool) -> ExitCode {
    print_report(reconcile_now(flags, since, fix), json, billing::Report::agrees)
}

/// Prints what a check found; its exit code.
fn print_report<R>(checked: Result<R>, json: bool, is_fine: fn(&R) -> bool) -> ExitCode
where
    R: Serialize + Display,
{
    match checked {
        Ok(report) => {
            let text = if json { line_of(&report) } else { report.to_string() };
            if let Err(error) = cli::print(&text) {
                complain(&format!("error: can't print the report: {error}"));
                return ExitCode::from(COULD_NOT_LOOK);
            }
            if is_fine(&report) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => failed(&error, COULD_NOT_LOOK),
    }
}

/// A line of JSON.
fn line_of(found: &impl Serialize) -> String {
    serde_json::to_string(found).expect("a report is JSON") + "\n"
}

fn audit_now(flags: &Flags, repair_counts: bool, json: bool) -> Result<audit::Report> {
    check(flags, async |app| {
        if repair_counts {
            counts::repair(&app, |mended| print_mended(&mended, json)).await?;
        }
        audit::with_counts(&app).await
    })
}

/// Prints a count as soon as it is set, so that a command that is interrupted has listed what it changed.
fn print_mended(mended: &Mended, json: bool) -> Result<()> {
    let text = if json { line_of(mended) } else { format!("{mended}\n") };
    cli::print(&text).map_err(Error::internal)
}

fn reconcile_now(flags: &Flags, within: Span, fix: bool) -> Result<billing::Report> {
    check(flags, async |app| {
        billing::open(&app).await?;
        x402::open(&app).await?;
        let since = app.clock.now().minus(within.duration());
        billing::reconcile(&app, since, fix).await
    })
}

/// Runs a check on the database as it is.
fn check<R>(flags: &Flags, check: impl AsyncFnOnce(Arc<ServerApp>) -> Result<R>) -> Result<R> {
    cli::refuse_ignored_variables().map_err(Error::internal)?;
    let config = Config::load(flags.config.as_deref(), &flags.overrides());
    let config = config.map_err(Error::internal)?;
    server::find(&config)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(Error::internal)?.block_on(async {
        let clock = Clock::system();
        let db = server::open_as_it_is(&config, &clock).await?;
        check(ServerApp::new(db, clock, Encryption::none(), config, String::new())).await
    })
}
