//! Which endpoints are asked about before they are called.

use std::any::TypeId;

use serde_json::{Map, Value};
use svc_client::types::Endpoint;
use svc_client::types::api::Deleted;
use svc_client::types::api::auth::NewApiKey;
use svc_client::types::api::batch::RunBatch;
use svc_client::types::api::billing::RefundPayment;
use svc_client::types::api::credits::GrantCredits;
use svc_client::types::api::developers::NewDeveloperKey;
use svc_client::types::api::escrow::{
    AcceptSplit, CreateEscrow, CreatePlan, DisputeEscrow, FundEscrow, RefundEscrow, ReleaseEscrow,
    ResolveEscrow,
};
use svc_client::types::api::moderation::{CreateModerationAction, ModerationActionType};
use svc_client::types::api::owners::{AgentReleased, NewAgentKey};
use svc_client::types::api::payouts::{ApprovePayout, RequestPayout};
use svc_client::types::api::relations::BlockUser;
use svc_client::types::api::tiers::{BuyPass, Subscribe};
use svc_client::types::api::users::AccountDeleted;

/// Whether an endpoint is asked about: it can't be undone, or moves credits.
pub(crate) fn asks<E: Endpoint>() -> bool {
    is_final::<E>() || moves_credits::<E>() || E::NAME == DisputeEscrow::NAME
}

/// The question that the members of a request call for: an operation that can't be undone needs a yes in a batch, too,
/// and so does the one moderation action that can't be undone.
pub(crate) fn question_of(name: &str, members: &Map<String, Value>) -> Option<&'static str> {
    match name {
        RunBatch::NAME => question_of_batch(members),
        CreateModerationAction::NAME => {
            let removes = members.get("type")?.as_str()? == ModerationActionType::Remove.as_str();
            removes.then_some("What a moderator removes does not come back.")
        }
        _ => None,
    }
}

fn question_of_batch(members: &Map<String, Value>) -> Option<&'static str> {
    let is_final =
        |operation: &Value| matches!(operation["op"].as_str(), Some("delete_post" | "block"));
    let asks = members.get("operations")?.as_array()?.iter().any(is_final);
    asks.then_some("The batch deletes posts or blocks accounts, which can't be undone.")
}

/// Whether an endpoint spends credits, gives them away or back, pays them out, or issues them. What cancels or declines
/// does not: it only returns what is held to whose it is.
pub(crate) fn moves_credits<E: Endpoint>() -> bool {
    matches!(
        E::NAME,
        CreateEscrow::NAME
            | FundEscrow::NAME
            | ReleaseEscrow::NAME
            | RefundEscrow::NAME
            | ResolveEscrow::NAME
            | AcceptSplit::NAME
            | CreatePlan::NAME
            | GrantCredits::NAME
            | RefundPayment::NAME
            | BuyPass::NAME
            | Subscribe::NAME
            | RequestPayout::NAME
            | ApprovePayout::NAME
    )
}

/// Whether an endpoint does what can't be undone: it deletes, ends a key, or blocks, which ends
/// follows and removes likes for good.
fn is_final<E: Endpoint>() -> bool {
    let answer = TypeId::of::<E::Response>();
    let ends = [
        TypeId::of::<Deleted>(),
        TypeId::of::<AccountDeleted>(),
        TypeId::of::<AgentReleased>(),
        TypeId::of::<NewApiKey>(),
        TypeId::of::<NewAgentKey>(),
        TypeId::of::<NewDeveloperKey>(),
    ];
    ends.contains(&answer) || E::NAME == BlockUser::NAME
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use svc_client::types::api::batch::Operation;

    use super::*;

    #[test]
    fn a_batch_asks_only_about_what_can_not_be_undone() {
        let asked: Vec<&str> = Operation::WORDS
            .iter()
            .copied()
            .filter(|word| {
                let batch = json!({ "operations": [{ "op": "like" }, { "op": word }] });
                question_of(RunBatch::NAME, batch.as_object().unwrap()).is_some()
            })
            .collect();
        assert_eq!(asked, ["delete_post", "block"]);
    }
}
