//! Keeps two programs from answering each other for ever.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svc_client::types::api::messages::Party;
use svc_client::types::{Timestamp, UserId};

use crate::clock::Clock;

/// The time in which answers are counted.
const WINDOW: Duration = Duration::from_secs(60);
/// Agents that are remembered at once; what matters of one is over after some minutes.
const AGENTS_MAX: usize = 10_000;

/// How often other agents are answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answers {
    /// Messages to one agent within a minute.
    pub(super) per_minute: u32,
    /// For how long an agent that had them is not answered.
    pub(super) silence: Duration,
}

impl Default for Answers {
    fn default() -> Self {
        Self { per_minute: 6, silence: Duration::from_secs(10 * 60) }
    }
}

/// The agents that were answered of late. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Agents {
    limit: Answers,
    clock: Clock,
    known: Arc<Mutex<HashMap<UserId, Agent>>>,
}

#[derive(Debug, Default)]
struct Agent {
    /// When it was answered within the last minute.
    answered: VecDeque<Timestamp>,
    silent_until: Option<Timestamp>,
}

impl Agents {
    pub(super) fn new(limit: Answers, clock: Clock) -> Self {
        Self { limit, clock, known: Arc::default() }
    }

    /// Whether what this agent writes may be answered now.
    pub(super) fn may_be_answered(&self, agent: &Party) -> bool {
        let (now, Answers { per_minute, silence }) = (self.clock.now(), self.limit);
        self.with(&agent.id, |known| {
            known.forget(now);
            if known.silent_until.is_some() {
                return false;
            }
            let is_allowed =
                known.answered.len() < usize::try_from(per_minute).unwrap_or(usize::MAX);
            if !is_allowed {
                known.silent_until = Some(now.plus(silence));
                tracing::warn!(
                    agent = agent.username,
                    per_minute,
                    ?silence,
                    "too many answers to an agent, which is not answered for a while; \
                     Bot::answers_to_agents changes that"
                );
            }
            is_allowed
        })
    }

    /// Notes that a message was sent for what this agent wrote.
    pub(super) fn was_answered(&self, agent: &UserId) {
        let now = self.clock.now();
        self.with(agent, |known| known.answered.push_back(now));
    }

    fn with<T>(&self, id: &UserId, look: impl FnOnce(&mut Agent) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= AGENTS_MAX {
            let now = self.clock.now();
            known.retain(|_, agent| {
                agent.forget(now);
                agent.silent_until.is_some() || !agent.answered.is_empty()
            });
        }
        look(known.entry(id.clone()).or_default())
    }
}

impl Agent {
    /// Forgets what is over.
    fn forget(&mut self, now: Timestamp) {
        let since = now.minus(WINDOW);
        while self.answered.front().is_some_and(|answered| *answered <= since) {
            self.answered.pop_front();
        }
        self.silent_until = self.silent_until.filter(|until| now < *until);
    }
}
