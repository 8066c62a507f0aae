//! Billing at the edge: what calls the provider of payments, and brings what it found to
//! `svc_core::services::billing`.
//!
//! Everything that should be looked at is a row of a queue: webhooks, pages that buyers come back from,
//! lost events and the operator only add to it. The worker leases a row, makes or gets its object, and
//! applies it in the transaction that ends the lease. No call is made inside a transaction, and each
//! that has an effect carries our id as its idempotency key.
//!
//! | module | what it holds |
//! |---|---|
//! | `open` | keys, secrets and the mode, checked at the start |
//! | `worker` | the loop that empties the queue |
//! | `make` | pages and refunds that are to be made |
//! | `payout` | accounts and transfers of payouts: made, and applied |
//! | `objects` | objects that are to be applied |
//! | `facts` | Stripe's objects in the words of the platform |
//! | `subscriptions` | pages and changes of subscriptions |
//! | `bills` | what was paid for subscriptions, went back or is disputed |
//! | `events` | events that no webhook brought |
//! | `reconcile` | compares Stripe's books with ours |

mod bills;
mod events;
mod facts;
mod make;
mod objects;
mod open;
mod payout;
mod reconcile;
mod subscriptions;
mod worker;

use std::time::Duration;

use svc_store::error::Error;
use svc_store::trace;
use svc_types::api::webhooks::DeliveryErrorClass;
use thiserror::Error;
use tokio::sync::Mutex;
use tokio::task::JoinError;
use tokio::time::{Instant, timeout_at};

pub(crate) use self::events::raise;
pub use self::open::open;
pub(crate) use self::payout::onboarding;
pub use self::reconcile::{Difference, Report, reconcile};
pub use self::worker::{once, run, work_on};
use crate::app::ServerApp;
use crate::stripe::{CallError, Metadata, Mode, Stripe, WebhookSecret};

/// The member of an object's metadata with our id, and the one with the name of this server.
const OURS: &str = "svc";
const SERVER: &str = "server";

/// The connection to the provider.
#[derive(Debug)]
pub struct Billing {
    stripe: Stripe,
    /// The secrets of its webhooks.
    pub(crate) secrets: Vec<WebhookSecret>,
    /// The name of this server in the metadata of objects.
    server: String,
    /// Held during a round of the worker, so that tests can wait for one.
    working: Mutex<()>,
}

impl Billing {
    /// Whether its key moves real money.
    pub const fn mode(&self) -> Mode {
        self.stripe.mode()
    }

    /// Our id of an object, unless it belongs to another server of the same Stripe account.
    fn ours<'a>(&self, metadata: Option<&'a Metadata>) -> Option<&'a str> {
        let metadata = metadata?;
        let is_ours = metadata.get(SERVER).is_some_and(|server| *server == self.server);
        metadata.get(OURS).filter(|_| is_ours).map(String::as_str)
    }
}

/// How long a request waits for the work that it queued for a payment provider: less than the request may take
/// in all, so that its answer can report the outcome.
pub(crate) fn wait_max(app: &ServerApp) -> Duration {
    app.config.limits.request_timeout * 4 / 5
}

/// The result of work that goes on when the request that waits for it has ended; none if it is not done by then.
pub(crate) async fn outlive<T: Send + 'static>(
    until: Instant,
    work: impl Future<Output = T> + Send + 'static,
) -> Option<Result<T, JoinError>> {
    let working = tokio::spawn(trace::within(trace::current(), work));
    timeout_at(until, working).await.ok()
}

/// The answer to a call without effect, if it comes while a request waits for it.
async fn in_time<T>(
    until: Instant,
    call: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    let answered = timeout_at(until, call).await;
    answered.unwrap_or(Err(CallError::Unreachable(DeliveryErrorClass::Timeout)))
}

/// Why an object could not be worked on.
#[derive(Debug, Error)]
enum Problem {
    /// Stripe's answer is missing or a refusal.
    #[error("{0}")]
    Call(#[from] CallError),
    /// It can't be applied.
    #[error("{0}")]
    Apply(#[from] Error),
    /// An object is not what the API promises.
    #[error("an object of Stripe has an unknown state: {0}")]
    Unknown(String),
}

impl Problem {
    /// Whether Stripe has no such object, so that there is nothing to apply.
    fn is_missing(&self) -> bool {
        matches!(self, Self::Call(error) if error.is_missing())
    }
}
