//! Slow work, on threads that yield to those that answer requests.

use std::num::NonZero;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Sender, TrySendError, bounded};
use svc_store::clock::Clock;
use svc_store::error::{Error, Refusal, Result};
use svc_store::panics::caught_now;
use svc_types::Code;
use tokio::sync::oneshot;

/// Seconds after which a refused caller may try again.
const RETRY_AFTER: u64 = 2;

type Job = Box<dyn FnOnce() + Send>;

/// Whether threads for slow work yield to those that answer requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// They do: on a server.
    Lowest,
    /// They do not: where nobody is served meanwhile, yielding is waiting.
    Usual,
}

impl Priority {
    /// The priority by this clock. Nobody waits for a server whose clock is moved by hand but the one
    /// who moves it.
    pub fn by(clock: &Clock) -> Self {
        if clock.is_manual() { Self::Usual } else { Self::Lowest }
    }
}

/// A bounded queue in front of a few threads.
///
/// A job that has begun belongs to its thread: a caller who goes away neither stops it nor frees its place.
#[derive(Debug)]
pub struct Background {
    queue: Sender<Job>,
    full: &'static str,
}

impl Background {
    /// Starts one thread less than there are cores: at least one, at most `threads_max`. Up to
    /// `queue_max` jobs wait; further ones are refused with 503 and the text `full`.
    ///
    /// # Panics
    /// When the system starts no further thread.
    pub fn start(
        name: &str,
        threads_max: usize,
        queue_max: usize,
        full: &'static str,
        priority: Priority,
    ) -> Self {
        let (queue, jobs) = bounded::<Job>(queue_max);
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        for number in 0..cores.saturating_sub(1).clamp(1, threads_max) {
            let jobs = jobs.clone();
            let run = move || {
                if priority == Priority::Lowest {
                    yield_to_requests();
                }
                for job in jobs {
                    // A panic is logged by its hook; the caller gets a 500, the next job its thread.
                    let _ = caught_now(job);
                }
            };
            let thread = thread::Builder::new().name(format!("{name}-{number}"));
            thread.spawn(run).expect("a thread can be started");
        }
        Self { queue, full }
    }

    /// Runs a job when its turn comes.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let (sender, result) = oneshot::channel();
        let job: Job = Box::new(move || {
            // Nobody would see the result of a caller that is gone.
            if !sender.is_closed() {
                let _ = sender.send(job());
            }
        });
        match self.queue.try_send(job) {
            Ok(()) => result.await.map_err(Error::internal),
            Err(TrySendError::Full(_)) => {
                let full = Refusal::new(Code::Overloaded, self.full);
                Err(full.retry_after(RETRY_AFTER).into())
            }
            Err(TrySendError::Disconnected(_)) => Err(Error::internal("no thread is left")),
        }
    }
}

fn yield_to_requests() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19) {
        tracing::debug!(%error, "slow work runs at normal priority");
    }
}

/// For how long this thread has worked. That is less than the time that passed: a thread of the lowest priority
/// waits for others. Where the system does not count it, the time of the clock stands for it.
pub fn time_worked(clock: &Clock) -> Duration {
    #[cfg(target_os = "linux")]
    if let Ok(worked) = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into()
    {
        return worked;
    }
    Duration::from_millis(clock.now().as_millis().try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::mpsc;
    use std::task::{Context, Waker};

    use super::*;

    /// One thread on every machine.
    fn single(queue_max: usize) -> Background {
        Background::start("test", 1, queue_max, "too much at once", Priority::Lowest)
    }

    /// Work that has begun, and goes on until the sender is dropped.
    fn busy(
        background: &Background,
    ) -> (Pin<Box<impl Future<Output = Result<()>>>>, mpsc::Sender<()>) {
        let (finish, finished) = mpsc::channel::<()>();
        let (start, started) = mpsc::channel::<()>();
        let mut work = Box::pin(background.run(move || {
            start.send(()).unwrap();
            let _ = finished.recv();
        }));
        let mut context = Context::from_waker(Waker::noop());
        assert!(work.as_mut().poll(&mut context).is_pending());
        started.recv().unwrap();
        (work, finish)
    }

    #[tokio::test]
    async fn abandoned_work_keeps_its_thread_to_its_end() {
        let background = single(1);
        let (abandoned, finish) = busy(&background);
        let mut context = Context::from_waker(Waker::noop());
        drop(abandoned);
        let mut next = Box::pin(background.run(|| 7));
        assert!(next.as_mut().poll(&mut context).is_pending());
        drop(finish);
        assert_eq!(next.await.unwrap(), 7);
    }

    #[tokio::test]
    async fn abandoned_work_that_still_waits_is_not_done() {
        let background = single(2);
        let (running, finish) = busy(&background);
        let mut context = Context::from_waker(Waker::noop());
        let (done, was_done) = mpsc::channel::<()>();
        let mut abandoned = Box::pin(background.run(move || done.send(()).is_ok()));
        assert!(abandoned.as_mut().poll(&mut context).is_pending());
        drop(abandoned);
        drop(finish);
        running.await.unwrap();
        assert_eq!(background.run(|| 7).await.unwrap(), 7);
        assert!(was_done.try_recv().is_err());
    }

    #[tokio::test]
    async fn work_beyond_the_queue_is_refused() {
        let background = single(1);
        let (running, finish) = busy(&background);
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting = Box::pin(background.run(|| ()));
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        let refused = background.run(|| ()).await.unwrap_err();
        assert_eq!(refused.to_string(), "too much at once");
        drop(finish);
        running.await.unwrap();
        waiting.await.unwrap();
    }

    #[tokio::test]
    async fn a_panic_ends_only_its_job() {
        let background = single(1);
        let panicking = || -> () { std::panic::resume_unwind(Box::new("gone")) };
        background.run(panicking).await.unwrap_err();
        assert_eq!(background.run(|| 7).await.unwrap(), 7);
    }
}
