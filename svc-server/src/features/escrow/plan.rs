//! Plans: an escrow for each milestone of a large task.

use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::escrow::{self, Draft, Plan};
use svc_store::error::{Error, Result};
use svc_types::PlanId;
use svc_types::api::escrow::{CreatePlan, EscrowPlan, MILESTONES, Milestone};

use super::create::{life, offered};

pub(super) fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreatePlan,
) -> Result<EscrowPlan> {
    if !MILESTONES.contains(&request.milestones.len()) {
        let (fewest, most) = (MILESTONES.start(), MILESTONES.end());
        let message = format!("a plan must have {fewest} to {most} milestones");
        return Err(Error::invalid("milestones", message));
    }
    // All are checked before anything is looked up, as in a single escrow.
    let lives = lives(&request.milestones)?;
    let (provider, service) =
        offered(ctx, caller, &request.provider_username, &request.service_id)?;
    let plan_id: PlanId = ctx.id();
    let amounts = request.milestones.iter().map(|milestone| milestone.amount.micros());
    let total: i64 = amounts.sum();
    let mut held = 0;
    let mut escrows = Vec::new();
    for (milestone, life) in request.milestones.iter().zip(lives) {
        let draft = Draft {
            provider: &provider,
            service: &service,
            amount: milestone.amount.bounded(),
            description: &milestone.description,
            life,
            plan: Some(Plan { id: &plan_id, total, held }),
        };
        escrows.push(escrow::create(ctx, caller, &draft)?.acted()?);
        held += milestone.amount.micros();
    }
    Ok(EscrowPlan { plan_id, escrows })
}

/// The time for the delivery of each milestone.
fn lives(milestones: &[Milestone]) -> Result<Vec<Duration>> {
    let of = |(index, milestone): (usize, &Milestone)| {
        life(&format!("/milestones/{index}/expiresIn"), milestone.expires_in)
    };
    milestones.iter().enumerate().map(of).collect()
}
