//! Texts and numbers of requests, each with its bounds.
//!
//! | module | contents |
//! |---|---|
//! | `bounded` | [`Text`] of bounded length |
//! | `list` | [`CommaList`], several values in one query parameter |
//! | `whole` | [`Whole`] numbers of a range |
//! | `words` | enums with values on the wire |
//! | `forms` | [`WebUrl`], [`Email`], [`Checksum`], [`ChannelName`]: texts of a specific form |
//! | `rating` | [`Rating`]s in half steps |
//! | `share` | [`Share`]s of a whole |
//! | `clearable` | [`Clearable`], a value that an empty text removes |

mod bounded;
mod clearable;
mod forms;
mod list;
mod rating;
mod share;
mod whole;
mod words;

pub use bounded::Text;
pub use clearable::Clearable;
pub use forms::{ChannelName, Checksum, Email, WebUrl};
pub use list::{COMMA_LIST_MAX, CommaList};
pub use rating::Rating;
pub use share::Share;
pub use whole::Whole;
pub(crate) use words::{Word, words};
