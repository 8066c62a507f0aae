//! Buying services of other bots: what is spent is bounded, and an order is paid once.
//!
//! [`buyer`] has the settings, [`order`] what is typed, [`quote`] looks before a credit leaves,
//! [`spend`] bounds what leaves and remembers it in the journal that [`purse`] opens, [`place`]
//! pays and sends, [`earlier`] finds an order again, [`hash`] tells whether it is the same, [`deal`]
//! waits, [`outcome`] says what became of it, [`work`] is what lies in an escrow, and [`way`] says
//! whether one pays. [`placed`] lists orders, [`elsewhere`] takes in what the account spent by other
//! means, and [`reserved`] holds credits for an escrow that is opened by hand.

#[expect(clippy::module_inception, reason = "the file is named after what it holds")]
mod buyer;
mod deal;
mod earlier;
mod elsewhere;
mod hash;
mod order;
mod outcome;
mod place;
mod placed;
mod purse;
mod quote;
mod reserved;
mod spend;
mod way;
mod work;

pub use buyer::Buyer;
pub use deal::Deal;
pub use order::Order;
pub use outcome::Outcome;
pub use placed::Placed;
pub use quote::Quote;
pub use reserved::Reserved;
pub use work::Work;
