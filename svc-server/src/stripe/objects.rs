//! Stripe's objects, with the fields that are used. Amounts are in the smallest unit of the currency.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use svc_types::Timestamp;

/// What we attach to objects, so that they name our own.
pub type Metadata = BTreeMap<String, String>;

/// A page of a list.
#[derive(Clone, Debug, Deserialize)]
pub struct Page<T> {
    /// The objects, the newest first.
    pub data: Vec<T>,
    /// Whether more follow.
    pub has_more: bool,
}

/// An object that stands in another one, as its id unless the call expands it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Expandable<T> {
    /// Its id.
    Id(String),
    /// The object.
    Object(Box<T>),
}

impl<T> Expandable<T> {
    /// The object, if the call expanded it.
    pub fn object(&self) -> Option<&T> {
        match self {
            Self::Id(_) => None,
            Self::Object(object) => Some(object),
        }
    }
}

macro_rules! expandable {
    ($($object:ident),+) => {
        $(impl Expandable<$object> {
            /// The id of the object.
            pub fn id(&self) -> &str {
                match self {
                    Self::Id(id) => id,
                    Self::Object(object) => &object.id,
                }
            }
        })+
    };
}

expandable!(PaymentIntent, Charge, BalanceTransaction);

/// A page of Stripe on which a person pays once.
#[derive(Clone, Debug, Deserialize)]
pub struct CheckoutSession {
    /// The id (`cs_…`).
    pub id: String,
    /// `open`, `complete` or `expired`.
    pub status: Option<String>,
    /// `unpaid`, `paid` or `no_payment_required`. Only `paid` means money.
    pub payment_status: String,
    /// `payment` or `subscription`.
    pub mode: String,
    /// The page, while it is open.
    pub url: Option<String>,
    /// The currency, in lower case.
    pub currency: Option<String>,
    /// The price before taxes.
    pub amount_subtotal: Option<i64>,
    /// What is paid.
    pub amount_total: Option<i64>,
    /// The parts of the total.
    pub total_details: Option<TotalDetails>,
    /// Whether it is about real money.
    pub livemode: bool,
    /// What we attached.
    #[serde(default)]
    pub metadata: Option<Metadata>,
    /// Our id.
    pub client_reference_id: Option<String>,
    /// The payment, once there is one.
    pub payment_intent: Option<Expandable<PaymentIntent>>,
    /// The id of the receipt.
    pub invoice: Option<String>,
    /// The id of the subscription, once it was paid.
    pub subscription: Option<String>,
    /// Who paid.
    pub customer: Option<String>,
    /// When it was created.
    #[serde(deserialize_with = "seconds")]
    pub created: Timestamp,
    /// When it ends unless it is paid.
    #[serde(deserialize_with = "seconds")]
    pub expires_at: Timestamp,
}

/// The parts of a total.
#[derive(Clone, Debug, Deserialize)]
pub struct TotalDetails {
    /// Taxes.
    #[serde(default)]
    pub amount_tax: i64,
    /// Discounts, which we never give.
    #[serde(default)]
    pub amount_discount: i64,
}

/// An attempt to take an amount.
#[derive(Clone, Debug, Deserialize)]
pub struct PaymentIntent {
    /// The id (`pi_…`).
    pub id: String,
    /// The state, such as `succeeded`.
    pub status: String,
    /// The amount.
    pub amount: i64,
    /// What arrived.
    pub amount_received: i64,
    /// The currency.
    pub currency: String,
    /// The last charge.
    pub latest_charge: Option<Expandable<Charge>>,
    /// What we attached.
    #[serde(default)]
    pub metadata: Metadata,
}

/// Money taken from a card.
#[derive(Clone, Debug, Deserialize)]
pub struct Charge {
    /// The id (`ch_…`, or `py_…` for other ways to pay).
    pub id: String,
    /// The amount.
    pub amount: i64,
    /// What was given back. Refunds that fail later leave it, so refunds are counted one by one.
    pub amount_refunded: i64,
    /// The currency.
    pub currency: String,
    /// Whether the payer disputes it.
    pub disputed: bool,
    /// Whether it was paid.
    pub paid: bool,
    /// The payment.
    pub payment_intent: Option<Expandable<PaymentIntent>>,
    /// Stripe's page with the receipt.
    pub receipt_url: Option<String>,
    /// The entry in the balance, which may come later.
    pub balance_transaction: Option<Expandable<BalanceTransaction>>,
    /// Whether it is real money.
    pub livemode: bool,
    /// When it was made.
    #[serde(deserialize_with = "seconds")]
    pub created: Timestamp,
    /// What we attached to the payment.
    #[serde(default)]
    pub metadata: Metadata,
}

/// Money given back.
#[derive(Clone, Debug, Deserialize)]
pub struct Refund {
    /// The id (`re_…`).
    pub id: String,
    /// The amount.
    pub amount: i64,
    /// The currency.
    pub currency: String,
    /// `pending`, `requires_action`, `succeeded`, `failed` or `canceled`.
    pub status: Option<String>,
    /// Why it failed.
    pub failure_reason: Option<String>,
    /// The charge.
    pub charge: Option<Expandable<Charge>>,
    /// The payment.
    pub payment_intent: Option<Expandable<PaymentIntent>>,
    /// The entry in the balance, which may come later.
    pub balance_transaction: Option<Expandable<BalanceTransaction>>,
    /// The entry of money that came back.
    pub failure_balance_transaction: Option<Expandable<BalanceTransaction>>,
    /// What we attached; nothing if it was made at Stripe.
    #[serde(default)]
    pub metadata: Option<Metadata>,
    /// When it was made.
    #[serde(deserialize_with = "seconds")]
    pub created: Timestamp,
}

/// A payer's objection to a charge, by which the bank takes the money back.
#[derive(Clone, Debug, Deserialize)]
pub struct Dispute {
    /// The id (`du_…` or `dp_…`).
    pub id: String,
    /// The disputed amount.
    pub amount: i64,
    /// The currency.
    pub currency: String,
    /// The state, such as `needs_response`, `under_review`, `won` or `lost`.
    pub status: String,
    /// Why, such as `fraudulent`.
    pub reason: String,
    /// The charge.
    pub charge: Expandable<Charge>,
    /// The payment.
    pub payment_intent: Option<Expandable<PaymentIntent>>,
    /// What it moved in the balance: nothing, a withdrawal, or a withdrawal and its return.
    #[serde(default)]
    pub balance_transactions: Vec<BalanceTransaction>,
    /// Whether it is real money.
    pub livemode: bool,
    /// When it was opened.
    #[serde(deserialize_with = "seconds")]
    pub created: Timestamp,
}

/// An entry in the balance at Stripe.
#[derive(Clone, Debug, Deserialize)]
pub struct BalanceTransaction {
    /// The id (`txn_…`).
    pub id: String,
    /// What came in, or went out if it is negative.
    pub amount: i64,
    /// What Stripe keeps.
    pub fee: i64,
    /// The amount without the fee.
    pub net: i64,
    /// The currency.
    pub currency: String,
    /// Its cause, such as `charge`, `refund`, `adjustment` or `payout`.
    pub r#type: String,
    /// The id of the object that caused it.
    pub source: Option<String>,
    /// When it was made.
    #[serde(deserialize_with = "seconds")]
    pub created: Timestamp,
}

/// Months that a customer pays.
#[derive(Clone, Debug, Deserialize)]
pub struct Subscription {
    /// The id (`sub_…`).
    pub id: String,
    /// The state, such as `active`, `past_due` or `canceled`.
    pub status: String,
    /// The id of the customer.
    pub customer: String,
    /// What is paid for.
    pub items: Page<SubscriptionItem>,
    /// Whether it ends with the month.
    pub cancel_at_period_end: bool,
    /// When it is to end.
    #[serde(default, deserialize_with = "maybe_seconds")]
    pub cancel_at: Option<Timestamp>,
    /// When it ended.
    #[serde(default, deserialize_with = "maybe_seconds")]
    pub ended_at: Option<Timestamp>,
    /// Whether it is real money.
    pub livemode: bool,
    /// What we attached.
    #[serde(default)]
    pub metadata: Metadata,
}

/// What a subscription is for: seats.
#[derive(Clone, Debug, Deserialize)]
pub struct SubscriptionItem {
    /// The id (`si_…`).
    pub id: String,
    /// How many.
    pub quantity: Option<i64>,
    /// When the month began. Stripe moves it before the month is paid.
    #[serde(deserialize_with = "seconds")]
    pub current_period_start: Timestamp,
    /// When it ends.
    #[serde(deserialize_with = "seconds")]
    pub current_period_end: Timestamp,
}

/// A bill.
#[derive(Clone, Debug, Deserialize)]
pub struct Invoice {
    /// The id (`in_…`).
    pub id: String,
    /// The state, such as `open` or `paid`.
    pub status: Option<String>,
    /// The currency.
    pub currency: String,
    /// The amount with taxes.
    pub total: i64,
    /// What was paid.
    pub amount_paid: i64,
    /// Taxes.
    pub total_taxes: Option<Vec<InvoiceTax>>,
    /// What it is for.
    pub parent: Option<InvoiceParent>,
    /// Its payments.
    pub payments: Option<Page<InvoicePayment>>,
}

/// A tax in a bill.
#[derive(Clone, Debug, Deserialize)]
pub struct InvoiceTax {
    /// The amount.
    pub amount: i64,
}

/// What a bill is for.
#[derive(Clone, Debug, Deserialize)]
pub struct InvoiceParent {
    /// The subscription.
    pub subscription_details: Option<SubscriptionDetails>,
}

/// The subscription of a bill.
#[derive(Clone, Debug, Deserialize)]
pub struct SubscriptionDetails {
    /// Its id.
    pub subscription: String,
    /// What we attached to it.
    pub metadata: Option<Metadata>,
}

/// A payment of a bill.
#[derive(Clone, Debug, Deserialize)]
pub struct InvoicePayment {
    /// The state, such as `paid`.
    pub status: String,
    /// What it is.
    pub payment: PaidBy,
}

/// How a bill was paid.
#[derive(Clone, Debug, Deserialize)]
pub struct PaidBy {
    /// The id of the payment.
    pub payment_intent: Option<String>,
}

/// A page on which a customer changes the card and sees bills.
#[derive(Clone, Debug, Deserialize)]
pub struct PortalSession {
    /// Where it is.
    pub url: String,
}

/// Something that happened at Stripe. It names an object; what that is now is asked.
#[derive(Clone, Debug, Deserialize)]
pub struct Event {
    /// The id (`evt_…`).
    pub id: String,
    /// What happened, such as `charge.refunded`.
    pub r#type: String,
    /// When.
    #[serde(deserialize_with = "seconds")]
    pub created: Timestamp,
    /// Whether it is about real money.
    pub livemode: bool,
    /// What it is about.
    pub data: EventData,
}

/// What an event is about.
#[derive(Clone, Debug, Deserialize)]
pub struct EventData {
    /// The object.
    pub object: EventObject,
}

/// The name of an object. Its state in an event may be old, so nothing else is read.
#[derive(Clone, Debug, Deserialize)]
pub struct EventObject {
    /// The id; objects that are not kept have none.
    pub id: Option<String>,
    /// The type, such as `charge`.
    pub object: String,
}

/// Reads a time in seconds that may be missing.
fn maybe_seconds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Timestamp>, D::Error> {
    let seconds = Option::<i64>::deserialize(deserializer)?;
    Ok(seconds.map(|seconds| Timestamp::from_millis(seconds.saturating_mul(1_000))))
}

/// Reads a time in seconds.
pub(super) fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let seconds = i64::deserialize(deserializer)?;
    Ok(Timestamp::from_millis(seconds.saturating_mul(1_000)))
}
