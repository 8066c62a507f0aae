//! Credits: what one has, how it moved, and how it is issued.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::credits::{Balance, Credits, PositiveCredits};
use crate::endpoints;
use crate::id::{EscrowId, MessageId, TransferId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::Timestamp;
use crate::username::Handle;

endpoints! {
    /// Read one's own balance.
    GET "/v1/credits" by Account => OK CreditsEnvelope;
    GetCredits {}

    /// List how one's own credits moved, newest first.
    GET "/v1/credits/transactions" by Account => OK TransactionPage;
    ListTransactions {
        /// Only movements of this kind.
        kind: Option<TransferKind>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Issue credits to an account.
    POST "/v1/credits/grant" by Admin => CREATED TransferEnvelope as strict, fails [NotFound, IssuanceLimit];
    GrantCredits {
        /// Who gets them: username or user id.
        username: Handle,
        /// How many.
        amount: PositiveCredits,
        /// What for.
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
        /// Held for an escrow or a service request.
        Hold = "hold",
        /// Paid out of a hold, or given back.
        Settle = "settle",
        /// Left behind by a deleted account.
        Forfeit = "forfeit",
    }
}

/// What an account has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct CreditBalance {
    /// What can be spent.
    pub available: Balance,
    /// What is held in its open escrows and service requests.
    pub held: Balance,
}

/// What an account has, in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct CreditsEnvelope {
    /// The balance.
    pub credits: CreditBalance,
}

/// A movement of an account's credits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Transaction {
    /// The movement's id.
    pub id: TransferId,
    /// Why they moved.
    pub kind: TransferKind,
    /// The reason in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The escrow it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// The service request it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<MessageId>,
    /// Name of the service that was ordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_name: Option<String>,
    /// What came back of what was held, once that is settled; absent while it is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returned: Option<Balance>,
    /// How many came, or went (below 0).
    pub amount: Balance,
    /// What could be spent afterwards.
    pub balance_after: Balance,
    /// When they moved.
    pub created_at: Timestamp,
}

/// A page of movements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct TransactionPage {
    /// The movements.
    pub transactions: Vec<Transaction>,
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Credits on their way from one account to another (spec §2.7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Transfer {
    /// How many.
    pub amount: Credits,
    /// Username of who got them.
    pub to: String,
    /// The movement's id.
    pub id: TransferId,
    /// Username of who gave them; absent when they were issued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The escrow it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// The reason in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When they moved.
    pub created_at: Timestamp,
}

/// A transfer in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct TransferEnvelope {
    /// The transfer.
    pub transfer: Transfer,
}
