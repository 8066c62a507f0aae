//! Credits that are bought: prices, payments, refunds.

use std::sync::Arc;
use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::billing::{self, payment, refund};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::billing::{
    BillingEnvelope, Checkout, CreateCheckout, GetBilling, GetPayment, ListPayments, Payment,
    PaymentEnvelope, PaymentPage, PaymentStatus, RefundPayment,
};
use svc_types::{Code, PaymentId, PositiveCredits};

use crate::app::ServerApp;
use crate::billing::work_on;
use crate::http::Routes;
use crate::http::pipeline::Wait;

/// The endpoints of this feature. Payments can be read where nothing is sold any more.
pub fn routes() -> Routes {
    Routes::new()
        .read(list)
        .read_waiting(read, waits)
        .requiring(billing::require_any)
        .read(offer)
        .write(refund)
        .requiring(billing::require)
        .write_then(begin, page_of)
}

fn offer(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetBilling) -> Result<BillingEnvelope> {
    Ok(BillingEnvelope { billing: billing::offer(ctx, caller)? })
}

fn begin(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &CreateCheckout) -> Result<PaymentId> {
    let in_test = billing::state::in_test(ctx)?;
    Ok(payment::begin(ctx, caller, request.credits.bounded(), in_test)?.id)
}

/// The provider's page of a payment, which is made now unless it exists.
async fn page_of(app: Arc<ServerApp>, id: PaymentId) -> Result<Checkout> {
    work_on(&app, id.as_str()).await;
    let read = move |ctx: &mut Ctx<'_, '_>| payment::find(ctx, &id)?.into_api(ctx);
    let payment = app.read(read).await?;
    match (&payment.status, payment.url.clone()) {
        (PaymentStatus::Open, Some(url)) => Ok(Checkout { payment, url }),
        (PaymentStatus::Creating, _) => Err(unavailable(
            "the payment is begun; repeat the request with the same Idempotency-Key",
        )),
        (PaymentStatus::Expired, _) => {
            Err(unavailable("begin another payment, with another Idempotency-Key"))
        }
        _ => {
            let message = "this payment is not open any more";
            let hint = format!("see GET /v1/billing/payments/{}", payment.payment_id);
            Err(Refusal::new(Code::WrongState, message).hint(hint).into())
        }
    }
}

fn unavailable(hint: &str) -> Error {
    let message = "the provider of payments has no page for this payment at present";
    Refusal::new(Code::ProviderUnavailable, message).hint(hint).into()
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListPayments) -> Result<PaymentPage> {
    let mut page = payment::list(ctx, caller, request)?;
    page.payments.iter_mut().for_each(|payment| hide_receipt(caller, payment));
    Ok(page)
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &GetPayment) -> Result<PaymentEnvelope> {
    let found = payment::of_party(ctx, &request.payment_id, caller)?;
    let mut payment = found.into_api(ctx)?;
    hide_receipt(caller, &mut payment);
    Ok(PaymentEnvelope { payment })
}

/// Takes the link to the receipt from a program that may not read the e-mail address: it needs no sign-in, and shows
/// the name and the address of the payer.
fn hide_receipt(caller: &Account, payment: &mut Payment) {
    if !caller.reads_email {
        payment.receipt_url = None;
    }
}

/// How long the caller waits until a payment is decided.
fn waits(request: &GetPayment, response: &PaymentEnvelope) -> Option<Wait> {
    let seconds = request.wait_seconds.filter(|seconds| seconds.get() > 0)?;
    let payment = &response.payment;
    let is_pending = matches!(payment.status, PaymentStatus::Creating | PaymentStatus::Open);
    let time = Duration::from_secs(seconds.get().into());
    let subject = payment.payment_id.to_string();
    is_pending.then_some(Wait { subject, version: 0, after: None, time })
}

fn refund(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RefundPayment,
) -> Result<PaymentEnvelope> {
    let id = payment::of_party(ctx, &request.payment_id, caller)?.id;
    let credits = request.credits.map(PositiveCredits::bounded);
    refund::ask(ctx, &id, credits, &caller.id)?;
    Ok(PaymentEnvelope { payment: payment::find(ctx, &id)?.into_api(ctx)? })
}
