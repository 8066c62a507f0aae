//! An order as it is put together.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use rusqlite::Transaction;
use serde::Serialize;
use serde_json::{Map, Value};
use svc_client::types::{Credits, Span};

use super::buyer::{Buyer, folded};
use super::deal::Deal;
use super::hash::hash;
use super::order_record::{self, OrderRecord};
use super::payment_method::{PaymentChoice, PaymentMethod};
use super::place::Placement;
use super::quote::{Quote, offer};
use super::{resume, spend};
use crate::clock::now;
use crate::error::{Error, Result};

/// Longest id of an order: the ids that are made of it stay within their bounds.
const ID_MAX: usize = 58;

/// An order that is being put together; from [`Buyer::order`].
#[derive(Clone, Debug)]
#[must_use = "an order is placed by `send`"]
pub struct Order {
    pub(super) buyer: Buyer,
    what: String,
    /// None while it was not given: then an order that was begun goes on whatever its input was.
    input: Option<Result<Map<String, Value>, String>>,
    pub(super) max_credits: Option<Credits>,
    id: Option<String>,
    /// Whether nobody can have used the id before.
    is_new: bool,
    payment: PaymentChoice,
}

/// A service as an order names it.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The bot: username or user id.
    pub(super) provider: String,
    /// The service: name or id.
    pub(super) service: String,
}

impl Order {
    pub(super) fn new(buyer: Buyer, what: &str) -> Self {
        Self {
            buyer,
            what: what.to_owned(),
            input: None,
            max_credits: None,
            id: None,
            is_new: false,
            payment: PaymentChoice::ByPrice,
        }
    }

    /// What the service is given: an object.
    ///
    /// ```no_run
    /// # use serde_json::json;
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// buyer.order("wordbot/count-words").input(&json!({ "text": "a bb" })).max_credits(5).send().await?;
    /// # Ok(()) }
    /// ```
    pub fn input(mut self, input: &impl Serialize) -> Self {
        self.input = Some(match serde_json::to_value(input) {
            Ok(Value::Object(input)) => Ok(input),
            Ok(_) => Err("the input must be an object".to_owned()),
            Err(error) => Err(format!("the input is no JSON: {error}")),
        });
        self
    }

    /// The most it may cost. Without it nothing is ordered that costs something.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> Result<(), Box<dyn std::error::Error>> {
    /// use svc_client::types::Credits;
    ///
    /// let most: Credits = "0.25".parse()?;
    /// buyer.order("wordbot/count-words").max_credits(most).send().await?;
    /// # Ok(()) }
    /// ```
    pub fn max_credits(mut self, credits: impl Into<Credits>) -> Self {
        self.max_credits = Some(credits.into());
        self
    }

    /// Names the order, so that the same program run again goes on with it instead of paying again:
    /// 1 to 58 letters, digits and `-_.`. With other input it is refused, as
    /// [`OrderDiffers`](Error::OrderDiffers).
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// buyer.order("wordbot/count-words").max_credits(5).id("night-42").send().await?;
    /// # Ok(()) }
    /// ```
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self.is_new = false;
        self
    }

    /// Names a new order, by an id that nobody can have used before, such as a random one: it can be
    /// gone on with under it, and nothing earlier is looked for.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// buyer.order("wordbot/count-words").max_credits(5).new_id("7f9c24e5a1b08d36").send().await?;
    /// # Ok(()) }
    /// ```
    pub fn new_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self.is_new = true;
        self
    }

    /// Pays by an escrow whatever the price, and gives the provider so long to deliver: 1 minute to
    /// 90 days.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let day = Duration::from_secs(86_400);
    /// buyer.order("wordbot/report").max_credits(60).escrow(day).send().await?;
    /// # Ok(()) }
    /// ```
    pub fn escrow(mut self, delivery: Duration) -> Self {
        self.payment = PaymentChoice::Escrow(Span::from_secs(delivery.as_secs()));
        self
    }

    /// Pays without an escrow whatever the price: the credits are held until the answer.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// buyer.order("wordbot/report").max_credits(60).direct().send().await?;
    /// # Ok(()) }
    /// ```
    pub fn direct(mut self) -> Self {
        self.payment = PaymentChoice::Direct;
        self
    }

    /// What the order would cost and send. Nothing is sent.
    ///
    /// Fails as [`send`](Self::send) does, but for what only the platform decides. One that was begun
    /// under its id is quoted as it goes on: at the price and in the way that were agreed to then.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let quote = buyer.order("wordbot/count-words").max_credits(5).quote().await?;
    /// println!("would pay {} of {} credits", quote.request.offered_credits, quote.available);
    /// # Ok(()) }
    /// ```
    pub async fn quote(self) -> Result<Quote> {
        let name = self.name()?;
        let begun = self.known(&name).await?.filter(|known| !known.is_freed);
        let mut offer = offer(&self).await?;
        let expense = offer.expense(&self, &name, begun.as_ref());
        let (caps, escrow) = (self.buyer.caps.clone(), expense.way.delivery());
        let breach = move |tx: &Transaction<'_>| caps.breach(tx, &expense, now());
        match self.buyer.ledger.write(breach).await? {
            Some(breach) => Err(breach.into()),
            None => offer.quoted(&self, escrow).await,
        }
    }

    /// Pays and sends the order, or goes on with the one of this id.
    ///
    /// In this order: the service is looked up, the input judged by its schema, the price by every
    /// limit, and reserved; then an escrow is opened if one is to pay, and the request sent. What
    /// fails before that has sent nothing. When the platform refuses, what was reserved is free
    /// again. When it is not known what became of a call, it stays reserved, and the same order
    /// sent again under its id goes on: judged by the limits anew, at the price and in the way that
    /// were agreed to.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let deal = buyer.order("wordbot/count-words").max_credits(5).send().await?;
    /// println!("order {}", deal.request());
    /// # Ok(()) }
    /// ```
    pub async fn send(self) -> Result<Deal> {
        let name = self.name()?;
        let known = self.known(&name).await?;
        if let Some(deal) = known.as_ref().and_then(|known| self.again(&name, known)) {
            return Ok(deal);
        }
        let mut offer = offer(&self).await?;
        let begun = known.filter(|known| !known.is_freed);
        let expense = offer.expense(&self, &name, begun.as_ref());
        let (caps, reserved) = (self.buyer.caps.clone(), expense.clone());
        let reserve = move |tx: &Transaction<'_>| reserved.reserve(tx, &caps, now());
        let reserved_here =
            self.buyer.ledger.write(reserve).await?.map_err(|refusal| refusal.of(&name))?;
        let escrow = begun.and_then(|begun| begun.escrow);
        Placement { order: &self, expense, reserved_here, escrow }.place(offer.request).await
    }

    /// The order of this id, if it was sent before. It needs no input, and nothing is sent.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let placed = buyer.order("wordbot/count-words").id("night-42").earlier().await?;
    /// println!("{}", if placed.is_some() { "it was ordered" } else { "nothing was ordered" });
    /// # Ok(()) }
    /// ```
    pub async fn earlier(&self) -> Result<Option<Deal>> {
        let name = self.name()?;
        let known = self.known(&name).await?;
        Ok(known.and_then(|known| self.again(&name, &known)))
    }

    /// The newest order of this service with this input whose end nobody has seen, if the journal
    /// knows one: what the same program would pay for twice, had it been interrupted.
    ///
    /// ```no_run
    /// # use serde_json::json;
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let order = buyer.order("wordbot/count-words").input(&json!({ "text": "a bb" })).max_credits(5);
    /// let order = match order.unfinished().await? {
    ///     Some(begun) => order.id(begun.id),
    ///     None => order,
    /// };
    /// # Ok(()) }
    /// ```
    pub async fn unfinished(&self) -> Result<Option<OrderRecord>> {
        let (target, input) = (self.target()?, self.given()?);
        for (placed, known) in self.buyer.ledger.write(order_record::unseen).await? {
            let asked = hash(&known.provider, &known.service_name, &input);
            if known.hash.as_ref() == Some(&asked)
                && resume::is_same_service(self, &known, &target).await?
            {
                return Ok(Some(placed));
            }
        }
        Ok(None)
    }

    /// The order when it was begun before; one without an id is new.
    async fn known(&self, name: &str) -> Result<Option<spend::KnownOrder>> {
        if self.is_new || self.id.is_none() {
            return Ok(None);
        }
        resume::find(self, name).await
    }

    fn again(&self, name: &str, known: &spend::KnownOrder) -> Option<Deal> {
        let request = known.request.clone()?;
        Some(Deal {
            buyer: self.buyer.clone(),
            id: name.to_owned(),
            amount: known.amount,
            request,
            escrow: known.escrow.clone(),
        })
    }

    pub(super) fn target(&self) -> Result<Target> {
        let what = self.what.strip_prefix('@').unwrap_or(&self.what);
        let parts = what.split_once('/');
        match parts.filter(|(provider, service)| !provider.is_empty() && !service.is_empty()) {
            Some((provider, service)) => {
                Ok(Target { provider: provider.to_owned(), service: service.to_owned() })
            }
            None => Err(Error::config("an order names PROVIDER/SERVICE, as wordbot/count-words")),
        }
    }

    /// The input, empty when none was given.
    pub(super) fn given(&self) -> Result<Map<String, Value>> {
        self.input.clone().unwrap_or_else(|| Ok(Map::new())).map_err(Error::config)
    }

    /// Refuses an order of the same id that was begun with other input.
    pub(super) fn ensure_same_input(&self, known: &spend::KnownOrder, name: &str) -> Result<()> {
        if self.input.is_none() || known.is_void() {
            return Ok(());
        }
        let asked = hash(&known.provider, &known.service_name, &self.given()?);
        match &known.hash {
            Some(begun) if *begun != asked => {
                Err(Error::OrderDiffers { id: name.to_owned(), begun: begun.clone(), asked })
            }
            _ => Ok(()),
        }
    }

    fn name(&self) -> Result<String> {
        let Some(id) = &self.id else {
            return Ok(random_id());
        };
        if is_valid_id(id) {
            return Ok(id.clone());
        }
        let rule = format!("the id of an order must be 1 to {ID_MAX} letters, digits and - _ .");
        Err(Error::config(rule))
    }

    /// Which way this price is paid.
    pub(super) fn way(&self, price: Credits) -> PaymentMethod {
        match self.payment {
            _ if price.is_zero() => PaymentMethod::Direct,
            PaymentChoice::Escrow(delivery) => PaymentMethod::Escrow(delivery),
            PaymentChoice::ByPrice if price >= self.buyer.escrow_from => PaymentMethod::ESCROW,
            PaymentChoice::ByPrice | PaymentChoice::Direct => PaymentMethod::Direct,
        }
    }

    /// The username that a provider's name means, in lower case.
    pub(super) async fn provider(&self, target: &Target) -> Result<String> {
        if !self.buyer.caps.name_providers() {
            return Ok(folded(&target.provider));
        }
        // A user id names the same account, and must not pass by its limits.
        let user = self.buyer.client.users().get(&target.provider).await?.user;
        Ok(folded(&user.username))
    }
}

/// Whether an order can have this id.
pub(super) fn is_valid_id(id: &str) -> bool {
    (1..=ID_MAX).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// An id for an order that was given none.
pub(super) fn random_id() -> String {
    // Keyed by the operating system's random numbers, which is all that is needed here.
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}
