//! The tool that buys credits with tokens on a chain, by x402 over MCP: what is to be paid is the result of
//! a failed call, and payments and their outcomes travel in `_meta`.

use rmcp::model::{CallToolResult, JsonObject, MetaObject, RequestMetaObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_types::PositiveCredits;
use svc_types::api::billing::Payment;

/// The name of the tool, which only servers that take tokens list.
pub const TOPUP: &str = "topup";

/// Where a host's wallet puts a signed payment.
const PAYMENT: &str = "x402/payment";

/// Where it finds the outcome of the payment.
const RESPONSE: &str = "x402/payment-response";

/// What the tool does.
pub(crate) const ABOUT: &str = "\
Buy credits with tokens on a chain, by x402 version 2. The first call fails with what to sign; a host \
with a wallet signs it and calls again with the payment in _meta[\"x402/payment\"]. A payment with the \
status open is not decided by the chain yet: call again with the same payment, and never sign another.";

/// What the tool is given.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Topup {
    /// How many credits to buy.
    pub credits: PositiveCredits,
    /// The signed payment of x402, for hosts that can't send it as `x402/payment` of `_meta`.
    pub payment: Option<Map<String, Value>>,
}

/// What it answers. All members may be missing, because clients check the result of a failed call, too.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TopupResult {
    /// The payment: its credits were added once it is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment: Option<Payment>,
    /// The outcome of the payment, once the chain has decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<Map<String, Value>>,
}

/// The arguments of a call, with the payment of its metadata if the tool takes one.
pub fn arguments(
    tool: &str,
    arguments: Option<JsonObject>,
    meta: &RequestMetaObject,
) -> JsonObject {
    let mut arguments = arguments.unwrap_or_default();
    if let Some(payment) = meta.get(PAYMENT).filter(|_| tool == TOPUP) {
        arguments.insert("payment".to_owned(), payment.clone());
    }
    arguments
}

/// The result of a call that must be paid first, as wallets look for it: text and structured.
pub fn unpaid(offer: Value) -> CallToolResult {
    CallToolResult::structured_error(offer)
}

/// The result of a call that succeeded; the outcome of a payment stands where wallets look for it.
pub fn succeeded(answer: Value) -> CallToolResult {
    let settled = answer.get("settled").cloned();
    let mut result = CallToolResult::structured(answer);
    if let Some(settled) = settled {
        result.meta = Some(MetaObject(JsonObject::from_iter([(RESPONSE.to_owned(), settled)])));
    }
    result
}
