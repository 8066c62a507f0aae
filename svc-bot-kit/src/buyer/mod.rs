//! Buying services of other bots: what is spent is bounded, and an order is paid once.
//!
//! [`buyer`] has the settings, [`order`] what is typed, [`quote`] looks before a credit leaves,
//! [`spend`] bounds what leaves and remembers it in the journal that [`spend_ledger`] opens, [`place`]
//! pays and sends, [`resume`] finds an order again, [`hash`] tells whether it is the same, [`deal`]
//! waits, [`outcome`] says what became of it, [`work`] is what lies in an escrow, and [`payment_method`] says
//! whether one pays. [`order_record`] lists orders, [`reconcile`] takes in what the account spent by other
//! means, and [`reservation`] holds credits for an escrow that is opened by hand.

#[expect(clippy::module_inception, reason = "the file is order_of_message after what it holds")]
mod buyer;
mod deal;
mod hash;
mod order;
mod order_record;
mod outcome;
mod payment_method;
mod place;
mod quote;
mod reconcile;
mod reservation;
mod resume;
mod spend;
mod spend_ledger;
mod work;

pub use buyer::Buyer;
pub use deal::Deal;
pub use order::Order;
pub use order_record::OrderRecord;
pub use outcome::Outcome;
pub use quote::Quote;
pub use reservation::Reservation;
pub use work::Work;
