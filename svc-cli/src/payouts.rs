//! `svc payouts`: what was earned, paid out as money.

use svc_client::types::api::payouts::{
    CancelPayout, ConnectPayouts, GetPayoutAccount, ListPayouts, Payout, PayoutAccount,
    RequestPayout,
};
use svc_client::types::credits::SCALE;
use svc_client::types::{Credits, Span, money};

use crate::caller::Caller;
use crate::endpoint_command::{EndpointCommand, Given, Table, command, noted, page};
use crate::error::Result;
use crate::list;
use crate::time;

/// The commands of `svc payouts`.
#[derive(Clone, Debug)]
pub(crate) struct Payouts;

impl Table for Payouts {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListPayouts>("svc payouts list", |payouts, _| {
                list::rows(payouts.iter().map(row), "no payouts")
            }),
            command::<GetPayoutAccount>("svc payouts show", |answer, _| account(&answer.account)),
            noted::<ConnectPayouts>(
                "svc payouts connect",
                |answer, _| answer.url.clone(),
                |_, _| {
                    vec![
                        "fill in the form there in a browser; then see: svc payouts show"
                            .to_owned(),
                    ]
                },
            ),
            command::<RequestPayout>("svc payouts request", |answer, _| row(&answer.payout))
                .ask(|caller, given| Box::pin(pays_out(caller, given))),
            command::<CancelPayout>("svc payouts cancel", |answer, _| row(&answer.payout)),
        ]
    }
}

/// What is asked before credits are paid out.
async fn pays_out(caller: &Caller, given: &Given<'_>) -> Result<String> {
    let account = caller.read(GetPayoutAccount {}).await?.value.account;
    let credits = given.credits("credits").unwrap_or_default();
    Ok(question(&account, credits, given.text("from")))
}

/// How many credits are paid out, who earned them, and as which money where. An amount that is not whole is
/// refused, so it is not named.
fn question(account: &PayoutAccount, credits: Credits, from: &str) -> String {
    let mut what = credits.in_words();
    if !from.is_empty() {
        what = format!("{what} of @{}", from.trim_start_matches('@'));
    }
    if let Some(amount) = amount(account, credits) {
        what = format!("{what} as {}", money::in_words(amount, &account.currency));
    }
    match &account.country {
        Some(country) => format!("pay out {what} to your account in {country}?"),
        None => format!("pay out {what} to your account, which is not connected yet?"),
    }
}

/// What is paid for credits, in the smallest unit of the currency; none if it is not whole.
fn amount(account: &PayoutAccount, credits: Credits) -> Option<i64> {
    let rate: Credits = account.rate.parse().ok()?;
    let one = i128::from(SCALE) * i128::from(SCALE);
    let units = i128::from(rate.micros()) * 10_i128.checked_pow(account.decimals)?;
    let exact = units.checked_mul(i128::from(credits.micros()))?;
    (exact % one == 0).then(|| i64::try_from(exact / one).ok()).flatten()
}

/// What can be paid out, a line per account.
fn account(account: &PayoutAccount) -> String {
    let currency = account.currency.to_uppercase();
    let place = match (&account.country, account.enabled) {
        (None, _) => "no account is connected: svc payouts connect COUNTRY".to_owned(),
        (Some(country), true) => format!("paid to your account in {country}"),
        (Some(country), false) => format!("the account in {country} is not ready yet"),
    };
    let mut lines = vec![
        place,
        format!("{} {currency} a credit, at least {} credits", account.rate, account.min),
        format!(
            "{} after the sale; {} % of the earnings of 90 days stays",
            Span::from_secs(account.hold_seconds),
            account.reserve_percent
        ),
    ];
    lines.extend(account.earnings.iter().map(|one| {
        format!(
            "@{}  {} payable  {} earned  {} too recent  {} reserve",
            one.username, one.redeemable, one.earned, one.held, one.reserve
        )
    }));
    lines.join("\n")
}

/// A payout on one line.
fn row(payout: &Payout) -> String {
    let mut row = format!(
        "{}  {}  @{}  {}  {}  {}",
        payout.payout_id,
        time::minute(payout.created_at),
        payout.username,
        payout.credits.in_words(),
        payout.status,
        money::in_words(payout.amount, &payout.currency),
    );
    if let Some(reason) = &payout.reason {
        row = format!("{row}  {}", crate::output::one_line(reason));
    }
    row
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_money_of_a_payout_is_shown_in_the_usual_unit_of_its_currency() {
        let payout = json!({
            "payoutId": "po_1", "person": "usr_1", "personUsername": "sam", "account": "usr_2",
            "username": "bot", "status": "sent", "credits": 100, "currency": "usd", "amount": 80,
            "createdAt": "2026-01-31T09:30:00.000Z",
        });
        let mut payout: Payout = serde_json::from_value(payout).unwrap();
        let shown = row(&payout);
        assert!(shown.ends_with("  @bot  100 credits  sent  0.80 USD"), "{shown}");
        payout.reason = Some("not\nknown".to_owned());
        let denied = row(&payout);
        assert!(denied.ends_with("  0.80 USD  not known"), "{denied}");
    }

    #[test]
    fn the_account_shows_where_payouts_go_and_how_much_each_can_pay_out() {
        let shown = |country: Option<&str>, enabled: bool| {
            let found = json!({
                "country": country, "enabled": enabled, "currency": "usd", "decimals": 2,
                "rate": "0.008", "min": 50, "holdSeconds": 60, "reservePercent": 10, "earnings": [{
                    "account": "usr_2", "username": "bot", "earned": 400, "held": 300, "reserve": 40,
                    "redeemable": 60,
                }],
            });
            account(&serde_json::from_value(found).unwrap())
        };
        let ready = shown(Some("DE"), true);
        let price = "paid to your account in DE\n0.008 USD a credit, at least 50 credits\n";
        assert!(ready.starts_with(price), "{ready}");
        let earned = "\n@bot  60 payable  400 earned  300 too recent  40 reserve";
        assert!(ready.ends_with(earned), "{ready}");
        assert!(shown(Some("DE"), false).starts_with("the account in DE is not ready yet\n"));
        assert!(shown(None, false).starts_with("no account is connected: "));
    }

    #[test]
    fn who_asks_for_a_payout_is_asked_with_the_money_and_the_account() {
        let mut account = json!({
            "country": "DE", "enabled": true, "currency": "usd", "decimals": 2, "rate": "0.008",
            "min": 50, "holdSeconds": 60, "reservePercent": 10, "earnings": [],
        });
        let of = |account: &serde_json::Value, credits: u32, from| {
            let account = serde_json::from_value(account.clone()).unwrap();
            question(&account, credits.into(), from)
        };
        let own = of(&account, 500, "");
        assert_eq!(own, "pay out 500 credits as 4.00 USD to your account in DE?");
        let agent = of(&account, 501, "bot");
        assert_eq!(agent, "pay out 501 credits of @bot to your account in DE?", "4.008 is refused");
        account["country"] = serde_json::Value::Null;
        let place = of(&account, 500, "");
        assert!(place.ends_with("to your account, which is not connected yet?"), "{place}");
    }
}
