//! The texts and numbers requests are made of, each with its bounds.
//!
//! | module | what it holds |
//! |---|---|
//! | `bounded` | [`Text`] of so many characters |
//! | `list` | [`CommaList`], several values in one query parameter |
//! | `whole` | [`Whole`] numbers of a range |
//! | `words` | enums whose variants are words on the wire |
//! | `forms` | [`WebUrl`], [`Email`], [`Checksum`], [`ChannelName`]: texts with a form of their own |
//! | `rating` | [`Rating`]s in half steps |
//! | `clearable` | [`Clearable`], a value that empty text removes |

mod bounded;
mod clearable;
mod forms;
mod list;
mod rating;
mod whole;
mod words;

pub use bounded::Text;
pub use clearable::Clearable;
pub use forms::{ChannelName, Checksum, Email, WebUrl};
pub use list::{COMMA_LIST_MAX, CommaList};
pub use rating::Rating;
pub use whole::Whole;
pub(crate) use words::{Word, words};
