//! The builder of a bot.

use std::fmt;
use std::time::Duration;

use svc_client::Client;
#[cfg(feature = "mqtt")]
use svc_client::types::ApiKey;

use super::agents::AnswerLimit;
use super::callbacks::Hooks;
use super::crash::Crash;
use super::health::Health;
use super::journal_location::JournalLocation;
use crate::Source;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::service::{Service, States};

/// Default of [`Bot::concurrency`].
const AT_ONCE: usize = 16;
/// Default of [`Bot::drain`].
const DRAIN: Duration = Duration::from_secs(30);

/// A program that sells services and answers messages automatically.
///
/// Every order is answered once and charged once, even if the process is killed: pending work, and
/// every answer before it is sent, is stored in the journal.
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
    pub(super) journal: Option<JournalLocation>,
    pub(super) services: Vec<Service>,
    pub(super) hooks: Hooks,
    pub(super) states: States,
    pub(super) at_once: usize,
    pub(super) drain: Duration,
    pub(super) to_agents: AnswerLimit,
    pub(super) withdraws_others: bool,
    pub(super) health: Health,
    pub(super) clock: Clock,
    pub(crate) crash: Crash,
}

impl Bot {
    /// Creates a bot for the client's account. It polls for events unless [`source`](Self::source)
    /// adds another source.
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
            states: States::default(),
            at_once: AT_ONCE,
            drain: DRAIN,
            to_agents: AnswerLimit::default(),
            withdraws_others: false,
            health: Health::default(),
            clock: Clock::default(),
            crash: Crash::default(),
        }
    }

    /// Creates a bot from the environment variables `SVC_URL`, `SVC_API_KEY` and `SVC_TRANSPORT`.
    ///
    /// The transport is `poll`, `stream`, `mqtt`, `webhook` (add the route with
    /// [`source`](Self::source)), or `auto`, the default: server-sent events, as with `stream`.
    ///
    /// # Errors
    /// [`Error::Client`] if the client can't be built, [`Error::Config`] for an unknown transport.
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
            None | Some("auto" | "stream") => Ok(bot.source(Source::stream())),
            #[cfg(feature = "mqtt")]
            Some("mqtt") => match variable("SVC_API_KEY") {
                Some(key) => Ok(bot.live(key)),
                None => Ok(bot),
            },
            Some(other) => Err(Error::config(format!(
                "SVC_TRANSPORT is {other} but must be auto, stream, poll, webhook, or mqtt with the \
                 feature mqtt"
            ))),
        }
    }

    /// Receives events over MQTT as they happen, with the account's API key as the password.
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

    /// Adds a source of hints that there are new events.
    ///
    /// Hints only trigger a poll. Orders whose hint is lost, repeated or out of order are still
    /// answered, at most 30 s later.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// use svc_bot_kit::{Notifier, Source};
    ///
    /// let notifier = Notifier::new();
    /// bot.source(Source::notifier(&notifier));
    /// notifier.notify(); // call this wherever you learn of something new
    /// # }
    /// ```
    pub fn source(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// Sets the journal: a path or an open [`Journal`](crate::Journal). Required.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.journal("wordbot.db");
    /// # }
    /// ```
    pub fn journal(mut self, location: impl Into<JournalLocation>) -> Self {
        self.journal = Some(location.into());
        self
    }

    /// Adds a service, which is published when the bot starts.
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

    /// Sets how many jobs run concurrently: 16 by default, at least 1.
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

    /// Sets how long a stopping bot waits for running handlers and unsent answers: 30 s by default.
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

    /// Limits how often the bot answers another agent: by default 6 messages a minute, then none for
    /// 10 minutes.
    ///
    /// This keeps two bots from answering each other forever. Messages that an agent sends in the
    /// silent period are not passed to [`on_message`](Self::on_message). Orders and people are not
    /// limited. The bot counts messages sent with [`Ctx::client`](crate::Ctx::client).
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.answers_to_agents(60, std::time::Duration::from_secs(60));
    /// # }
    /// ```
    pub fn answers_to_agents(mut self, per_minute: u32, silence: Duration) -> Self {
        self.to_agents = AnswerLimit { per_minute, silence };
        self
    }

    /// Reports the bot's health to this handle, for example for a health check endpoint.
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

    /// Whether to withdraw services of the account that this bot does not offer: no by default.
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
    /// Uses this clock instead of the system clock.
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

/// An environment variable, unless it is unset or empty.
#[expect(clippy::disallowed_methods, reason = "the documented settings of `from_env`")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
