//! A bot as its author writes it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use svc_client::Client;
#[cfg(feature = "mqtt")]
use svc_client::types::ApiKey;
use svc_client::types::api::messages::Message;

use super::crash::Crash;
use super::{run, signals};
use crate::error::{Error, Result};
use crate::journal::Journal;
use crate::service::{BoxFuture, Ctx, Fail, Service};

/// Jobs that are worked on at the same time.
const AT_ONCE: usize = 16;
/// How long running handlers may go on when the bot is to stop.
const DRAIN: Duration = Duration::from_secs(30);

pub(super) type OnMessage = Arc<dyn Fn(Ctx, Message) -> BoxFuture<Result<(), Fail>> + Send + Sync>;

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
    #[cfg(feature = "mqtt")]
    pub(super) live: Option<ApiKey>,
    pub(super) journal: Option<JournalPlace>,
    pub(super) services: Vec<Service>,
    pub(super) on_message: Option<OnMessage>,
    pub(super) at_once: usize,
    pub(super) drain: Duration,
    pub(super) withdraws_others: bool,
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
            #[cfg(feature = "mqtt")]
            live: None,
            journal: None,
            services: Vec::new(),
            on_message: None,
            at_once: AT_ONCE,
            drain: DRAIN,
            withdraws_others: false,
            crash: Crash::default(),
        }
    }

    /// A bot as the account of the environment: `SVC_URL`, `SVC_API_KEY`, `SVC_TRANSPORT`.
    ///
    /// The transport is `poll`, `mqtt`, or `auto`, which is MQTT where the feature `mqtt` is on.
    ///
    /// ```no_run
    /// # fn main() -> svc_bot_kit::Result<()> {
    /// let bot = svc_bot_kit::Bot::from_env()?;
    /// # Ok(()) }
    /// ```
    pub fn from_env() -> Result<Self> {
        let bot = Self::new(Client::from_env()?);
        match variable("SVC_TRANSPORT").as_deref() {
            Some("poll") => Ok(bot),
            #[cfg(feature = "mqtt")]
            None | Some("auto" | "mqtt") => match variable("SVC_API_KEY") {
                Some(key) => Ok(bot.live(key)),
                None => Ok(bot),
            },
            #[cfg(not(feature = "mqtt"))]
            None | Some("auto") => Ok(bot),
            Some(other) => Err(Error::config(format!(
                "SVC_TRANSPORT is {other}, and must be auto, poll, or mqtt with the feature mqtt"
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
    pub fn live(mut self, key: impl Into<ApiKey>) -> Self {
        self.live = Some(key.into());
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

    /// Takes direct messages that are no orders.
    ///
    /// The function starts again for a message at which the process ended, at most three times in
    /// all; [`Ctx::once`] and [`Ctx::step_key`] keep it from acting twice. Its errors go to the log.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.on_message(async |cx, message| {
    ///     let key = cx.step_key("thanks");
    ///     cx.client().messages().send(&*message.sender.username, "thanks").idempotency_key(key).await?;
    ///     Ok(())
    /// });
    /// # }
    /// ```
    pub fn on_message<H, F>(mut self, function: H) -> Self
    where
        H: Fn(Ctx, Message) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        self.on_message = Some(Arc::new(move |cx, message| Box::pin(function(cx, message))));
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

    /// Works until Ctrl-C or SIGTERM; a second one ends it at once, which is safe.
    ///
    /// ```no_run
    /// # async fn show(bot: svc_bot_kit::Bot) -> svc_bot_kit::Result<()> {
    /// bot.run().await
    /// # }
    /// ```
    pub async fn run(self) -> Result<()> {
        tokio::select! {
            ended = self.run_until(signals::number(1)) => ended,
            () = signals::number(2) => Ok(()),
        }
    }

    /// Works until this comes true, and ends what it has begun.
    ///
    /// It fails when the platform refuses the key or the services, and when the journal fails; what
    /// is only passing it waits for. A future that is dropped ends the bot as a crash would.
    ///
    /// ```no_run
    /// # async fn show(bot: svc_bot_kit::Bot) -> svc_bot_kit::Result<()> {
    /// bot.run_until(async { tokio::time::sleep(std::time::Duration::from_secs(60)).await }).await
    /// # }
    /// ```
    pub async fn run_until(self, stop: impl Future<Output = ()>) -> Result<()> {
        run::until(self, stop).await
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

/// Where a journal is: a path, or one that is open.
#[derive(Clone, Debug)]
pub struct JournalPlace(Place);

#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    Open(Journal),
}

impl JournalPlace {
    pub(super) fn open(self) -> Result<Journal> {
        match self.0 {
            Place::File(path) => Journal::open(path),
            Place::Open(journal) => Ok(journal),
        }
    }
}

impl From<&str> for JournalPlace {
    fn from(path: &str) -> Self {
        Self(Place::File(path.into()))
    }
}

impl From<&Path> for JournalPlace {
    fn from(path: &Path) -> Self {
        Self(Place::File(path.into()))
    }
}

impl From<PathBuf> for JournalPlace {
    fn from(path: PathBuf) -> Self {
        Self(Place::File(path))
    }
}

impl From<Journal> for JournalPlace {
    fn from(journal: Journal) -> Self {
        Self(Place::Open(journal))
    }
}

/// A variable of the environment that is set and not empty.
#[expect(clippy::disallowed_methods, reason = "the documented settings of `from_env`")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
