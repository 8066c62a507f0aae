//! Your balance, transactions and purchases.

use std::fmt::Display;

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::api::billing::{
    Billing, Checkout, CreateCheckout, GetBilling, GetPayment, ListPayments, Payment,
    PaymentEnvelope, PaymentStatus, RefundPayment,
};
use svc_types::api::credits::{
    CreditBalance, GetCredits, ListTransactions, Transaction, TransferKind,
};
use svc_types::api::orders::OrderRole;
use svc_types::credits::SCALE;
use svc_types::money::TOKEN;
use svc_types::{Code, Credits, Cursor, Limit};

use super::{Flash, Frame, format};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::language::Language;

/// Where purchases are paid.
const STRIPE: &str = "https://checkout.stripe.com";

/// Payments on a page.
const PAYMENTS: u32 = 20;

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/credits", show)
        .get("/credits/payments", payments)
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
    /// Where the next page of them begins.
    more: Option<Cursor>,
    /// The payment that the visitor comes back from.
    returned: Option<Payment>,
}

/// All payments.
#[derive(Template)]
#[template(path = "payments.html")]
struct Payments {
    frame: Frame,
    shop: Shop,
    next: Option<String>,
}

impl Page<'_> {
    /// Whether the page has the form that buys.
    fn buys(&self) -> bool {
        self.shop.as_ref().is_some_and(|shop| shop.by_card)
    }
}

impl Shop {
    /// `500 credits for 5.00 USD`, with the tax once it is paid.
    fn words(&self, frame: &Frame, payment: &Payment) -> String {
        let decimals = self.offer.decimals;
        let total = payment.amount.saturating_add(payment.tax.unwrap_or(0));
        let paid = format::money(frame.language, total, &payment.currency, decimals);
        credits_for(frame.language, payment.credits, &paid)
    }

    /// For how much money the visitor can buy.
    fn left(&self, frame: &Frame) -> String {
        let Billing { left, currency, decimals, .. } = &self.offer;
        format::money(frame.language, left, currency, decimals)
    }

    /// Most credits of a purchase at present: not more than the money that is left buys. A part of a
    /// credit counts only where it has a whole price.
    fn most(&self) -> Credits {
        let Billing { left, decimals, price, max, .. } = &self.offer;
        let one = i128::from(SCALE);
        let left = i128::from(*left) * 10_i128.pow(6_u32.saturating_sub(*decimals)) * one;
        let price = price.parse().map_or(one, |price: Credits| i128::from(price.micros()).max(1));
        let bought = left / price;
        let bought = if left % price == 0 { bought } else { bought / one * one };
        i64::try_from(bought).map_or(*max, |micros| Credits::from_micros(micros).min(*max))
    }

    /// Whether enough money is left for a purchase.
    fn can_buy(&self) -> bool {
        self.most() >= self.offer.min
    }

    /// How many credits the form asks for at first.
    fn usual(&self) -> String {
        self.offer.min.to_string()
    }
}

/// `500 credits for 5.00 USD`.
pub(super) fn credits_for(language: Language, credits: impl Display, money: &str) -> String {
    let credits = format::credits(language, credits);
    language.message("credits-for").with("credits", credits).with("money", money).to_string()
}

/// The shop with the payments from a place on, unless nothing is sold here.
fn shop(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    cursor: Option<&str>,
) -> Result<Option<Shop>> {
    let config = &context.app().config;
    if !config.sells_credits() {
        return Ok(None);
    }
    let by_card = config.billing.is_on();
    let offer = context.ask(&GetBilling {})?.billing;
    let cursor = cursor.map(Into::into);
    let listed = context.ask(&ListPayments { limit: Some(Limit::from(PAYMENTS)), cursor })?;
    let returned = match request.field("payment") {
        Some(id) => returned(context, id)?,
        None => None,
    };
    let (payments, more) = (listed.payments, listed.next_cursor);
    Ok(Some(Shop { offer, by_card, payments, more, returned }))
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
    let shop = shop(context, request, None)?;
    let is_stripe = context.app().config.billing.stripe.api_url.is_empty();
    let leads_to = shop.as_ref().filter(|shop| shop.by_card && is_stripe).map(|_| STRIPE);
    let html = Html::of(&Page {
        frame: Frame::of(context, request, request.t("credits-title"))?,
        credits,
        shop,
        form: request.form::<CreateCheckout>(),
        kind: request.field("kind").unwrap_or_default(),
        next: request.next(page.next_cursor.as_ref()),
        transactions: page.transactions,
    })?;
    Ok(html.leading_to(leads_to))
}

fn payments(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let shop = shop(context, request, request.field("cursor"))?;
    let shop = shop.ok_or_else(|| Error::not_found("page"))?;
    Html::of(&Payments {
        frame: Frame::of(context, request, request.t("credits-payments"))?,
        next: request.next(shop.more.as_ref()),
        shop,
    })
}

/// How far a payment is: the id of a text.
fn state(payment: &Payment) -> &'static str {
    let with_tokens = payment.currency == TOKEN;
    match &payment.status {
        PaymentStatus::Open if with_tokens => "credits-state-chain",
        PaymentStatus::Expired if with_tokens => "credits-state-never",
        PaymentStatus::Creating => "credits-state-creating",
        PaymentStatus::Open => "credits-state-open",
        PaymentStatus::Paid if payment.dispute_lost => "credits-state-lost",
        PaymentStatus::Paid if payment.disputed => "credits-state-disputed",
        PaymentStatus::Paid if payment.refunded_credits == payment.credits => {
            "credits-state-refunded"
        }
        PaymentStatus::Paid if !payment.refunded_credits.is_zero() => "credits-state-refunded-part",
        PaymentStatus::Paid => "credits-state-paid",
        PaymentStatus::Expired => "credits-state-expired",
        PaymentStatus::Mismatch => "credits-state-mismatch",
        _ => "credits-state-unknown",
    }
}

/// The page of the order for which credits moved.
fn path(one: &Transaction) -> Option<String> {
    let order = one.request_id.as_ref().map(|id| format!("/orders/{id}"));
    order.or_else(|| Some(format!("/escrow/{}", one.escrow_id.as_ref()?)))
}

/// What else is known about why credits moved. Of the credits of each new account, it says nothing to people.
fn note(one: &Transaction) -> Option<&str> {
    one.reason.as_deref().filter(|_| one.kind != TransferKind::Grant)
}

/// Why credits moved: the id of a text. A hold is labelled as paid or returned once it is settled; what
/// is settled was earned by the seller, or goes back to the buyer.
fn why(one: &Transaction) -> &'static str {
    match (&one.kind, &one.returned) {
        (TransferKind::Grant, _) => "credits-why-welcome",
        (TransferKind::Topup, _) => "credits-why-issued",
        (TransferKind::Hold, None) => "credits-why-held",
        (TransferKind::Hold, Some(returned)) if returned.micros() == 0 => "credits-why-paid",
        (TransferKind::Hold, Some(returned)) if returned.micros() == -one.amount.micros() => {
            "credits-why-held-refunded"
        }
        (TransferKind::Hold, Some(_)) => "credits-why-held-part",
        (TransferKind::Settle, _) if one.role == Some(OrderRole::Provider) => "credits-why-earned",
        (TransferKind::Forfeit, _) => "credits-why-forfeited",
        (TransferKind::Purchase, _) => "credits-why-bought",
        (TransferKind::Settle | TransferKind::Refund, _) => "credits-why-refunded",
        (TransferKind::RefundFailed, _) => "credits-why-refund-failed",
        (TransferKind::Claw, _) => "credits-why-claw",
        (TransferKind::Won, _) => "credits-why-won",
        (TransferKind::Collect, _) => "credits-why-debt",
        (TransferKind::Pass, _) => "credits-why-pass",
        (TransferKind::Payout, _) => "credits-why-payout",
        (TransferKind::Returned, _) => "credits-why-payout-ended",
        _ => "credits-why-else",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_lost_dispute_differs_from_an_open_one() {
        for (lost, label) in [(false, "credits-state-disputed"), (true, "credits-state-lost")] {
            let one: Payment = serde_json::from_value(json!({
                "paymentId": "pay_1", "account": "usr_1", "username": "ada", "status": "paid",
                "credits": 500, "currency": "usd", "amount": 500, "refundedCredits": 0,
                "refundableCredits": 0, "disputed": true, "disputeLost": lost, "inTest": false,
                "createdAt": "2026-01-02T03:04:05.678Z", "expiresAt": "2026-01-03T02:04:05.678Z",
            }))
            .unwrap();
            assert_eq!(state(&one), label);
        }
    }

    #[test]
    fn what_went_back_of_a_payment_is_shown_as_a_part_or_the_whole() {
        for (refunded, label) in [
            (0, "credits-state-paid"),
            (499, "credits-state-refunded-part"),
            (500, "credits-state-refunded"),
        ] {
            let one: Payment = serde_json::from_value(json!({
                "paymentId": "pay_1", "account": "usr_1", "username": "ada", "status": "paid",
                "credits": 500, "currency": "usd", "amount": 500, "refundedCredits": refunded,
                "refundableCredits": 0, "disputed": false, "disputeLost": false, "inTest": false,
                "createdAt": "2026-01-02T03:04:05.678Z", "expiresAt": "2026-01-03T02:04:05.678Z",
            }))
            .unwrap();
            assert_eq!(state(&one), label);
        }
    }

    #[test]
    fn a_settled_hold_is_an_earning_of_the_seller_and_a_refund_to_the_buyer() {
        for (role, label) in [("provider", "credits-why-earned"), ("buyer", "credits-why-refunded")]
        {
            let one: Transaction = serde_json::from_value(json!({
                "id": "trf_1", "kind": "settle", "escrowId": "esc_1", "role": role, "amount": 5,
                "balanceAfter": 105, "createdAt": "2026-01-02T03:04:05.678Z",
            }))
            .unwrap();
            assert_eq!(why(&one), label);
        }
    }
}
