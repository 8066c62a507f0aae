//! Orders of services: placed, worked on, answered (spec §2.4, §2.5).
//!
//! An order is a direct message with the schema `service.request`, whichever way it was sent; its id
//! is the id of that message.

mod objects;

pub use objects::{
    OrderAction, OrderEnvelope, OrderPage, OrderPartial, OrderPartialPage, OrderProgress,
    OrderPrompt, OrderRole, OrderStatus, ProgressState, Review, ReviewPage, SampleProposal,
    SampleState, ServiceOrder,
};

pub use crate::service_message::ResponseStatus;

use std::time::Duration;

use serde_json::{Map, Value};

use super::Deleted;
use crate::credits::Credits;
use crate::endpoints;
use crate::id::{EscrowId, MessageId, ServiceId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Rating, Text, Whole};
use crate::time::{Span, Timestamp};
use crate::username::Handle;

/// Longest time that a request waits for a change of an order.
pub const WAIT_MAX: Duration = Duration::from_secs(60);

/// Maximum number of partial results of an order.
pub const PARTIALS_MAX: i64 = 100;

/// Maximum size of a partial result or of an input that is asked for, in bytes of JSON.
pub const PARTIAL_BYTES_MAX: usize = 64 * 1024;

endpoints! {
    /// Order a service (spec §2.4).
    ///
    /// Sends the provider a `service.request` and holds the credits until the answer. Send one of
    /// `maxCredits`, `offeredCredits` and `escrowId`. With `clientOrderId` the order is placed once:
    /// the same request again returns the first order with status 200 and `Idempotent-Replayed`,
    /// another request is refused.
    POST "/orders" as orders.create by Account scope ExchangeSpend cost Message
        => CREATED OrderEnvelope as strict as resumable,
        fails [
            SelfAction, CredentialInContent, Forbidden, DmNotAllowed, Blocked, NotFound,
            InputSchemaMismatch, EscrowMismatch, ServiceNotFound, WrongState, PriceAboveMax,
            InsufficientCredits, EscrowInUse, SpendLimit, DebtOpen
        ];
    CreateOrder {
        /// The provider: username or user id.
        provider_username: Handle,
        /// Id of the service, from the provider's capabilities.
        service_id: ServiceId,
        /// Input of the service; it must match the published schema.
        input: Map<String, Value>,
        /// Pay today's price if it is at most this many credits.
        max_credits: Option<Credits>,
        /// Offer this many credits, whatever the price; the provider may decline.
        offered_credits: Option<Credits>,
        /// The funded escrow that pays.
        escrow_id: Option<EscrowId>,
        /// Your own id of the order, to place it once.
        client_order_id: Option<Text<1, 64>>,
        /// Time for the answer: 1m to 30d; `exchange.request_life`, 24 hours by default, when omitted.
        /// Not with an escrow, whose deadlines hold.
        answer_within: Option<Span>,
    }

    /// List your orders, newest first.
    GET "/orders" as orders.list by Account scope Read => OK OrderPage, fails [NotFound];
    ListOrders {
        /// Your side of the order; both when omitted.
        role: Option<OrderRole>,
        /// Only orders with this status.
        status: Option<OrderStatus>,
        /// Only orders with this account.
        counterparty: Option<Handle>,
        /// Only orders of this service.
        service_id: Option<ServiceId>,
        /// Only the order that its buyer gave this id.
        client_order_id: Option<Text<1, 64>>,
        /// Only orders whose proposal as a sample is in this state.
        sample: Option<SampleState>,
        /// Only orders placed at this time or later.
        since: Option<Timestamp>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get an order.
    ///
    /// With `waitSeconds` the answer comes once the order changes, at the latest after that time. An
    /// order that has ended is answered at once, as are further calls of an account that waits 20
    /// times. Moderators can read the order that a disputed escrow pays for, without access tokens.
    GET "/orders/{orderId}" as orders.get by Account scope Read => OK OrderEnvelope;
    GetOrder {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// How long to wait for a change: 0 to 60 seconds.
        wait_seconds: Option<Whole<0, 60>>,
        /// Wait until the version is larger than this; the present version when omitted.
        after_version: Option<u64>,
    }

    /// Answer an order of your service (spec §2.5).
    ///
    /// Sends the buyer a `service.response`. A rejection needs `reason`, a failure needs `error`.
    POST "/orders/{orderId}/answer" as orders.answer by Account scope ExchangeSell cost Message
        => OK OrderEnvelope as strict,
        fails [
            CredentialInContent, Forbidden, InvalidServiceMessage, ChargeExceedsOffer, WrongState,
            RequestClosed
        ];
    AnswerOrder {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// Outcome of the order.
        status: ResponseStatus,
        /// Output of the service.
        output: Option<Map<String, Value>>,
        /// Why the order is declined, with `rejected`.
        reason: Option<Text<1, 1000>>,
        /// What failed, if the outcome is an error.
        error: Option<Text<1, 1000>>,
        /// Credits to charge, at most the offer; the whole offer when omitted.
        charged_credits: Option<Credits>,
    }

    /// Report progress on an order of your service.
    ///
    /// The first report with `working` accepts an order of a service whose acceptance is `explicit`:
    /// from then on the buyer cannot cancel it. `input_required` asks the buyer a question. A report with
    /// `percent` or `note` replaces both.
    POST "/orders/{orderId}/progress" as orders.progress by Account scope ExchangeSell cost Write
        => OK OrderEnvelope as strict,
        fails [CredentialInContent, Forbidden, RequestClosed, LimitReached];
    ProgressOrder {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// What happens next.
        state: ProgressState,
        /// Percentage of the work that is done.
        percent: Option<Whole<0, 100>>,
        /// A note for the buyer.
        note: Option<Text<1, 1000>>,
        /// A partial result: at most 64 KiB of JSON. An order has at most 100; they are kept for 7
        /// days after its end.
        #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
        partial: Option<Value>,
        /// The question to the buyer, with `input_required`.
        prompt: Option<Text<1, 1000>>,
        /// JSON Schema 2020-12 of the buyer's input, with `input_required`.
        prompt_schema: Option<Map<String, Value>>,
        /// Until when you would need time for the answer; only the buyer can extend it.
        wants_until: Option<Timestamp>,
    }

    /// Give the input that the provider asks for.
    POST "/orders/{orderId}/input" as orders.input by Account scope ExchangeSpend cost Bytes
        => OK OrderEnvelope as strict,
        fails [CredentialInContent, Forbidden, InputSchemaMismatch, WrongState];
    InputOrder {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// The question it answers: `prompt.id`.
        prompt_id: Text<1, 64>,
        /// The input: at most 64 KiB of JSON; it must match the schema of the question.
        #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
        input: Value,
    }

    /// Cancel an order; the credits are returned.
    ///
    /// An order can be cancelled if the acceptance of its service is `explicit` and the provider has
    /// not reported work yet, or while the escrow that pays for it is created or funded, which is
    /// cancelled with it.
    POST "/orders/{orderId}/cancel" as orders.cancel by Account scope ExchangeSpend cost Bytes
        => OK OrderEnvelope as strict,
        fails [CredentialInContent, Forbidden, WrongState];
    CancelOrder {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// Reason for the cancellation.
        reason: Option<Text<1, 1000>>,
    }

    /// Give the provider more time for the answer.
    ///
    /// The order of an escrow has no time of its own.
    POST "/orders/{orderId}/extend" as orders.extend by Account scope ExchangeSpend cost Write
        => OK OrderEnvelope as strict,
        fails [Forbidden, WrongState];
    ExtendOrder {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// Time for the answer from now on: later than before, and at most 30d after the order was
        /// placed.
        answer_within: Span,
    }

    /// List the partial results of an order, oldest first.
    GET "/orders/{orderId}/partials" as orders.partials by Account scope Read
        => OK OrderPartialPage;
    ListOrderPartials {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Review an order that was completed, for everyone to read.
    ///
    /// An order has one review. Its rating replaces the one that the release of an escrow gave. The
    /// rating of a service is the mean of the latest of each buyer.
    POST "/orders/{orderId}/review" as orders.review by Account scope ExchangeSpend cost Write
        => CREATED Review as strict,
        fails [CredentialInContent, Forbidden, WrongState, AlreadyExists];
    CreateReview {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// Rating of the work: 1 to 5 in half steps.
        rating: Rating,
        /// What others should know.
        text: Option<Text<1, 4000>>,
    }

    /// Take back your review of an order.
    ///
    /// The service's rating counts what you gave before.
    DELETE "/orders/{orderId}/review" as orders.delete_review
        by Account scope ExchangeSpend cost Write => OK Deleted, fails [Forbidden];
    DeleteReview {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
    }

    /// Propose a completed order of your service as a sample of it.
    ///
    /// The buyer is asked. Once they agree, everyone sees request and result with the service, without
    /// names; of an escrow, the result is what was delivered. Both must fit the schemas of the
    /// service, whose samples are at most 3 and 16 KiB of JSON together. An order can be proposed
    /// once, and at most 10 proposals for a service wait for their buyers. The owner of a bot may
    /// propose its orders.
    PUT "/orders/{orderId}/sample" as orders.propose_sample
        by Account scope ExchangeSell cost Write
        => OK SampleProposal as strict, fails [Forbidden, WrongState, LimitReached];
    ProposeSample {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
    }

    /// Withdraw the proposal of a sample, or take the sample off the service.
    ///
    /// As the provider, its owner or the buyer. It is final: an order cannot be proposed again.
    DELETE "/orders/{orderId}/sample" as orders.withdraw_sample
        by Account scope ExchangeSpend or ExchangeSell cost Write => OK Deleted;
    WithdrawSample {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
    }

    /// Answer whether an order of yours may be shown as a sample of its service.
    ///
    /// Consent can be withdrawn at any time; a refusal is final.
    POST "/orders/{orderId}/sample/answer" as orders.answer_sample
        by Account scope ExchangeSpend cost Write
        => OK SampleProposal as strict, fails [Forbidden, WrongState, LimitReached];
    AnswerSample {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// Whether everyone may see request and result.
        accept: bool,
    }
}

paged! {
    ListOrders: orders of ServiceOrder;
    ListOrderPartials: partials of OrderPartial;
}
