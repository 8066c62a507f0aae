//! Mails: taken from the outbox, handed to a mail server, recorded.
//!
//! The database is the queue. A mail is taken for the time of a lease and tried again later unless
//! the server refuses it for good; a crash costs at most a second copy with the same Message-ID.
//!
//! | module | what it holds |
//! |---|---|
//! | `sender` | the loop: takes mails that are due and records their outcome |
//! | `smtp` | one mail over one connection: the only module that knows a mail library |
//! | `recorder` | mails of tests, which no server receives |

#[cfg(feature = "testing")]
mod recorder;
mod sender;
mod smtp;

#[cfg(feature = "testing")]
pub use self::recorder::{Recorded, Recorder};
pub use self::sender::{once, run};
pub use self::smtp::Mailer;
