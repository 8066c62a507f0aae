//! Your balance, transactions and purchases.

use askama::Template;
use svc_core::services::billing::topup::CURRENCY;
use svc_store::error::{Error, Result};
use svc_types::api::billing::{
    Billing, Checkout, CreateCheckout, GetBilling, GetPayment, ListPayments, Payment,
    PaymentEnvelope, PaymentStatus, RefundPayment,
};
use svc_types::api::credits::{
    CreditBalance, GetCredits, ListTransactions, Transaction, TransferKind,
};
use svc_types::{Code, Limit};

use super::{Flash, Frame, format};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// Where purchases are paid.
const STRIPE: &str = "https://checkout.stripe.com";

/// Payments on the page.
const PAYMENTS: u32 = 20;

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/credits", show)
        .form::<CreateCheckout>("/credits", show, |_, begun: &Checkout| Done::away(&begun.url))
        .button::<RefundPayment>(
            "/credits/payments/{paymentId}/refund",
            |_, _: &PaymentEnvelope| Done::to("/credits").say(Flash::RefundAsked),
        )
}

#[derive(Template)]
#[template(path = "credits.html")]
struct Page<'a> {
    frame: Frame,
    credits: CreditBalance,
    /// What is sold here, if anything is.
    shop: Option<Shop>,
    form: Form<'a>,
    /// Filters of transactions: all, or one kind.
    kind: &'a str,
    transactions: Vec<Transaction>,
    next: Option<String>,
}

/// What is sold here, and what the visitor has bought.
struct Shop {
    offer: Billing,
    /// Whether they can be paid by card.
    by_card: bool,
    payments: Vec<Payment>,
    /// The payment that the visitor comes back from.
    returned: Option<Payment>,
}

impl Page<'_> {
    /// Whether the page has the form that buys.
    fn buys(&self) -> bool {
        self.shop.as_ref().is_some_and(|shop| shop.by_card)
    }
}

impl Shop {
    /// `500 credits for 5.00 USD`.
    fn words(&self, payment: &Payment) -> String {
        let paid = format::money(
            crate::language::Language::English,
            payment.amount,
            &payment.currency,
            self.offer.decimals,
        );
        format!(
            "{} for {paid}",
            format::credits(crate::language::Language::English, payment.credits)
        )
    }

    /// For how much money the visitor can buy.
    fn left(&self) -> String {
        format::money(
            crate::language::Language::English,
            self.offer.left,
            &self.offer.currency,
            self.offer.decimals,
        )
    }

    /// How many credits the form asks for at first.
    fn usual(&self) -> String {
        self.offer.min.to_string()
    }
}

/// The shop, unless nothing is sold here.
fn shop(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Option<Shop>> {
    let config = &context.app().config;
    if !config.sells_credits() {
        return Ok(None);
    }
    let by_card = config.billing.is_on();
    let offer = context.ask(&GetBilling {})?.billing;
    let listed = ListPayments { limit: Some(Limit::from(PAYMENTS)), cursor: None };
    let payments = context.ask(&listed)?.payments;
    let returned = match request.field("payment") {
        Some(id) => returned(context, id)?,
        None => None,
    };
    Ok(Some(Shop { offer, by_card, payments, returned }))
}

/// The payment of this id; none if the visitor may not see it.
fn returned(context: &mut PageContext<'_>, id: &str) -> Result<Option<Payment>> {
    match context.ask(&GetPayment { payment_id: id.into(), wait_seconds: None }) {
        Ok(found) => Ok(Some(found.payment)),
        Err(Error::Refused(refusal)) if refusal.code == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let credits = context.ask(&GetCredits {})?.credits;
    let page = context.ask(&ListTransactions {
        kind: request.field("kind").map(TransferKind::from),
        limit: None,
        cursor: request.field("cursor").map(Into::into),
    })?;
    let shop = shop(context, request)?;
    let is_stripe = context.app().config.billing.stripe.api_url.is_empty();
    let leads_to = shop.as_ref().filter(|shop| shop.by_card && is_stripe).map(|_| STRIPE);
    let html = Html::of(&Page {
        frame: Frame::of(context, request, "Credits")?,
        credits,
        shop,
        form: request.form::<CreateCheckout>(),
        kind: request.field("kind").unwrap_or_default(),
        next: request.next(page.next_cursor.as_ref()),
        transactions: page.transactions,
    })?;
    Ok(html.leading_to(leads_to))
}

/// How far a payment is, in words.
fn state(payment: &Payment) -> &'static str {
    let with_tokens = payment.currency == CURRENCY;
    match &payment.status {
        PaymentStatus::Open if with_tokens => "The chain has not decided yet",
        PaymentStatus::Expired if with_tokens => "The tokens never came",
        PaymentStatus::Creating => "Stripe's page is being made",
        PaymentStatus::Open => "Not paid yet",
        PaymentStatus::Paid if payment.disputed => "Paid, and disputed",
        PaymentStatus::Paid if payment.refunded_credits == payment.credits => "Given back",
        PaymentStatus::Paid if !payment.refunded_credits.is_zero() => {
            "Paid, and given back in part"
        }
        PaymentStatus::Paid => "Paid",
        PaymentStatus::Expired => "Not paid in time",
        PaymentStatus::Mismatch => "Another amount was paid; the operator looks into it",
        _ => "Unknown",
    }
}

/// Why credits moved, in words. A hold is labelled as paid or returned once it is settled.
fn why(one: &Transaction) -> &'static str {
    match (&one.kind, &one.returned) {
        (TransferKind::Grant, _) => "Welcome credits",
        (TransferKind::Topup, _) => "Issued",
        (TransferKind::Hold, None) => "Held",
        (TransferKind::Hold, Some(returned)) if returned.micros() == 0 => "Paid",
        (TransferKind::Hold, Some(returned)) if returned.micros() == -one.amount.micros() => {
            "Held, then refunded"
        }
        (TransferKind::Hold, Some(_)) => "Held, then paid in part",
        (TransferKind::Settle, _) => "Paid or refunded",
        (TransferKind::Forfeit, _) => "Forfeited",
        (TransferKind::Purchase, _) => "Bought",
        (TransferKind::Refund, _) => "Given back",
        (TransferKind::RefundFailed, _) => "Returned: the refund failed",
        (TransferKind::Claw, _) => "Taken back: the payment is disputed or refunded",
        (TransferKind::Won, _) => "Returned: the dispute ended",
        (TransferKind::Collect, _) => "Paid towards your debt",
        (TransferKind::Pass, _) => "Pass",
        (TransferKind::Payout, _) => "Paid out",
        (TransferKind::Returned, _) => "Returned: the payout ended",
        _ => "Transfer",
    }
}
