//! `svc payouts`: what was earned, paid out as money.

use svc_client::types::Span;
use svc_client::types::api::payouts::{
    CancelPayout, ConnectPayouts, GetPayoutAccount, ListPayouts, Payout, PayoutAccount,
    RequestPayout,
};

use crate::endpoint_command::{EndpointCommand, Table, command, noted, page};
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
            command::<RequestPayout>("svc payouts request", |answer, _| row(&answer.payout)),
            command::<CancelPayout>("svc payouts cancel", |answer, _| row(&answer.payout)),
        ]
    }
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
        "{}  {}  @{}  {}  {}",
        payout.payout_id,
        time::minute(payout.created_at),
        payout.username,
        payout.credits.in_words(),
        payout.status,
    );
    row = format!("{row}  {} {}", payout.amount, payout.currency);
    if let Some(reason) = &payout.reason {
        row = format!("{row}  {}", crate::output::one_line(reason));
    }
    row
}
