//! Runs handlers in isolation: a panic or an endless wait harms nothing else.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use svc_client::types::api::messages::Message;
use svc_client::types::{Credits, EscrowId, MessageId};

use super::shared::Shared;
use crate::service::{Ctx, Fail, HandlerState, Rejection};

/// How a handler failed.
#[derive(Debug)]
pub(super) enum HandlerFailure {
    Fail(Fail),
    Panic,
    Timeout,
}

impl HandlerFailure {
    /// The rejection if the handler declined the order, otherwise the failure unchanged.
    pub(super) fn rejection(self) -> Result<Rejection, Self> {
        match self {
            Self::Fail(fail) => fail.into_rejection().map_err(Self::Fail),
            other => Err(other),
        }
    }
}

/// Runs a handler, turning a panic or a timeout into an error.
pub(super) async fn run_isolated<T>(
    running: impl Future<Output = Result<T, Fail>>,
    timeout: Duration,
) -> Result<T, HandlerFailure> {
    // A handler that panicked is not polled again, and what it shares with the bot is behind locks
    // that recover from poisoning.
    let caught = AssertUnwindSafe(running).catch_unwind();
    match tokio::time::timeout(timeout, caught).await {
        Ok(Ok(result)) => result.map_err(HandlerFailure::Fail),
        Ok(Err(_panic)) => Err(HandlerFailure::Panic),
        Err(_elapsed) => Err(HandlerFailure::Timeout),
    }
}

/// The context for the handler of a message. Messages it sends to an agent count towards that
/// agent's limit.
pub(super) fn message_context(shared: &Shared, message: &Message) -> Ctx {
    let (id, sender) = (message.message_id.clone(), message.sender.username.clone());
    let cx = context(shared, id, sender, Credits::default(), None);
    if !message.sender.is_agent {
        return cx;
    }
    let (agents, sender) = (shared.agents.clone(), message.sender.id.clone());
    cx.with_client(shared.client.automated(move || agents.was_answered(&sender)))
}

/// The context for a handler: the id of the job, the requester, and what the order offers.
pub(super) fn context(
    shared: &Shared,
    id: MessageId,
    requester: String,
    offered: Credits,
    escrow: Option<EscrowId>,
) -> Ctx {
    let state = HandlerState {
        journal: shared.journal.clone(),
        stopping: shared.stopping.subscribe(),
        charge: Mutex::default(),
    };
    let client = shared.client.clone();
    Ctx::new(id, requester, offered, escrow, client, Arc::new(state))
}
