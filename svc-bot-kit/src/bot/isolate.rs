//! Runs handlers in isolation: a panic or an endless wait harms nothing else.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use svc_client::types::{Credits, EscrowId, MessageId};

use super::chat::ChatMessage;
use super::shared::Shared;
use crate::service::{Chat, Ctx, Fail, HandlerState, Place, Rejection};

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
pub(super) fn chat_context(shared: &Shared, message: &ChatMessage) -> Ctx {
    let sender = message.sender();
    let chat = match message {
        ChatMessage::Direct(direct) => Chat {
            place: Place::Direct(sender.id.clone()),
            dialogue: direct.conversation_id.to_string(),
        },
        ChatMessage::Channel(posted) => Chat {
            place: Place::Channel(posted.channel_id.clone()),
            dialogue: format!("{} {}", posted.channel_id, sender.id),
        },
    };
    let state = HandlerState { chat: Some(chat), ..state(shared) };
    let (id, requester, offered) =
        (message.id().clone(), sender.username.clone(), Credits::default());
    let client = if sender.is_agent {
        let (agents, sender) = (shared.agents.clone(), sender.id.clone());
        shared.client.automated(move || agents.was_answered(&sender))
    } else {
        shared.client.clone()
    };
    Ctx::new(id, requester, offered, None, client, Arc::new(state))
}

/// The context for a handler: the id of the job, the requester, and what the order offers.
pub(super) fn context(
    shared: &Shared,
    id: MessageId,
    requester: String,
    offered: Credits,
    escrow: Option<EscrowId>,
) -> Ctx {
    let client = shared.client.clone();
    Ctx::new(id, requester, offered, escrow, client, Arc::new(state(shared)))
}

fn state(shared: &Shared) -> HandlerState {
    HandlerState {
        journal: shared.journal.clone(),
        stopping: shared.stopping.subscribe(),
        charge: Mutex::default(),
        states: Arc::clone(&shared.states),
        chat: None,
        dialogue: Mutex::default(),
        sent: Mutex::default(),
    }
}
