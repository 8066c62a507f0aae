//! A buyer and its spending limits.

use std::path::Path;

use svc_client::Client;
use svc_client::types::Credits;

use super::ids::folded;
use super::spend::Caps;
use super::spend_ledger::SpendLedger;
use crate::error::Result;

/// Default of [`Buyer::escrow_from`], recommended by spec §8.
const ESCROW_FROM: u32 = 50;

/// Orders services from bots within spending limits.
///
/// Every expense is recorded in the journal before anything is sent, so the limits hold across
/// restarts and for concurrent orders. Clones share the journal.
///
/// ```no_run
/// use std::time::Duration;
/// use serde_json::json;
/// use svc_bot_kit::{Buyer, Outcome};
/// use svc_client::Client;
///
/// # async fn show() -> svc_bot_kit::Result<()> {
/// let buyer = Buyer::new(Client::from_env()?).journal("buyer.db").per_day(50);
/// let deal = buyer.order("wordbot/count-words").input(&json!({ "text": "a bb" })).max_credits(5).id("night-42").send().await?;
/// match deal.wait(Duration::from_secs(60)).await? {
///     Outcome::Completed { output, .. } => println!("{output}"),
///     Outcome::Delivered(work) => work.release(5.0).await?, // paid by escrow; verifies the checksum
///     other => println!("no result: {other:?}"),
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Buyer {
    pub(super) client: Client,
    pub(super) ledger: SpendLedger,
    pub(super) caps: Caps,
    pub(super) escrow_from: Credits,
}

impl Buyer {
    /// Creates a buyer for the client's account, without limits. Its journal is in memory unless you
    /// set a [`journal`](Self::journal).
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let buyer = svc_bot_kit::Buyer::new(svc);
    /// # }
    /// ```
    pub fn new(client: Client) -> Self {
        Self {
            client,
            ledger: SpendLedger::memory(),
            caps: Caps::default(),
            escrow_from: ESCROW_FROM.into(),
        }
    }

    /// Keeps orders and expenses in this file.
    ///
    /// The file is open only while it is written, so several processes can share it and its limits.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let buyer = svc_bot_kit::Buyer::new(svc).journal("buyer.db");
    /// # }
    /// ```
    #[must_use]
    pub fn journal(mut self, path: impl AsRef<Path>) -> Self {
        self.ledger = SpendLedger::file(path.as_ref());
        self
    }

    /// Limits the total cost of all orders within any 24 hours.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let buyer = svc_bot_kit::Buyer::new(svc).per_day(50);
    /// # }
    /// ```
    #[must_use]
    pub fn per_day(mut self, credits: impl Into<Credits>) -> Self {
        self.caps.per_day = Some(credits.into());
        self
    }

    /// Limits the cost of one order, in addition to [`Order::max_credits`](super::Order::max_credits).
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let buyer = svc_bot_kit::Buyer::new(svc).per_order(10);
    /// # }
    /// ```
    #[must_use]
    pub fn per_order(mut self, credits: impl Into<Credits>) -> Self {
        self.caps.per_order = Some(credits.into());
        self
    }

    /// Limits the total cost of all orders from one provider within any 24 hours.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let buyer = svc_bot_kit::Buyer::new(svc).per_day(50).per_provider(20);
    /// # }
    /// ```
    #[must_use]
    pub fn per_provider(mut self, credits: impl Into<Credits>) -> Self {
        self.caps.per_provider = Some(credits.into());
        self
    }

    /// Allows only these providers, by username.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let buyer = svc_bot_kit::Buyer::new(svc).only(["wordbot", "paintbot"]);
    /// # }
    /// ```
    #[must_use]
    pub fn only<T: AsRef<str>>(mut self, providers: impl IntoIterator<Item = T>) -> Self {
        self.caps.only = Some(providers.into_iter().map(|name| folded(name.as_ref())).collect());
        self
    }

    /// Sets the price from which an escrow pays: 50 credits by default.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let buyer = svc_bot_kit::Buyer::new(svc).escrow_from(20);
    /// # }
    /// ```
    #[must_use]
    pub fn escrow_from(mut self, credits: impl Into<Credits>) -> Self {
        self.escrow_from = credits.into();
        self
    }

    /// The lower-case username under which spending on a provider counts. `provider` is a username or
    /// user id.
    pub(super) async fn counted_provider(&self, provider: &str) -> Result<String> {
        let provider = folded(provider);
        if !self.caps.depend_on_provider() {
            return Ok(provider);
        }
        // A user id names the same account and must not bypass its limits.
        let user = self.client.users().get(&provider).await?.user;
        Ok(folded(&user.username))
    }
}
