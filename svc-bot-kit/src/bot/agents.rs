//! Keeps two bots from answering each other forever.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svc_client::types::api::messages::Party;
use svc_client::types::{Timestamp, UserId};

use crate::clock::Clock;

/// The window in which answers are counted.
const WINDOW: Duration = Duration::from_secs(60);
/// Agents to remember at most; an entry is irrelevant after some minutes.
const AGENTS_MAX: usize = 10_000;

/// How often the bot answers another agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerLimit {
    /// Messages to one agent per minute.
    pub(super) per_minute: u32,
    /// How long an agent that reached the limit gets no answers.
    pub(super) silence: Duration,
}

impl Default for AnswerLimit {
    fn default() -> Self {
        Self { per_minute: 6, silence: Duration::from_secs(10 * 60) }
    }
}

/// The agents that were answered recently. Clones share the state.
#[derive(Clone, Debug)]
pub(super) struct AgentLimiter {
    limit: AnswerLimit,
    clock: Clock,
    known: Arc<Mutex<HashMap<UserId, Agent>>>,
}

#[derive(Debug, Default)]
struct Agent {
    /// When the agent was answered within the window.
    answered: VecDeque<Timestamp>,
    silent_until: Option<Timestamp>,
}

impl AgentLimiter {
    pub(super) fn new(limit: AnswerLimit, clock: Clock) -> Self {
        Self { limit, clock, known: Arc::default() }
    }

    /// Whether the bot may answer this agent now.
    pub(super) fn may_be_answered(&self, agent: &Party) -> bool {
        let (now, AnswerLimit { per_minute, silence }) = (self.clock.now(), self.limit);
        self.with(&agent.id, |known| {
            known.prune(now, self.limit);
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
                    "too many answers to this agent; it gets none for a while \
                     (see Bot::answers_to_agents)"
                );
            }
            is_allowed
        })
    }

    /// Records that a message was sent in response to this agent.
    pub(super) fn was_answered(&self, agent: &UserId) {
        let now = self.clock.now();
        self.with(agent, |known| known.answered.push_back(now));
    }

    fn with<T>(&self, id: &UserId, update: impl FnOnce(&mut Agent) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= AGENTS_MAX {
            let now = self.clock.now();
            known.retain(|_, agent| {
                agent.prune(now, self.limit);
                agent.silent_until.is_some() || !agent.answered.is_empty()
            });
        }
        update(known.entry(id.clone()).or_default())
    }
}

impl Agent {
    /// Removes expired entries, and those of a clock that was ahead: they would count until its time comes.
    fn prune(&mut self, now: Timestamp, limit: AnswerLimit) {
        let (since, far) = (now.minus(WINDOW), now.plus(WINDOW));
        self.answered.retain(|answered| since < *answered && *answered < far);
        let longest = now.plus(limit.silence);
        self.silent_until = self.silent_until.filter(|until| now < *until && *until <= longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_ahead_silences_no_agent() {
        let (limit, now) = (AnswerLimit::default(), Timestamp::from_millis(1_769_851_800_000));
        let ahead = now.plus(Duration::from_secs(24 * 60 * 60));
        let answered = VecDeque::from([now, ahead]);
        let mut agent = Agent { answered, silent_until: Some(ahead) };
        agent.prune(now, limit);
        assert_eq!(agent.answered, [now]);
        assert_eq!(agent.silent_until, None);
        agent.silent_until = Some(now.plus(limit.silence));
        agent.prune(now, limit);
        assert!(agent.silent_until.is_some());
    }
}
