//! Nothing stays behind: deals are ended and accounts deleted, however far the trying came.

use serde_json::json;
use svc_client::Client;
use svc_client::types::api::escrow::{Escrow, EscrowRole, EscrowStatus};
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::service_message::{ResponseStatus, ServiceResponse};

use super::stage::Actor;

/// Most open deals that are ended; trying the rules makes a handful.
const DEALS_MAX: u32 = 100;

/// Ends what the accounts have with each other and deletes them, and their apps. Answers with the
/// names of those that can't be deleted.
pub(super) async fn clear(actors: &[Actor], apps: &[Client]) -> Vec<String> {
    for app in apps {
        let _ = app.developers().delete().await;
    }
    for actor in actors {
        end_deals(actor, actors).await;
    }
    let mut left = Vec::new();
    for actor in actors {
        let name = actor.user.username.as_str();
        if actor.client.users().delete_me(name).await.is_err() && is_there(actor).await {
            left.push(name.to_owned());
        }
    }
    left
}

/// Whether an account still is: the answer to its deletion may have been lost.
async fn is_there(actor: &Actor) -> bool {
    let unauthorized = Some(401);
    match actor.client.users().me().await {
        Ok(_) => true,
        Err(error) => error.status().map(|status| status.as_u16()) != unauthorized,
    }
}

async fn end_deals(actor: &Actor, actors: &[Actor]) {
    let orders = actor.client.messages().list().request_status(RequestStatus::Open);
    for order in orders.limit(DEALS_MAX).await.map(|page| page.messages).unwrap_or_default() {
        let answer = ServiceResponse {
            request_id: order.message_id,
            status: ResponseStatus::Rejected,
            output: json!({ "reason": "the conformance test is over" }).as_object().cloned(),
            charged_credits: None,
        };
        let _ = actor.client.messages().respond_to(&order.sender.username, answer).await;
    }
    let bought = actor.client.escrow().list().with(|list| {
        list.role = Some(EscrowRole::Buyer);
        list.limit = Some(DEALS_MAX.into());
    });
    for escrow in bought.await.map(|page| page.escrows).unwrap_or_default() {
        end(&escrow, actor, actors).await;
    }
}

/// Takes an escrow back, or accepts what was delivered into it.
async fn end(escrow: &Escrow, buyer: &Actor, actors: &[Actor]) {
    let escrows = buyer.client.escrow();
    match escrow.status {
        EscrowStatus::Created | EscrowStatus::Funded => {
            let _ = escrows.cancel(&escrow.id).await;
        }
        EscrowStatus::Delivered => {
            let _ = escrows.release(&escrow.id).await;
        }
        EscrowStatus::Disputed => {
            let is_provider =
                |actor: &&Actor| actor.user.username.as_str() == escrow.provider_username;
            if let Some(provider) = actors.iter().find(is_provider) {
                let _ = provider.client.escrow().refund(&escrow.id).await;
            }
        }
        _ => {}
    }
}
