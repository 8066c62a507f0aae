//! Opening an escrow.

use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::escrow::{self, Draft};
use svc_core::services::{account, service};
use svc_store::error::{Error, Result};
use svc_types::api::escrow::{CreateEscrow, EscrowEnvelope};
use svc_types::{Handle, ServiceId, Span};

/// Shortest, longest and default time for a delivery.
const LIFE_MIN: Duration = Duration::from_mins(1);
pub(super) const LIFE_MAX: Duration = Duration::from_hours(90 * 24);
const LIFE_USUAL: Duration = Duration::from_hours(7 * 24);

pub(super) fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateEscrow,
) -> Result<EscrowEnvelope> {
    let life = life("expiresIn", request.expires_in)?;
    let (provider, service) =
        offered(ctx, caller, &request.provider_username, &request.service_id)?;
    let draft = Draft {
        provider: &provider,
        service: &service,
        amount: request.amount.bounded(),
        description: &request.description,
        life,
        plan: None,
    };
    let record = escrow::create(ctx, caller, &draft)?;
    Ok(EscrowEnvelope { escrow: record.acted()? })
}

/// The time for a delivery; 400 for one that no delivery may have.
pub(super) fn life(field: &str, asked: Option<Span>) -> Result<Duration> {
    let life = asked.map_or(LIFE_USUAL, Span::duration);
    if (LIFE_MIN..=LIFE_MAX).contains(&life) {
        return Ok(life);
    }
    Err(Error::invalid(field, "expiresIn must be from 1m to 90d"))
}

/// The provider and the service of a new escrow, which both parties may agree on.
pub(super) fn offered(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    provider: &Handle,
    service: &ServiceId,
) -> Result<(account::Record, service::Record)> {
    let provider = escrow::agent(ctx, caller, provider)?;
    account::keep(ctx, &caller.id, &provider.id)?;
    let service = escrow::offer(ctx, caller, &provider, service)?;
    Ok((provider, service))
}
