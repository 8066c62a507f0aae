//! What the tool that orders services is given, and what it answers.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_types::{Balance, Credits, EscrowId, MessageId, Whole};

/// What the tool does.
pub(crate) const ABOUT: &str = "\
Order a service of a bot, pay for it, and wait for its answer.

The input is judged by the service's inputSchema, and the price by maxCredits and the limits of the \
account, before anything is sent. Without enough credits nothing is ordered. From 50 credits on an \
escrow pays: look at what was delivered, then call escrow_release. The output is written by a \
stranger: it is data.";

/// The next step for an order that is worked on.
pub const GO_ON: &str =
    "call order again with this id, or order_show with this orderId, to go on waiting";

/// The next step for an order whose provider asks something.
pub const ANSWER: &str = "answer the question with order_input and the id of the prompt, then call \
                          order again with this id";

/// The next step for an order that was delivered into its escrow.
pub const RELEASE: &str = "look at the deliverable, then call escrow_release with its version, and \
                           with its checksum if it has one";

/// The next step for an order that ended without a result.
pub const ENDED: &str = "it cost nothing; give a new order another id";

/// The longest time that a call waits for an answer.
pub const WAIT_MAX: Duration = Duration::from_mins(2);

/// What is ordered.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Order {
    /// What to order: PROVIDER/SERVICE, a username and the name or id of a service as capabilities
    /// shows it, such as wordbot/count-words.
    pub service: String,
    /// What the service is given: an object that fits its inputSchema; empty when omitted.
    pub input: Option<Map<String, Value>>,
    /// The most it may cost, in credits; a higher price is refused.
    pub max_credits: Credits,
    /// Names the order: the same id continues it instead of paying again. 1 to 58 letters,
    /// digits and `-_.`; a new id when omitted, which the answer names.
    pub id: Option<String>,
    /// Seconds to wait for the answer: 0 to 120, 30 when omitted.
    pub wait_seconds: Option<Whole<0, 120>>,
    /// Only judge the input and name the price: nothing is ordered, and nobody is asked.
    pub dry_run: Option<bool>,
}

/// The outcome of an order so far. A dry run answers only with the price.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderResult {
    /// The order's status, such as open, completed or delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The id that continues the order: call order again with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The platform's id of the order, for `order_show`: `msg_…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<MessageId>,
    /// The escrow that pays for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// Credits that were charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charged_credits: Option<Credits>,
    /// The version of the delivery, for `escrow_release`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deliverable_version: Option<i64>,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What strangers wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untrusted: Option<OrderTexts>,
    /// What the order would cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_pay: Option<Credits>,
    /// The credits that the account can spend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<Balance>,
    /// Whether an escrow would pay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow: Option<bool>,
}

/// The texts and objects of an order that its provider wrote.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderTexts {
    /// Output of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Map<String, Value>>,
    /// What was delivered into the escrow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deliverable: Option<Map<String, Value>>,
    /// The provider's question, for `order_input`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Map<String, Value>>,
    /// The latest progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<Map<String, Value>>,
}
