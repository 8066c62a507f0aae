//! The builder of an order.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_client::types::{Credits, Span};

use super::buyer::Buyer;
use super::hash::hash;
use super::ids::{ID_MAX, is_valid_id, random_id};
use super::known_order::KnownOrder;
use super::payment_method::{PaymentChoice, PaymentMethod};
use crate::error::{Error, Result};

/// Builds an order; from [`Buyer::order`]. `T` is the type of its [`output`](Self::output).
#[must_use = "an order does nothing until it is sent: `send`"]
pub struct Order<T = Value> {
    pub(super) buyer: Buyer,
    service: String,
    /// `None` if not set; a resumed order is then accepted whatever its input was.
    input: Option<Result<Map<String, Value>, String>>,
    pub(super) max_credits: Option<Credits>,
    pub(super) id: Option<String>,
    /// Whether the id was never used before.
    pub(super) is_new: bool,
    payment: PaymentChoice,
    output: PhantomData<fn() -> T>,
}

/// The service that an order is for.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The provider's username or user id.
    pub(super) provider: String,
    /// The service's name or id.
    pub(super) service: String,
}

impl Buyer {
    /// Starts an order for a service, given as `PROVIDER/SERVICE`: the provider's username or id, and
    /// the service's name or id.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let deal = buyer.order("wordbot/count-words").max_credits(5).send().await?;
    /// # Ok(()) }
    /// ```
    pub fn order(&self, what: impl AsRef<str>) -> Order {
        Order {
            buyer: self.clone(),
            service: what.as_ref().to_owned(),
            input: None,
            max_credits: None,
            id: None,
            is_new: false,
            payment: PaymentChoice::ByPrice,
            output: PhantomData,
        }
    }
}

impl<T> Order<T> {
    /// Sets the input of the service, which must serialize to a JSON object; `{}` by default.
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
            Err(error) => Err(format!("the input can't be serialized as JSON: {error}")),
        });
        self
    }

    /// Sets the type that the output is read as. Without it, the output is a JSON value.
    ///
    /// `svc codegen PROVIDER --lang rust` prints the types of a bot's services.
    ///
    /// ```no_run
    /// # use serde::Deserialize;
    /// # use std::time::Duration;
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// use svc_bot_kit::Outcome;
    ///
    /// #[derive(Deserialize)]
    /// struct Count {
    ///     words: usize,
    /// }
    ///
    /// let deal = buyer.order("wordbot/count-words").output::<Count>().max_credits(5).send().await?;
    /// if let Outcome::Completed { output, .. } = deal.wait(Duration::from_secs(60)).await? {
    ///     println!("{} words", output.words);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn output<U: DeserializeOwned>(self) -> Order<U> {
        let Self { buyer, service, input, max_credits, id, is_new, payment, output: _ } = self;
        Order { buyer, service, input, max_credits, id, is_new, payment, output: PhantomData }
    }

    /// Sets the maximum cost. Without it only free services can be ordered.
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

    /// Sets the order's id, so that running the same program again resumes the order instead of
    /// paying twice. The id has 1 to 58 letters, digits and `-_.`.
    ///
    /// Using the id with other input fails with [`OrderDiffers`](Error::OrderDiffers).
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

    /// Sets an id that was never used before, such as a random one, so that no earlier order is
    /// searched for. Later runs can resume the order with [`id`](Self::id).
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

    /// Pays with an escrow whatever the price, and gives the provider this long to deliver: 1 minute
    /// to 90 days.
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

    /// Pays without an escrow whatever the price; the platform holds the credits until the answer.
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

    pub(super) fn target(&self) -> Result<Target> {
        let service = self.service.strip_prefix('@').unwrap_or(&self.service);
        match service.split_once('/') {
            Some((provider, service)) if !provider.is_empty() && !service.is_empty() => {
                Ok(Target { provider: provider.to_owned(), service: service.to_owned() })
            }
            _ => Err(Error::config(
                "a service must be PROVIDER/SERVICE, such as wordbot/count-words",
            )),
        }
    }

    /// The input, empty if none was set.
    pub(super) fn input_object(&self) -> Result<Map<String, Value>> {
        self.input.clone().unwrap_or_else(|| Ok(Map::new())).map_err(Error::config)
    }

    /// Fails if the order with this id was begun with other input.
    pub(super) fn ensure_same_input(&self, known: &KnownOrder, id: &str) -> Result<()> {
        if self.input.is_none() || known.is_void() {
            return Ok(());
        }
        let asked = hash(&known.provider, &known.service_name, &self.input_object()?);
        match &known.hash {
            Some(begun) if *begun != asked => {
                Err(Error::OrderDiffers { id: id.to_owned(), begun: begun.clone(), asked })
            }
            _ => Ok(()),
        }
    }

    /// The id that was set, or a random one.
    pub(super) fn resolve_id(&self) -> Result<String> {
        match &self.id {
            None => random_id(),
            Some(id) if is_valid_id(id) => Ok(id.clone()),
            Some(_) => Err(Error::config(format!(
                "the id of an order must be 1 to {ID_MAX} letters, digits and - _ ."
            ))),
        }
    }

    /// How to pay this price.
    pub(super) fn payment_method(&self, price: Credits) -> PaymentMethod {
        match self.payment {
            _ if price.is_zero() => PaymentMethod::Direct,
            PaymentChoice::Escrow(delivery) => PaymentMethod::Escrow(delivery),
            PaymentChoice::ByPrice if price >= self.buyer.escrow_from => PaymentMethod::ESCROW,
            PaymentChoice::ByPrice | PaymentChoice::Direct => PaymentMethod::Direct,
        }
    }
}

// Not derived, because the type of the output need not be `Clone` or `Debug`.
impl<T> Clone for Order<T> {
    fn clone(&self) -> Self {
        Self {
            buyer: self.buyer.clone(),
            service: self.service.clone(),
            input: self.input.clone(),
            max_credits: self.max_credits,
            id: self.id.clone(),
            is_new: self.is_new,
            payment: self.payment,
            output: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Order<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Order")
            .field("service", &self.service)
            .field("input", &self.input)
            .field("max_credits", &self.max_credits)
            .field("id", &self.id)
            .field("payment", &self.payment)
            .finish_non_exhaustive()
    }
}
