//! Loops that run until the server stops.
//!
//! A panic in a round of a loop is caught there (`svc_store::panics`), and the loop goes on. After a panic
//! elsewhere, its work would stop unnoticed. So the server stops, and a service manager starts it again.

use svc_store::error::Error;
use svc_store::panics::caught;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::Server;

/// The loops of a server, and whether one of them has panicked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops(CancellationToken);

impl Loops {
    /// Runs a loop in a task of its own.
    pub(crate) fn run(
        &self,
        name: &'static str,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> JoinHandle<()> {
        let broken = self.0.clone();
        tokio::spawn(async move {
            let running = async {
                work.await;
                Ok(())
            };
            if caught(running).await.is_err() {
                tracing::error!(name, "a loop of the server panicked: the server stops");
                broken.cancel();
            }
        })
    }

    /// Waits until one has panicked.
    async fn broken(&self) {
        self.0.cancelled().await;
    }
}

impl Server {
    /// Waits until a loop of the server has panicked, which must end the process.
    pub async fn broken(&self) -> Error {
        self.app.loops.broken().await;
        Error::internal("a loop of the server panicked, as the log says")
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::panic::resume_unwind;
    use std::task::{Context, Waker};

    use super::*;

    #[tokio::test]
    async fn a_loop_that_panics_is_noticed_and_one_that_ends_is_not() {
        let loops = Loops::default();
        loops.run("ends", async {}).await.unwrap();
        let mut broken = Box::pin(loops.broken());
        let mut context = Context::from_waker(Waker::noop());
        assert!(broken.as_mut().poll(&mut context).is_pending());
        loops.run("panics", poll_fn(|_| resume_unwind(Box::new("gone")))).await.unwrap();
        broken.await;
    }
}
