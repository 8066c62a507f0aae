//! Signals that end a program: Ctrl-C, and SIGTERM on Unix.

/// Waits for this many signals.
pub(super) async fn number(count: u32) {
    #[cfg(unix)]
    let mut terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate()).ok()
    };
    for _ in 0..count {
        #[cfg(unix)]
        tokio::select! {
            () = interrupt() => {}
            () = async {
                match &mut terminate {
                    Some(terminate) => _ = terminate.recv().await,
                    None => std::future::pending().await,
                }
            } => {}
        }
        #[cfg(not(unix))]
        interrupt().await;
    }
}

/// Waits for Ctrl-C; forever if it can't be received.
async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
