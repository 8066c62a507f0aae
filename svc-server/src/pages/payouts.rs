//! Payouts: what sellers can have paid out, and what operators approve.

use askama::Template;
use svc_core::services::billing::{self, payout};
use svc_store::error::Result;
use svc_types::api::payouts::{
    ApprovePayout, BillingStatus, CancelPayout, ConnectPayouts, DenyPayout, GetBillingStatus,
    GetPayoutAccount, ListPayouts, Payout, PayoutAccount, PayoutEnvelope, PayoutLink, PayoutStatus,
    RequestPayout,
};

use super::credits::credits_for;
use super::{Flash, Frame, format, operate};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::language::Language;

/// Where sellers connect their account.
pub(super) const STRIPE: &str = "https://connect.stripe.com";

/// To which countries Stripe pays, by its own account.
const COUNTRIES: &str = "https://stripe.com/global";

/// The form that leads there.
pub(super) const CONNECT: &str = "/sell/payouts/connect";

/// The pages of sellers and of operators.
const SELL: &str = "/sell/payouts";
const OPERATE: &str = "/operate/billing";

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(SELL, show)
        .form::<RequestPayout>(SELL, show, |_, _: &PayoutEnvelope| {
            Done::to(SELL).say(Flash::PayoutAsked)
        })
        .form::<ConnectPayouts>(CONNECT, show, |_, link: &PayoutLink| Done::away(&link.url))
        .button::<CancelPayout>("/sell/payouts/{payoutId}/cancel", |_, _: &PayoutEnvelope| {
            Done::to(SELL).say(Flash::Saved)
        })
        .get(OPERATE, watch)
        .button::<ApprovePayout>("/operate/billing/{payoutId}/approve", |_, _: &PayoutEnvelope| {
            Done::to(OPERATE).say(Flash::Saved)
        })
        .button::<DenyPayout>("/operate/billing/{payoutId}/deny", |_, _: &PayoutEnvelope| {
            Done::to(OPERATE).say(Flash::Saved)
        })
}

#[derive(Template)]
#[template(path = "sell/payouts.html")]
struct Page<'a> {
    frame: Frame,
    account: PayoutAccount,
    ask: Form<'a>,
    connect: Form<'a>,
    payouts: Vec<Payout>,
    next: Option<String>,
}

impl Page<'_> {
    /// `100 credits for 0.80 USD`.
    fn words(&self, payout: &Payout) -> String {
        words(self.frame.language, payout, self.account.decimals)
    }
}

fn words(language: Language, payout: &Payout, decimals: u32) -> String {
    let money = format::money(language, payout.amount, &payout.currency, decimals);
    credits_for(language, payout.credits, &money)
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    payout::require(context.app())?;
    let account = context.ask(&GetPayoutAccount {})?.account;
    let cursor = request.field("cursor").map(Into::into);
    let page = context.ask(&ListPayouts { limit: None, cursor })?;
    let is_stripe = context.app().config.billing.stripe.api_url.is_empty();
    let html = Html::of(&Page {
        frame: Frame::of(context, request, request.t("payouts-title"))?,
        account,
        ask: request.form::<RequestPayout>(),
        connect: request.form::<ConnectPayouts>(),
        next: request.next(page.next_cursor.as_ref()),
        payouts: page.payouts,
    })?;
    Ok(html.leading_to(is_stripe.then_some(STRIPE)))
}

/// How far a payout is: the id of a text.
fn state(payout: &Payout) -> &'static str {
    match &payout.status {
        PayoutStatus::Requested => "payouts-state-requested",
        PayoutStatus::Approved => "payouts-state-approved",
        PayoutStatus::Sending => "payouts-state-sending",
        PayoutStatus::Sent => "payouts-state-sent",
        PayoutStatus::Denied => "payouts-state-denied",
        PayoutStatus::Returned => "payouts-state-returned",
        PayoutStatus::Cancelled => "payouts-state-cancelled",
        _ => "payouts-state-unknown",
    }
}

/// Whether the seller can still cancel it.
fn is_early(payout: &Payout) -> bool {
    matches!(payout.status, PayoutStatus::Requested | PayoutStatus::Approved)
}

#[derive(Template)]
#[template(path = "operate_billing.html")]
struct Status {
    frame: Frame,
    status: BillingStatus,
}

impl Status {
    fn words(&self, payout: &Payout) -> String {
        words(self.frame.language, payout, self.status.decimals)
    }

    fn money(&self, amount: i64, currency: &str) -> String {
        let sign = if amount < 0 { "\u{2212}" } else { "" };
        let amount = amount.saturating_abs();
        let decimals = self.status.decimals;
        format!("{sign}{}", format::money(self.frame.language, amount, currency, decimals))
    }
}

fn watch(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    operate::operator(context)?;
    billing::require_any(context.app())?;
    let status = context.ask(&GetBillingStatus {})?.billing;
    Html::of(&Status { frame: Frame::of(context, request, request.t("operate-billing"))?, status })
}
