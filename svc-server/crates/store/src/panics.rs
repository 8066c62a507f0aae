//! Panics that are caught, so that a loop in the background goes on. The metric `svc_panics_total` counts them.
//!
//! When one is caught, the hook of the standard library has already printed it with its place.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use crate::error::{Error, Result};

/// Does some work of a loop that leaves nothing half done in memory. If it panics, it fails and the loop goes on:
/// nothing else would start the loop again before a restart.
pub async fn caught<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let mut work = pin!(work);
    poll_fn(|context| {
        let polled = caught_now(|| work.as_mut().poll(context));
        polled.unwrap_or_else(|error| Poll::Ready(Err(error)))
    })
    .await
}

/// The same for work that does not wait.
#[track_caller]
pub fn caught_now<T>(work: impl FnOnce() -> T) -> Result<T> {
    let Ok(done) = catch_unwind(AssertUnwindSafe(work)) else {
        return Err(failure("the work panicked"));
    };
    Ok(done)
}

/// Counts a caught panic, and returns the error for it.
#[track_caller]
pub fn failure(what: &'static str) -> Error {
    metrics::counter!("svc_panics_total").increment(1);
    Error::internal(what)
}

#[cfg(test)]
mod tests {
    use std::panic::resume_unwind;

    use super::*;

    fn panicking<T>() -> T {
        resume_unwind(Box::new("gone"))
    }

    #[tokio::test]
    async fn work_that_panics_fails_and_ends_no_loop() {
        caught(poll_fn(|_| panicking::<Poll<Result<()>>>())).await.unwrap_err();
        assert_eq!(caught(async { Ok(1) }).await.unwrap(), 1);
    }

    #[test]
    fn work_that_does_not_wait_fails_when_it_panics() {
        caught_now(panicking::<()>).unwrap_err();
        assert_eq!(caught_now(|| 1).unwrap(), 1);
    }
}
