//! Payouts: what sellers earned, sent to their bank.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::billing::payout::{self, destination, sending};
use svc_core::services::billing::{self, status};
use svc_store::error::Result;
use svc_types::Handle;
use svc_types::api::payouts::{
    ApprovePayout, BillingStatusEnvelope, CancelPayout, ConnectPayouts, DenyPayout,
    GetBillingStatus, GetPayoutAccount, ListPayouts, PayoutAccount, PayoutAccountEnvelope,
    PayoutEnvelope, PayoutLink, PayoutPage, RequestPayout,
};

use crate::app::ServerApp;
use crate::billing::onboarding;
use crate::http::Routes;

/// The endpoints of this feature. What was paid out can be read, and what waits can be ended, where
/// nothing is paid out any more.
pub fn routes() -> Routes {
    Routes::new()
        .read(list)
        .write(cancel)
        .write(deny)
        .requiring(billing::require_any)
        .read(show_status)
        .requiring(payout::require)
        .read(account)
        .write_then(connect, form_of)
        .write(request)
        .write(approve)
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListPayouts) -> Result<PayoutPage> {
    payout::list(ctx, caller, request)
}

fn account(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    _: &GetPayoutAccount,
) -> Result<PayoutAccountEnvelope> {
    payout::require_person(caller)?;
    let known = destination::of(ctx, &caller.id)?;
    let earnings = payout::of_all(ctx, caller)?;
    let config = &ctx.app.config;
    let (payouts, billing) = (&config.payouts, &config.billing);
    let account = PayoutAccount {
        enabled: known.as_ref().is_some_and(|it| it.is_enabled),
        country: known.map(|it| it.country),
        currency: billing.currency.clone(),
        decimals: billing.decimals(),
        rate: payouts.rate().to_owned(),
        min: payouts.min,
        hold_seconds: payouts.hold.as_secs(),
        reserve_percent: payouts.reserve,
        earnings,
    };
    Ok(PayoutAccountEnvelope { account })
}

/// Our id of the account, whose form is made after the transaction.
fn connect(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ConnectPayouts) -> Result<String> {
    destination::connect(ctx, caller, &request.country)
}

async fn form_of(app: Arc<ServerApp>, id: String) -> Result<PayoutLink> {
    Ok(PayoutLink { url: onboarding(&app, &id).await? })
}

fn request(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RequestPayout,
) -> Result<PayoutEnvelope> {
    let from = request.from.as_ref().map(Handle::as_str);
    let record = payout::request(ctx, caller, request.credits.bounded(), from)?;
    Ok(PayoutEnvelope { payout: record.into() })
}

fn cancel(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CancelPayout,
) -> Result<PayoutEnvelope> {
    let record = payout::cancel(ctx, &caller.id, &request.payout_id)?;
    Ok(PayoutEnvelope { payout: record.into() })
}

fn approve(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ApprovePayout,
) -> Result<PayoutEnvelope> {
    let record = sending::approve(ctx, &caller.id, &request.payout_id)?;
    Ok(PayoutEnvelope { payout: record.into() })
}

fn deny(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DenyPayout) -> Result<PayoutEnvelope> {
    let record = sending::deny(ctx, &caller.id, &request.payout_id, &request.reason)?;
    Ok(PayoutEnvelope { payout: record.into() })
}

fn show_status(
    ctx: &mut Ctx<'_, '_>,
    _: &Account,
    _: &GetBillingStatus,
) -> Result<BillingStatusEnvelope> {
    Ok(BillingStatusEnvelope { billing: status::of(ctx)? })
}
