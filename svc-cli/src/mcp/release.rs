//! The tool that accepts deliveries of orders.

use serde_json::Value;
use svc_bot_kit::Work;
use svc_client::types::Checksum;
use svc_client::types::api::escrow::ReleaseEscrow;
use svc_mcp::Backend;

use super::Server;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::order::failure::explained;

/// Accepts what an order of this account was delivered.
pub(super) async fn release(
    server: &Server,
    request: ReleaseEscrow,
    shown: Option<Value>,
) -> Result<Value> {
    // Whatever else the account pays for is the person's own business.
    let Some(work) = server.buyer.work(request.escrow_id.clone()).await.map_err(explained)? else {
        let message = "this escrow pays for no order of the tool order";
        return Err(Error::usage(message).hint("the person releases it by svc escrow release"));
    };
    compare(&work, shown.as_ref())?;
    let released = server.send(request).await?;
    work.note_release().await.map_err(explained)?;
    Ok(released)
}

/// Whether what is in the escrow is what was shown, and is what its checksum says as far as that
/// can be seen from here. The platform compares the version.
fn compare(work: &Work, shown: Option<&Value>) -> Result<()> {
    let claimed = work.deliverable().and_then(|work| work.checksum.as_ref());
    let claimed = claimed.map(Checksum::as_str);
    let hint = "look at it with escrow_show";
    match (shown, claimed) {
        (None, None) => Ok(()),
        (None, Some(_)) => {
            let message = "checksum is needed, so that only what was seen is accepted";
            Err(Error::usage(message).hint(hint))
        }
        (Some(shown), claimed) if shown.as_str() != claimed => {
            let message = "the checksum is not that of the deliverable; it was not released";
            Err(Error::new(Exit::Conflict, "checksum_mismatch", message).hint(hint))
        }
        _ => match work.check() {
            // Whether that is what lies elsewhere is for the agent to see.
            Err(svc_bot_kit::Error::Unchecked { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(explained(error).hint("dispute it with escrow_dispute")),
        },
    }
}
