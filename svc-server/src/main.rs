//! The `svc-server` program: settings, log, one command, exit code.

#[path = "main/check.rs"]
mod check;
#[path = "main/serve.rs"]
mod serve;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use svc_core::config::{self, Config};
use svc_core::data_dir;
use svc_core::encryption::Encryption;
use svc_core::tasks::{erase, node};
use svc_server::app::ServerApp;
use svc_server::backup::MissingLog;
use svc_server::cli::{BackupArgs, BlobsCommand, Cli, Command, WebhooksCommand};
use svc_server::log_lines::LogLines;
use svc_server::{admin, backup, blobs, cli, moving, reseal, server};
use svc_store::clock::Clock;
use svc_store::db::DatabaseUrl;
use svc_store::db::lock::ServerLock;
use svc_store::error::{Error, Result};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Responses are many small allocations, freed on another thread. The system's allocator spends a
/// tenth of a page's time on that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(Command::Audit { repair_counts, json }) = cli.command {
        return check::audit_command(&cli.flags, repair_counts, json);
    }
    if let Some(Command::Reconcile { since, fix, json }) = cli.command {
        return check::reconcile_command(&cli.flags, since, fix, json);
    }
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error, 1),
    }
}

/// Exit code for wrong settings or files (`EX_CONFIG` of sysexits.h): service managers do not
/// restart the server then.
const WRONG_SETUP: u8 = 78;

/// Prints why a command failed; its exit code, `otherwise` unless settings or files are wrong.
fn failed(error: &Error, otherwise: u8) -> ExitCode {
    complain(&format!("error: {}", message(error)));
    ExitCode::from(if error.is_setup() { WRONG_SETUP } else { otherwise })
}

/// The message with the next step, and without its source location, which means nothing to an operator.
fn message(error: &Error) -> String {
    match error {
        Error::Internal(fault) => fault.cause.to_string(),
        Error::Refused(refusal) => {
            let hint = refusal.hint.as_ref().map(|hint| format!("\nhint: {hint}"));
            refusal.message.clone() + &hint.unwrap_or_default()
        }
        Error::Overdue(_) | Error::TooLong => error.to_string(),
    }
}

fn run(cli: &Cli) -> Result<()> {
    cli::refuse_ignored_variables().map_err(Error::internal)?;
    let (file, overrides) = (cli.flags.config.as_deref(), cli.overrides());
    if let Some(Command::Config { default }) = &cli.command {
        let shown = if *default {
            config::DEFAULT.to_owned()
        } else {
            config::show(file, &overrides).map_err(Error::internal)?
        };
        return cli::print(&shown).map_err(Error::internal);
    }
    let config = Config::load(file, &overrides).map_err(Error::internal)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Error::internal)?;
    let done = perform(&runtime, config, cli);
    // Remaining background work is not needed any more.
    runtime.shutdown_timeout(STOP_TIMEOUT);
    done
}

/// Performs a command that needs the settings.
fn perform(runtime: &Runtime, config: Config, cli: &Cli) -> Result<()> {
    match &cli.command {
        None | Some(Command::Serve) => runtime.block_on(serve::serve(config, cli)),
        Some(Command::Admin { json, command }) => {
            runtime.block_on(administer(config, *json, command))
        }
        Some(Command::Webhooks { command: WebhooksCommand::Reseal { lost } }) => {
            runtime.block_on(reseal_secrets(config, *lost))
        }
        Some(Command::Blobs { command: BlobsCommand::Move }) => {
            runtime.block_on(move_blobs(config))
        }
        Some(Command::Backup(given)) => runtime.block_on(back_up(config, given)),
        Some(Command::Restore { file, without_erasures }) => {
            runtime.block_on(restore(config, file, *without_erasures))
        }
        Some(Command::Migrate { from: Some(from), .. }) => {
            runtime.block_on(move_from(config, from))
        }
        Some(Command::Migrate { from: None, .. }) => runtime.block_on(migrate(config)),
        Some(Command::Openapi) => print_document(&config),
        Some(Command::Asyncapi) => cli::print(svc_openapi::asyncapi()).map_err(Error::internal),
        Some(Command::Config { .. } | Command::Audit { .. } | Command::Reconcile { .. }) => Ok(()),
    }
}

/// Prints the OpenAPI document.
fn print_document(config: &Config) -> Result<()> {
    let base =
        if config.has_public_url() { config.public_url(config.listen) } else { String::new() };
    cli::print(&svc_openapi::document(&format!("{base}/api"))).map_err(Error::internal)
}

/// How long remaining background work may delay the exit.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// Does the work of a command, with the state that it needs. Operator commands encrypt nothing, so no key is required.
async fn with_app<T>(
    config: Config,
    work: impl AsyncFnOnce(Arc<ServerApp>) -> Result<T>,
) -> Result<T> {
    server::find(&config)?;
    let clock = Clock::system();
    let db = server::open_as_it_is(&config, &clock).await?;
    let public_url = config.public_url(config.listen);
    let app = ServerApp::new(db, clock, Encryption::none(), config, public_url);
    node::join_for_command(&app).await?;
    let leave = CancellationToken::new();
    let node = tokio::spawn(node::run(app.core(), leave.clone()));
    let done = Box::pin(work(app)).await;
    // There are few numbers of nodes, and servers need them.
    leave.cancel();
    node.await.map_err(Error::internal)?;
    done
}

/// The right to serve a file, to change its tables and to restore it; PostgreSQL has a lock of its own.
fn lock(config: &Config) -> Result<Option<ServerLock>> {
    match config.database_url().map_err(Error::internal)? {
        DatabaseUrl::Sqlite(path) => ServerLock::acquire(&path).map(Some),
        DatabaseUrl::SqliteMemory | DatabaseUrl::Postgres(_) => Ok(None),
    }
}

/// Updates the tables. A server of an earlier version could not work on those of a file any more.
async fn migrate(config: Config) -> Result<()> {
    data_dir::make_folder(&config.data_dir)?;
    let _lock = lock(&config)?;
    server::open(&config, &Clock::system()).await?;
    say("the tables are up to date");
    Ok(())
}

/// Prints a line about work that goes on. It is only for readers: where they have left, or can't be reached, the work
/// does not fail.
fn say(line: &str) {
    let _ = cli::print(&format!("{line}\n"));
}

/// Prints a line to stderr. If that is on a full disk or has no reader, the exit code still says what happened.
fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Readable lines on a terminal or with `--dev`, else JSON.
fn start_log(config: &Config) -> Result<()> {
    let filter = server::log_filter(config)?;
    let log = tracing_subscriber::fmt().with_env_filter(filter);
    let log = log.with_writer(LogLines::on_stderr());
    // Of a line that can't be written, as on a full disk, the library would tell stderr by a macro that panics then.
    let log = log.log_internal_errors(false);
    if config.dev || io::stderr().is_terminal() {
        log.with_ansi(io::stderr().is_terminal()).init();
    } else {
        log.json().flatten_event(true).init();
    }
    Ok(())
}

async fn administer(config: Config, json: bool, command: &admin::Command) -> Result<()> {
    with_app(config, async |app| administer_by(&app, json, command).await).await
}

async fn administer_by(app: &Arc<ServerApp>, json: bool, command: &admin::Command) -> Result<()> {
    let mut lines = admin::run(app, command).await?;
    if lines.len() > admin::LIST_MAX {
        lines.truncate(admin::LIST_MAX);
        complain(&format!("only the first {} are listed; there are more", admin::LIST_MAX));
    }
    let erased = match command {
        admin::Command::Erase { .. } => erase::once(app).await,
        _ => Ok(()),
    };
    let mut text = String::new();
    for line in lines {
        let line = if json {
            serde_json::to_string(&line).map_err(Error::internal)?
        } else {
            line.to_string()
        };
        text.push_str(&line);
        text.push('\n');
    }
    cli::print(&text).map_err(Error::internal)?;
    // Other accounts are erased with it, and the erasure of one of them may have failed.
    erased
}

/// Encrypts stored secrets with the newest key, or discards those whose key is lost.
async fn reseal_secrets(config: Config, lost: bool) -> Result<()> {
    if lost {
        reseal::give_up_lost(&config).await?;
        say(
            "the server starts with the keys it has; webhooks that stay silent rotate their secret, and people whose \
             authenticator app is refused use a recovery code, or need `svc-server admin remove-factors`",
        );
    } else {
        let resealed = reseal::all(config).await?;
        say(&format!("sealed {resealed} secrets with the newest key"));
    }
    Ok(())
}

async fn move_blobs(config: Config) -> Result<()> {
    let moved = with_app(config, async |app| blobs::move_all(&app).await).await?;
    say(&format!("moved {moved} files"));
    Ok(())
}

async fn back_up(config: Config, given: &BackupArgs) -> Result<()> {
    if given.every.is_some() {
        start_log(&config)?;
    }
    let stop = CancellationToken::new();
    // What is restored aside has to be removed; a copy to a file ends as any program does.
    if given.file.is_none() {
        cancel_on_signals(stop.clone())?;
    }
    Box::pin(backup::run(config, given, &stop, say)).await
}

/// Cancels `stop` at SIGTERM or SIGINT.
fn cancel_on_signals(stop: CancellationToken) -> Result<()> {
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::internal)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::internal)?;
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        stop.cancel();
    });
    Ok(())
}

async fn move_from(config: Config, from: &DatabaseUrl) -> Result<()> {
    #[cfg(feature = "testing")]
    let _faults = fail::FailScenario::setup();
    let report = moving::run(config, from, say).await?;
    say(report.to_string().trim_end());
    if report.holds() {
        say("moved; the file is refused from now on");
        return Ok(());
    }
    Err(Error::internal("the audit found something; the file can still be served"))
}

async fn restore(config: Config, source: &Path, without_erasures: bool) -> Result<()> {
    data_dir::make(&config)?;
    // A server whose file was moved away goes on with it, and two restores would mix their files.
    let _lock = lock(&config)?;
    let missing = if without_erasures { MissingLog::Allowed } else { MissingLog::Refused };
    let erased = backup::restore(&config, source, missing, &Clock::system()).await?;
    say(&format!("restored {}", source.display()));
    if erased > 0 {
        say(&format!("accounts erased again, as after the backup: {erased}"));
    }
    Ok(())
}
