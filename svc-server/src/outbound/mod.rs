//! Requests to user-supplied addresses: the only module that knows an HTTP client.
//!
//! A request must not reach an internal address. Literal addresses are checked by [`url::judge`],
//! names by the resolver, which drops non-public addresses right before the connection. Redirects
//! are not followed, proxies of the environment are ignored, and no request is retried.
//!
//! | module | what it holds |
//! |---|---|
//! | [`address`] | public addresses |
//! | [`url`] | permitted URLs |
//! | [`resolve`] | resolves names to permitted addresses |
//! | `client` | one request and its response |
//! | `class` | classes of failed calls |
//! | [`embedder`] | the program on loopback that `search.embedder` names |
//! | `collector` | the client for the collector of traces, whose address the operator chose |
//! | `span` | the span of a call |
//! | `objects` | requests to the store of files that the operator names, which are repeated |

pub mod address;
mod class;
mod client;
mod collector;
pub mod embedder;
pub(crate) mod objects;
pub mod resolve;
mod span;
pub mod url;

pub use self::client::{Answer, Limits, Outbound, longest};
pub(crate) use self::collector::collector_client;
pub(crate) use self::span::CallSpan;
pub use self::url::{Rules, judge};
