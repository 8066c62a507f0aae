//! The health of a bot, for monitoring.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use svc_client::types::Timestamp;

use crate::clock::Clock;
use crate::journal::Journal;

/// How long a healthy bot may go without contact to the platform; it polls every 30 s.
const SILENCE_MAX: Duration = Duration::from_secs(90);

/// A handle to the health of a bot. Clones share the state.
///
/// ```no_run
/// # async fn show(bot: svc_bot_kit::Bot) -> svc_bot_kit::Result<()> {
/// use svc_bot_kit::Health;
///
/// let health = Health::new();
/// tokio::spawn(bot.health(&health).run());
/// println!("{:?}", health.report().await);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Health(Arc<Mutex<HealthState>>);

#[derive(Clone, Debug, Default)]
struct HealthState {
    stage: Stage,
    heard_at: Option<Timestamp>,
    open: Option<(Journal, Clock)>,
}

/// The lifecycle stage of a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Stage {
    /// It has not published its services yet.
    #[default]
    Starting,
    /// It accepts orders.
    Open,
    /// It finishes running jobs and accepts no new ones.
    Closing,
    /// It has stopped, with or without an error.
    Closed,
}

/// A snapshot of a bot's health.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Report {
    /// Whether the bot is healthy: it is [open](Stage::Open), had contact with the platform in the
    /// last 90 s, and can use its journal.
    pub well: bool,
    /// The lifecycle stage.
    pub stage: Stage,
    /// When the platform last responded or a job last finished.
    pub heard_at: Option<Timestamp>,
    /// The number of queued and running jobs; `None` if the journal can't be used.
    pub jobs: Option<u32>,
    /// The number of calls, such as answers, that the platform has not accepted yet; `None` if the
    /// journal can't be used.
    pub calls: Option<u32>,
}

impl Health {
    /// Creates a handle for [`Bot::health`](crate::Bot::health); its stage is
    /// [`Starting`](Stage::Starting).
    ///
    /// ```
    /// let health = svc_bot_kit::Health::new();
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The current health of the bot.
    ///
    /// ```no_run
    /// # async fn show(health: svc_bot_kit::Health) {
    /// let report = health.report().await;
    /// println!("{:?}, {:?} jobs", report.stage, report.jobs);
    /// # }
    /// ```
    pub async fn report(&self) -> Report {
        let HealthState { stage, heard_at, open } = self.with(|state| state.clone());
        let (backlog, is_heard) = match open {
            None => (None, false),
            Some((journal, clock)) => {
                let silence = heard_at.map(|heard_at| clock.now().since(heard_at));
                let is_heard = silence.is_some_and(|silence| silence <= SILENCE_MAX);
                (journal.backlog().await.ok(), is_heard)
            }
        };
        Report {
            well: stage == Stage::Open && is_heard && backlog.is_some(),
            stage,
            heard_at,
            jobs: backlog.map(|backlog| backlog.jobs),
            calls: backlog.map(|backlog| backlog.calls),
        }
    }

    /// Marks the bot as open.
    pub(super) fn open(&self, journal: Journal, clock: Clock) {
        self.with(|state| {
            (state.stage, state.heard_at) = (Stage::Open, Some(clock.now()));
            state.open = Some((journal, clock));
        });
    }

    /// Records that the platform responded or a job finished.
    pub(super) fn heartbeat(&self) {
        self.with(|state| {
            if let Some((_, clock)) = &state.open {
                state.heard_at = Some(clock.now());
            }
        });
    }

    /// Marks the bot as closing.
    pub(super) fn closing(&self) {
        self.with(|state| state.stage = Stage::Closing);
    }

    /// A guard that marks the bot as closed when it is dropped.
    pub(super) fn close_on_drop(&self) -> CloseOnDrop {
        CloseOnDrop(self.clone())
    }

    fn with<T>(&self, update: impl FnOnce(&mut HealthState) -> T) -> T {
        update(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Marks the bot as closed when dropped.
pub(super) struct CloseOnDrop(Health);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.with(|state| state.stage = Stage::Closed);
    }
}
