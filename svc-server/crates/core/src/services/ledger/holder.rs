//! The accounts of the ledger, and how low each may go.

use svc_store::error::{Error, Refusal};
use svc_types::credits::TOTAL_MAX;
use svc_types::{Balance, Code, UserId};

/// Whose credits an account of the ledger holds.
#[derive(Clone, Copy, Debug)]
pub enum Holder<'a> {
    /// Where granted credits come from; its balance is what was granted, below 0.
    Issuance,
    /// Where sold credits come from, below 0. Money stands behind them.
    Sold,
    /// Where credits come from that were paid in Stripe's test mode. No money stands behind them.
    SoldInTest,
    /// What a user can spend.
    User(&'a UserId),
    /// The same of a user who earned it by a sale.
    Seller(&'a UserId),
    /// What a payout takes until it was sent, by its id.
    Payable(&'a str),
    /// What was paid out.
    Redeemed,
    /// What an escrow or a service request holds, by its id.
    Hold(&'a str),
    /// What a refund or a dispute holds until it ends, by its id.
    Frozen(&'a str),
    /// What a user owes after a dispute, below 0.
    Debt(&'a UserId),
    /// Debts that were forgiven, below 0.
    WrittenOff,
    /// What deleted accounts left behind.
    Forfeited,
    /// What was paid for passes.
    Fee,
}

impl Holder<'_> {
    /// The id of its row.
    pub fn id(self) -> String {
        match self {
            Self::Issuance => "issuance".to_owned(),
            Self::Sold => "sold".to_owned(),
            Self::SoldInTest => "sold:test".to_owned(),
            Self::User(id) | Self::Seller(id) => format!("user:{id}"),
            Self::Payable(id) => format!("payable:{id}"),
            Self::Redeemed => "redeemed".to_owned(),
            Self::Hold(id) => format!("hold:{id}"),
            Self::Frozen(id) => format!("frozen:{id}"),
            Self::Debt(id) => format!("debt:{id}"),
            Self::WrittenOff => "written_off".to_owned(),
            Self::Forfeited => "forfeited".to_owned(),
            Self::Fee => "fee".to_owned(),
        }
    }

    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::Issuance => "issuance",
            Self::Sold | Self::SoldInTest => "sold",
            Self::User(_) | Self::Seller(_) => "user",
            Self::Payable(_) => "payable",
            Self::Redeemed => "redeemed",
            Self::Hold(_) => "hold",
            Self::Frozen(_) => "frozen",
            Self::Debt(_) => "debt",
            Self::WrittenOff => "written_off",
            Self::Forfeited => "forfeited",
            Self::Fee => "fee",
        }
    }

    /// Whether its balance is what others got from it, below 0.
    pub(super) const fn is_contra(self) -> bool {
        matches!(
            self,
            Self::Issuance | Self::Sold | Self::SoldInTest | Self::Debt(_) | Self::WrittenOff
        )
    }

    /// How low its balance may go.
    pub(super) const fn balance_min(self) -> i64 {
        if self.is_contra() { -TOTAL_MAX } else { 0 }
    }

    /// Why so much can't leave an account of the ledger that holds `balance`.
    pub(super) fn refusal(self, micros: i64, balance: i64) -> Error {
        match self {
            Self::Issuance | Self::Sold | Self::SoldInTest => {
                let most = Balance::from_micros(TOTAL_MAX);
                let message = format!("the credits that are issued must be at most {most} in all");
                Error::refused(Code::IssuanceLimit, message)
            }
            Self::User(_) => {
                let needed = Balance::from_micros(-micros);
                let available = Balance::from_micros(balance);
                let message =
                    format!("there are too few credits: {needed} needed, {available} available");
                let refusal = Refusal::new(Code::InsufficientCredits, message);
                refusal.hint("GET /v1/credits shows what is available").into()
            }
            _ => Error::internal("more would leave an account of the ledger than it has"),
        }
    }
}
