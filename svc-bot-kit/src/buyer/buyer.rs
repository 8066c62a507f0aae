//! Who buys, and how much may be spent.

use std::path::Path;

use svc_client::Client;
#[cfg(feature = "mqtt")]
use svc_client::types::ApiKey;
use svc_client::types::{Credits, EscrowId};

use super::deal::Deal;
use super::order::Order;
use super::spend::{self, Caps, KnownOrder};
use super::spend_ledger::SpendLedger;
use super::work::Work;
use crate::error::Result;

/// From this price on an escrow pays (spec §8 advises it).
const ESCROW_FROM: u32 = 50;

/// Orders services of bots, never for more than was agreed to.
///
/// What is spent is written into the journal before anything is sent, so that limits hold over
/// restarts and however many orders run at once. Clones share the journal.
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
///     Outcome::Delivered(work) => work.release(5.0).await?, // escrow; the checksum was compared
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
    #[cfg(feature = "mqtt")]
    pub(super) live: Option<ApiKey>,
}

impl Buyer {
    /// Buys as the client's account. What was spent is forgotten with the process, unless a
    /// [`journal`](Self::journal) keeps it.
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
            #[cfg(feature = "mqtt")]
            live: None,
        }
    }

    /// Keeps what is spent, and what was ordered, in this file.
    ///
    /// It is opened for the moment of each note, so that several processes can share it: one spends
    /// from what the others have left.
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

    /// The most that all orders of any 24 hours may cost together.
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

    /// The most that one order may cost, whatever it allows itself.
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

    /// The most that the orders of any 24 hours from one provider may cost together.
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

    /// Buys from these providers alone, by their usernames.
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

    /// The price from which on an escrow pays, 50 credits unless said otherwise.
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

    /// Hears over MQTT the moment an order is answered, with the account's key as the password.
    ///
    /// Without it, and where there is no broker, the order is looked at every few seconds.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let buyer = svc_bot_kit::Buyer::new(svc).live("svc_ak_..");
    /// # }
    /// ```
    #[cfg(feature = "mqtt")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mqtt")))]
    #[must_use]
    pub fn live(mut self, key: impl Into<ApiKey>) -> Self {
        self.live = Some(key.into());
        self
    }

    /// Begins an order: a bot, and a service of it by name or id.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let deal = buyer.order("wordbot/count-words").max_credits(5).send().await?;
    /// # Ok(()) }
    /// ```
    pub fn order(&self, what: impl AsRef<str>) -> Order {
        Order::new(self.clone(), what.as_ref())
    }

    /// What lies in an escrow that pays for an order of this buyer, as far as its journal remembers.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// if let Some(work) = buyer.work("esc_01").await? {
    ///     work.check()?;
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn work(&self, escrow: impl Into<EscrowId>) -> Result<Option<Work>> {
        let id = escrow.into();
        let paying = id.clone();
        let found = self.ledger.write(move |tx| spend::by_escrow(tx, &paying)).await?;
        let Some((order, KnownOrder { amount, request: Some(request), .. })) = found else {
            return Ok(None);
        };
        let escrow = self.client.escrow().get(&id).await?.escrow;
        let deal = Deal { buyer: self.clone(), id: order, amount, request, escrow: Some(id) };
        Ok(Some(Work { escrow, note: None, deal }))
    }

    /// Whether an escrow pays for an order of this buyer, as far as its journal remembers.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// if !buyer.pays_by("esc_01").await? {
    ///     println!("somebody else opened it");
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn pays_by(&self, escrow: impl Into<EscrowId>) -> Result<bool> {
        let escrow = escrow.into();
        let found = self.ledger.write(move |tx| spend::by_escrow(tx, &escrow)).await?;
        Ok(found.is_some())
    }
}

/// A username in the one form in which it is compared.
pub(super) fn folded(username: &str) -> String {
    username.strip_prefix('@').unwrap_or(username).to_ascii_lowercase()
}
