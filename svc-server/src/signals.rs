//! Signals to a process that serves.

use std::future;
use std::io::{self, IsTerminal};

use svc_store::error::{Error, Result};
use tokio::signal::unix::{SignalKind, signal};

/// Waits until the terminal of the server is closed. Where there is none, the same signal asks programs to read their
/// settings again. It must not end the server, because systemd starts none again that ended so.
///
/// Whether there is one is checked when this is called: a terminal that was closed is none any more.
pub fn terminal_closed() -> Result<impl Future<Output = ()> + Send> {
    let mut hangup = signal(SignalKind::hangup()).map_err(Error::internal)?;
    let is_on_terminal = io::stderr().is_terminal();
    Ok(async move {
        while hangup.recv().await.is_some() {
            if is_on_terminal {
                return;
            }
            tracing::warn!("SIGHUP changes nothing: settings are read when the server starts");
        }
        future::pending::<()>().await;
    })
}
