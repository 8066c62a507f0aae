//! What the tasks of a running bot share.

use std::sync::Arc;
use std::time::Duration;

use svc_client::types::{Timestamp, UserId};
use svc_client::{Client, Result as ClientResult};
use tokio::sync::{Notify, Semaphore, SemaphorePermit, watch};

use super::agents::AgentLimiter;
use super::callbacks::Hooks;
use super::chat::Layered;
use super::crash::Crash;
use super::health::Health;
use super::retry::retry;
use crate::clock::Clock;
use crate::error::Result;
use crate::journal::Journal;
use crate::service::{Published, States};

/// Concurrent calls of all jobs at most, such as answers.
pub(super) const CALLS_AT_ONCE: usize = 32;
/// The longest wait. A stored time that is further away was written before the system clock was set back.
const WAIT_MAX: Duration = Duration::from_secs(60 * 60);

pub(super) struct Shared {
    pub(super) client: Client,
    pub(super) me: Me,
    pub(super) journal: Journal,
    pub(super) services: Published,
    pub(super) hooks: Hooks,
    /// The handlers of messages with their layers.
    pub(super) handlers: Layered,
    pub(super) states: Arc<States>,
    pub(super) agents: AgentLimiter,
    /// Limits concurrently running handlers.
    pub(super) permits: Semaphore,
    /// Limits concurrent calls to the platform.
    pub(super) call_permits: Semaphore,
    /// Notified when the journal has new jobs.
    pub(super) new_jobs: Notify,
    /// Notified when the journal may have capacity for more jobs.
    pub(super) capacity: Notify,
    /// Whether the bot is stopping.
    pub(super) stopping: watch::Sender<bool>,
    pub(super) clock: Clock,
    pub(super) crash: Crash,
    pub(super) health: Health,
}

/// The bot's account.
pub(super) struct Me {
    pub(super) id: UserId,
    pub(super) username: String,
}

pub(super) type Bound = Arc<Shared>;

impl Shared {
    /// Makes a call with retries. It holds a permit only while a request is in flight, so that calls
    /// waiting to be retried do not block others.
    pub(super) async fn call<T, F>(&self, call: impl Fn() -> F) -> Result<ClientResult<T>>
    where
        F: Future<Output = ClientResult<T>>,
    {
        let call = &call;
        retry(|| async move {
            let _permit = self.call_permits.acquire().await;
            call().await
        })
        .await
    }

    /// Waits for a permit; `None` if the bot is stopping.
    pub(super) async fn acquire<'a>(&self, permits: &'a Semaphore) -> Option<SemaphorePermit<'a>> {
        tokio::select! {
            biased;
            () = self.stopped() => None,
            permit = permits.acquire() => permit.ok(),
        }
    }

    /// Waits until this time, at most an hour; returns false if the bot stops earlier.
    pub(super) async fn wait_until(&self, at: Timestamp) -> bool {
        let at = at.min(self.clock.now().plus(WAIT_MAX));
        tokio::select! {
            biased;
            () = self.stopped() => false,
            () = self.clock.until(at) => true,
        }
    }

    pub(super) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Waits until the bot is stopping.
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
    use tokio::time::Instant;

    use super::*;
    use crate::bot::agents::AnswerLimit;
    use crate::bot::chat::{Layers, Routes};

    /// The shared state of an idle bot.
    fn shared(client: Client) -> Shared {
        Shared {
            client,
            me: Me { id: UserId::from("usr_me"), username: "me".to_owned() },
            journal: Journal::memory().unwrap(),
            services: Published::new(),
            handlers: Layers::default().around(Routes::default(), "me"),
            hooks: Hooks::default(),
            states: Arc::default(),
            agents: AgentLimiter::new(AnswerLimit::default(), Clock::default()),
            permits: Semaphore::new(1),
            call_permits: Semaphore::new(CALLS_AT_ONCE),
            new_jobs: Notify::new(),
            capacity: Notify::new(),
            stopping: watch::Sender::new(false),
            clock: Clock::default(),
            crash: Crash::default(),
            health: Health::default(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn no_wait_is_longer_than_an_hour() {
        let client = Client::builder("http://127.0.0.1:1").build().unwrap();
        let (shared, begun) = (shared(client), Instant::now());
        let in_a_year = shared.clock.now().plus(WAIT_MAX * 24 * 365);
        assert!(shared.wait_until(in_a_year).await);
        assert!(begun.elapsed() < 2 * WAIT_MAX);
    }

    #[tokio::test]
    async fn concurrent_calls_of_all_jobs_are_limited() {
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
                shared.call(call).await.unwrap().unwrap();
            })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.unwrap();
        }
        assert_eq!(most.load(Ordering::SeqCst), CALLS_AT_ONCE);
    }

    #[tokio::test]
    async fn calls_that_wait_for_the_platform_hold_no_permit() {
        let server = Mock::start().await;
        server.on::<GetUnreadCount>().fails(Code::Internal);
        let client = server.builder().api_key("svc_ak_mock").retries(0).build().unwrap();
        let shared = Arc::new(shared(client));
        let failing = (0..2 * CALLS_AT_ONCE).map(|_| {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                let call = || shared.client.messages().unread_count().into_future();
                shared.call(call).await.unwrap().unwrap();
            })
        });
        let failing: Vec<_> = failing.collect();
        for _ in 0..3 {
            shared.call(|| std::future::ready(Ok(()))).await.unwrap().unwrap();
        }
        assert!(failing.iter().all(|call| !call.is_finished()));
        failing.iter().for_each(tokio::task::JoinHandle::abort);
    }
}
