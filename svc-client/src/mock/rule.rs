//! Rules of a mock server for the requests of one endpoint.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use svc_types::{Code, Endpoint};

use super::server::Rules;
use super::state::{Act, Reply, RuleState};

/// Builds a rule for an endpoint; from [`Mock::on`](super::Mock::on).
pub struct On<E>(pub(super) Rules, pub(super) PhantomData<E>);

impl<E: Endpoint> On<E> {
    /// Answers with the result of `answer`.
    ///
    /// A request that the platform could not decode is refused with 400 and not passed to `answer`.
    ///
    /// ```
    /// use svc_client::types::api::{Deleted, posts::DeletePost};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// server.on::<DeletePost>().answers(|_| Deleted { deleted: true });
    /// # }
    /// ```
    pub fn answers(self, answer: impl Fn(E) -> E::Response + Send + Sync + 'static) -> Rule<E> {
        self.rule(Act::Reply(Box::new(move |incoming| match incoming.decode::<E>() {
            Ok(request) => Reply::json(E::STATUS, &answer(request)),
            Err(rejected) => Reply::refusal(rejected.code, rejected.message, rejected.field),
        })))
    }

    /// Refuses with the status and body of a code.
    ///
    /// ```
    /// use svc_client::types::{Code, api::messages::SendMessage};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// server.on::<SendMessage>().fails(Code::Blocked);
    /// # }
    /// ```
    pub fn fails(self, code: Code) -> Rule<E> {
        self.rule(Act::Reply(Box::new(move |_| {
            Reply::refusal(code.clone(), code.meaning().to_owned(), None)
        })))
    }

    /// Answers with any status and bytes, as a proxy might.
    ///
    /// ```
    /// use svc_client::{http::StatusCode, types::api::users::GetMe};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// server.on::<GetMe>().sends(StatusCode::BAD_GATEWAY, "<h1>bad gateway</h1>");
    /// # }
    /// ```
    pub fn sends(self, status: StatusCode, body: impl Into<Vec<u8>>) -> Rule<E> {
        let reply = Reply::new(status, body.into());
        self.rule(Act::Reply(Box::new(move |_| reply.clone())))
    }

    /// Receives the request and closes the connection without an answer.
    ///
    /// ```
    /// use svc_client::types::api::messages::SendMessage;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// server.on::<SendMessage>().drops().times(1);
    /// # }
    /// ```
    pub fn drops(self) -> Rule<E> {
        self.rule(Act::Drop)
    }

    fn rule(self, act: Act) -> Rule<E> {
        let state = Arc::new(RuleState::new(E::METHOD, E::PATH, act));
        self.0.add(state.clone());
        Rule(state, PhantomData)
    }
}

/// How requests of an endpoint are treated, and those received; applies as soon as it is created.
///
/// Several rules for one endpoint apply in order of declaration.
pub struct Rule<E>(Arc<RuleState>, PhantomData<E>);

impl<E: Endpoint> fmt::Debug for On<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("On").field(&E::NAME).finish()
    }
}

impl<E: Endpoint> fmt::Debug for Rule<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&E::NAME).finish()
    }
}

/// A request that a rule has received.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Received<E> {
    /// The request.
    pub request: E,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body as received.
    pub body: Vec<u8>,
}

#[expect(
    clippy::return_self_not_must_use,
    reason = "a rule applies as soon as it is created; the value only refines or inspects it"
)]
impl<E: Endpoint> Rule<E> {
    /// Applies to this many requests; then the next rule applies.
    ///
    /// ```
    /// use svc_client::types::{Code, api::messages::SendMessage};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// server.on::<SendMessage>().fails(Code::Internal).times(2);
    /// # }
    /// ```
    pub fn times(self, times: usize) -> Self {
        self.0.turns().times = Some(times);
        self
    }

    /// Adds Retry-After in whole seconds.
    ///
    /// ```
    /// use svc_client::types::{Code, api::messages::SendMessage};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// server.on::<SendMessage>().fails(Code::RateLimited).retry_after(2);
    /// # }
    /// ```
    pub fn retry_after(self, seconds: u64) -> Self {
        self.header(http::header::RETRY_AFTER, seconds.into())
    }

    /// Adds a header.
    ///
    /// ```
    /// use svc_client::http::{HeaderName, HeaderValue};
    /// use svc_client::types::{Code, api::users::GetMe};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// let id = HeaderName::from_static("x-request-id");
    /// server.on::<GetMe>().fails(Code::Internal).header(id, HeaderValue::from_static("r-7"));
    /// # }
    /// ```
    pub fn header(self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.turns().headers.insert(name, value);
        self
    }

    /// Delays the answer: advances the clock before answering, without sleeping.
    ///
    /// ```
    /// use std::time::Duration;
    /// use svc_client::types::{Code, api::users::GetMe};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// server.on::<GetMe>().fails(Code::Internal).delays(Duration::from_secs(40));
    /// # }
    /// ```
    pub fn delays(self, delay: Duration) -> Self {
        self.0.turns().delay = delay;
        self
    }

    /// The requests that this rule has received and decoded, oldest first.
    ///
    /// ```
    /// use svc_client::types::api::messages::SendMessage;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// let sent = server.on::<SendMessage>().drops();
    /// assert!(sent.received().is_empty());
    /// # }
    /// ```
    pub fn received(&self) -> Vec<Received<E>> {
        let turns = self.0.turns();
        let understood = turns.received.iter().filter_map(|incoming| {
            Some(Received {
                request: incoming.decode().ok()?,
                headers: incoming.headers.clone(),
                body: incoming.body.clone(),
            })
        });
        understood.collect()
    }
}
