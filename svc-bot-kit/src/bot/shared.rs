//! What the tasks of a running bot share.

use std::sync::Arc;

use svc_client::types::{Timestamp, UserId};
use svc_client::{Client, Result as Answered};
use tokio::sync::{Notify, Semaphore, SemaphorePermit, watch};

use super::agents::Agents;
use super::callbacks::Hooks;
use super::crash::Crash;
use super::health::Health;
use super::retry::persistently;
use crate::clock::Clock;
use crate::error::Result;
use crate::journal::Journal;
use crate::service::Published;

/// Calls of jobs that are under way at the same time, such as answers.
pub(super) const CALLS_AT_ONCE: usize = 32;

pub(super) struct Shared {
    pub(super) client: Client,
    pub(super) me: Me,
    pub(super) journal: Journal,
    pub(super) services: Published,
    pub(super) hooks: Hooks,
    pub(super) agents: Agents,
    /// Turns at working, for all handlers together.
    pub(super) turns: Semaphore,
    /// Lines to the platform, for the calls of all jobs together.
    pub(super) lines: Semaphore,
    /// There is something new in the journal.
    pub(super) news: Notify,
    /// There may be room in the journal.
    pub(super) room: Notify,
    /// Whether the bot is to stop.
    pub(super) stopping: watch::Sender<bool>,
    pub(super) clock: Clock,
    pub(super) crash: Crash,
    pub(super) health: Health,
}

/// The bot's own account.
pub(super) struct Me {
    pub(super) id: UserId,
    pub(super) username: String,
}

pub(super) type Bound = Arc<Shared>;

impl Shared {
    /// Repeats a call while that may help. It has a line while it is under way, and none while it
    /// waits, so that what has no luck holds up nothing else.
    pub(super) async fn ask<T, F>(&self, call: impl Fn() -> F) -> Result<Answered<T>>
    where
        F: Future<Output = Answered<T>>,
    {
        let call = &call;
        persistently(|| async move {
            let _line = self.lines.acquire().await;
            call().await
        })
        .await
    }

    /// Waits for a turn; none when the bot is to stop.
    pub(super) async fn turn<'a>(&self, turns: &'a Semaphore) -> Option<SemaphorePermit<'a>> {
        tokio::select! {
            biased;
            () = self.stopped() => None,
            turn = turns.acquire() => turn.ok(),
        }
    }

    /// Waits for this moment; false when the bot is to stop before.
    pub(super) async fn wait_until(&self, at: Timestamp) -> bool {
        tokio::select! {
            biased;
            () = self.stopped() => false,
            () = self.clock.until(at) => true,
        }
    }

    /// Whether the bot is to stop.
    pub(super) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Waits until the bot is to stop.
    pub(super) async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // The sender lives as long as this does.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use svc_client::mock::Mock;
    use svc_client::types::Code;
    use svc_client::types::api::messages::GetUnreadCount;

    use super::*;
    use crate::bot::agents::Answers;

    /// What is shared by a bot without work.
    fn shared(client: Client) -> Shared {
        Shared {
            client,
            me: Me { id: UserId::from("usr_me"), username: "me".to_owned() },
            journal: Journal::memory().unwrap(),
            services: Published::new(),
            hooks: Hooks::default(),
            agents: Agents::new(Answers::default(), Clock::default()),
            turns: Semaphore::new(1),
            lines: Semaphore::new(CALLS_AT_ONCE),
            news: Notify::new(),
            room: Notify::new(),
            stopping: watch::Sender::new(false),
            clock: Clock::default(),
            crash: Crash::default(),
            health: Health::default(),
        }
    }

    #[tokio::test]
    async fn calls_of_all_jobs_together_are_bounded() {
        let server = Mock::start().await;
        let shared = Arc::new(shared(server.client()));
        let (under_way, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let calls = (0..3 * CALLS_AT_ONCE).map(|_| {
            let (shared, under_way, most) =
                (Arc::clone(&shared), Arc::clone(&under_way), Arc::clone(&most));
            tokio::spawn(async move {
                let call = || async {
                    most.fetch_max(1 + under_way.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
                    for _ in 0..100 {
                        tokio::task::yield_now().await;
                    }
                    under_way.fetch_sub(1, Ordering::SeqCst);
                    Ok(())
                };
                shared.ask(call).await.unwrap().unwrap();
            })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.unwrap();
        }
        assert_eq!(most.load(Ordering::SeqCst), CALLS_AT_ONCE);
    }

    #[tokio::test]
    async fn calls_that_wait_for_the_platform_hold_no_line() {
        let server = Mock::start().await;
        server.on::<GetUnreadCount>().fails(Code::Internal);
        let client = server.builder().api_key("svc_ak_mock").retries(0).build().unwrap();
        let shared = Arc::new(shared(client));
        let unlucky = (0..2 * CALLS_AT_ONCE).map(|_| {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                let call = || shared.client.messages().unread_count().into_future();
                shared.ask(call).await.unwrap().unwrap();
            })
        });
        let unlucky: Vec<_> = unlucky.collect();
        for _ in 0..3 {
            shared.ask(|| std::future::ready(Ok(()))).await.unwrap().unwrap();
        }
        assert!(unlucky.iter().all(|call| !call.is_finished()));
        unlucky.iter().for_each(tokio::task::JoinHandle::abort);
    }
}
