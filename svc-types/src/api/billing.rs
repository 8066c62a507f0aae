//! Real money: credits that are bought.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::credits::{Balance, Credits, PositiveCredits};
use crate::endpoints;
use crate::id::{PaymentId, UserId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Whole, words};
use crate::time::Timestamp;

endpoints! {
    /// Get what credits cost, and how many you can buy.
    GET "/v1/billing" as billing.get by Account scope Read => OK BillingEnvelope,
        fails [FeatureNotConfigured];
    GetBilling {}

    /// Buy credits.
    ///
    /// Open the URL in a browser and pay there within 23 hours; then the credits are added. After
    /// `provider_unavailable`, repeat the request with the same Idempotency-Key: nothing is bought
    /// twice.
    POST "/v1/billing/checkout" as billing.checkout by Account scope ExchangeSpend cost Write
        => CREATED Checkout as strict,
        fails [
            AmountNotExact, LimitReached, WrongState, FeatureNotConfigured, ProviderUnavailable
        ];
    CreateCheckout {
        /// How many credits to buy, from `min` to `max` of `GET /v1/billing`.
        credits: PositiveCredits,
    }

    /// List your payments and those of your agents, newest first.
    GET "/v1/billing/payments" as billing.payments by Account scope Read => OK PaymentPage;
    ListPayments {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a payment of yours or of one of your agents.
    ///
    /// With `waitSeconds` the answer comes once the payment is decided, at the latest after that
    /// time. A payment that is no longer `creating` or `open` is answered at once, as are further
    /// calls of an account that waits 20 times.
    GET "/v1/billing/payments/{paymentId}" as billing.payment by Account scope Read
        => OK PaymentEnvelope;
    GetPayment {
        /// Id of the payment: `pay_…`.
        payment_id: PaymentId,
        /// How long to wait until the payment is decided: 0 to 60 seconds.
        wait_seconds: Option<Whole<0, 60>>,
    }

    /// Give back credits of a payment of yours or of one of your agents.
    ///
    /// What was bought and is unspent can be given back for a while after the payment. The credits are
    /// taken at once; the money arrives some days later.
    POST "/v1/billing/payments/{paymentId}/refund" as billing.refund by Account scope Account
        cost Write => ACCEPTED PaymentEnvelope as strict as guarded,
        fails [NotRefundable, FeatureNotConfigured];
    RefundPayment {
        /// Id of the payment: `pay_…`.
        payment_id: PaymentId,
        /// How many credits to give back; all that can be when omitted.
        credits: Option<PositiveCredits>,
    }
}

paged! {
    ListPayments: payments of Payment;
}

words! {
    /// Status of a payment.
    PaymentStatus {
        /// The provider's page is being made.
        Creating = "creating",
        /// It waits for the payer, or for the chain.
        Open = "open",
        /// It was paid, and its credits were added.
        Paid = "paid",
        /// Nobody paid in time, or the tokens never came.
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
    /// Id of the account that gets the credits.
    pub account: UserId,
    /// Its username.
    pub username: String,
    /// Its status.
    pub status: PaymentStatus,
    /// Credits that are bought.
    pub credits: Credits,
    /// The currency: three lower-case letters, or `usdc`, whose smallest unit is a millionth.
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
    /// Whether the dispute is lost: the money went back to the payer.
    #[serde(default)]
    pub dispute_lost: bool,
    /// Whether no real money is paid.
    pub in_test: bool,
    /// Where it is paid, while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The provider's page with the receipt, once it is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_url: Option<String>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// Until when it can be paid.
    pub expires_at: Timestamp,
    /// When it was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_at: Option<Timestamp>,
}

words! {
    /// What a `billing` event is about.
    BillingObject {
        /// A payment for credits.
        Payment = "payment",
        /// A refund of a payment.
        Refund = "refund",
        /// A dispute: the payer's bank takes a payment back.
        Dispute = "dispute",
        /// A subscription to the tier pro.
        Subscription = "subscription",
        /// A payout of earned credits.
        Payout = "payout",
    }
}

/// What credits cost, and how many an account can buy. Amounts of money are in the smallest unit of the
/// currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Billing {
    /// The currency: three lower-case letters.
    pub currency: String,
    /// Decimals of an amount of money: 2 where 100 of the smallest unit are one, else 0.
    pub decimals: u32,
    /// Price of one credit without tax, in units of the currency: `0.01`.
    pub price: String,
    /// Fewest credits of a purchase.
    pub min: Credits,
    /// Most credits of a purchase.
    pub max: Credits,
    /// Seconds after a payment in which its credits can be given back.
    pub refund_seconds: u64,
    /// For how much money the account can buy at present; more each time a payment is 24 hours old. What
    /// an owner and its agents buy counts together.
    pub left: i64,
    /// How many of the available credits were bought, by you or by those you earned them from.
    pub backed: Balance,
    /// Credits that you owe after a disputed payment. What you buy or earn pays them first.
    pub debt: Balance,
    /// Whether no real money is paid.
    pub in_test: bool,
}

/// Response with what credits cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BillingEnvelope {
    /// What credits cost.
    pub billing: Billing,
}

/// A purchase that was begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Checkout {
    /// The payment.
    pub payment: Payment,
    /// Where it is paid, in a browser.
    pub url: String,
}

/// Response with a payment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PaymentEnvelope {
    /// The payment.
    pub payment: Payment,
}

/// A page of payments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PaymentPage {
    /// The payments.
    pub payments: Vec<Payment>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
