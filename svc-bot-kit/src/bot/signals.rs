//! What ends a program: Ctrl-C, and SIGTERM where there is one.

/// Waits for so many signals.
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

/// Waits for Ctrl-C; for ever where it can't be heard.
async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
