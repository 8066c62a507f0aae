//! A bot as its author writes it.

use std::fmt;
use std::time::Duration;

use svc_client::Client;
#[cfg(feature = "mqtt")]
use svc_client::types::ApiKey;

use super::agents::Answers;
use super::callbacks::Hooks;
use super::crash::Crash;
use super::health::Health;
use super::journal_location::JournalPlace;
use crate::Source;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::service::Service;

/// Jobs that are worked on at the same time.
const AT_ONCE: usize = 16;
/// How long running handlers may go on when the bot is to stop.
const DRAIN: Duration = Duration::from_secs(30);

/// A program that sells services and answers messages on its own.
///
/// Every order is answered once and charged once, also when the process is killed in between: what
/// there is to do, and each answer before it is sent, is in the journal.
///
/// ```no_run
/// # async fn show(count: svc_bot_kit::Service) -> svc_bot_kit::Result<()> {
/// use svc_bot_kit::Bot;
///
/// Bot::from_env()?.journal("wordbot.db").service(count).run().await
/// # }
/// ```
#[must_use = "a bot does nothing until it runs"]
pub struct Bot {
    pub(crate) client: Client,
    pub(super) sources: Vec<Source>,
    pub(super) journal: Option<JournalPlace>,
    pub(super) services: Vec<Service>,
    pub(super) hooks: Hooks,
    pub(super) at_once: usize,
    pub(super) drain: Duration,
    pub(super) to_agents: Answers,
    pub(super) withdraws_others: bool,
    pub(super) health: Health,
    pub(super) clock: Clock,
    pub(crate) crash: Crash,
}

impl Bot {
    /// A bot as the account of this client, which reads its events by looking now and then.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let bot = svc_bot_kit::Bot::new(svc);
    /// # }
    /// ```
    pub fn new(client: Client) -> Self {
        Self {
            client,
            sources: Vec::new(),
            journal: None,
            services: Vec::new(),
            hooks: Hooks::default(),
            at_once: AT_ONCE,
            drain: DRAIN,
            to_agents: Answers::default(),
            withdraws_others: false,
            health: Health::default(),
            clock: Clock::default(),
            crash: Crash::default(),
        }
    }

    /// A bot as the account of the environment: `SVC_URL`, `SVC_API_KEY`, `SVC_TRANSPORT`.
    ///
    /// The transport is `poll`, `mqtt`, `webhook`, which is what [`source`](Self::source) adds, or
    /// `auto`, which is MQTT where the feature `mqtt` is on.
    ///
    /// ```no_run
    /// # fn main() -> svc_bot_kit::Result<()> {
    /// let bot = svc_bot_kit::Bot::from_env()?;
    /// # Ok(()) }
    /// ```
    pub fn from_env() -> Result<Self> {
        let bot = Self::new(Client::from_env()?);
        match variable("SVC_TRANSPORT").as_deref() {
            Some("poll" | "webhook") => Ok(bot),
            #[cfg(feature = "mqtt")]
            None | Some("auto" | "mqtt") => match variable("SVC_API_KEY") {
                Some(key) => Ok(bot.live(key)),
                None => Ok(bot),
            },
            #[cfg(not(feature = "mqtt"))]
            None | Some("auto") => Ok(bot),
            Some(other) => Err(Error::config(format!(
                "SVC_TRANSPORT is {other}, and must be auto, poll, webhook, or mqtt with the feature mqtt"
            ))),
        }
    }

    /// Hears of orders the moment they come, over MQTT, with the account's key as the password.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.live("svc_ak_..");
    /// # }
    /// ```
    #[cfg(feature = "mqtt")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mqtt")))]
    pub fn live(self, key: impl Into<ApiKey>) -> Self {
        self.source(Source::mqtt(key))
    }

    /// Looks for orders when this source hints at something, too.
    ///
    /// Hints only say when to look: orders that a source says nothing of, says twice, or in another
    /// order, are answered all the same, at the latest half a minute later.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// use svc_bot_kit::{Bell, Source};
    ///
    /// let bell = Bell::new();
    /// bot.source(Source::bell(&bell));
    /// bell.ring(); // wherever something is heard of
    /// # }
    /// ```
    pub fn source(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// Where the journal is: a path, or a journal that is open. A bot needs one.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.journal("wordbot.db");
    /// # }
    /// ```
    pub fn journal(mut self, place: impl Into<JournalPlace>) -> Self {
        self.journal = Some(place.into());
        self
    }

    /// Offers a service; it is published when the bot starts.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot, count: svc_bot_kit::Service) {
    /// bot.service(count);
    /// # }
    /// ```
    pub fn service(mut self, service: Service) -> Self {
        self.services.push(service);
        self
    }

    /// How many jobs are worked on at the same time: 16.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.concurrency(4);
    /// # }
    /// ```
    pub fn concurrency(mut self, at_once: usize) -> Self {
        self.at_once = at_once.max(1);
        self
    }

    /// How long running handlers may go on, and answers be sent, when the bot is to stop: 30 s.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.drain(std::time::Duration::from_secs(5));
    /// # }
    /// ```
    pub fn drain(mut self, drain: Duration) -> Self {
        self.drain = drain;
        self
    }

    /// How often another agent is answered: 6 messages a minute, then it is not for 10 minutes.
    ///
    /// This keeps two bots from answering each other for ever. What an agent writes meanwhile is not
    /// handed to [`on_message`](Self::on_message); orders are answered always, and so are people.
    /// The messages that count are those of [`Ctx::client`](crate::Ctx::client).
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.answers_to_agents(60, std::time::Duration::from_secs(60));
    /// # }
    /// ```
    pub fn answers_to_agents(mut self, per_minute: u32, silence: Duration) -> Self {
        self.to_agents = Answers { per_minute, silence };
        self
    }

    /// Tells this how the bot is, such as for a route that a watcher asks.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// let health = svc_bot_kit::Health::new();
    /// bot.health(&health);
    /// # }
    /// ```
    pub fn health(mut self, health: &Health) -> Self {
        self.health = health.clone();
        self
    }

    /// Withdraws services of the account that this program does not offer.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.prune_services(true);
    /// # }
    /// ```
    pub fn prune_services(mut self, withdraws_others: bool) -> Self {
        self.withdraws_others = withdraws_others;
        self
    }
}

#[cfg(feature = "testing")]
impl Bot {
    /// Goes by this clock instead of that of the machine.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// let clock = svc_bot_kit::testing::Clock::new();
    /// bot.clock(&clock);
    /// # }
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "testing")))]
    pub fn clock(mut self, clock: &Clock) -> Self {
        self.clock = clock.clone();
        self
    }
}

impl fmt::Debug for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bot")
            .field("client", &self.client)
            .field("services", &self.services)
            .finish_non_exhaustive()
    }
}

/// A variable of the environment that is set and not empty.
#[expect(clippy::disallowed_methods, reason = "the documented settings of `from_env`")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
