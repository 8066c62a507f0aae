//! `svc escrow plan`: an escrow for each milestone of a large task.

use serde_json::{Map, json};
use svc_bot_kit::Reserved;
use svc_client::types::Credits;
use svc_client::types::api::escrow::{CreatePlan, EscrowPlan};
use svc_client::types::wire::{self, Handling};

use super::act::json;
use super::flags::PlanFlags;
use super::format;
use crate::caller::{Caller, Sent};
use crate::credits;
use crate::discover;
use crate::error::Result;
use crate::exit::Exit;
use crate::field;
use crate::input;
use crate::order::failure;
use crate::settings::Settings;
use crate::spend;

/// Creates the escrows of a plan, all or none.
pub(super) async fn create(flags: &PlanFlags, caller: &Caller, settings: &Settings) -> Result<()> {
    let (user, service) = (&flags.what.user, &flags.what.service);
    let asks = caller.has_to_ask(&format!("open the escrows of a plan for {user}/{service}"))?;
    let request = request(flags, caller).await?;
    if asks {
        let available = credits::of(caller).await?.available;
        let amount = total(&request).in_words();
        input::answer(&format!("hold {amount} of {available} for @{user}?"))?;
    }
    let reserved = reserve(&request, caller, settings).await?;
    let sent = caller.send_agreed(request).await;
    paid(reserved, &sent).await?;
    match sent? {
        Some(answer) => caller.out.answer(&answer.value, whole),
        None => Ok(()),
    }
}

async fn request(flags: &PlanFlags, caller: &Caller) -> Result<CreatePlan> {
    let offer = discover::find(caller, &flags.what).await?;
    let mut members = Map::new();
    members.insert("providerUsername".to_owned(), flags.what.user.as_str().into());
    members.insert("serviceId".to_owned(), json!(offer.id));
    members.insert("milestones".to_owned(), json("milestones", &flags.milestones)?);
    // A misspelt `expiresIn` would hold the credits for longer than was meant.
    let decoded = wire::decode_members_with(&members, Handling::Strict);
    decoded.map_err(|refused| field::refused(&refused))
}

fn total(request: &CreatePlan) -> Credits {
    let micros = request.milestones.iter().map(|milestone| milestone.amount.micros()).sum();
    Credits::from_micros(micros)
}

/// Reserves the amount of each milestone; if a limit refuses one, nothing stays reserved.
async fn reserve(
    request: &CreatePlan,
    caller: &Caller,
    settings: &Settings,
) -> Result<Vec<Reserved>> {
    let provider = request.provider_username.as_str();
    let mut reserved = Vec::new();
    for milestone in &request.milestones {
        match spend::reserve(caller, settings, provider, milestone.amount.bounded()).await {
            Ok(one) => reserved.extend(one),
            Err(error) => {
                free(reserved).await?;
                return Err(error);
            }
        }
    }
    Ok(reserved)
}

async fn free(reserved: Vec<Reserved>) -> Result<()> {
    for one in reserved {
        one.free().await.map_err(failure::explained)?;
    }
    Ok(())
}

/// Records the outcome of a reservation.
async fn paid(reserved: Vec<Reserved>, sent: &Result<Sent<CreatePlan>>) -> Result<()> {
    match sent {
        Ok(Some(answer)) => {
            for (one, escrow) in reserved.into_iter().zip(&answer.value.value.escrows) {
                one.paid_into(&escrow.id).await.map_err(failure::explained)?;
            }
            Ok(())
        }
        // They may have been paid; the platform is asked before the next limit is judged.
        Err(error) if error.exit == Exit::Network => Ok(()),
        _ => free(reserved).await,
    }
}

fn whole(plan: &EscrowPlan) -> String {
    let rows = plan.escrows.iter().map(format::row);
    [plan.plan_id.to_string()].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}
