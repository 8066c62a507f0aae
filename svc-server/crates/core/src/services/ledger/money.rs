//! The ledger of money: double entry beside the credits, in minor units of one currency.
//!
//! It says what is owed to the operator, what was sold, and what a provider of payments took. A
//! balance is the sum of what was added to the account: above 0 for what the operator has or is owed,
//! below 0 for what was earned.

use svc_store::error::{Error, Result};
use svc_store::{returning, sql, values};
use svc_types::Id;

use crate::app::Ctx;

/// An account of money; each currency has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Money {
    /// Paid by buyers, and not yet with the operator.
    Receivable,
    /// In dispute.
    Disputed,
    /// Lost in disputes.
    Loss,
    /// Credits that were sold, without tax.
    Sales,
    /// Tax that was collected.
    Tax,
    /// In the balance at the provider of payments.
    Cash,
    /// Taken by the provider of payments.
    ProviderFee,
    /// Seats that were sold, without tax.
    Subscriptions,
    /// Paid out to sellers.
    Payouts,
}

impl Money {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Receivable => "receivable",
            Self::Disputed => "disputed",
            Self::Loss => "loss",
            Self::Sales => "sales",
            Self::Tax => "tax",
            Self::Cash => "cash",
            Self::ProviderFee => "provider_fee",
            Self::Subscriptions => "subscriptions",
            Self::Payouts => "payouts",
        }
    }
}

/// Why money moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoneyKind {
    /// Credits were paid.
    Purchase,
    /// A payment went back to its buyer.
    Refund,
    /// A refund did not arrive.
    RefundFailed,
    /// A buyer disputes a payment.
    Dispute,
    /// A dispute ended for the operator.
    Won,
    /// A dispute ended for the buyer.
    Lost,
    /// The balance at the provider of payments changed.
    Cash,
    /// Seats were paid.
    Invoice,
    /// Credits were paid out.
    Payout,
    /// A payout came back.
    Returned,
}

impl MoneyKind {
    /// Its name in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Purchase => "purchase",
            Self::Refund => "refund",
            Self::RefundFailed => "refund_failed",
            Self::Dispute => "dispute",
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Cash => "cash",
            Self::Invoice => "invoice",
            Self::Payout => "payout",
            Self::Returned => "returned",
        }
    }
}

/// Id of a movement of money; it is not shown outside.
struct MoneyId(String);

impl From<String> for MoneyId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for MoneyId {
    const PREFIX: &'static str = "mon_";
}

/// Moves money, once per kind and reference: entries of zero are omitted, the others sum to zero.
///
/// # Panics
/// When the entries don't balance, in any build: that would be a fault of the caller.
pub fn post(
    ctx: &mut Ctx<'_, '_>,
    kind: MoneyKind,
    reference: &str,
    currency: &str,
    entries: &[(Money, i64)],
) -> Result<()> {
    let sum: i128 = entries.iter().map(|(_, amount)| i128::from(*amount)).sum();
    assert!(sum == 0, "the entries of a movement of money must balance");
    let entry = |&(money, amount): &(Money, i64)| {
        (amount != 0).then(|| Entry { account: account(money, currency), money, amount })
    };
    let mut entries: Vec<Entry> = entries.iter().filter_map(entry).collect();
    entries.sort_by(|a, b| a.account.cmp(&b.account));
    let (id, now): (MoneyId, _) = (ctx.id(), ctx.now());
    let kind = kind.as_str();
    let rows = ctx.tx.execute(
        sql!(
            "insert into money_transfer (id, kind, ref, currency, at) values ($1, $2, $3, $4, $5)
             on conflict do nothing"
        ),
        values![id.0, kind, reference, currency, now],
    )?;
    if rows != 1 {
        return Err(Error::internal(format!("money would move twice: {kind} {reference}")));
    }
    for entry in &entries {
        change(ctx, &id, currency, entry)?;
    }
    Ok(())
}

/// What a movement of money changes in one account.
struct Entry {
    account: String,
    money: Money,
    amount: i64,
}

/// The id of the account of a currency.
fn account(money: Money, currency: &str) -> String {
    format!("{}:{currency}", money.as_str())
}

fn change(
    ctx: &mut Ctx<'_, '_>,
    transfer: &MoneyId,
    currency: &str,
    Entry { account, money, amount }: &Entry,
) -> Result<()> {
    let (balance, seq): (i64, i64) = ctx.tx.one_returning(
        returning!(
            "insert into money_account (id, kind, currency, balance, entries)
             values ($1, $2, $3, $4, 1)
             on conflict (id) do update
             set balance = money_account.balance + excluded.balance,
                entries = money_account.entries + 1",
            "balance, entries",
            "money_account where id = $1",
        ),
        values![account, money.as_str(), currency, amount],
        values![account],
    )?;
    ctx.tx.write(
        sql!(
            "insert into money_entry (account, seq, transfer, amount, balance_after)
             values ($1, $2, $3, $4, $5)"
        ),
        values![account, seq, transfer.0, amount, balance],
    )
}

/// The balance of an account in a currency.
pub fn balance(ctx: &mut Ctx<'_, '_>, money: Money, currency: &str) -> Result<i64> {
    let sql = sql!("select balance from money_account where id = $1");
    Ok(ctx.tx.optional(sql, values![account(money, currency)])?.unwrap_or(0))
}
