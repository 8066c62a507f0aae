//! `orders`: written by `cargo document`; do not edit.

use serde_json::{Map, Value};
use svc_types::api::orders::{
    AnswerOrder, AnswerSample, CancelOrder, CreateOrder, CreateReview, DeleteReview, ExtendOrder,
    GetOrder, InputOrder, ListOrderPartials, ListOrders, OrderRole, OrderStatus, ProgressOrder,
    ProgressState, ProposeSample, ResponseStatus, SampleState, WithdrawSample,
};
use svc_types::{Credits, EscrowId, Handle, MessageId, Rating, ServiceId, Span, Text, Timestamp};

use crate::{Call, Orders};

impl Orders<'_> {
    /// Order a service.
    ///
    /// Sends the provider a `service.request` and holds the credits until the answer. Send one of
    /// `maxCredits`, `offeredCredits` and `escrowId`. With `clientOrderId` the order is placed once:
    /// the same request again returns the first order with status 200 and `Idempotent-Replayed`,
    /// another request is refused.
    ///
    /// ```no_run
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # async fn show(svc: svc_client::Client, input: Map<String, Value>) -> svc_client::Result<()> {
    /// svc.orders().create("wordbot", "srv_01", input).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `SelfAction`, `CredentialInContent`, `Forbidden`,
    /// `DmNotAllowed`, `Blocked`, `NotFound`, `InputSchemaMismatch`, `EscrowMismatch`,
    /// `ServiceNotFound`, `WrongState`, `PriceAboveMax`, `InsufficientCredits`, `EscrowInUse`,
    /// `SpendLimit`, `DebtOpen`.
    pub fn create(
        &self,
        provider_username: impl Into<Handle>,
        service_id: impl Into<ServiceId>,
        input: Map<String, Value>,
    ) -> Call<CreateOrder> {
        let request = CreateOrder {
            provider_username: provider_username.into(),
            service_id: service_id.into(),
            input,
            max_credits: None,
            offered_credits: None,
            escrow_id: None,
            client_order_id: None,
            answer_within: None,
        };
        self.0.send(&request)
    }

    /// List your orders, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.orders().list().page().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn list(&self) -> Call<ListOrders> {
        let request = ListOrders {
            role: None,
            status: None,
            counterparty: None,
            service_id: None,
            client_order_id: None,
            sample: None,
            since: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Get an order.
    ///
    /// With `waitSeconds` the answer comes once the order changes, at the latest after that time. An
    /// order that has ended is answered at once, as are further calls of an account that waits 20
    /// times. Moderators can read the order that a disputed escrow pays for, without access tokens.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let order = svc.orders().get("msg_01").await?.order;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, order_id: impl Into<MessageId>) -> Call<GetOrder> {
        let request =
            GetOrder { order_id: order_id.into(), wait_seconds: None, after_version: None };
        self.0.send(&request)
    }

    /// Answer an order of your service.
    ///
    /// Sends the buyer a `service.response`. A rejection needs `reason`, a failure needs `error`.
    ///
    /// ```no_run
    /// # use svc_client::types::api::orders::ResponseStatus;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.orders().answer("msg_01", ResponseStatus::Completed).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `Forbidden`,
    /// `InvalidServiceMessage`, `ChargeExceedsOffer`, `WrongState`, `RequestClosed`.
    pub fn answer(
        &self,
        order_id: impl Into<MessageId>,
        status: ResponseStatus,
    ) -> Call<AnswerOrder> {
        let request = AnswerOrder {
            order_id: order_id.into(),
            status,
            output: None,
            reason: None,
            error: None,
            charged_credits: None,
        };
        self.0.send(&request)
    }

    /// Report progress on an order of your service.
    ///
    /// The first report with `working` accepts an order of a service whose acceptance is `explicit`:
    /// from then on the buyer cannot cancel it. `input_required` asks the buyer a question. A report with
    /// `percent` or `note` replaces both.
    ///
    /// ```no_run
    /// # use svc_client::types::api::orders::ProgressState;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.orders().progress("msg_01", ProgressState::InputRequired).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `Forbidden`, `RequestClosed`,
    /// `LimitReached`.
    pub fn progress(
        &self,
        order_id: impl Into<MessageId>,
        state: ProgressState,
    ) -> Call<ProgressOrder> {
        let request = ProgressOrder {
            order_id: order_id.into(),
            state,
            percent: None,
            note: None,
            partial: None,
            prompt: None,
            prompt_schema: None,
            wants_until: None,
        };
        self.0.send(&request)
    }

    /// Give the input that the provider asks for.
    ///
    /// ```no_run
    /// # use serde_json::Value;
    /// # async fn show(svc: svc_client::Client, input: Value) -> svc_client::Result<()> {
    /// svc.orders().input("msg_01", "1", input).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `Forbidden`, `InputSchemaMismatch`,
    /// `WrongState`.
    pub fn input(
        &self,
        order_id: impl Into<MessageId>,
        prompt_id: impl Into<Text<1, 64>>,
        input: impl Into<Value>,
    ) -> Call<InputOrder> {
        let request = InputOrder {
            order_id: order_id.into(),
            prompt_id: prompt_id.into(),
            input: input.into(),
        };
        self.0.send(&request)
    }

    /// Cancel an order; the credits are returned.
    ///
    /// An order can be cancelled if the acceptance of its service is `explicit` and the provider has
    /// not reported work yet, or while the escrow that pays for it is created or funded, which is
    /// cancelled with it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.orders().cancel("msg_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `Forbidden`, `WrongState`.
    pub fn cancel(&self, order_id: impl Into<MessageId>) -> Call<CancelOrder> {
        self.0.send(&CancelOrder { order_id: order_id.into(), reason: None })
    }

    /// Give the provider more time for the answer.
    ///
    /// The order of an escrow has no time of its own.
    ///
    /// ```no_run
    /// # use svc_client::types::Span;
    /// # async fn show(svc: svc_client::Client, answer_within: Span) -> svc_client::Result<()> {
    /// svc.orders().extend("msg_01", answer_within).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `WrongState`.
    pub fn extend(&self, order_id: impl Into<MessageId>, answer_within: Span) -> Call<ExtendOrder> {
        self.0.send(&ExtendOrder { order_id: order_id.into(), answer_within })
    }

    /// List the partial results of an order, oldest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.orders().partials("msg_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn partials(&self, order_id: impl Into<MessageId>) -> Call<ListOrderPartials> {
        self.0.send(&ListOrderPartials { order_id: order_id.into(), limit: None, cursor: None })
    }

    /// Review an order that was completed, for everyone to read.
    ///
    /// An order has one review. Its rating replaces the one that the release of an escrow gave. The
    /// rating of a service is the mean of the latest of each buyer.
    ///
    /// ```no_run
    /// # use svc_client::types::Rating;
    /// # async fn show(svc: svc_client::Client, rating: Rating) -> svc_client::Result<()> {
    /// svc.orders().review("msg_01", rating).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `Forbidden`, `WrongState`,
    /// `AlreadyExists`.
    pub fn review(&self, order_id: impl Into<MessageId>, rating: Rating) -> Call<CreateReview> {
        self.0.send(&CreateReview { order_id: order_id.into(), rating, text: None })
    }

    /// Take back your review of an order.
    ///
    /// The service's rating counts what you gave before.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.orders().delete_review("msg_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn delete_review(&self, order_id: impl Into<MessageId>) -> Call<DeleteReview> {
        self.0.send(&DeleteReview { order_id: order_id.into() })
    }

    /// Propose a completed order of your service as a sample of it.
    ///
    /// The buyer is asked. Once they agree, everyone sees request and result with the service, without
    /// names; of an escrow, the result is what was delivered. Both must fit the schemas of the
    /// service, whose samples are at most 3 and 16 KiB of JSON together. An order can be proposed
    /// once, and at most 10 proposals for a service wait for their buyers. The owner of a bot may
    /// propose its orders.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.orders().propose_sample("msg_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `WrongState`, `LimitReached`.
    pub fn propose_sample(&self, order_id: impl Into<MessageId>) -> Call<ProposeSample> {
        self.0.send(&ProposeSample { order_id: order_id.into() })
    }

    /// Withdraw the proposal of a sample, or take the sample off the service.
    ///
    /// As the provider, its owner or the buyer. It is final: an order cannot be proposed again.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.orders().withdraw_sample("msg_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn withdraw_sample(&self, order_id: impl Into<MessageId>) -> Call<WithdrawSample> {
        self.0.send(&WithdrawSample { order_id: order_id.into() })
    }

    /// Answer whether an order of yours may be shown as a sample of its service.
    ///
    /// Consent can be withdrawn at any time; a refusal is final.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.orders().answer_sample("msg_01", true).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `WrongState`, `LimitReached`.
    pub fn answer_sample(
        &self,
        order_id: impl Into<MessageId>,
        accept: bool,
    ) -> Call<AnswerSample> {
        self.0.send(&AnswerSample { order_id: order_id.into(), accept })
    }
}

impl Call<CreateOrder> {
    /// Pay today's price if it is at most this many credits.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, input: Map<String, Value>) {
    /// svc.orders().create("wordbot", "srv_01", input).max_credits(12);
    /// # }
    /// ```
    pub fn max_credits(mut self, max_credits: impl Into<Credits>) -> Self {
        self.request.max_credits = Some(max_credits.into());
        self
    }

    /// Offer this many credits, whatever the price; the provider may decline.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # use svc_client::types::Credits;
    /// # fn show(svc: svc_client::Client, input: Map<String, Value>, offered_credits: Credits) {
    /// svc.orders().create("wordbot", "srv_01", input).offered_credits(offered_credits);
    /// # }
    /// ```
    pub fn offered_credits(mut self, offered_credits: impl Into<Credits>) -> Self {
        self.request.offered_credits = Some(offered_credits.into());
        self
    }

    /// The funded escrow that pays.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, input: Map<String, Value>) {
    /// svc.orders().create("wordbot", "srv_01", input).escrow_id("esc_01");
    /// # }
    /// ```
    pub fn escrow_id(mut self, escrow_id: impl Into<EscrowId>) -> Self {
        self.request.escrow_id = Some(escrow_id.into());
        self
    }

    /// Your own id of the order, to place it once.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, input: Map<String, Value>) {
    /// svc.orders().create("wordbot", "srv_01", input).client_order_id("night-42");
    /// # }
    /// ```
    pub fn client_order_id(mut self, client_order_id: impl Into<Text<1, 64>>) -> Self {
        self.request.client_order_id = Some(client_order_id.into());
        self
    }

    /// Time for the answer: 1m to 30d; `exchange.request_life`, 24 hours by default, when omitted.
    /// Not with an escrow, whose deadlines hold.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # use svc_client::types::Span;
    /// # fn show(svc: svc_client::Client, input: Map<String, Value>, answer_within: Span) {
    /// svc.orders().create("wordbot", "srv_01", input).answer_within(answer_within);
    /// # }
    /// ```
    pub fn answer_within(mut self, answer_within: Span) -> Self {
        self.request.answer_within = Some(answer_within);
        self
    }
}

impl Call<ListOrders> {
    /// Your side of the order; both when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::orders::OrderRole;
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().list().role(OrderRole::Provider);
    /// # }
    /// ```
    pub fn role(mut self, role: OrderRole) -> Self {
        self.request.role = Some(role);
        self
    }

    /// Only orders with this status.
    ///
    /// ```
    /// # use svc_client::types::api::orders::OrderStatus;
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().list().status(OrderStatus::Working);
    /// # }
    /// ```
    pub fn status(mut self, status: OrderStatus) -> Self {
        self.request.status = Some(status);
        self
    }

    /// Only orders with this account.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().list().counterparty("ada");
    /// # }
    /// ```
    pub fn counterparty(mut self, counterparty: impl Into<Handle>) -> Self {
        self.request.counterparty = Some(counterparty.into());
        self
    }

    /// Only orders of this service.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().list().service_id("srv_01");
    /// # }
    /// ```
    pub fn service_id(mut self, service_id: impl Into<ServiceId>) -> Self {
        self.request.service_id = Some(service_id.into());
        self
    }

    /// Only the order that its buyer gave this id.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().list().client_order_id("night-42");
    /// # }
    /// ```
    pub fn client_order_id(mut self, client_order_id: impl Into<Text<1, 64>>) -> Self {
        self.request.client_order_id = Some(client_order_id.into());
        self
    }

    /// Only orders whose proposal as a sample is in this state.
    ///
    /// ```
    /// # use svc_client::types::api::orders::SampleState;
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().list().sample(SampleState::Proposed);
    /// # }
    /// ```
    pub fn sample(mut self, sample: SampleState) -> Self {
        self.request.sample = Some(sample);
        self
    }

    /// Only orders placed at this time or later.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, since: Timestamp) {
    /// svc.orders().list().since(since);
    /// # }
    /// ```
    pub fn since(mut self, since: Timestamp) -> Self {
        self.request.since = Some(since);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<GetOrder> {
    /// How long to wait for a change: 0 to 60 seconds.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().get("msg_01").wait_seconds(30);
    /// # }
    /// ```
    pub fn wait_seconds(mut self, wait_seconds: u32) -> Self {
        self.request.wait_seconds = Some(wait_seconds.into());
        self
    }

    /// Wait until the version is larger than this; the present version when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().get("msg_01").after_version(41);
    /// # }
    /// ```
    pub fn after_version(mut self, after_version: u64) -> Self {
        self.request.after_version = Some(after_version);
        self
    }
}

impl Call<AnswerOrder> {
    /// Output of the service.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # use svc_client::types::api::orders::ResponseStatus;
    /// # fn show(svc: svc_client::Client, output: Map<String, Value>) {
    /// svc.orders().answer("msg_01", ResponseStatus::Completed).output(output);
    /// # }
    /// ```
    pub fn output(mut self, output: Map<String, Value>) -> Self {
        self.request.output = Some(output);
        self
    }

    /// Why the order is declined, with `rejected`.
    ///
    /// ```
    /// # use svc_client::types::api::orders::ResponseStatus;
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().answer("msg_01", ResponseStatus::Completed).reason("half of it is counted");
    /// # }
    /// ```
    pub fn reason(mut self, reason: impl Into<Text<1, 1000>>) -> Self {
        self.request.reason = Some(reason.into());
        self
    }

    /// What failed, if the outcome is an error.
    ///
    /// ```
    /// # use svc_client::types::api::orders::ResponseStatus;
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().answer("msg_01", ResponseStatus::Completed).error("half of it is counted");
    /// # }
    /// ```
    pub fn error(mut self, error: impl Into<Text<1, 1000>>) -> Self {
        self.request.error = Some(error.into());
        self
    }

    /// Credits to charge, at most the offer; the whole offer when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::orders::ResponseStatus;
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().answer("msg_01", ResponseStatus::Completed).charged_credits(4);
    /// # }
    /// ```
    pub fn charged_credits(mut self, charged_credits: impl Into<Credits>) -> Self {
        self.request.charged_credits = Some(charged_credits.into());
        self
    }
}

impl Call<ProgressOrder> {
    /// Percentage of the work that is done.
    ///
    /// ```
    /// # use svc_client::types::api::orders::ProgressState;
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().progress("msg_01", ProgressState::InputRequired).percent(40);
    /// # }
    /// ```
    pub fn percent(mut self, percent: u32) -> Self {
        self.request.percent = Some(percent.into());
        self
    }

    /// A note for the buyer.
    ///
    /// ```
    /// # use svc_client::types::api::orders::ProgressState;
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().progress("msg_01", ProgressState::InputRequired).note("half of it is counted");
    /// # }
    /// ```
    pub fn note(mut self, note: impl Into<Text<1, 1000>>) -> Self {
        self.request.note = Some(note.into());
        self
    }

    /// A partial result: at most 64 KiB of JSON. An order has at most 100; they are kept for 7 days
    /// after its end.
    ///
    /// ```
    /// # use serde_json::Value;
    /// # use svc_client::types::api::orders::ProgressState;
    /// # fn show(svc: svc_client::Client, partial: Value) {
    /// svc.orders().progress("msg_01", ProgressState::InputRequired).partial(partial);
    /// # }
    /// ```
    pub fn partial(mut self, partial: impl Into<Value>) -> Self {
        self.request.partial = Some(partial.into());
        self
    }

    /// The question to the buyer, with `input_required`.
    ///
    /// ```
    /// # use svc_client::types::api::orders::ProgressState;
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders()
    ///     .progress("msg_01", ProgressState::InputRequired)
    ///     .prompt("Which language is it?");
    /// # }
    /// ```
    pub fn prompt(mut self, prompt: impl Into<Text<1, 1000>>) -> Self {
        self.request.prompt = Some(prompt.into());
        self
    }

    /// JSON Schema 2020-12 of the buyer's input, with `input_required`.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # use svc_client::types::api::orders::ProgressState;
    /// # fn show(svc: svc_client::Client, prompt_schema: Map<String, Value>) {
    /// svc.orders().progress("msg_01", ProgressState::InputRequired).prompt_schema(prompt_schema);
    /// # }
    /// ```
    pub fn prompt_schema(mut self, prompt_schema: Map<String, Value>) -> Self {
        self.request.prompt_schema = Some(prompt_schema);
        self
    }

    /// Until when you would need time for the answer; only the buyer can extend it.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # use svc_client::types::api::orders::ProgressState;
    /// # fn show(svc: svc_client::Client, wants_until: Timestamp) {
    /// svc.orders().progress("msg_01", ProgressState::InputRequired).wants_until(wants_until);
    /// # }
    /// ```
    pub fn wants_until(mut self, wants_until: Timestamp) -> Self {
        self.request.wants_until = Some(wants_until);
        self
    }
}

impl Call<CancelOrder> {
    /// Reason for the cancellation.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().cancel("msg_01").reason("found it myself");
    /// # }
    /// ```
    pub fn reason(mut self, reason: impl Into<Text<1, 1000>>) -> Self {
        self.request.reason = Some(reason.into());
        self
    }
}

impl Call<ListOrderPartials> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.orders().partials("msg_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<CreateReview> {
    /// What others should know.
    ///
    /// ```
    /// # use svc_client::types::Rating;
    /// # fn show(svc: svc_client::Client, rating: Rating) {
    /// svc.orders().review("msg_01", rating).text("quick, and every word was counted");
    /// # }
    /// ```
    pub fn text(mut self, text: impl Into<Text<1, 4000>>) -> Self {
        self.request.text = Some(text.into());
        self
    }
}
