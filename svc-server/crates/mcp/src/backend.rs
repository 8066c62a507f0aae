//! What carries out the calls of tools.

use rmcp::ErrorData;
use serde_json::Value;
use svc_types::Endpoint;
use svc_types::api::escrow::{CreateEscrow, ReleaseEscrow};

use crate::order::{Order, OrderResult};
use crate::topup::{Topup, TopupResult};

/// Calls endpoints as one account, and spends its credits by rules of its own.
pub trait Backend: Send + Sync + Sized + 'static {
    /// Why a call failed.
    type Error: Send;

    /// What the endpoint answers, as it came.
    fn send<E: Endpoint>(
        &self,
        request: E,
    ) -> impl Future<Output = Result<Value, Self::Error>> + Send;

    /// Orders a service, or continues an order.
    fn order(&self, order: Order) -> impl Future<Output = Result<OrderResult, Self::Error>> + Send;

    /// Opens an escrow; answers with what the endpoint did.
    fn open(
        &self,
        request: CreateEscrow,
    ) -> impl Future<Output = Result<Value, Self::Error>> + Send;

    /// Accepts a delivery; answers with what the endpoint did. The request names the version that
    /// was seen, and `checksum` is that of the deliverable as the agent saw it.
    fn release(
        &self,
        request: ReleaseEscrow,
        checksum: Option<Value>,
    ) -> impl Future<Output = Result<Value, Self::Error>> + Send;

    /// Buys credits with tokens on a chain. Where they must be paid first, the error is what is asked
    /// for, as x402 has it.
    fn topup(&self, topup: Topup) -> impl Future<Output = Result<TopupResult, Self::Error>> + Send;

    /// The platform's guide for agents, in Markdown.
    fn guide(&self) -> impl Future<Output = Result<String, Self::Error>> + Send;

    /// The error that a host gets when a call that read a resource failed, by
    /// [`resource_error`](crate::resource_error); `None` if there is no such resource.
    fn resource_error(error: Self::Error) -> Option<ErrorData>;

    /// The error for a call that was wrong, and what would be right.
    fn misused(message: String, hint: impl Into<String>) -> Self::Error;
}
