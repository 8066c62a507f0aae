//! What a bot does beside its jobs: forgets, and what its author wants done now and then.

use std::time::Duration;

use svc_client::types::Timestamp;

use super::callbacks::Every;
use super::handler_error::{self, Decision, HandlerError, HandlerKind};
use super::handler_retry;
use super::isolate::{Unwell, carefully};
use super::shared::{Bound, Shared};
use crate::clock::Clock;
use crate::error::Result;
use crate::journal::Journal;

/// Time between two looks for what need not be kept.
const FORGET: Duration = Duration::from_secs(60 * 60);

/// Forgets what is old, once an hour, as long as the bot runs.
pub(super) async fn forget(journal: Journal, clock: Clock) -> Result<()> {
    loop {
        tokio::time::sleep(FORGET).await;
        journal.forget(clock.now()).await?;
    }
}

/// Does something again and again until the bot is to stop, which lets it come to its end.
pub(super) async fn repeat(shared: Bound, every: Every) {
    let mut failures = 0;
    while !shared.is_stopping() {
        let running = async { (every.function)(shared.client.clone()).await };
        if let Err(unwell) = carefully(running, Duration::MAX).await {
            failures += 1;
            if let Some(at) = after_failure(&shared, &every, failures, unwell).await {
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

/// When it is tried again after so many failures on end, the last being this one; none when it is
/// done again in its time alone.
async fn after_failure(
    shared: &Shared,
    every: &Every,
    failures: u32,
    unwell: Unwell,
) -> Option<Timestamp> {
    let pause = handler_retry::pause(failures - 1, &unwell).min(every.pause);
    let decision =
        if handler_error::is_retryable(&unwell) { Decision::Retry } else { Decision::Fail };
    let error = HandlerError {
        handler: HandlerKind::Every,
        request_id: None,
        requester: String::new(),
        attempt: failures,
        is_last: false,
        decision,
        unwell,
    };
    match handler_retry::decide(shared, &error).await {
        Decision::Retry => {
            tracing::warn!(%error, ?pause, "starts again later");
            return Some(shared.clock.now().plus(pause));
        }
        Decision::Drop => tracing::info!(%error, "dropped"),
        Decision::Fail => tracing::error!(error = &error as &dyn std::error::Error, "given up"),
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
    async fn what_is_old_is_forgotten_every_hour_while_the_bot_runs() {
        let (journal, clock) = (Journal::memory().unwrap(), Clock::default());
        let upto = Position { seq: 1, told_at: None };
        let long_ago = clock.now().minus(2 * WEEK);
        let jobs = vec![job("msg_1"), job("msg_2"), job("msg_3")];
        journal.take_in("usr_1", upto, jobs, long_ago).await.unwrap();
        journal.finish("msg_1", 0, Vec::new(), long_ago).await.unwrap();
        assert!(journal.job("msg_1").await.unwrap().is_some());
        let chore = tokio::spawn(forget(journal.clone(), clock.clone()));
        for (id, next) in [("msg_1", "msg_2"), ("msg_2", "msg_3")] {
            tokio::time::sleep(FORGET + Duration::from_secs(1)).await;
            assert!(journal.job(id).await.unwrap().is_none(), "{id}");
            journal.finish(next, 0, Vec::new(), long_ago).await.unwrap();
        }
        chore.abort();
    }
}
