//! Real money: credits that are bought.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::credits::Credits;
use crate::id::PaymentId;
use crate::text::words;
use crate::time::Timestamp;

words! {
    /// Status of a payment.
    PaymentStatus {
        /// The provider's page is being made.
        Creating = "creating",
        /// It waits for the payer.
        Open = "open",
        /// It was paid, and its credits were added.
        Paid = "paid",
        /// Nobody paid in time.
        Expired = "expired",
        /// Another amount or currency was paid; the operator decides.
        Mismatch = "mismatch",
    }
}

/// A purchase of credits. Amounts of money are in the smallest unit of the currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Payment {
    /// Its id.
    pub payment_id: PaymentId,
    /// Its status.
    pub status: PaymentStatus,
    /// Credits that are bought.
    pub credits: Credits,
    /// The currency: three lower-case letters.
    pub currency: String,
    /// The price without tax.
    pub amount: i64,
    /// The tax that was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax: Option<i64>,
    /// Credits that went back, or are on their way.
    pub refunded_credits: Credits,
    /// Credits that can still be given back.
    pub refundable_credits: Credits,
    /// Whether the payment is disputed, or was in vain.
    pub disputed: bool,
    /// Whether no real money is paid.
    pub in_test: bool,
    /// Where it is paid, while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// Until when it can be paid.
    pub expires_at: Timestamp,
    /// When it was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_at: Option<Timestamp>,
}
