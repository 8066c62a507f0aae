//! What the worker found at the provider of payments, without the provider's own words.

use svc_types::{PaymentId, PayoutId, Timestamp};

/// A page on which a payment is made.
#[derive(Clone, Debug)]
pub struct Session {
    /// The provider's id.
    pub id: String,
    /// Its state.
    pub state: SessionState,
    /// Its URL, while it is open.
    pub url: Option<String>,
    /// The currency, in lower case.
    pub currency: String,
    /// The price without tax.
    pub subtotal: i64,
    /// The tax.
    pub tax: i64,
    /// What was paid.
    pub total: i64,
    /// What the provider calls the payment.
    pub intent: Option<String>,
    /// The provider's page with the receipt.
    pub receipt_url: Option<String>,
}

/// The state of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// It waits for the payer, or for money that is on its way.
    Unpaid,
    /// It was paid.
    Paid,
    /// Its time is over.
    Expired,
}

/// Money that goes back to a buyer.
#[derive(Clone, Debug)]
pub struct Refund {
    /// The provider's id.
    pub id: String,
    /// Our id, unless it was made at the provider.
    pub ours: Option<String>,
    /// The payment.
    pub payment: PaymentId,
    /// The currency, in lower case.
    pub currency: String,
    /// The amount.
    pub amount: i64,
    /// Its state.
    pub state: RefundState,
}

/// The state of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundState {
    /// On its way.
    Pending,
    /// It arrived.
    Succeeded,
    /// It didn't arrive, or was cancelled; the money is the operator's again.
    Failed,
}

/// A payment that a buyer's bank takes back.
#[derive(Clone, Debug)]
pub struct Dispute {
    /// The provider's id.
    pub id: String,
    /// The payment.
    pub payment: PaymentId,
    /// The currency, in lower case.
    pub currency: String,
    /// The amount.
    pub amount: i64,
    /// Its state.
    pub state: DisputeState,
}

/// The state of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeState {
    /// The bank asks, and takes nothing.
    Inquiry,
    /// The bank took the money and decides.
    Open,
    /// The operator got the money back.
    Won,
    /// The buyer keeps it.
    Lost,
}

/// Money that goes to a seller.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The provider's id.
    pub id: String,
    /// The payout.
    pub payout: PayoutId,
    /// The currency, in lower case.
    pub currency: String,
    /// The amount.
    pub amount: i64,
    /// How much of it came back.
    pub reversed: i64,
}

impl Transfer {
    /// Whether a part of it came back, and not all.
    pub const fn came_back_in_part(&self) -> bool {
        0 < self.reversed && self.reversed < self.amount
    }
}

/// A change of the balance at the provider.
#[derive(Clone, Debug)]
pub struct BalanceChange {
    /// The provider's id.
    pub id: String,
    /// The currency, in lower case.
    pub currency: String,
    /// What came in, or went out if it is below 0.
    pub amount: i64,
    /// What the provider keeps.
    pub fee: i64,
    /// When.
    pub at: Timestamp,
}
