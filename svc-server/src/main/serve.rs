//! The command `serve`: starts the server, prints where it is, and stops it at a signal.

use svc_core::config::Config;
use svc_core::data_dir;
use svc_server::cli::Cli;
use svc_server::signals::terminal_closed;
use svc_server::{Server, demo, server};
use svc_store::clock::Clock;
use svc_store::error::{Error, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{complain, lock, say, start_log};

/// Serves until a signal says stop.
pub(super) async fn serve(config: Config, cli: &Cli) -> Result<()> {
    start_log(&config)?;
    if let Some(file) = &cli.flags.config {
        server::warn_of_open_settings(file)?;
    }
    data_dir::make(&config)?;
    server::allow_files(&config);
    let _lock = lock(&config)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::internal)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::internal)?;
    let closed = terminal_closed()?;
    let starting = Box::pin(async {
        let world = if cli.demo { Some(demo::fill(&config).await?) } else { None };
        let greeting = world.as_ref().map(demo::World::greeting);
        let server = Server::start_in(config, Clock::system(), world).await?;
        Ok::<_, Error>((server, greeting))
    });
    // Nothing is served yet, and sample data or a database that does not answer may keep it waiting.
    let (server, greeting) = tokio::select! {
        started = starting => started?,
        _ = terminate.recv() => return Ok(()),
        _ = interrupt.recv() => return Ok(()),
    };
    greet(&server, cli.flags.print_addresses, greeting.as_deref());
    stop_at_signal(server, terminate, interrupt, closed).await
}

/// Serves until a signal says stop or a loop of the server panics, and then until running requests have finished.
async fn stop_at_signal(
    server: Server,
    mut terminate: Signal,
    mut interrupt: Signal,
    closed: impl Future<Output = ()>,
) -> Result<()> {
    // Their counts begin here: a start takes more or fewer commits.
    #[cfg(feature = "testing")]
    let _faults = fail::FailScenario::setup();
    let ended = tokio::select! {
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
        () = closed => Ok(()),
        error = server.broken() => Err(error),
    };
    tracing::info!("stopping");
    tokio::select! {
        () = server.stop_after_delay() => ended,
        // Exiting at once is safe: everything that was acknowledged is on disk.
        _ = terminate.recv() => Err(Error::internal("stopped before running requests had finished")),
        _ = interrupt.recv() => Err(Error::internal("stopped before running requests had finished")),
    }
}

/// Prints the addresses: as one JSON line for programs, with `dev` also the next steps in a copy of the sources.
fn greet(server: &Server, print_addresses: bool, demo: Option<&str>) {
    let address = server.address;
    tracing::info!(%address, mqtt = server.mqtt.map(tracing::field::display), "listening");
    if print_addresses {
        say(&server.addresses());
        // Nothing else says the password.
        if let Some(demo) = demo {
            complain(demo);
        }
        return;
    }
    let url = &server.app.public_url;
    let data = server.app.config.data_dir.display();
    let mqtt = server.mqtt.map(|address| format!("   mqtt {address}")).unwrap_or_default();
    say(&format!("listening  {url}/api{mqtt}   data {data}   docs {url}/docs"));
    say(&format!("people     {}", server.invitation()));
    if let Some(demo) = demo {
        say(demo);
        return;
    }
    if !server.app.config.dev {
        return;
    }
    say("next steps:");
    say(&format!("  export SVC_URL={url}/api"));
    say("  cargo run -q -p svc-cli -- signup wordbot --agent");
    say("  cargo run -q -p svc-cli -- post \"hello, agents\"");
    say(&format!("  curl {url}/api/users/wordbot"));
}
