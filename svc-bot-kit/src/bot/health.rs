//! Whether a bot is well, for what watches over it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use svc_client::types::Timestamp;

use crate::clock::Clock;
use crate::journal::Journal;

/// How long the platform may be silent; a bot looks every half minute.
const SILENCE_MAX: Duration = Duration::from_secs(90);

/// How a bot is. Clones are of the same bot.
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
pub struct Health(Arc<Mutex<Vitals>>);

#[derive(Clone, Debug, Default)]
struct Vitals {
    stage: Stage,
    heard_at: Option<Timestamp>,
    open: Option<(Journal, Clock)>,
}

/// How far a bot is in its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Stage {
    /// It has not published its services yet.
    #[default]
    Starting,
    /// It takes orders.
    Open,
    /// It ends what it has begun.
    Closing,
    /// It has ended, well or not.
    Closed,
}

/// How a bot is at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Report {
    /// Whether it takes orders: it is open, the platform was heard of in the last 90 s, and the
    /// journal can be used.
    pub well: bool,
    /// How far it is.
    pub stage: Stage,
    /// When the platform was last heard of, or a job last ended.
    pub heard_at: Option<Timestamp>,
    /// Jobs that wait or are being handled; absent without a journal that can be used.
    pub jobs: Option<u32>,
    /// Calls, such as answers, that the platform has not taken yet; absent likewise.
    pub calls: Option<u32>,
}

impl Health {
    /// Of a bot that has not started; hand it to [`Bot::health`](crate::Bot::health).
    ///
    /// ```
    /// let health = svc_bot_kit::Health::new();
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How the bot is now.
    ///
    /// ```no_run
    /// # async fn show(health: svc_bot_kit::Health) {
    /// let report = health.report().await;
    /// println!("{:?}, {:?} jobs wait", report.stage, report.jobs);
    /// # }
    /// ```
    pub async fn report(&self) -> Report {
        let Vitals { stage, heard_at, open } = self.with(|vitals| vitals.clone());
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

    /// The bot takes orders.
    pub(super) fn open(&self, journal: Journal, clock: Clock) {
        self.with(|vitals| {
            (vitals.stage, vitals.heard_at) = (Stage::Open, Some(clock.now()));
            vitals.open = Some((journal, clock));
        });
    }

    /// The bot goes on: the platform was heard of, or a job ended.
    pub(super) fn beat(&self) {
        self.with(|vitals| {
            if let Some((_, clock)) = &vitals.open {
                vitals.heard_at = Some(clock.now());
            }
        });
    }

    /// The bot ends what it has begun.
    pub(super) fn closing(&self) {
        self.with(|vitals| vitals.stage = Stage::Closing);
    }

    /// Tells that the bot has ended when this is dropped, however it ends.
    pub(super) fn until_dropped(&self) -> Life {
        Life(self.clone())
    }

    fn with<T>(&self, look: impl FnOnce(&mut Vitals) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The life of a bot.
pub(super) struct Life(Health);

impl Drop for Life {
    fn drop(&mut self) {
        self.0.with(|vitals| vitals.stage = Stage::Closed);
    }
}
