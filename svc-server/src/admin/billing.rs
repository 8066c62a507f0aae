//! The operator's side of billing.

use clap::Subcommand;
use serde_json::{Value, json};
use svc_core::app::Ctx;
use svc_core::services::account::{self, Record};
use svc_core::services::billing::{debt, payout, state, status};
use svc_store::error::{Error, Result};
use svc_types::api::payouts::{BillingStatus, Payout};
use svc_types::{Balance, money};

use super::line::BillingLine;
use super::{Line, OPERATOR, bare, find, limit, read_reason};

/// Most debtors that are named, those who owe most.
const DEBTORS_MAX: i64 = 20;

/// What `admin billing` does.
#[derive(Clone, Debug, Subcommand)]
pub enum BillingCommand {
    /// Print what the ledgers hold, what waits, disputes and debts.
    Status,
    /// List payouts that wait for approval, the oldest first.
    Payouts,
    /// Print whether payments are live, of tests, or off.
    Mode,
    /// Forgive what an account owes.
    Forgive {
        /// Username or user id.
        username: String,
        /// Why, for the audit log.
        #[arg(long, value_parser = read_reason)]
        reason: String,
    },
}

pub(super) fn run(ctx: &mut Ctx<'_, '_>, command: &BillingCommand) -> Result<Vec<Line>> {
    match command {
        BillingCommand::Status => {
            let (status, debtors) = (status::of(ctx)?, debt::debtors(ctx, DEBTORS_MAX)?);
            let mut json = serde_json::to_value(&status).map_err(Error::internal)?;
            let owed = |(name, owed): &(String, Balance)| json!({ "username": name, "owed": owed });
            json["debts"] = debtors.iter().map(owed).collect();
            Ok(vec![line(status_text(&status, &debtors), &json)?])
        }
        BillingCommand::Payouts => {
            let payouts = payout::requested(ctx, limit())?;
            payouts.iter().map(|payout| line(payout_text(payout), payout)).collect()
        }
        BillingCommand::Mode => {
            let mode = state::mode(ctx)?.unwrap_or_else(|| "none".to_owned());
            let json = json!({ "mode": mode });
            Ok(vec![line(mode, &json)?])
        }
        BillingCommand::Forgive { username, reason } => {
            let record = debtor(ctx, username)?;
            let forgiven = debt::forgive(ctx, OPERATOR, &record.id, reason)?;
            let text = format!("{}  {forgiven} credits forgiven", record.username);
            let json = json!({ "username": record.username, "forgiven": forgiven });
            Ok(vec![line(text, &json)?])
        }
    }
}

/// The account, or a deleted one: a bank may have taken back its payment since.
fn debtor(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Record> {
    match account::find_deleted(ctx, bare(username))? {
        Some(gone) => Ok(gone),
        None => find(ctx, username),
    }
}

fn line<T: serde::Serialize>(text: String, value: &T) -> Result<Line> {
    let json: Value = serde_json::to_value(value).map_err(Error::internal)?;
    Ok(Line::Billing(BillingLine { text, json }))
}

fn payout_text(payout: &Payout) -> String {
    let Payout { payout_id, person_username, username, created_at, .. } = payout;
    let (credits, paid) =
        (payout.credits.in_words(), money::in_words(payout.amount, &payout.currency));
    format!("{payout_id}  {created_at}  @{person_username}  {credits} of @{username}  {paid}")
}

fn status_text(status: &BillingStatus, debtors: &[(String, Balance)]) -> String {
    let mut lines = Vec::new();
    if status.in_test {
        lines.push("test mode: no real money is paid".to_owned());
    }
    for sum in &status.credits {
        let sign = if sum.is_source { "-" } else { "" };
        lines.push(format!("credits  {}  {sign}{}", sum.kind, sum.credits));
    }
    for sum in &status.money {
        let amount = money::in_words(sum.amount, &sum.currency);
        lines.push(format!("money  {}  {amount}", sum.account));
    }
    lines.push(format!("{} disputes open", status.disputes_open));
    lines.push(format!("{} accounts in debt", status.debtors));
    lines.extend(debtors.iter().map(|(name, owed)| format!("@{name}  owes {owed} credits")));
    lines.push(format!("{} objects wait", status.waiting));
    if let Some(since) = status.waiting_since {
        lines.push(format!("the first of them since {since}"));
    }
    lines.push(format!("{} payouts to approve", status.payouts.len()));
    lines.join("\n")
}
