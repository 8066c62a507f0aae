//! Background tasks. Every node runs all of them; none needs a leader.

pub mod bus;
pub mod debts;
pub mod embed;
pub mod erase;
pub mod flush;
pub mod highlight;
pub mod index;
pub mod node;
pub mod rankings;
pub mod recover;
pub mod sealing;
pub mod sweep;
pub mod tiers;
pub mod trust;
pub mod waits;

use std::sync::Arc;
use std::time::Duration;

use svc_store::clock::Clock;
use svc_store::error::Result;
use svc_store::{sql, values};
use tokio_util::sync::CancellationToken;

use crate::app::{App, Ctx};
use crate::due;
use crate::services::leaderboard;

/// Does what fell due while no node ran, before anybody is served. On a new database that would be a
/// hundred statements about nobody; the little that apps without an owner leave waits for the next sweep.
pub async fn catch_up(app: &Arc<App>) -> Result<()> {
    if app.read(is_new).await? {
        return app.write(leaderboard::keep_empty).await;
    }
    sweep::once(app).await?;
    due::sweep(app).await?;
    rankings::at_start(app).await
}

/// Whether nobody has signed up yet.
fn is_new(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let first: Option<i64> = ctx.tx.optional(sql!("select 1 from account limit 1"), values![])?;
    Ok(first.is_none())
}

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
