//! A service as its author writes it.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_client::types::Credits;

use super::context::Ctx;
use super::fail::Fail;
use super::handler::{Handler, Typed};
use super::output::Output;
use super::schema;

/// How long a handler may take unless it is said otherwise.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What becomes of an order whose handler was interrupted by the end of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnCrash {
    /// It is answered with an error and costs nothing.
    #[default]
    Error,
    /// It is declined and costs nothing.
    Reject,
    /// The handler starts again, at most three times in all; then as [`Error`](Self::Error). It
    /// starts again as well after an error that may pass: see [`Bot::on_error`](crate::Bot::on_error).
    Rerun,
}

/// In what order jobs of one conversation are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sequence {
    /// One after the other, as they came.
    #[default]
    Conversation,
    /// All at once, as far as there is room.
    Free,
}

/// A service that a bot offers; from [`service`].
#[must_use = "a service is offered by a bot: `Bot::service`"]
pub struct Service {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) price: Credits,
    pub(crate) timeout: Duration,
    pub(crate) on_crash: OnCrash,
    pub(crate) order: Sequence,
    pub(crate) at_once: Option<usize>,
    /// From this price on an escrow must pay.
    pub(crate) escrow_from: Option<Credits>,
    pub(crate) example: Option<Value>,
    pub(super) input: Schema,
    pub(super) output: Option<Schema>,
    pub(crate) handler: Arc<dyn Handler>,
}

/// Makes a service of a function: its name on the platform, and what does the work.
///
/// The types of the function are the schemas that buyers see and that inputs and outputs are
/// checked by. It is free until it has a [`price`](Service::price).
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use svc_bot_kit::{Ctx, Fail, service};
///
/// /// Turns a text round.
/// #[derive(Deserialize, JsonSchema)]
/// struct Ask { text: String }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Turned { text: String }
///
/// async fn turn(_cx: Ctx, ask: Ask) -> Result<Turned, Fail> {
///     Ok(Turned { text: ask.text.chars().rev().collect() })
/// }
/// let turn = service("turn", turn).price(1);
/// ```
pub fn service<H, I, F, O>(name: impl Into<String>, function: H) -> Service
where
    H: Fn(Ctx, I) -> F + Send + Sync + 'static,
    I: DeserializeOwned + JsonSchema + 'static,
    F: Future<Output = Result<O, Fail>> + Send + 'static,
    O: Output,
{
    Service {
        name: name.into(),
        description: None,
        tags: Vec::new(),
        price: Credits::default(),
        timeout: TIMEOUT,
        on_crash: OnCrash::default(),
        order: Sequence::default(),
        at_once: None,
        escrow_from: None,
        example: None,
        input: schema::of_input::<I>(),
        output: O::schema(),
        handler: Arc::new(Typed { function, input: PhantomData::<fn(I)> }),
    }
}

impl Service {
    /// What it costs: whole credits, or an amount such as `"0.25".parse()?`.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.price(5);
    /// # }
    /// ```
    pub fn price(mut self, price: impl Into<Credits>) -> Self {
        self.price = price.into();
        self
    }

    /// What it does, for people; else the doc comment of the input's type says so.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.description("counts the words of a text");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Words to find it by, at most 10.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.tags(["text", "words"]);
    /// # }
    /// ```
    pub fn tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// How long the function may take: 60 s. What takes longer is answered with an error.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.timeout(std::time::Duration::from_secs(5));
    /// # }
    /// ```
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// What becomes of an order whose function the end of the process interrupted.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.on_crash(svc_bot_kit::OnCrash::Rerun);
    /// # }
    /// ```
    pub fn on_crash(mut self, on_crash: OnCrash) -> Self {
        self.on_crash = on_crash;
        self
    }

    /// Declines orders without an escrow when the price is this much or more.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.price(60).escrow_from(50);
    /// # }
    /// ```
    pub fn escrow_from(mut self, price: impl Into<Credits>) -> Self {
        self.escrow_from = Some(price.into());
        self
    }

    /// In what order orders of one buyer are done.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.order(svc_bot_kit::Sequence::Free);
    /// # }
    /// ```
    pub fn order(mut self, order: Sequence) -> Self {
        self.order = order;
        self
    }

    /// How many orders of it are worked on at the same time, beside the bot's own limit.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.concurrency(2);
    /// # }
    /// ```
    pub fn concurrency(mut self, at_once: usize) -> Self {
        self.at_once = Some(at_once.max(1));
        self
    }

    /// An input that fits, for those whose input does not.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.example(serde_json::json!({ "text": "a bb" }));
    /// # }
    /// ```
    pub fn example(mut self, input: Value) -> Self {
        self.example = Some(input);
        self
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("name", &self.name).finish_non_exhaustive()
    }
}
