//! `svc billing` and the part of `svc credits` that is about money: prices, purchases, refunds.

use std::time::Duration;

use clap::Args;
use svc_client::types::api::billing::{
    Billing, CreateCheckout, GetBilling, GetPayment, ListPayments, Payment, PaymentEnvelope,
    PaymentStatus, RefundPayment,
};
use svc_client::types::{PaymentId, PositiveCredits, Span};

use crate::caller::Caller;
use crate::endpoint_command::{EndpointCommand, Table, command, noted, page};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::list;
use crate::progress::Progress;
use crate::raw::WithRaw;
use crate::settings::Settings;
use crate::{tiers, time};

/// How long each look at a payment waits for it to be decided.
const WAIT_SECONDS: u32 = 20;

/// The first pause between two looks at a payment, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(10));

/// The commands of `svc billing`.
#[derive(Clone, Debug)]
pub(crate) struct Prices;

impl Table for Prices {
    fn commands() -> Vec<EndpointCommand> {
        let show = command::<GetBilling>("svc billing show", |answer, _| prices(&answer.billing));
        [show].into_iter().chain(tiers::commands()).collect()
    }
}

/// Commands of `svc credits` about payments.
pub(crate) fn commands() -> Vec<EndpointCommand> {
    vec![
        page::<ListPayments>("svc credits payments", |payments, _| {
            list::rows(payments.iter().map(row), "no payments")
        }),
        noted::<RefundPayment>(
            "svc credits refund",
            |answer, _| row(&answer.payment),
            |_, _| vec!["the money arrives some days later".to_owned()],
        ),
    ]
}

/// Flags of `svc credits buy`.
#[derive(Clone, Debug, Args)]
pub(crate) struct BuyFlags {
    /// How many credits to buy.
    credits: PositiveCredits,
    /// Wait so long for the payment: 10m.
    #[arg(long, value_name = "TIME")]
    wait: Option<Span>,
}

/// Begins a purchase, prints where it is paid, and may wait until it is.
pub(crate) async fn buy(flags: &BuyFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let Some(begun) = caller.send(CreateCheckout { credits: flags.credits }).await? else {
        return Ok(());
    };
    let (payment, url) = (&begun.value.value.payment, &begun.value.value.url);
    let Some(time) = flags.wait else {
        caller.out.answer(&begun.value, |_| url.clone())?;
        caller.out.note("pay there in a browser; then see: svc credits payments");
        return Ok(());
    };
    caller.out.note(&format!("pay in a browser: {url}"));
    let _progress = Progress::start(settings, "waiting for the payment");
    wait(&caller, payment, time.duration()).await
}

/// Waits until a payment is paid, and prints it.
async fn wait(caller: &Caller, payment: &Payment, time: Duration) -> Result<()> {
    let id = &payment.payment_id;
    let Ok(found) = tokio::time::timeout(time, ended(caller, id)).await else {
        let message = format!("the payment {id} is not made yet");
        let error = Error::new(Exit::Waiting, "payment_open", message);
        return Err(error.hint("svc credits payments"));
    };
    let found = found?;
    let status = &found.value.payment.status;
    if *status == PaymentStatus::Paid {
        return caller.out.answer(&found, |answer| row(&answer.payment));
    }
    let message = format!("the payment {id} ended: {status}");
    Err(Error::new(Exit::Other, "payment_ended", message))
}

/// A payment once it is no longer open.
async fn ended(caller: &Caller, id: &PaymentId) -> Result<WithRaw<PaymentEnvelope>> {
    let (mut pause, longest) = PAUSES;
    loop {
        let (payment_id, wait_seconds) = (id.clone(), Some(WAIT_SECONDS.into()));
        let found = caller.read(GetPayment { payment_id, wait_seconds }).await?;
        let status = &found.value.payment.status;
        if !matches!(status, PaymentStatus::Creating | PaymentStatus::Open) {
            return Ok(found);
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(longest);
    }
}

fn prices(billing: &Billing) -> String {
    let Billing { price, min, max, decimals, .. } = billing;
    let currency = billing.currency.to_uppercase();
    let mut lines = vec![
        format!("{price} {currency} a credit, {min} to {max} credits at a time"),
        format!("for {} {currency} more at present", money(billing.left, *decimals)),
        format!("refunds within {}", Span::from_secs(billing.refund_seconds)),
        format!("{} of your credits were bought", billing.backed),
    ];
    if !billing.debt.is_zero() {
        lines.push(format!("you owe {}", billing.debt.in_words()));
    }
    if billing.in_test {
        lines.push("test mode: no real money is paid".to_owned());
    }
    lines.join("\n")
}

/// A payment on one line.
pub(crate) fn row(payment: &Payment) -> String {
    let mut row = format!(
        "{}  {}  @{}  {}  {}",
        payment.payment_id,
        time::minute(payment.created_at),
        payment.username,
        payment.credits.in_words(),
        payment.status,
    );
    if !payment.refunded_credits.is_zero() {
        row = format!("{row}  {} given back", payment.refunded_credits);
    }
    if payment.disputed {
        row.push_str("  disputed");
    }
    if payment.in_test {
        row.push_str("  test");
    }
    for url in [&payment.url, &payment.receipt_url].into_iter().flatten() {
        row = format!("{row}  {url}");
    }
    row
}

/// An amount in the smallest unit of its currency, in its usual unit.
fn money(amount: i64, decimals: u32) -> String {
    let unit = 10_i64.pow(decimals);
    let whole = amount / unit;
    match decimals {
        0 => whole.to_string(),
        _ => format!("{whole}.{:0width$}", amount % unit, width = decimals as usize),
    }
}
