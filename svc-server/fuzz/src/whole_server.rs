//! What only a whole server decodes: requests over HTTP to one that runs in this process.
//!
//! An input is a request: method and path, headers in lines, an empty line, and the body. Words with `$`
//! stand for what only the server makes, such as a key. Whatever is sent, no handler fails or panics, every
//! answer has an end and a bound, and every refusal has the form of its protocol.
//!
//! | module | what it holds |
//! |---|---|
//! | `server` | the server, its accounts, and how it is called |
//! | `request`, `answer` | inputs as requests; what holds for all answers |
//! | `rpc` | answers of JSON-RPC |
//! | `device` | a device with a passkey |
//! | `a2a`, `cursors`, `mcp`, `oauth`, `passkeys`, `stripe`, `uploads` | the targets |

pub(crate) mod a2a;
mod answer;
pub(crate) mod cursors;
mod device;
pub(crate) mod mcp;
pub(crate) mod oauth;
pub(crate) mod passkeys;
mod pixels;
mod request;
mod rpc;
mod server;
pub(crate) mod stripe;
pub(crate) mod uploads;

pub(crate) use server::prepare;
pub use server::{ServerUse, successes};
