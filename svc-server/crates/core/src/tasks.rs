//! Background tasks. Every node runs all of them; none needs a leader.

pub mod bus;
pub mod debts;
pub mod embed;
pub mod erase;
pub mod flush;
pub mod index;
pub mod node;
pub mod rankings;
pub mod recover;
pub mod sealing;
pub mod sweep;
pub mod tiers;
pub mod trust;
pub mod waits;

use std::time::Duration;

use svc_store::clock::Clock;
use tokio_util::sync::CancellationToken;

/// Runs `work` after each `period` until `stop` is cancelled.
///
/// A round that has begun finishes, so a stop waits for it. Work that may end at any await point
/// wraps itself in [`CancellationToken::run_until_cancelled`].
pub async fn every<W, F>(period: Duration, clock: &Clock, stop: &CancellationToken, mut work: W)
where
    W: FnMut() -> F,
    F: Future<Output = ()>,
{
    loop {
        let next = clock.now().plus(period);
        if stop.run_until_cancelled(clock.sleep_until(next)).await.is_none() {
            return;
        }
        work().await;
    }
}
