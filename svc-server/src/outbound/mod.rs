//! Requests of the server to addresses that users name: the one place that knows an HTTP client.
//!
//! Nobody may lead them inside. An address is judged where it is connected to: literals by
//! [`url::judge`], because no resolver is asked for them, names by the resolver, which drops what
//! is not public. Redirects are not followed, no proxy of the environment is used, and nothing is
//! sent twice.
//!
//! | module | what it holds |
//! |---|---|
//! | [`address`] | which addresses are public |
//! | [`url`] | which URLs may be called |
//! | [`resolve`] | names, turned into addresses that may be called |
//! | `client` | one request and its answer |
//! | `class` | what went wrong, for logs and retries |

pub mod address;
mod class;
mod client;
pub mod resolve;
pub mod url;

pub use self::client::{Answer, Limits, Outbound, longest};
pub use self::url::Rules;
