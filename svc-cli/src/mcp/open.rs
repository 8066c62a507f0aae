//! The tool that opens escrows, within the limits of the account.

use serde_json::Value;
use svc_client::types::Credits;
use svc_client::types::api::escrow::{CancelEscrow, CreateEscrow, EscrowStatus};
use svc_mcp::Backend;

use super::{Server, raw};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::order::failure::explained;
use crate::spend;

/// What the log of an escrow says that could not be paid.
const UNPAID: &str = "the balance does not cover it";

/// Opens an escrow, which counts against the limits. One that the balance does not cover is cancelled: no
/// tool pays for it later.
pub(super) async fn open(server: &Server, request: CreateEscrow) -> Result<Value> {
    let amount = Credits::from_micros(request.amount.micros());
    let provider = request.provider_username.as_str().to_owned();
    let reserved = server.buyer.reserve(&provider, amount).await.map_err(explained)?;
    let sent = server.caller.send_agreed(request).await;
    spend::paid::<CreateEscrow>(Some(reserved), &sent).await?;
    let sent = sent?;
    let escrow = sent.as_ref().map(|answer| &answer.value.value.escrow);
    let Some(unpaid) = escrow.filter(|escrow| escrow.status == EscrowStatus::Created) else {
        return raw::<CreateEscrow>(sent);
    };
    let cancel = CancelEscrow { escrow_id: unpaid.id.clone(), reason: Some(UNPAID.into()) };
    server.send(cancel).await?;
    let message = format!("the balance does not cover {}; no escrow was opened", amount.in_words());
    Err(Error::new(Exit::Money, "insufficient_credits", message).hint("tell the person"))
}
