//! Who calls: credentials, accounts and apps, and which callers an endpoint admits.
//!
//! | module | what it holds |
//! |---|---|
//! | [`credentials`] | what a request brings, and the account or app behind it |
//! | [`caller`] | from credentials to caller, one impl per `by` type |

pub mod caller;
pub mod credentials;

pub use caller::{Account, Anybody, Caller, Credential, DeveloperApp, SignedBy, Viewer};
pub use credentials::{Bearer, Credentials, account_of_key, acting};
