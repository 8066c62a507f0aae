//! A thin client of Stripe: the calls and the fields that billing uses, of one version of its API.
//!
//! Nothing is retried here. A caller that repeats a call gives the same idempotency key, so that the
//! effect happens once, and [`CallError::is_unknown`] says when a call may have had one. Requests go
//! through [`outbound`](crate::outbound), under limits of their own.
//!
//! | module | what it holds |
//! |---|---|
//! | `call` | one request, its answer and its errors |
//! | `credentials` | the API key and the secrets of webhooks |
//! | `form` | parameters as Stripe encodes them |
//! | `objects` | the objects, with the fields that are used |
//! | `checkout`, `payments`, `subscriptions`, `connect`, `lists` | the calls |
//! | `signature` | whether Stripe sent a webhook |

mod call;
mod checkout;
mod connect;
mod credentials;
mod form;
mod lists;
mod objects;
mod payments;
mod signature;
mod subscriptions;

pub use self::call::{CallError, Refused, Stripe};
pub use self::checkout::NewCheckout;
pub use self::connect::{Account, AccountLink, NewTransfer, Reversal, Transfer};
pub use self::credentials::{ApiKey, Mode, WebhookSecret};
pub use self::lists::After;
pub use self::objects::{
    BalanceTransaction, Charge, CheckoutSession, Dispute, Event, EventData, EventObject,
    Expandable, Metadata, Page, PaymentIntent, Refund, TotalDetails,
};
pub use self::objects::{
    Invoice, InvoiceParent, InvoicePayment, InvoiceTax, PaidBy, PortalSession, Subscription,
    SubscriptionDetails, SubscriptionItem,
};
pub use self::payments::NewRefund;
pub use self::signature::{SignatureError, TOLERANCE_SECONDS, verify};
pub use self::subscriptions::{NewSubscription, SubscriptionUpdate};

/// The version of the API that this client is written for.
pub const VERSION: &str = "2026-10-28.endive";
