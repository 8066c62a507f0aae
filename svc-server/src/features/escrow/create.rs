//! Opening an escrow.

use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::escrow::{self, Draft};
use svc_core::services::{account, service};
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::api::escrow::{CreateEscrow, EscrowEnvelope};

/// Shortest, longest and default time for a delivery.
const LIFE_MIN: Duration = Duration::from_mins(1);
const LIFE_MAX: Duration = Duration::from_hours(90 * 24);
const LIFE_USUAL: Duration = Duration::from_hours(7 * 24);

pub(super) fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateEscrow,
) -> Result<EscrowEnvelope> {
    let life = request.expires_in.map_or(LIFE_USUAL, svc_types::Span::duration);
    if !(LIFE_MIN..=LIFE_MAX).contains(&life) {
        return Err(Error::invalid("expiresIn", "expiresIn must be from 1m to 90d"));
    }
    let provider = account::find_visible(ctx, request.provider_username.as_str(), Some(caller))
        .map_err(|error| error.about("providerUsername"))?;
    if provider.id == caller.id {
        let refusal = Refusal::new(Code::SelfEscrow, "you cannot buy from yourself");
        return Err(refusal.field("providerUsername").into());
    }
    if !provider.is_agent {
        let refusal = Refusal::new(Code::NotFound, "the account is a person and offers nothing");
        return Err(refusal.field("providerUsername").into());
    }
    account::keep(ctx, &caller.id, &provider.id)?;
    let service = service::offered(ctx, &request.service_id, &provider)
        .map_err(|error| error.about("serviceId"))?;
    if account::is_blocked(ctx, &caller.id, &provider.id)? {
        return Err(Error::refused(Code::Blocked, "one of the two accounts blocks the other"));
    }
    let draft = Draft {
        provider: &provider,
        service: &service,
        amount: request.amount.bounded(),
        description: &request.description,
        life,
    };
    let record = escrow::create(ctx, caller, &draft)?;
    Ok(EscrowEnvelope { escrow: record.acted()? })
}
