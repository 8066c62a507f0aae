//! Pages and refunds that are to be made at Stripe, once each.
//!
//! The first attempt just makes the object. A later one, or one after a day, first looks whether an
//! earlier attempt did: Stripe forgets idempotency keys after 24 hours, and keeps a failure under one.

use std::sync::Arc;
use std::time::Duration;

use svc_core::services::billing::payment::{self, Record};
use svc_core::services::billing::queue::{self, Claim, Kind};
use svc_core::services::billing::{refund, withdrawn};
use svc_types::api::billing::PaymentStatus;
use svc_types::{PaymentId, Timestamp};

use super::subscriptions::is_closed;
use super::worker::finish;
use super::{Billing, OURS, Problem, facts};
use crate::app::ServerApp;
use crate::stripe::{After, CallError, CheckoutSession, NewCheckout, NewRefund, Refund};

/// How long the first attempt with an idempotency key may take effect. Stripe keeps keys for 24 hours.
const KEY_LIFE: Duration = Duration::from_hours(23);

/// How much earlier than our row an object may seem to be made: the clocks differ.
pub(super) const CLOCKS: Duration = Duration::from_mins(5);

/// Most pages of a list that are searched for an object.
pub(super) const PAGES_MAX: usize = 100;

/// Makes the page of a payment, or closes that of an account that was deleted.
pub(super) async fn page(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let id = PaymentId::from(claim.id.as_str());
    let asked = id.clone();
    let read = app.read(move |ctx| {
        let record = payment::find(ctx, &asked)?;
        Ok((record, withdrawn::is_withdrawn(ctx, &asked)?))
    });
    let (record, is_withdrawn) = read.await?;
    if let (true, PaymentStatus::Open, Some(session)) =
        (is_withdrawn, &record.status, &record.session)
    {
        return close_page(app, billing, claim, session).await;
    }
    if record.status != PaymentStatus::Creating {
        return finish(app, claim, |_| Ok(())).await;
    }
    let made = match earlier_page(billing, claim, &record, app.clock.now()).await? {
        Some(session) => Ok(session),
        None => new_page(app, billing, &record).await,
    };
    note_page(app, claim, id, made, is_withdrawn).await
}

/// Notes the page that was made for a payment, or that Stripe makes none.
async fn note_page(
    app: &Arc<ServerApp>,
    claim: &Claim,
    id: PaymentId,
    made: Result<CheckoutSession, CallError>,
    is_withdrawn: bool,
) -> Result<(), Problem> {
    match made {
        Ok(session) => {
            let fact = facts::session(&session);
            finish(app, claim, move |ctx| {
                payment::apply(ctx, &id, &fact)?;
                // Now there is a page to close.
                if is_withdrawn { queue::raise(ctx, Kind::Payment, id.as_str()) } else { Ok(()) }
            })
            .await
        }
        Err(error) if is_final(&error) => {
            tracing::error!(%error, payment = claim.id, "Stripe refuses to make a page");
            finish(app, claim, move |ctx| payment::give_up(ctx, &id)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Closes a page. Whether it was paid before is seen from the page.
async fn close_page(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
    session: &str,
) -> Result<(), Problem> {
    is_closed(app, billing, session).await?;
    let session = session.to_owned();
    finish(app, claim, move |ctx| queue::raise(ctx, Kind::Session, &session)).await
}

async fn new_page(
    app: &ServerApp,
    billing: &Billing,
    record: &Record,
) -> Result<CheckoutSession, CallError> {
    let (base, id) = (&app.public_url, &record.id);
    let checkout = NewCheckout {
        payment: id.as_str(),
        server: &billing.server,
        product: &format!("{} credits", record.credits),
        currency: &record.currency,
        amount: record.amount,
        has_tax: app.config.billing.tax,
        email: None,
        success_url: &format!("{base}/billing/return?payment={id}"),
        cancel_url: &format!("{base}/credits"),
        expires_at: record.expires_at,
    };
    billing.stripe.create_checkout(&checkout).await
}

/// The page that an earlier attempt made.
async fn earlier_page(
    billing: &Billing,
    claim: &Claim,
    record: &Record,
    now: Timestamp,
) -> Result<Option<CheckoutSession>, CallError> {
    if is_first(claim, record.created_at, now) {
        return Ok(None);
    }
    earlier_session(billing, record.created_at, record.id.as_str()).await
}

/// The page with our id that was made since a time.
pub(super) async fn earlier_session(
    billing: &Billing,
    created_at: Timestamp,
    ours: &str,
) -> Result<Option<CheckoutSession>, CallError> {
    let since = created_at.minus(CLOCKS);
    let mut last: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let after = After { since, id: last.as_deref() };
        let page = billing.stripe.checkouts(after).await?;
        last = page.data.last().map(|session| session.id.clone());
        let is_it =
            |session: &CheckoutSession| session.client_reference_id.as_deref() == Some(ours);
        if let Some(session) = page.data.into_iter().find(is_it) {
            return Ok(Some(session));
        }
        if !page.has_more {
            return Ok(None);
        }
    }
    Err(too_long())
}

/// Makes a refund.
pub(super) async fn refund(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let asked = claim.id.clone();
    let found = app.read(move |ctx| {
        let Some(refund) = refund::by_id(ctx, &asked)? else { return Ok(None) };
        let record = payment::find(ctx, &refund.payment)?;
        Ok(Some((refund, record)))
    });
    let Some((asked, record)) = found.await? else { return finish(app, claim, |_| Ok(())).await };
    if asked.status != "asked" || asked.provider_id.is_some() {
        return finish(app, claim, |_| Ok(())).await;
    }
    let intent = record.intent.as_deref().unwrap_or_default();
    let earlier = if is_first(claim, asked.created_at, app.clock.now()) {
        None
    } else {
        earlier_refund(billing, intent, &asked.id).await?
    };
    let new = NewRefund {
        refund: &asked.id,
        server: &billing.server,
        payment_intent: intent,
        amount: asked.amount,
    };
    let made = match earlier {
        Some(refund) => Ok(refund),
        None => billing.stripe.create_refund(&new).await,
    };
    match made {
        // What it is now, and what it did to the balance, is asked as for any other refund.
        Ok(made) => finish(app, claim, move |ctx| queue::raise(ctx, Kind::Refund, &made.id)).await,
        Err(error) if is_final(&error) => {
            tracing::error!(%error, refund = claim.id, "Stripe refuses to make a refund");
            let id = claim.id.clone();
            finish(app, claim, move |ctx| refund::give_up(ctx, &id)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// The refund that an earlier attempt made.
async fn earlier_refund(
    billing: &Billing,
    intent: &str,
    ours: &str,
) -> Result<Option<Refund>, CallError> {
    let mut refunds = billing.refunds_of(intent).await?.into_iter();
    Ok(refunds.find(|refund| {
        let named = refund.metadata.as_ref().and_then(|it| it.get(OURS));
        named.is_some_and(|named| named == ours)
    }))
}

impl Billing {
    /// All refunds of a payment.
    pub(super) async fn refunds_of(&self, intent: &str) -> Result<Vec<Refund>, CallError> {
        let mut refunds: Vec<Refund> = Vec::new();
        for _ in 0..PAGES_MAX {
            let last = refunds.last().map(|refund| refund.id.clone());
            let page = self.stripe.refunds_of(intent, last.as_deref()).await?;
            refunds.extend(page.data);
            if !page.has_more {
                return Ok(refunds);
            }
        }
        Err(too_long())
    }
}

pub(super) fn too_long() -> CallError {
    CallError::Malformed("a list has no end".to_owned())
}

/// Whether no attempt was made before, whose effect could have been missed.
pub(super) fn is_first(claim: &Claim, created_at: Timestamp, now: Timestamp) -> bool {
    claim.tries == 0 && !is_late(created_at, now)
}

/// Whether Stripe may have forgotten the idempotency key of a first attempt.
pub(super) fn is_late(created_at: Timestamp, now: Timestamp) -> bool {
    now.since(created_at) >= KEY_LIFE
}

/// Whether Stripe will never make the object: another attempt would be refused as well. A wrong key is
/// for the operator to mend, and a key in use or with other parameters hides an earlier attempt.
pub(super) fn is_final(error: &CallError) -> bool {
    match error {
        CallError::Refused(refused) => {
            matches!(refused.status, 400 | 402 | 404) && refused.kind != "idempotency_error"
        }
        _ => false,
    }
}
