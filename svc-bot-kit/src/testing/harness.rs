//! Crashes a bot at every point that matters, and lets it resume.

use std::fmt;
use std::time::Duration;

use svc_client::Client;

use crate::bot::{Bot, Crash};
use crate::journal::{Backlog, Journal};

/// How long a bot may take to finish its work.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Poll interval of the journal.
const PAUSE: Duration = Duration::from_millis(2);

/// Crashes a bot at every point that matters, and checks that the result is the same.
///
/// ```no_run
/// use svc_bot_kit::testing::BotHarness;
/// use svc_bot_kit::{Bot, Journal};
/// # use svc_bot_kit::{Service, client::Client};
///
/// # async fn show(bot: Client, buyer: Client, count: fn() -> Service) {
/// let harness = BotHarness::new(|journal: Journal| {
///     Bot::new(bot.clone()).journal(journal).service(count())
/// });
/// let report = harness.crash_everywhere(
///     async || {
///         let before = buyer.credits().balance().await.unwrap().credits.available;
///         // order something here
///         before
///     },
///     async |before| {
///         let after = buyer.credits().balance().await.unwrap().credits.available;
///         assert_eq!(before.checked_sub(after), Some(5.into()), "charged once");
///     },
/// );
/// println!("survived {:?}", report.await.points);
/// # }
/// ```
pub struct BotHarness<B> {
    bot: B,
}

/// The crashes that a bot survived.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The names of the points at which the bot crashed, in order.
    pub points: Vec<&'static str>,
}

impl<B: Fn(Journal) -> Bot> BotHarness<B> {
    /// Creates a harness from a function that builds the bot on a given journal.
    ///
    /// ```
    /// # fn show(svc: svc_bot_kit::client::Client) {
    /// use svc_bot_kit::{Bot, testing::BotHarness};
    /// let harness = BotHarness::new(|journal| Bot::new(svc.clone()).journal(journal));
    /// # }
    /// ```
    pub fn new(bot: B) -> Self {
        Self { bot }
    }

    /// Runs a scenario once without a crash, and then once for each crash point: the bot crashes there
    /// and starts again on the same journal. Each run uses a journal that the bot has used before;
    /// points that occur only with a new journal are run with new ones.
    ///
    /// `begin` creates the work, such as orders. When the bot has finished it, `check` receives the
    /// value that `begin` returned and asserts the result. The harness itself asserts that the journal
    /// has no unfinished work.
    ///
    /// # Panics
    /// If the bot fails, or does not finish within one minute.
    ///
    /// ```no_run
    /// # use svc_bot_kit::{Bot, Journal, testing::BotHarness};
    /// # async fn show(harness: BotHarness<fn(Journal) -> Bot>) {
    /// harness.crash_everywhere(async || { /* order */ }, async |()| { /* look */ }).await;
    /// # }
    /// ```
    pub async fn crash_everywhere<T>(
        &self,
        begin: impl AsyncFn() -> T,
        check: impl AsyncFn(T),
    ) -> Report {
        let mut points = self.once(&begin, &check, Past::Some, None).await;
        for at in 0..points.len() {
            self.once(&begin, &check, Past::Some, Some(at)).await;
        }
        let of_new = self.once(&begin, &check, Past::None, None).await;
        for (at, point) in of_new.into_iter().enumerate() {
            if !points.contains(&point) {
                self.once(&begin, &check, Past::None, Some(at)).await;
                points.push(point);
            }
        }
        Report { points }
    }

    /// Runs the scenario once, optionally with a crash. Returns the points that the first run reached.
    async fn once<T>(
        &self,
        begin: &impl AsyncFn() -> T,
        check: &impl AsyncFn(T),
        past: Past,
        at: Option<usize>,
    ) -> Vec<&'static str> {
        let journal = Journal::memory().expect("memory is there");
        if past == Past::Some {
            let bot = (self.bot)(journal.clone());
            let goal = Goal::of(&bot.client, &journal).await;
            let before = tokio::time::timeout(TIMEOUT, bot.run_until(goal.reached())).await;
            before.expect("a bot without work ends in time").expect("a bot without work ends well");
        }
        let scene = begin().await;
        let crash = Crash::at(at);
        let mut bot = (self.bot)(journal.clone());
        let goal = Goal::of(&bot.client, &journal).await;
        bot.crash = crash.clone();
        let first = tokio::time::timeout(TIMEOUT, bot.run_until(goal.reached())).await;
        let first = first.unwrap_or_else(|_| panic!("not finished in time: {:?}", crash.points()));
        if at.is_none() {
            first.expect("a bot that is not ended does its work");
        } else {
            let again = (self.bot)(journal.clone()).run_until(goal.reached());
            let points = || format!("after a crash at the end of {:?}", crash.points());
            let again = tokio::time::timeout(TIMEOUT, again).await;
            let again = again.unwrap_or_else(|_| panic!("not finished in time {}", points()));
            again.unwrap_or_else(|error| panic!("{error} {}", points()));
        }
        check(scene).await;
        crash.points()
    }
}

impl<B> fmt::Debug for BotHarness<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotHarness").finish_non_exhaustive()
    }
}

/// Whether the bot has used the journal before the scenario.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Past {
    None,
    Some,
}

/// The state in which a bot has finished its work.
struct Goal {
    journal: Journal,
    account: String,
    /// The newest event.
    seq: u64,
}

impl Goal {
    async fn of(client: &Client, journal: &Journal) -> Self {
        let me = client.users().me().await.expect("the bot's account can be read");
        let events = client.events().list().limit(1).await.expect("the bot's events can be read");
        let account = me.user.id.to_string();
        Self { journal: journal.clone(), account, seq: events.latest_seq }
    }

    /// Waits until all events are ingested and no work is left.
    async fn reached(&self) {
        loop {
            let at = self.journal.cursor(&self.account).await.expect("the journal can be read");
            let left = self.journal.backlog().await.expect("the journal can be read");
            if at.is_some_and(|at| at.seq >= self.seq) && left == Backlog::default() {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
