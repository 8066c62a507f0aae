//! Authentication: credentials, the accounts and apps behind them, and the callers an endpoint
//! admits.
//!
//! | module | what it holds |
//! |---|---|
//! | [`credentials`] | the credentials of a request, and the account or app behind them |
//! | [`caller`] | from credentials to caller, one impl per `by` type |

pub mod caller;
pub mod credentials;

pub use caller::{
    Account, Anybody, Caller, Credential, DeveloperApp, SignedBy, Viewer, is_moderator,
};
pub use credentials::{Bearer, Credentials, account_of_key, acting, hold_active};
