//! The mock server.

use std::io;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svc_types::{Code, Endpoint, Timestamp};
use wiremock::matchers::any;
use wiremock::{Match, MockServer, Request, Respond, ResponseTemplate};

use super::clock::HandClock;
use super::rule::On;
use super::state::{Incoming, Reply, RuleState};
use crate::builder::ClientBuilder;
use crate::client::Client;
use crate::clock::Clock;

/// A server that answers by rules; see the [module](crate::mock).
pub struct Mock {
    server: MockServer,
    rules: Rules,
    clock: HandClock,
}

/// The rules in order of declaration; the first one that matches and is not used up applies.
#[derive(Clone, Default)]
pub(super) struct Rules(Arc<Mutex<Vec<Arc<RuleState>>>>);

impl Mock {
    /// Starts a server without rules, which answers 404 to everything.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let server = svc_client::mock::Mock::start().await;
    /// # }
    /// ```
    pub async fn start() -> Self {
        let server = MockServer::start().await;
        let rules = Rules::default();
        let clock = HandClock::default();
        // wiremock decides between answering and dropping before it requests the answer.
        let drops = wiremock::Mock::given(Drops(rules.clone()));
        drops
            .respond_with_err(|_: &Request| io::Error::other("dropped by a rule"))
            .mount(&server)
            .await;
        let answers = wiremock::Mock::given(any());
        let by_rule = Answers(rules.clone(), clock.clone());
        answers.respond_with(by_rule).mount(&server).await;
        Self { server, rules, clock }
    }

    /// Declares how to treat requests of an endpoint.
    ///
    /// ```
    /// use svc_client::types::{Code, api::posts::GetPost};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// server.on::<GetPost>().fails(Code::NotFound);
    /// # }
    /// ```
    pub fn on<E: Endpoint>(&self) -> On<E> {
        On(self.rules.clone(), PhantomData)
    }

    /// A client with an API key and a developer key, on the clock of this server.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// let svc = server.client();
    /// # }
    /// ```
    pub fn client(&self) -> Client {
        let builder = self.builder().api_key("svc_ak_mock");
        let built = builder.developer_key("svc_dk_mock").build();
        built.expect("a loopback address and ASCII keys are valid settings")
    }

    /// A builder without keys, on the clock of this server.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> svc_client::Result<()> {
    /// # let server = svc_client::mock::Mock::start().await;
    /// let anonymous = server.builder().retries(0).build()?;
    /// # Ok(()) }
    /// ```
    pub fn builder(&self) -> ClientBuilder {
        self.builder_at(self.url())
    }

    /// A builder for another address, such as a proxy in front of this server, on the same clock.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> svc_client::Result<()> {
    /// # let server = svc_client::mock::Mock::start().await;
    /// let unreachable = server.builder_at("http://127.0.0.1:9/api").build()?;
    /// # Ok(()) }
    /// ```
    pub fn builder_at(&self, url: impl Into<String>) -> ClientBuilder {
        ClientBuilder::new(url.into()).clock(Arc::new(self.clock.clone()))
    }

    /// The base URL, which ends in `/api`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// assert!(server.url().ends_with("/api"));
    /// # }
    /// ```
    pub fn url(&self) -> String {
        format!("{}/api", self.server.uri())
    }

    /// The current time of the clock shared by server and clients.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// assert_eq!(server.now().to_string(), "2026-01-31T09:30:00.000Z");
    /// # }
    /// ```
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Advances the clock.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// server.advance(std::time::Duration::from_secs(1));
    /// assert_eq!(server.now().to_string(), "2026-01-31T09:30:01.000Z");
    /// # }
    /// ```
    pub fn advance(&self, duration: Duration) {
        self.clock.advance(duration);
    }

    /// The pauses of clients between attempts; each advanced the clock.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = svc_client::mock::Mock::start().await;
    /// assert!(server.pauses().is_empty());
    /// # }
    /// ```
    pub fn pauses(&self) -> Vec<Duration> {
        self.clock.pauses()
    }
}

impl std::fmt::Debug for Mock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mock").field("url", &self.url()).finish_non_exhaustive()
    }
}

impl Rules {
    pub(super) fn add(&self, rule: Arc<RuleState>) {
        let mut rules = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rules.push(rule);
    }

    /// The rule that applies to a request, and the request as received.
    fn find(&self, request: &Request) -> Option<(Arc<RuleState>, Incoming)> {
        let rules = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = rules.iter().filter(|rule| rule.is_open());
        open.find_map(|rule| Some((rule.clone(), rule.fits(request)?)))
    }
}

/// Matches requests whose connection a rule drops.
struct Drops(Rules);

impl Match for Drops {
    fn matches(&self, request: &Request) -> bool {
        match self.0.find(request) {
            Some((rule, incoming)) if rule.drops() => {
                rule.receive(incoming);
                true
            }
            _ => false,
        }
    }
}

/// Answers all other requests.
struct Answers(Rules, HandClock);

impl Respond for Answers {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let Some((rule, incoming)) = self.0.find(request) else {
            let path = request.url.path();
            let message = format!("no rule for {} {path}; declare one with on", request.method);
            return Reply::refusal(Code::NotFound, message, None).template();
        };
        let reply = rule.reply(&incoming);
        rule.receive(incoming);
        // Last, because a client that times out continues at once.
        self.1.advance(rule.delay());
        reply.template()
    }
}
