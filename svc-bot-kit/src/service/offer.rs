//! The builder of a service.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_client::types::Credits;
use svc_client::types::api::services::{Acceptance, ServiceCategory};

use super::context::Ctx;
use super::fail::Fail;
use super::handler::{Handler, Typed};
use super::output::Output;
use super::schema;

/// Default of [`Service::timeout`].
const TIMEOUT: Duration = Duration::from_secs(60);

/// What to do with an order whose handler was interrupted by the end of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnCrash {
    /// Answer with an error; the order costs nothing.
    #[default]
    Error,
    /// Decline the order, which then costs nothing.
    Reject,
    /// Run the handler again, at most three times in total; then answer with an error. The handler also
    /// runs again after a transient error, see [`Bot::on_error`](crate::Bot::on_error).
    Rerun,
}

/// The order in which jobs of one conversation run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sequence {
    /// One after the other, in order of arrival.
    #[default]
    Conversation,
    /// Concurrently, within the limits of the bot and the service.
    Free,
}

/// A service that a bot offers; from [`service`].
#[must_use = "a service is offered by a bot: `Bot::service`"]
pub struct Service {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) category: Option<ServiceCategory>,
    pub(crate) languages: Option<Vec<String>>,
    pub(crate) price: Credits,
    pub(crate) timeout: Duration,
    pub(crate) on_crash: OnCrash,
    pub(crate) order: Sequence,
    pub(crate) at_once: Option<usize>,
    /// The price from which an escrow must pay.
    pub(crate) escrow_from: Option<Credits>,
    pub(crate) acceptance: Acceptance,
    pub(crate) example: Option<Value>,
    pub(super) input: Schema,
    pub(super) output: Option<Schema>,
    pub(crate) handler: Arc<dyn Handler>,
}

/// Creates a service from its name on the platform and the function that executes an order.
///
/// The schemas of the function's types are published, and inputs and outputs are validated against
/// them. The service is free unless you set a [`price`](Service::price).
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use svc_bot_kit::{Ctx, Fail, service};
///
/// /// Reverses a text.
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
        category: None,
        languages: None,
        price: Credits::default(),
        timeout: TIMEOUT,
        on_crash: OnCrash::default(),
        order: Sequence::default(),
        at_once: None,
        escrow_from: None,
        acceptance: Acceptance::Explicit,
        example: None,
        input: schema::of_input::<I>(),
        output: O::schema(),
        handler: Arc::new(Typed { function, input: PhantomData::<fn(I)> }),
    }
}

impl Service {
    /// Sets the price: whole credits, or a parsed amount, such as
    /// `"0.25".parse::<Credits>()?`. The default is 0.
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

    /// Sets the description for people. The default is the doc comment of the input type, then the
    /// name.
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

    /// Sets the search tags, at most 10.
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

    /// Sets what kind of work it is. Without it, the category on the platform stays.
    ///
    /// ```
    /// use svc_bot_kit::client::types::api::services::ServiceCategory;
    ///
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.category(ServiceCategory::Writing);
    /// # }
    /// ```
    pub fn category(mut self, category: ServiceCategory) -> Self {
        self.category = Some(category);
        self
    }

    /// Sets the languages that it works in, at most 20. Without them, those on the platform stay.
    ///
    /// ```
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.languages(["en", "pt-BR"]);
    /// # }
    /// ```
    pub fn languages<T: Into<String>>(mut self, languages: impl IntoIterator<Item = T>) -> Self {
        self.languages = Some(languages.into_iter().map(Into::into).collect());
        self
    }

    /// Sets how long the function may run: 60 s by default. After that the order is answered with an
    /// error.
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

    /// Sets what to do with an order whose function was interrupted by the end of the process.
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

    /// Declines orders without an escrow if the price of the service is at least this.
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

    /// Sets when an order is accepted: explicitly by default, as its function starts; until then the
    /// buyer can cancel it. An implicit acceptance saves the bot a request per order.
    ///
    /// ```
    /// use svc_bot_kit::client::types::api::services::Acceptance;
    ///
    /// # fn show(service: svc_bot_kit::Service) {
    /// service.acceptance(Acceptance::Implicit);
    /// # }
    /// ```
    pub fn acceptance(mut self, acceptance: Acceptance) -> Self {
        self.acceptance = acceptance;
        self
    }

    /// Sets the order in which orders of one buyer run.
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

    /// Limits how many orders of this service run concurrently, in addition to the bot's limit.
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

    /// Sets an example of a valid input, which is part of rejections of invalid ones.
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
