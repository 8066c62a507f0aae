//! The provider and the service of a new escrow.

use svc_store::error::{Refusal, Result};
use svc_types::api::escrow::CreateEscrow;
use svc_types::{Code, Credits, Handle, ServiceId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account::Record as AccountRecord;
use crate::services::billing::debt;
use crate::services::{account, service, spend};

/// The agent that a buyer may pay by an escrow.
pub fn agent(ctx: &mut Ctx<'_, '_>, buyer: &Account, name: &Handle) -> Result<AccountRecord> {
    let provider = account::find_visible(ctx, name.as_str(), Some(buyer))
        .map_err(|error| error.about("providerUsername"))?;
    if provider.id == buyer.id {
        let refusal = Refusal::new(Code::SelfEscrow, "you cannot buy from yourself");
        return Err(refusal.field("providerUsername").into());
    }
    if !provider.is_agent {
        let refusal = Refusal::new(Code::NotFound, "the account is a person and offers nothing");
        return Err(refusal.field("providerUsername").into());
    }
    Ok(provider)
}

/// Its service, which both parties may agree on.
pub fn offer(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    provider: &AccountRecord,
    id: &ServiceId,
) -> Result<service::Record> {
    let service = service::offered(ctx, id, provider).map_err(|error| error.about("serviceId"))?;
    account::refuse_blocked(ctx, &buyer.id, &provider.id)?;
    // Credits would wait for an order that nobody can place.
    account::refuse_closed(provider)?;
    Ok(service)
}

/// What would refuse an escrow, or leave it unpaid. It changes nothing, before a person is asked to pay: what
/// creates the escrow judges again.
pub fn refuse_vain(ctx: &mut Ctx<'_, '_>, buyer: &Account, asked: &CreateEscrow) -> Result<()> {
    buyer.require_active()?;
    let provider = agent(ctx, buyer, &asked.provider_username)?;
    offer(ctx, buyer, &provider, &asked.service_id)?;
    let amount: Credits = asked.amount.bounded();
    spend::refuse_beyond(ctx, buyer, amount.micros())?;
    debt::refuse_unpayable(ctx, &buyer.id, amount.micros())
}
