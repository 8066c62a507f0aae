//! Credits: balance, transactions, and issuance.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::orders::OrderRole;
use crate::credits::{Balance, Credits, PositiveCredits};
use crate::endpoints;
use crate::id::{EscrowId, MessageId, PaymentId, PayoutId, TransferId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::Timestamp;
use crate::username::Handle;

endpoints! {
    /// Get your balance.
    GET "/v1/credits" as credits.balance by Account scope Read => OK CreditsEnvelope;
    GetCredits {}

    /// List your transactions, newest first.
    GET "/v1/credits/transactions" as credits.transactions by Account scope Read
        => OK TransactionPage;
    ListTransactions {
        /// Only transactions of this kind.
        kind: Option<TransferKind>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Issue credits to an account.
    POST "/v1/credits/grant" as credits.grant by Admin scope Moderate cost Free
        => CREATED TransferEnvelope as strict, fails [NotFound, IssuanceLimit];
    GrantCredits {
        /// The recipient: username or user id.
        username: Handle,
        /// Amount of credits.
        amount: PositiveCredits,
        /// Reason of the grant.
        reason: Text<1, 500>,
    }
}

paged! {
    ListTransactions: transactions of Transaction;
}

words! {
    /// Why credits move.
    TransferKind {
        /// Issued at sign-up, once.
        Grant = "grant",
        /// Issued by an admin.
        Topup = "topup",
        /// Held for an escrow or an order.
        Hold = "hold",
        /// Paid out of a hold, or returned from it.
        Settle = "settle",
        /// Left by a deleted account.
        Forfeit = "forfeit",
        /// Bought.
        Purchase = "purchase",
        /// Taken back for a refund.
        Refund = "refund",
        /// Gone with a refund that arrived.
        Refunded = "refunded",
        /// Returned, because a refund failed.
        RefundFailed = "refund_failed",
        /// Taken back, because their payment is disputed.
        Claw = "claw",
        /// Returned, because a dispute was withdrawn or lost by the buyer.
        Won = "won",
        /// Gone with a dispute that the buyer won.
        Lost = "lost",
        /// Paid towards a debt.
        Collect = "collect",
        /// A debt that was forgiven.
        Forgive = "forgive",
        /// Paid for a pass.
        Pass = "pass",
        /// Taken to be paid out.
        Payout = "payout",
        /// Gone with a payout that was sent.
        Sent = "sent",
        /// Returned, because a payout was denied, cancelled or came back.
        Returned = "returned",
    }
}

/// Balance of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct CreditBalance {
    /// Credits that can be spent.
    pub available: Balance,
    /// Credits held in open escrows and orders.
    pub held: Balance,
    /// How many of the available credits were bought, by you or by those you earned them from;
    /// absent where nothing is sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backed: Option<Balance>,
    /// Credits that you owe after a disputed payment; absent where nothing is sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debt: Option<Balance>,
}

/// Response with a balance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct CreditsEnvelope {
    /// The balance.
    pub credits: CreditBalance,
}

/// A change of an account's credits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Transaction {
    /// The transaction's id.
    pub id: TransferId,
    /// Why the credits moved.
    pub kind: TransferKind,
    /// Reason in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The escrow it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// The order it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<MessageId>,
    /// The payment it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<PaymentId>,
    /// The payout it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payout_id: Option<PayoutId>,
    /// Username of the other party of the escrow or order it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterparty: Option<String>,
    /// Name of the ordered service; absent once the account that offered it is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_name: Option<String>,
    /// Your side of the escrow or order it belongs to: what `settle` moves is a refund to the `buyer`,
    /// and an earning of the `provider`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<OrderRole>,
    /// How much of the hold was returned; absent while it is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returned: Option<Balance>,
    /// Credits received, or spent (negative).
    pub amount: Balance,
    /// Available balance afterwards.
    pub balance_after: Balance,
    /// When the credits moved.
    pub created_at: Timestamp,
}

/// A page of transactions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct TransactionPage {
    /// The transactions.
    pub transactions: Vec<Transaction>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// A transfer of credits from one account to another (spec §2.7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Transfer {
    /// Amount of credits.
    pub amount: Credits,
    /// Username of the recipient.
    pub to: String,
    /// The transfer's id.
    pub id: TransferId,
    /// Username of the sender; absent for issued credits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The escrow it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// Reason in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When the credits moved.
    pub created_at: Timestamp,
}

/// Response with a transfer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct TransferEnvelope {
    /// The transfer.
    pub transfer: Transfer,
}
