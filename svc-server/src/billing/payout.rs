//! Payouts at Stripe: accounts of sellers, and transfers to them.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::services::billing::cash;
use svc_core::services::billing::facts::Transfer as Fact;
use svc_core::services::billing::payout::destination::{self, Destination};
use svc_core::services::billing::payout::{self, Record, sending};
use svc_core::services::billing::queue::{self, Claim, Kind};
use svc_store::error::{Error, Refusal, Result};
use svc_types::{Code, PayoutId, Timestamp};
use tokio::time::Instant;

use super::make::{CLOCKS, PAGES_MAX, is_final, is_first, too_long};
use super::worker::{finish, work_on};
use super::{Billing, OURS, Problem, facts, in_time, wait_max};
use crate::app::ServerApp;
use crate::stripe::{Account, After, CallError, NewTransfer, Transfer};

/// The code of a refused transfer that can be made later: the operator has to pay money in.
const SHORT: &str = "balance_insufficient";

/// The URL of the page at Stripe with the form for an account. The account is created first unless it exists.
pub(crate) async fn onboarding(app: &Arc<ServerApp>, ours: &str) -> Result<String> {
    let until = Instant::now() + wait_max(app);
    work_on(app, ours).await;
    let asked = ours.to_owned();
    let known = app.read(move |ctx| destination::find(ctx, &asked)).await?;
    let billing = app.billing().zip(known.and_then(|it| it.provider_id));
    let Some((billing, account)) = billing else { return Err(unavailable()) };
    let (base, now) = (&app.public_url, app.clock.now().as_millis());
    let (back, again) =
        (format!("{base}/billing/return?account={ours}"), format!("{base}/sell/payouts"));
    let key = format!("{ours}_{now}");
    let making = billing.stripe.create_account_link(&account, &back, &again, &key);
    in_time(until, making).await.map(|link| link.url).map_err(|error| {
        tracing::warn!(%error, ours, "Stripe refuses to make a page for an account");
        unavailable()
    })
}

fn unavailable() -> Error {
    let message = "the provider of payments has no form for this account at present";
    let hint = "it may not pay to this country; else repeat the request later";
    Refusal::new(Code::ProviderUnavailable, message).hint(hint).into()
}

/// Makes the account of a seller.
pub(super) async fn account(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let asked = claim.id.clone();
    let known = app.read(move |ctx| destination::find(ctx, &asked)).await?;
    let Some(known) = known.filter(|it| it.provider_id.is_none()) else {
        return finish(app, claim, |_| Ok(())).await;
    };
    let made = match earlier_account(billing, claim, &known, app.clock.now()).await? {
        Some(account) => Ok(account),
        None => billing.stripe.create_account(&known.id, &billing.server, &known.country).await,
    };
    let id = claim.id.clone();
    match made {
        Ok(account) => finish(app, claim, move |ctx| note(ctx, &id, &account)).await,
        Err(error) if is_final(&error) => {
            tracing::warn!(%error, account = claim.id, "Stripe refuses to make an account");
            finish(app, claim, move |ctx| destination::give_up(ctx, &id)).await
        }
        Err(error) => Err(error.into()),
    }
}

fn note(ctx: &mut Ctx<'_, '_>, ours: &str, account: &Account) -> Result<()> {
    destination::apply(ctx, ours, &account.id, account.is_enabled())
}

/// The account that an earlier attempt made.
async fn earlier_account(
    billing: &Billing,
    claim: &Claim,
    known: &Destination,
    now: Timestamp,
) -> Result<Option<Account>, CallError> {
    if is_first(claim, known.created_at, now) {
        return Ok(None);
    }
    let since = known.created_at.minus(CLOCKS);
    let mut last: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let page = billing.stripe.accounts(After { since, id: last.as_deref() }).await?;
        last = page.data.last().map(|account| account.id.clone());
        let is_it = |it: &Account| billing.ours(it.metadata.as_ref()) == Some(known.id.as_str());
        if let Some(account) = page.data.into_iter().find(is_it) {
            return Ok(Some(account));
        }
        if !page.has_more {
            return Ok(None);
        }
    }
    Err(too_long())
}

/// Applies what the account of a seller is now.
pub(super) async fn apply_account(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let account = billing.stripe.account(&claim.id).await?;
    let Some(id) = billing.ours(account.metadata.as_ref()).map(str::to_owned) else {
        return finish(app, claim, |_| Ok(())).await;
    };
    finish(app, claim, move |ctx| note(ctx, &id, &account)).await
}

/// Sends a payout.
pub(super) async fn transfer(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let id = PayoutId::from(claim.id.as_str());
    let asked = id.clone();
    let Some((record, account)) = app.write(move |ctx| begin(ctx, &asked)).await? else {
        return finish(app, claim, |_| Ok(())).await;
    };
    let made = match earlier_transfer(billing, claim, &record, app.clock.now()).await? {
        Some(transfer) => Ok(transfer),
        None => new_transfer(billing, &record, &account).await,
    };
    match made {
        // Its state and its effect on the balance are fetched as for any other transfer.
        Ok(made) => {
            finish(app, claim, move |ctx| queue::raise(ctx, Kind::Transfer, &made.id)).await
        }
        Err(error) if error.code() == Some(SHORT) => {
            app.write(move |ctx| sending::wait(ctx, &record)).await?;
            Err(error.into())
        }
        Err(error) if is_final(&error) => {
            tracing::error!(%error, payout = claim.id, "Stripe refuses to make a transfer");
            let reason = "the provider refuses to send it";
            finish(app, claim, move |ctx| sending::give_up(ctx, &id, reason)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Begins to send a payout; returns it with the account at Stripe that it goes to.
fn begin(ctx: &mut Ctx<'_, '_>, id: &PayoutId) -> Result<Option<(Record, String)>> {
    let Some(record) = sending::begin(ctx, id)? else { return Ok(None) };
    let known = destination::find(ctx, &record.destination)?;
    Ok(Some((record, known.and_then(|it| it.provider_id).unwrap_or_default())))
}

async fn new_transfer(
    billing: &Billing,
    record: &Record,
    account: &str,
) -> Result<Transfer, CallError> {
    let key = match record.attempt {
        0 => record.id.to_string(),
        attempt => format!("{}-{attempt}", record.id),
    };
    let new = NewTransfer {
        key: &key,
        payout: record.id.as_str(),
        server: &billing.server,
        account,
        currency: &record.currency,
        amount: record.amount,
    };
    billing.stripe.create_transfer(&new).await
}

/// The transfer that an earlier attempt made, perhaps before a backup was restored in which the payout was not sent yet.
async fn earlier_transfer(
    billing: &Billing,
    claim: &Claim,
    record: &Record,
    now: Timestamp,
) -> Result<Option<Transfer>, CallError> {
    if is_first(claim, record.created_at, now) {
        return Ok(None);
    }
    let transfers = billing.stripe.transfers_of(record.id.as_str()).await?.data;
    Ok(transfers.into_iter().find(|transfer| {
        let named = transfer.metadata.as_ref().and_then(|it| it.get(OURS));
        named.is_some_and(|named| named == record.id.as_str())
    }))
}

/// Applies a transfer. The operator decides about one that came back in part: its payout stays sent, and
/// each part raises at most one alarm: none if the node dies between the commit and the alarm.
pub(super) async fn apply_transfer(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let transfer = billing.stripe.transfer(&claim.id).await?;
    let Some(id) = billing.ours(transfer.metadata.as_ref()).map(PayoutId::from) else {
        return finish(app, claim, |_| Ok(())).await;
    };
    let reversals = transfer.reversals.data.iter().filter_map(|it| it.balance_transaction.as_ref());
    let changes = facts::changes(transfer.balance_transaction.iter().chain(reversals));
    let fact = Fact {
        id: transfer.id,
        payout: id,
        currency: transfer.currency,
        amount: transfer.amount,
        reversed: transfer.amount_reversed,
    };
    let seen = fact.clone();
    let is_alarming = finish(app, claim, move |ctx| {
        if !payout::exists(ctx, &fact.payout)? {
            return Ok(false);
        }
        // A part is new when the balance does not have it yet.
        let is_alarming = fact.came_back_in_part() && cash::is_any_new(ctx, &changes)?;
        sending::apply(ctx, &fact)?;
        changes.iter().try_for_each(|change| cash::apply(ctx, change))?;
        Ok(is_alarming)
    })
    .await?;
    if is_alarming {
        alarm(&seen);
    }
    Ok(())
}

fn alarm(fact: &Fact) {
    let Fact { id, payout, reversed, .. } = fact;
    tracing::error!(%payout, transfer = id, reversed, "a transfer came back in part");
    metrics::counter!("svc_billing_mismatches_total").increment(1);
}
