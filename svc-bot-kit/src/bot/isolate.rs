//! Runs what an author wrote, so that it harms nothing else.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use svc_client::types::api::messages::Message;
use svc_client::types::{Credits, EscrowId, MessageId};

use super::shared::Shared;
use crate::service::{Ctx, Fail, Reins, Rejection};

/// Why a handler came to no end of its own, or to a bad one.
#[derive(Debug)]
pub(super) enum Unwell {
    Fail(Fail),
    Panic,
    Slow,
}

impl Unwell {
    /// Why the order is declined, if it is; else what it was.
    pub(super) fn rejection(self) -> Result<Rejection, Self> {
        match self {
            Self::Fail(fail) => fail.into_rejection().map_err(Self::Fail),
            other => Err(other),
        }
    }
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

/// What a handler of messages is given. Whatever it sends for what an agent wrote counts as an answer
/// to that agent.
pub(super) fn context_of(shared: &Shared, message: &Message) -> Ctx {
    let (id, sender) = (message.message_id.clone(), message.sender.username.clone());
    let cx = context(shared, id, sender, Credits::default(), None);
    if !message.sender.is_agent {
        return cx;
    }
    let (agents, sender) = (shared.agents.clone(), message.sender.id.clone());
    cx.with_client(shared.client.automated(move || agents.was_answered(&sender)))
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
        journal: shared.journal.clone(),
        stopping: shared.stopping.subscribe(),
        charge: Mutex::default(),
    };
    let client = shared.client.clone();
    Ctx::new(id, requester, offered, escrow, client, Arc::new(reins))
}
