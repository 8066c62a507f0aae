//! Tiers that are paid for: subscriptions, seats, passes.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::ids;
use svc_core::services::billing::subscription::begin::{self, Asked};
use svc_core::services::billing::subscription::{self, change};
use svc_core::services::billing::{self, pass, tiers};
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::api::tiers::{
    BuyPass, CancelSubscription, GetTier, OpenPortal, PassEnvelope, PortalLink, ResumeSubscription,
    Subscribe, SubscriptionAnswer, TierEnvelope,
};

use crate::app::ServerApp;
use crate::billing::work_on;
use crate::http::Routes;

/// The endpoints of this feature. A tier can be read where nothing is sold any more.
pub fn routes() -> Routes {
    Routes::new()
        .read(read)
        .requiring(billing::require_tiers)
        .write(buy_pass)
        .write_then(subscribe, made)
        .write_then(cancel, made)
        // Suspended people are charged, too, so they may end that.
        .allow_suspended()
        .write_then(resume, made)
        .write_then(customer, portal)
        .allow_suspended()
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetTier) -> Result<TierEnvelope> {
    Ok(TierEnvelope { tier: tiers::state(ctx, caller)? })
}

fn buy_pass(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &BuyPass) -> Result<PassEnvelope> {
    Ok(PassEnvelope { pass: pass::buy(ctx, caller, &request.tier)? })
}

fn subscribe(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &Subscribe) -> Result<Asked> {
    let in_test = billing::state::in_test(ctx)?;
    begin::subscribe(ctx, caller, request, in_test)
}

fn cancel(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &CancelSubscription) -> Result<Asked> {
    caller.require_unpaused()?;
    change::cancel(ctx, caller)
}

fn resume(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &ResumeSubscription) -> Result<Asked> {
    change::resume(ctx, caller)
}

/// The subscription, after the provider has made what was asked for.
async fn made(app: Arc<ServerApp>, asked: Asked) -> Result<SubscriptionAnswer> {
    if let Some(work) = &asked.work {
        work_on(&app, work).await;
    }
    app.read(move |ctx| change::outcome(ctx, &asked)).await
}

/// Whom the provider bills, and a name for this page.
fn customer(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &OpenPortal) -> Result<(String, String)> {
    caller.require_unpaused()?;
    let customer = subscription::customer(ctx, &caller.id)?;
    let none = || Error::refused(Code::WrongState, "you have not subscribed");
    Ok((customer.ok_or_else(none)?, format!("portal_{:032x}", u128::from_be_bytes(ids::random()))))
}

async fn portal(app: Arc<ServerApp>, (customer, key): (String, String)) -> Result<PortalLink> {
    let none = || Error::internal("the provider of payments is not connected");
    let billing = app.billing().ok_or_else(none)?;
    let url = billing.portal(&app, &customer, &key).await.map_err(|error| {
        if error.lacks("customer") {
            let message = "the provider of payments no longer has you as a customer";
            return Error::from(Refusal::new(Code::WrongState, message).hint("subscribe again"));
        }
        tracing::warn!(%error, "a page for a customer could not be made");
        let message = "the provider of payments does not answer";
        Error::from(Refusal::new(Code::ProviderUnavailable, message).hint("try again in a minute"))
    })?;
    Ok(PortalLink { url })
}
