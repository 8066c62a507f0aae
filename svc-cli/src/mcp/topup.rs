//! The tool that buys credits with tokens.

use serde_json::Value;
use svc_mcp::{Topup, TopupResult};

use super::Server;
use crate::error::Result;
use crate::topup::{decode, encode, send};

/// Buys credits with the payment of the call; without one, the error says what to sign.
pub(super) async fn topup(server: &Server, topup: Topup) -> Result<TopupResult> {
    let payment = topup.payment.map(|payment| encode(&Value::Object(payment)));
    let answer = send(&server.caller, topup.credits, payment).await?;
    let settled = answer.headers.get("payment-response").and_then(|header| header.to_str().ok());
    Ok(TopupResult { settled: settled.and_then(decode), payment: Some(answer.value.payment) })
}
