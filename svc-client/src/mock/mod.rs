//! A typed mock server for tests of programs that use this client.
//!
//! - [`Mock`]: the server, and a [`client`](Mock::client) of it
//! - [`On`]: how to treat requests of an endpoint: answer, refuse, drop
//! - [`Rule`]: number of uses, delay, and the requests received
//!
//! Requests are decoded and answers encoded by the endpoint's types, so a mock can't drift from the
//! interface. Time advances by hand: pauses of the client end at once and are
//! [recorded](Mock::pauses), and a [delay](Rule::delays) advances the clock.
//!
//! ```
//! use svc_client::mock::Mock;
//! use svc_client::types::Code;
//! use svc_client::types::api::messages::GetUnreadCount;
//! use svc_client::types::api::messages::{Unread, UnreadEnvelope};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> svc_client::Result<()> {
//! let server = Mock::start().await;
//! server.on::<GetUnreadCount>().fails(Code::RateLimited).retry_after(2).times(1);
//! let counts = server.on::<GetUnreadCount>().answers(|_| UnreadEnvelope {
//!     unread: Unread { conversations: 1, messages: 7, requests: 0, service_requests: 0 },
//! });
//!
//! let svc = server.client();
//! assert_eq!(svc.messages().unread_count().await?.unread.messages, 7);
//! assert_eq!(counts.received().len(), 1);
//! assert_eq!(server.pauses(), [std::time::Duration::from_secs(2)]);
//! # Ok(()) }
//! ```

mod clock;
mod rule;
mod server;
mod state;

pub use rule::{On, Received, Rule};
pub use server::Mock;
