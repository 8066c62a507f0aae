//! Runs what an author wrote, so that it harms nothing else.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use svc_client::types::{Credits, EscrowId, MessageId};

use super::shared::Shared;
use crate::service::{Ctx, Fail, Reins};

/// Why a handler came to no end of its own, or to a bad one.
#[derive(Debug)]
pub(super) enum Unwell {
    Fail(Fail),
    Panic,
    Slow,
}

/// Runs a handler for so long at most; its panic ends nothing else.
pub(super) async fn carefully<T>(
    running: impl Future<Output = Result<T, Fail>>,
    timeout: Duration,
) -> Result<T, Unwell> {
    let mut running = pin!(running);
    let caught = poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(cx))) {
        Ok(polled) => polled.map(|ended| ended.map_err(Unwell::Fail)),
        Err(_) => Poll::Ready(Err(Unwell::Panic)),
    });
    tokio::time::timeout(timeout, caught).await.unwrap_or(Err(Unwell::Slow))
}

/// What a handler is given: the id of what it is about, who asks, what is offered for it.
pub(super) fn context(
    shared: &Shared,
    id: MessageId,
    requester: String,
    offered: Credits,
    escrow: Option<EscrowId>,
) -> Ctx {
    let reins = Reins {
        client: shared.client.clone(),
        journal: shared.journal.clone(),
        stopping: shared.stopping.subscribe(),
        charge: Mutex::default(),
    };
    Ctx::new(id, requester, offered, escrow, Arc::new(reins))
}
