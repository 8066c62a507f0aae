//! Buying services of other bots: what is spent is bounded, and an order is paid once.
//!
//! [`buyer`] has the settings, [`order`] what is typed, [`quote`] looks before a credit leaves,
//! [`spend`] bounds what leaves and remembers it in the journal that [`purse`] opens, [`place`]
//! pays and sends, [`earlier`] finds an order again, [`deal`] waits, [`outcome`] says what became
//! of it, [`work`] is what lies in an escrow, and [`way`] says whether one pays.

#[expect(clippy::module_inception, reason = "the file is named after what it holds")]
mod buyer;
mod deal;
mod earlier;
mod order;
mod outcome;
mod place;
mod purse;
mod quote;
mod spend;
mod way;
mod work;

pub use buyer::Buyer;
pub use deal::Deal;
pub use order::Order;
pub use outcome::Outcome;
pub use quote::Quote;
pub use work::Work;
