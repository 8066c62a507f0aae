//! `svc billing` and the part of `svc credits` that is about money: prices, purchases, refunds.

use std::time::Duration;

use clap::Args;
use svc_client::types::api::billing::{
    Billing, CreateCheckout, GetBilling, GetPayment, ListPayments, Payment, PaymentEnvelope,
    PaymentStatus, RefundPayment,
};
use svc_client::types::{Credits, PaymentId, PositiveCredits, Span, money};

use crate::caller::Caller;
use crate::endpoint_command::{EndpointCommand, Given, Table, command, noted, page};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input;
use crate::list;
use crate::output::Output;
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
        )
        .ask(|caller, given| Box::pin(gives_back(caller, given))),
    ]
}

/// What is asked before credits are given back.
async fn gives_back(caller: &Caller, given: &Given<'_>) -> Result<String> {
    let request = GetPayment { payment_id: given.text("paymentId").into(), wait_seconds: None };
    let payment = caller.read(request).await?.value.payment;
    let credits = given.credits("credits").unwrap_or(payment.refundable_credits);
    Ok(refund(&payment, credits))
}

/// How many credits go back, whose they are, and for which money. What rounding leaves of the money goes with
/// the last of them, so a part of it is about right.
fn refund(payment: &Payment, credits: Credits) -> String {
    let Payment { payment_id, username, amount, tax, currency, .. } = payment;
    let total = i128::from(*amount) + i128::from(tax.unwrap_or(0));
    let part = total * i128::from(credits.micros()) / i128::from(payment.credits.micros().max(1));
    let money = money::in_words(i64::try_from(part).unwrap_or(i64::MAX), currency);
    let about = if credits == payment.credits { "" } else { "about " };
    let credits = credits.in_words();
    format!("give {credits} of @{username} back for {about}{money} to the payer of {payment_id}?")
}

/// Flags of `svc credits buy`.
#[derive(Clone, Debug, Args)]
pub(crate) struct BuyFlags {
    /// How many credits to buy.
    #[arg(value_parser = input::positive_credits, allow_negative_numbers = true)]
    credits: PositiveCredits,
    /// Wait this long for the payment, such as 10m.
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
    // Programs read only the outcome of the payment, and a person has to make it.
    Output::ask(&format!("pay in a browser: {url}"));
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
        let mut asked = Duration::ZERO;
        match caller.read(GetPayment { payment_id, wait_seconds }).await {
            Ok(found) if is_decided(&found.value.payment) => return Ok(found),
            Ok(_) => {}
            // The payment is there whatever the network does; another purchase would be a second one.
            Err(error) if matches!(error.exit, Exit::Network | Exit::RateLimited) => {
                asked = Duration::from_secs(error.retry_after.unwrap_or_default());
            }
            Err(error) => return Err(error),
        }
        tokio::time::sleep(pause.max(asked)).await;
        pause = (pause * 2).min(longest);
    }
}

fn is_decided(payment: &Payment) -> bool {
    !matches!(payment.status, PaymentStatus::Creating | PaymentStatus::Open)
}

fn prices(billing: &Billing) -> String {
    let Billing { price, min, max, left, .. } = billing;
    let currency = billing.currency.to_uppercase();
    let mut lines = vec![
        format!("{price} {currency} a credit, {min} to {max} credits at a time"),
        format!("for {} more at present", money::in_words(*left, &billing.currency)),
        format!("refunds within {}", Span::from_secs(billing.refund_seconds)),
    ];
    // No money stands behind what was bought in the test mode, so it is not counted.
    if !billing.in_test {
        lines.push(format!("{} of your credits were bought", billing.backed));
    }
    if !billing.debt.is_zero() {
        lines.push(format!("you owe {}", billing.debt.in_words()));
    }
    if billing.in_test {
        let note = "test mode: no real money is paid, and what is bought has no value";
        lines.push(note.to_owned());
    }
    lines.join("\n")
}

/// A payment on one line, with its price and the tax that was paid.
pub(crate) fn row(payment: &Payment) -> String {
    let total = payment.amount.saturating_add(payment.tax.unwrap_or(0));
    let mut row = format!(
        "{}  {}  @{}  {} for {}  {}",
        payment.payment_id,
        time::minute(payment.created_at),
        payment.username,
        payment.credits.in_words(),
        money::in_words(total, &payment.currency),
        payment.status,
    );
    if !payment.refunded_credits.is_zero() {
        row = format!("{row}  {} given back", payment.refunded_credits);
    }
    match (payment.disputed, payment.dispute_lost) {
        (_, true) => row.push_str("  disputed and lost"),
        (true, false) => row.push_str("  disputed"),
        (false, false) => {}
    }
    if payment.in_test {
        row.push_str("  test");
    }
    for url in [&payment.url, &payment.receipt_url].into_iter().flatten() {
        row = format!("{row}  {url}");
    }
    row
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn payment(members: &Value) -> Payment {
        let mut payment = json!({
            "paymentId": "pay_1", "account": "usr_1", "username": "ada", "status": "paid", "credits": 500,
            "currency": "usd", "amount": 500, "tax": 95, "refundedCredits": 0, "refundableCredits": 500,
            "disputed": false, "inTest": false, "createdAt": "2026-01-31T09:30:00.000Z",
            "expiresAt": "2026-02-01T08:30:00.000Z",
        });
        for (name, value) in members.as_object().unwrap() {
            payment[name] = value.clone();
        }
        serde_json::from_value(payment).unwrap()
    }

    #[test]
    fn who_gives_credits_back_is_asked_with_the_money_and_its_receiver() {
        let payment = payment(&json!({}));
        let whole = refund(&payment, 500.into());
        assert_eq!(whole, "give 500 credits of @ada back for 5.95 USD to the payer of pay_1?");
        let part = refund(&payment, 100.into());
        assert_eq!(part, "give 100 credits of @ada back for about 1.19 USD to the payer of pay_1?");
    }

    #[test]
    fn a_lost_dispute_differs_from_an_open_one() {
        let open = json!({ "disputed": true });
        assert!(row(&payment(&open)).ends_with("  paid  disputed"));
        let lost = json!({ "disputed": true, "disputeLost": true });
        assert!(row(&payment(&lost)).ends_with("  paid  disputed and lost"));
    }

    #[test]
    fn a_payment_says_what_was_paid_with_tax() {
        let shown = |members: &Value| row(&payment(members));
        assert!(shown(&json!({})).ends_with("  @ada  500 credits for 5.95 USD  paid"));
        let open = json!({ "status": "open", "tax": null });
        assert!(shown(&open).ends_with("  @ada  500 credits for 5.00 USD  open"));
        let tokens = json!({ "currency": "usdc", "amount": 5_000_000, "tax": null });
        assert!(shown(&tokens).ends_with("  @ada  500 credits for 5.00 USDC  paid"));
    }

    #[test]
    fn the_test_mode_counts_no_bought_credits() {
        let billing = |in_test: bool| {
            let billing = json!({
                "currency": "usd", "decimals": 2, "price": "0.01", "min": 500, "max": 100_000,
                "refundSeconds": 1_209_600, "left": 5_000, "backed": 0, "debt": 0, "inTest": in_test,
            });
            prices(&serde_json::from_value(billing).unwrap())
        };
        assert!(billing(false).ends_with("\n0 of your credits were bought"));
        let test = billing(true);
        assert!(!test.contains("were bought"), "{test}");
        assert!(
            test.ends_with("\ntest mode: no real money is paid, and what is bought has no value")
        );
    }
}
