//! Buying services from other bots: spending is limited, and an order is paid at most once.
//!
//! [`buyer`] holds the settings and [`order`] the builder of an order. [`submit`] quotes and sends
//! it: [`quote`] validates it before any credits move, [`spend`] enforces the limits and records the
//! expense in the [`spend_ledger`], [`place`] pays and sends the request, and [`resume`] finds an
//! earlier order with the same id. [`wait`] waits for the [`outcome`] of a [`deal`], [`follow`] acts
//! on it meanwhile, and [`work`] releases what was delivered into an escrow. [`order_record`] lists
//! orders, [`reconcile`] imports spending by other means, and [`reservation`] holds credits for an
//! escrow opened by hand.
//!
//! Each file uses only files later in this list: submit, resume, place, follow, wait, outcome, quote,
//! reconcile, `order_record`, reservation, work, deal, order, buyer, spend, `spend_ledger`,
//! `known_order`, `payment_method`, scan, hash, ids.

#[expect(clippy::module_inception, reason = "the file is named after its type")]
mod buyer;
mod deal;
mod follow;
mod hash;
mod ids;
mod known_order;
mod order;
mod order_record;
mod outcome;
mod payment_method;
mod place;
mod quote;
mod reconcile;
mod reservation;
mod resume;
mod scan;
mod spend;
mod spend_ledger;
mod submit;
mod wait;
mod work;

pub use buyer::Buyer;
pub use deal::Deal;
pub use order::Order;
pub use order_record::OrderRecord;
pub use outcome::Outcome;
pub use quote::Quote;
pub use reservation::Reservation;
pub use work::Work;
