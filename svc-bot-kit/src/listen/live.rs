//! Hints of a task that keeps a connection.

use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::AbortHandle;

use super::hints::{Hint, Hints, Waiting};

/// Queued hints at most; if there are more, the listener polls instead.
const HINTS_MAX: usize = 256;
/// The first pause before reconnecting.
const PAUSE_MIN: Duration = Duration::from_secs(1);
/// The longest pause before reconnecting.
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// A task that keeps a connection; it ends when reconnecting is pointless.
type Task = Box<dyn FnOnce(Outlet) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

/// Hints of a task; once that has ended, only time.
pub(super) struct Live {
    task: Option<Task>,
    pub(super) hints: Option<Receiver<Hint>>,
    state: Arc<State>,
    running: Option<AbortHandle>,
}

#[derive(Default)]
struct State {
    /// Whether hints arrive as events happen.
    is_live: AtomicBool,
    /// Whether a hint was dropped because the queue was full.
    overflowed: AtomicBool,
}

/// Where the task puts its hints.
pub(super) struct Outlet {
    hints: Sender<Hint>,
    state: Arc<State>,
}

impl Live {
    /// Starts the task on the first wait.
    pub(super) fn new<F>(task: impl FnOnce(Outlet) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let task: Task = Box::new(|outlet| Box::pin(task(outlet)));
        Self { task: Some(task), hints: None, state: Arc::default(), running: None }
    }

    pub(super) fn start(&mut self) {
        if let Some(task) = self.task.take() {
            let (hints, receiver) = mpsc::channel(HINTS_MAX);
            let outlet = Outlet { hints, state: Arc::clone(&self.state) };
            self.hints = Some(receiver);
            self.running = Some(tokio::spawn(task(outlet)).abort_handle());
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.abort();
        }
    }
}

impl Hints for Live {
    fn wait(&mut self, at_most: Duration) -> Waiting<'_> {
        self.start();
        Box::pin(async move {
            if self.state.overflowed.swap(false, Ordering::AcqRel) {
                return Hint::Poll;
            }
            if let Some(hints) = &mut self.hints {
                match tokio::time::timeout(at_most, hints.recv()).await {
                    Ok(Some(hint)) => return hint,
                    Ok(None) => self.hints = None,
                    Err(_) => return Hint::Elapsed,
                }
            }
            tokio::time::sleep(at_most).await;
            Hint::Elapsed
        })
    }

    fn is_live(&self) -> bool {
        self.state.is_live.load(Ordering::Acquire)
    }
}

impl Outlet {
    /// Forwards a hint without waiting, because the connection must be read without pauses.
    pub(super) fn send(&self, hint: Hint) {
        if self.hints.try_send(hint).is_err() {
            self.state.overflowed.store(true, Ordering::Release);
        }
    }

    /// From now on hints arrive as events happen; earlier events are to be polled.
    pub(super) fn opened(&self) {
        self.state.is_live.store(true, Ordering::Release);
        self.send(Hint::Poll);
    }

    /// The connection has ended. Returns whether it was open.
    pub(super) fn closed(&self) -> bool {
        self.state.is_live.swap(false, Ordering::AcqRel)
    }
}

/// Pauses between attempts to connect: 1 s, doubled up to 30 s, times 0.75 to 1, so that clients whose
/// connections ended together do not come back together.
pub(super) struct Backoff(Duration);

impl Backoff {
    pub(super) const fn new() -> Self {
        Self(PAUSE_MIN)
    }

    /// Starts over after a connection that worked.
    pub(super) const fn reset(&mut self) {
        self.0 = PAUSE_MIN;
    }

    /// The next pause, which is at least this long.
    pub(super) fn pause(&mut self, at_least: Duration) -> Duration {
        let pause = self.0.mul_f64(0.75 + fraction() / 4.0).max(at_least);
        self.0 = (self.0 * 2).min(PAUSE_MAX);
        pause
    }
}

/// A random number from 0 to 1, good enough for pauses: only bots and buyers depend on `getrandom`.
fn fraction() -> f64 {
    let [.., high, low] = RandomState::new().hash_one(()).to_be_bytes();
    f64::from(u16::from_be_bytes([high, low])) / f64::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn hints_beyond_the_queue_are_replaced_by_a_poll() {
        let mut live = Live::new(|outlet| async move {
            outlet.opened();
            for _ in 0..HINTS_MAX {
                outlet.send(Hint::Channel);
            }
        });
        let mut polls = 0;
        for _ in 0..=HINTS_MAX {
            match live.wait(PAUSE_MIN).await {
                Hint::Poll => polls += 1,
                hint => assert!(matches!(hint, Hint::Channel), "{hint:?}"),
            }
        }
        assert_eq!(polls, 2, "one as it opens, and one for what was lost");
        assert!(matches!(live.wait(PAUSE_MIN).await, Hint::Elapsed));
    }

    #[test]
    fn pauses_are_doubled_and_differ_between_clients() {
        let mut backoff = Backoff::new();
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            let (pause, full) = (backoff.pause(Duration::ZERO), Duration::from_secs(seconds));
            assert!(full.mul_f64(0.75) <= pause && pause <= full, "{pause:?}");
        }
        assert_eq!(backoff.pause(PAUSE_MAX * 2), PAUSE_MAX * 2, "as long as the platform asks");
        let first: HashSet<Duration> =
            (0..20).map(|_| Backoff::new().pause(Duration::ZERO)).collect();
        assert!(first.len() > 1);
    }
}
