//! `svc serve`: the server itself, with the settings of `svc-server`.

use std::error::Error as StdError;
use std::io::IsTerminal;

use clap::Args;
use svc_client::base_url;
use svc_server::Server;
use svc_server::cli::{Flags, refuse_ignored_variables};
use svc_server::clock::Clock;
use svc_server::config::Config;
use svc_server::data_dir;
use svc_server::db::DatabaseUrl;
use svc_server::db::lock::ServerLock;
use svc_server::demo::{self, World};
use svc_server::error::Error as ServerError;
use svc_server::log_lines::LogLines;
use svc_server::signals::terminal_closed;
use tempfile::TempDir;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output;
use crate::settings::Settings;
use crate::shell::quoted;

/// Flags of `svc serve`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ServeFlags {
    /// Keep nothing: the data ends with the server.
    #[arg(long, conflicts_with_all = ["data_dir", "database_url"])]
    memory: bool,
    /// With --dev, fill an empty database with a small world, whose services answer.
    #[arg(long, conflicts_with = "memory")]
    demo: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Serves until a signal says stop.
pub(crate) async fn run(flags: &ServeFlags, settings: &Settings) -> Result<()> {
    let out = settings.out;
    let (config, _folder) = flags.config()?;
    if settings.is_shown(&format!("serve at {}", config.listen))? {
        return Ok(());
    }
    start_log(&config)?;
    if let Some(file) = &flags.flags.config {
        svc_server::server::warn_of_open_settings(file).map_err(refused)?;
    }
    data_dir::make(&config).map_err(refused)?;
    svc_server::server::allow_files(&config);
    let _lock = match config.database_url().map_err(failed)? {
        DatabaseUrl::Sqlite(path) => Some(ServerLock::acquire(&path).map_err(refused)?),
        DatabaseUrl::SqliteMemory | DatabaseUrl::Postgres(_) => None,
    };
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let closed = terminal_closed().map_err(refused)?;
    let starting = Box::pin(async {
        let world = if flags.demo { Some(demo::fill(&config).await?) } else { None };
        let greeting = world.as_ref().map(World::greeting);
        let server = Server::start_in(config, Clock::system(), world).await?;
        Ok::<_, ServerError>((server, greeting))
    });
    let (server, greeting) = tokio::select! {
        started = starting => started.map_err(refused)?,
        () = wait(&mut terminate, &mut interrupt) => return Ok(()),
    };
    greet(&server, flags, settings)?;
    if let Some(greeting) = greeting {
        out.note(&greeting);
    }
    let ended = tokio::select! {
        () = wait(&mut terminate, &mut interrupt) => Ok(()),
        () = closed => Ok(()),
        error = server.broken() => Err(refused(error)),
    };
    tokio::select! {
        () = server.stop_after_delay() => ended,
        // Ending at once is safe: what was answered is on disk.
        () = wait(&mut terminate, &mut interrupt) => {
            Err(failed("stopped before running requests had finished"))
        }
    }
}

impl ServeFlags {
    /// The settings, and the folder that ends with them when nothing is kept.
    fn config(&self) -> Result<(Config, Option<TempDir>)> {
        refuse_ignored_variables().map_err(|error| ended(Exit::Setup, error))?;
        let mut overrides = self.flags.overrides();
        let mut folder = None;
        if self.memory {
            let made = folder.insert(tempfile::tempdir().map_err(failed)?);
            let place = made.path().display().to_string();
            overrides.push(("database_url".to_owned(), "sqlite::memory:".to_owned()));
            overrides.push(("data_dir".to_owned(), place));
        }
        let config = Config::load(self.flags.config.as_deref(), &overrides);
        let config = config.map_err(|error| ended(Exit::Setup, error))?;
        Ok((config, folder))
    }
}

async fn wait(terminate: &mut Signal, interrupt: &mut Signal) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

/// Tells where the server listens, and what to try next.
fn greet(server: &Server, flags: &ServeFlags, settings: &Settings) -> Result<()> {
    let out = settings.out;
    if flags.flags.print_addresses || out.json {
        return output::text(&server.addresses());
    }
    let url = &server.app.public_url;
    let data = if flags.memory {
        "in memory".to_owned()
    } else {
        server.app.config.data_dir.display().to_string()
    };
    let mqtt = server.mqtt.map(|address| format!("  mqtt {address}")).unwrap_or_default();
    let api = base_url(url);
    // Where the command would go by itself it needs no URL.
    let elsewhere = !settings.newcomer_url().is_ok_and(|url| url == api);
    let flag = if elsewhere { format!(" --url {}", quoted(&api)) } else { String::new() };
    // The demo has an `ada` already, and says how to sign in.
    let signup = if flags.demo { String::new() } else { format!(", or svc signup ada{flag}") };
    let next = format!("next: {}{signup}", server.invitation());
    out.noted(&format!("listening  {api}{mqtt}  data {data}"), &next)
}

/// Readable lines on a terminal or with `--dev`, else JSON.
fn start_log(config: &Config) -> Result<()> {
    let filter = svc_server::server::log_filter(config).map_err(refused)?;
    let on_terminal = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter);
    let log = log.with_writer(LogLines::on_stderr());
    // Of a line that can't be written, the library would tell stderr by a macro that panics then.
    let log = log.log_internal_errors(false);
    if config.dev || on_terminal {
        log.with_ansi(on_terminal).init();
    } else {
        log.json().flatten_event(true).init();
    }
    Ok(())
}

/// A refusal of the server in its own words.
fn refused(error: ServerError) -> Box<Error> {
    let exit = if error.is_setup() { Exit::Setup } else { Exit::Other };
    match error {
        // Without its place in the code, which means nothing here.
        ServerError::Internal(fault) => ended(exit, fault.cause),
        ServerError::Refused(refusal) => {
            let (message, hint) = (refusal.message, refusal.hint);
            let error = failed(message);
            match hint {
                Some(hint) => error.hint(hint),
                None => error,
            }
        }
        ServerError::Overdue(_) => failed("a clock ran out while the server started"),
        ServerError::TooLong => failed("reading the database takes too long"),
    }
}

fn failed(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Box<Error> {
    ended(Exit::Other, error)
}

fn ended(exit: Exit, error: impl Into<Box<dyn StdError + Send + Sync>>) -> Box<Error> {
    Error::new(exit, "serve", error.into().to_string())
}
