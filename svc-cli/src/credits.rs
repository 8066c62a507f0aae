//! `svc credits`: what one has, how it moved, and how it is issued.

use clap::{Args, Subcommand};
use svc_client::types::PositiveCredits;
use svc_client::types::api::credits::{
    CreditBalance, GetCredits, GrantCredits, ListTransactions, Transaction, TransferKind,
};

use crate::caller::Caller;
use crate::error::Result;
use crate::help;
use crate::input;
use crate::list::{self, Page};
use crate::output::one_line;
use crate::settings::Settings;
use crate::time;

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
    /// Show what can be spent, and what is held.
    Balance,
    /// List how your credits moved, newest first.
    History {
        /// Only movements of this kind.
        #[arg(long, value_name = "WORD", value_parser = clap::builder::PossibleValuesParser::new(TransferKind::WORDS))]
        kind: Option<String>,
        #[command(flatten)]
        page: Page,
    },
    /// Issue credits to an account; for admins.
    #[command(after_help = help::MOVES_CREDITS)]
    Grant {
        /// Who gets them: username or user id.
        user: String,
        /// How many.
        #[arg(value_name = "CREDITS")]
        amount: PositiveCredits,
        /// What for.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

/// Runs `svc credits`.
pub(crate) async fn run(flags: &CreditsFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    match &flags.command {
        None | Some(Command::Balance) => {
            caller.show(GetCredits {}, |answer| balance(&answer.credits)).await
        }
        Some(Command::History { kind, page }) => history(kind.as_deref(), page, &caller).await,
        Some(Command::Grant { user, amount, reason }) => {
            let request = GrantCredits {
                username: user.as_str().into(),
                amount: *amount,
                reason: reason.as_str().into(),
            };
            grant(request, &caller).await
        }
    }
}

async fn history(kind: Option<&str>, page: &Page, caller: &Caller) -> Result<()> {
    let request =
        ListTransactions { kind: kind.map(Into::into), limit: page.limit(), cursor: page.cursor() };
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |page| {
        list::rows(page.transactions.iter().map(row), "no movements")
    })?;
    let kind = kind.map(|kind| format!(" --kind {kind}")).unwrap_or_default();
    let next = answer.value.value.next_cursor.as_ref();
    list::more(caller.out, &format!("svc credits history{kind}"), next);
    Ok(())
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

/// What the account has, read for a question or a preview.
pub(crate) async fn of(caller: &Caller) -> Result<CreditBalance> {
    Ok(caller.read(GetCredits {}).await?.value.credits)
}

fn balance(balance: &CreditBalance) -> String {
    format!("{} to spend  {} held", balance.available.in_words(), balance.held)
}

/// A movement on one line.
fn row(moved: &Transaction) -> String {
    let sign = if moved.amount.micros() > 0 { "+" } else { "" };
    let mut row = format!(
        "{}  {}  {sign}{}  leaves {}",
        time::minute(moved.created_at),
        moved.kind,
        moved.amount,
        moved.balance_after,
    );
    let escrow = moved.escrow_id.as_ref().map(ToString::to_string);
    let order = moved.request_id.as_ref().map(ToString::to_string);
    for part in [escrow.or(order), moved.reason.as_deref().map(one_line)].into_iter().flatten() {
        row = format!("{row}  {part}");
    }
    row
}
