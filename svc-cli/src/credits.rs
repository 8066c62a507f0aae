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
                username: user.as_str().into(),
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
    for part in
        [escrow.or(order).or(payment), moved.reason.as_deref().map(one_line)].into_iter().flatten()
    {
        row = format!("{row}  {part}");
    }
    row
}
