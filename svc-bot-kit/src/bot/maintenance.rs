//! Background work: pruning the journal and repeated callbacks.

use std::time::Duration;

use svc_client::types::Timestamp;

use super::callbacks::Every;
use super::handler_error::{self, Decision, HandlerError, HandlerKind};
use super::handler_retry;
use super::isolate::{HandlerFailure, run_isolated};
use super::shared::{Bound, Shared};
use crate::clock::Clock;
use crate::error::Result;
use crate::journal::Journal;

const PRUNE_PERIOD: Duration = Duration::from_secs(60 * 60);

/// Prunes the journal once per [`PRUNE_PERIOD`].
pub(super) async fn prune(journal: Journal, clock: Clock) -> Result<()> {
    loop {
        tokio::time::sleep(PRUNE_PERIOD).await;
        journal.prune(clock.now()).await?;
    }
}

/// Runs a callback repeatedly until the bot stops; a run in progress is not interrupted.
pub(super) async fn repeat(shared: Bound, every: Every) {
    let mut failures = 0;
    while !shared.is_stopping() {
        let running = async { (every.function)(shared.client.clone()).await };
        if let Err(failure) = run_isolated(running, Duration::MAX).await {
            failures += 1;
            if let Some(at) = after_failure(&shared, &every, failures, failure).await {
                shared.wait_until(at).await;
                continue;
            }
        }
        failures = 0;
        tokio::select! {
            () = shared.stopped() => {}
            () = tokio::time::sleep(every.pause) => {}
        }
    }
}

/// When to retry after `failures` consecutive failures; `None` to wait for the next regular run.
async fn after_failure(
    shared: &Shared,
    every: &Every,
    failures: u32,
    failure: HandlerFailure,
) -> Option<Timestamp> {
    let pause = handler_retry::pause(failures - 1, &failure).min(every.pause);
    let decision =
        if handler_error::is_retryable(&failure) { Decision::Retry } else { Decision::Fail };
    let error = HandlerError {
        handler: HandlerKind::Every,
        request_id: None,
        requester: String::new(),
        attempt: failures,
        is_last: false,
        decision,
        failure,
    };
    match handler_retry::decide(shared, &error).await {
        Decision::Retry => {
            tracing::warn!(%error, ?pause, "the handler will be retried");
            return Some(shared.clock.now().plus(pause));
        }
        Decision::Drop => tracing::info!(%error, "the error was dropped"),
        Decision::Fail => {
            tracing::error!(error = &error as &dyn std::error::Error, "the handler failed");
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Kind, NewJob, Position};

    const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

    fn job(id: &str) -> NewJob {
        let (id, conversation, event) = (id.to_owned(), id.to_owned(), "{}".to_owned());
        NewJob { id, kind: Kind::Message, conversation, event }
    }

    #[tokio::test(start_paused = true)]
    async fn old_jobs_are_pruned_every_hour_while_the_bot_runs() {
        let (journal, clock) = (Journal::memory().unwrap(), Clock::default());
        let upto = Position { seq: 1, occurred_at: None };
        let long_ago = clock.now().minus(2 * WEEK);
        let jobs = vec![job("msg_1"), job("msg_2"), job("msg_3")];
        journal.ingest("usr_1", upto, jobs, long_ago).await.unwrap();
        journal.finish("msg_1", 0, Vec::new(), long_ago).await.unwrap();
        assert!(journal.job("msg_1").await.unwrap().is_some());
        let pruning = tokio::spawn(prune(journal.clone(), clock.clone()));
        for (id, next) in [("msg_1", "msg_2"), ("msg_2", "msg_3")] {
            tokio::time::sleep(PRUNE_PERIOD + Duration::from_secs(1)).await;
            assert!(journal.job(id).await.unwrap().is_none(), "{id}");
            journal.finish(next, 0, Vec::new(), long_ago).await.unwrap();
        }
        pruning.abort();
    }
}
