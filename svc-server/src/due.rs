//! What the clock moves: escrows, and orders that nobody answered.
//!
//! No leader is needed. Whoever finds something overdue, a request or the sweeper of any server,
//! moves it in a guarded transaction; a second one then finds nothing to do.

use std::sync::Arc;
use std::time::Duration;

use svc_types::{EscrowId, MessageId};
use tokio::sync::watch;

use crate::acts::{escrow, service_request};
use crate::app::{App, Cx};
use crate::error::{Error, Overdue, Result};
use crate::{sql, values};

/// Time between two sweeps.
const EVERY: Duration = Duration::from_secs(1);

/// Rows of one kind moved in one sweep, each in a transaction of its own.
const BATCH: i64 = 100;

/// Rows of one kind of an account moved before it is answered. The sweeper leaves few, so that this
/// is a bound for what it could not move in time.
const OF_ACCOUNT: i64 = 1_000;

/// How often a job is run anew because it found something overdue.
const TRIES: usize = 4;

/// Runs a job that only reads; what it finds overdue is moved before it runs again.
pub async fn read<T, F>(app: &Arc<App>, job: F) -> Result<T>
where
    T: Send + 'static,
    F: Fn(&mut Cx<'_, '_>) -> Result<T> + Send + Sync + 'static,
{
    let job = Arc::new(job);
    for _ in 0..TRIES {
        let job = Arc::clone(&job);
        match app.read(move |cx| job(cx)).await {
            Err(Error::Overdue(overdue)) => settle(app, overdue).await?,
            done => return done,
        }
    }
    Err(unsettled())
}

/// Runs a job in a transaction of its own; what it finds overdue is moved, and that kept, before
/// it runs again.
pub async fn write<T, F>(app: &Arc<App>, job: F) -> Result<T>
where
    T: Send + 'static,
    F: Fn(&mut Cx<'_, '_>) -> Result<T> + Send + Sync + 'static,
{
    let job = Arc::new(job);
    for _ in 0..TRIES {
        let job = Arc::clone(&job);
        match app.write(move |cx| job(cx)).await {
            Err(Error::Overdue(overdue)) => settle(app, overdue).await?,
            done => return done,
        }
    }
    Err(unsettled())
}

fn unsettled() -> Error {
    Error::internal("something stays overdue although it was moved")
}

/// Moves it. What an account has is moved one by one: a transaction that moved several would lock
/// the accounts of their other sides in no order.
async fn settle(app: &Arc<App>, overdue: Overdue) -> Result<()> {
    let Overdue::Account(account) = overdue else {
        return settle_one(app, overdue).await;
    };
    let look = move |cx: &mut Cx<'_, '_>| {
        let escrows = escrow::overdue(cx, &account, OF_ACCOUNT)?.into_iter();
        let requests = service_request::overdue(cx, &account, OF_ACCOUNT)?.into_iter();
        Ok(escrows.map(Overdue::Escrow).chain(requests.map(Overdue::Request)).collect::<Vec<_>>())
    };
    for overdue in app.read(look).await? {
        settle_one(app, overdue).await?;
    }
    Ok(())
}

async fn settle_one(app: &Arc<App>, overdue: Overdue) -> Result<()> {
    let move_it = move |cx: &mut Cx<'_, '_>| match &overdue {
        Overdue::Escrow(id) => escrow::settle(cx, id),
        Overdue::Request(id) => service_request::expire(cx, id),
        Overdue::Account(_) => Ok(()),
    };
    app.write(move_it).await
}

/// Sweeps until `stop` turns true.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    loop {
        let next = app.clock.now().plus(EVERY);
        tokio::select! {
            () = app.clock.sleep_until(next) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        if let Err(error) = sweep(&app).await {
            tracing::warn!(%error, "what is overdue could not be moved");
        }
    }
}

/// Moves all that is overdue by now. What can't be moved is logged, and stops nothing else.
pub async fn sweep(app: &Arc<App>) -> Result<()> {
    loop {
        let escrows = app.read(escrows).await?.into_iter().map(Overdue::Escrow);
        let requests = app.read(requests).await?.into_iter().map(Overdue::Request);
        let mut moved = 0;
        for overdue in escrows.chain(requests) {
            match settle(app, overdue.clone()).await {
                Ok(()) => moved += 1,
                Err(error) => tracing::error!(%error, ?overdue, "what is overdue stays so"),
            }
        }
        if moved == 0 {
            return Ok(());
        }
    }
}

fn escrows(cx: &mut Cx<'_, '_>) -> Result<Vec<EscrowId>> {
    let now = cx.now();
    cx.tx.all(
        sql!(
            "select id from escrow where due_at is not null and due_at <= $1
             order by due_at, id limit $2"
        ),
        values![now, BATCH],
    )
}

fn requests(cx: &mut Cx<'_, '_>) -> Result<Vec<MessageId>> {
    let now = cx.now();
    cx.tx.all(
        sql!(
            "select id from service_request where due_at is not null and due_at <= $1
             order by due_at, id limit $2"
        ),
        values![now, BATCH],
    )
}
