//! `svc credits`: balance, history, purchases and grants.

use clap::{Args, Subcommand};
use svc_client::types::PositiveCredits;
use svc_client::types::api::credits::{
    CreditBalance, GetCredits, GrantCredits, ListTransactions, Transaction, TransferKind,
};

use crate::billing::{self, BuyFlags};
use crate::caller::Caller;
use crate::endpoint_command::{Commands, EndpointCommand, Table, command, page};
use crate::error::Result;
use crate::handle::handle;
use crate::help;
use crate::input;
use crate::list;
use crate::output::one_line;
use crate::settings::Settings;
use crate::time;
use crate::topup::{self, TopupFlags};

/// Flags of `svc credits`, which without a command shows the balance.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CreditsFlags {
    #[command(subcommand)]
    command: Option<Command>,
}

/// `svc credits`.
#[derive(Clone, Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Endpoint(Commands<Credits>),
    /// Buy credits: prints the page where they are paid.
    Buy(BuyFlags),
    /// Buy credits with tokens on a chain, by x402: prints what to sign, or pays.
    Topup(TopupFlags),
    /// Grant credits to an account; for admins.
    #[command(after_help = help::MOVES_CREDITS)]
    Grant {
        /// The recipient: username or user id.
        user: String,
        /// Amount in credits.
        #[arg(value_name = "CREDITS", value_parser = input::positive_credits, allow_negative_numbers = true)]
        amount: PositiveCredits,
        /// Reason of the grant.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Credits;

impl Table for Credits {
    fn commands() -> Vec<EndpointCommand> {
        let mut commands = vec![
            command::<GetCredits>("svc credits balance", |answer, _| balance(&answer.credits)),
            page::<ListTransactions>("svc credits history", |transactions, _| {
                list::rows(transactions.iter().map(row), "no movements")
            }),
        ];
        commands.extend(billing::commands());
        commands
    }
}

/// Runs `svc credits`.
pub(crate) async fn run(flags: &CreditsFlags, settings: &Settings) -> Result<()> {
    match &flags.command {
        None => settings.caller()?.show(GetCredits {}, |answer| balance(&answer.credits)).await,
        Some(Command::Endpoint(command)) => command.run(settings).await,
        Some(Command::Buy(flags)) => billing::buy(flags, settings).await,
        Some(Command::Topup(flags)) => topup::run(flags, settings).await,
        Some(Command::Grant { user, amount, reason }) => {
            let request = GrantCredits {
                username: handle(user)?,
                amount: *amount,
                reason: reason.as_str().into(),
            };
            grant(request, &settings.caller()?).await
        }
    }
}

async fn grant(request: GrantCredits, caller: &Caller) -> Result<()> {
    let what = format!("issue {} to @{}", request.amount.in_words(), request.username);
    if caller.has_to_ask(&what)? {
        input::answer(&format!("{what}?"))?;
    }
    let Some(answer) = caller.send_agreed(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |granted| {
        let transfer = &granted.transfer;
        format!("{}  granted {} to @{}", transfer.id, transfer.amount.in_words(), transfer.to)
    })
}

/// The balance of the account, for a question or a preview.
pub(crate) async fn of(caller: &Caller) -> Result<CreditBalance> {
    Ok(caller.read(GetCredits {}).await?.value.credits)
}

fn balance(balance: &CreditBalance) -> String {
    let owed = balance.debt.filter(|debt| !debt.is_zero());
    let owed = owed.map(|debt| format!("  {debt} owed")).unwrap_or_default();
    format!("{} to spend  {} held{owed}", balance.available.in_words(), balance.held)
}

/// A transaction on one line.
fn row(moved: &Transaction) -> String {
    let sign = if moved.amount.micros() > 0 { "+" } else { "" };
    let role = moved.role.as_ref().filter(|_| moved.kind == TransferKind::Settle);
    let role = role.map(|role| format!(" as {role}")).unwrap_or_default();
    let mut row = format!(
        "{}  {}{role}  {sign}{}  leaves {}",
        time::minute(moved.created_at),
        moved.kind,
        moved.amount,
        moved.balance_after,
    );
    let escrow = moved.escrow_id.as_ref().map(ToString::to_string);
    let order = moved.request_id.as_ref().map(ToString::to_string);
    let payment = moved.payment_id.as_ref().map(ToString::to_string);
    let payout = moved.payout_id.as_ref().map(ToString::to_string);
    let other = moved.counterparty.as_ref().map(|name| format!("@{name}"));
    let parts =
        [escrow.or(order).or(payment).or(payout), other, moved.reason.as_deref().map(one_line)];
    for part in parts.into_iter().flatten() {
        row = format!("{row}  {part}");
    }
    row
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_debt_is_shown_beside_the_balance() {
        let shown = |debt: u32| {
            let balance = json!({ "available": 5, "held": 1, "debt": debt });
            super::balance(&serde_json::from_value(balance).unwrap())
        };
        assert_eq!(shown(7), "5 credits to spend  1 held  7 owed");
        assert_eq!(shown(0), "5 credits to spend  1 held");
    }

    #[test]
    fn a_movement_is_one_line_with_its_role_its_cause_and_its_reason() {
        let shown = |members: &Value| {
            let mut moved = json!({
                "id": "trf_1", "kind": "settle", "amount": 5, "balanceAfter": 105,
                "createdAt": "2026-01-31T09:30:00.000Z",
            });
            for (name, value) in members.as_object().unwrap() {
                moved[name] = value.clone();
            }
            row(&serde_json::from_value(moved).unwrap())
        };
        let earned = json!({ "role": "provider", "escrowId": "esc_1", "counterparty": "ada" });
        let earned = shown(&earned);
        assert!(earned.ends_with("  settle as provider  +5  leaves 105  esc_1  @ada"), "{earned}");
        let held = json!({ "kind": "hold", "role": "buyer", "amount": -5, "requestId": "msg_1" });
        let held = shown(&held);
        assert!(held.ends_with("  hold  -5  leaves 105  msg_1"), "{held}");
        let bought = shown(&json!({ "kind": "purchase", "paymentId": "pay_1" }));
        assert!(bought.ends_with("  purchase  +5  leaves 105  pay_1"), "{bought}");
        let back = json!({ "kind": "returned", "payoutId": "po_1", "reason": "not yet" });
        let back = shown(&back);
        assert!(back.ends_with("  returned  +5  leaves 105  po_1  not yet"), "{back}");
        let issued = shown(&json!({ "kind": "topup", "reason": "a\nprize" }));
        assert!(issued.ends_with("  topup  +5  leaves 105  a prize"), "{issued}");
    }
}
