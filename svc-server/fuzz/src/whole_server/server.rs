//! The server, its accounts, and how it is called.

use std::panic;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use http::header::{HOST as HOST_HEADER, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde_json::{Value, json};
use svc_server::admin::Command;
use svc_server::testing::TestServer;
use svc_store::db::Sql;
use svc_types::Timestamp;
use svc_types::api::orders::WAIT_MAX;
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::answer::Answer;
use super::device::Device;
use super::request::{Request, Words};

/// Where the server says that it is.
pub(super) const HOST: &str = "svc.example.org";

const PASSWORD: &str = "correct horse";

/// Where the client of the words returns to.
pub(super) const DONE: &str = "https://gate.example/done";

/// Requests after which a new server begins, so that none is slow or full because of all before.
const REQUESTS_MAX: usize = 3000;

/// Most bytes of an answer.
const ANSWER_MAX: usize = 1024 * 1024;

/// How long an answer may take before the clock is moved, so that what waits for an order goes on.
const WAIT: Duration = Duration::from_millis(500);

/// Moves of the clock after which there must be an answer.
const MOVES_MAX: usize = 60;

static SERVER: Mutex<Option<WholeServer>> = Mutex::new(None);

/// How many tests use it.
static USES: AtomicUsize = AtomicUsize::new(0);

/// Panics on any thread.
static PANICS: AtomicUsize = AtomicUsize::new(0);

static SUCCESSES: AtomicUsize = AtomicUsize::new(0);

/// Inputs that were granted, by which a test sees that no seed is stale.
pub fn successes() -> usize {
    SUCCESSES.load(Ordering::Relaxed)
}

/// A test's use of the server. The last one stops it, because nothing drops a static, and its files would stay.
#[derive(Debug)]
pub struct ServerUse(());

impl ServerUse {
    /// Another use; the server starts when it is needed.
    pub fn begin() -> Self {
        USES.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for ServerUse {
    fn drop(&mut self) {
        if USES.fetch_sub(1, Ordering::Relaxed) == 1 {
            let server = SERVER.lock().unwrap_or_else(PoisonError::into_inner).take();
            server.into_iter().for_each(WholeServer::stop);
        }
    }
}

/// Starts a server where there is none, or where it has answered enough.
pub(crate) fn prepare() {
    let mut server = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
    if server.as_ref().is_some_and(|server| server.requests >= REQUESTS_MAX) {
        server.take().expect("there is one").stop();
    }
    server.get_or_insert_with(WholeServer::start);
}

/// Calls the server.
pub(super) fn with_server<T>(call: impl FnOnce(&mut WholeServer) -> T) -> T {
    let mut server = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
    call(server.get_or_insert_with(WholeServer::start))
}

/// A server, and who calls it.
pub(super) struct WholeServer {
    runtime: Runtime,
    server: TestServer,
    http: Client,
    root: String,
    pub(super) words: Words,
    /// The device with the passkey of `buyer`.
    pub(super) device: Device,
    requests: usize,
}

impl WholeServer {
    fn start() -> Self {
        count_panics();
        let runtime = Runtime::new().expect("a runtime starts");
        let settings = [
            ("public_url", "https://svc.example.org"),
            ("limits.sign_in.account_failures", "1000000"),
            ("limits.sign_in.address_failures", "1000000"),
            ("limits.sign_in.everywhere_failures", "1000000"),
            ("exchange.signup_grant", "10000"),
            ("billing.stripe.key_file", "stripe.key"),
        ];
        let server = runtime.block_on(TestServer::start_with("sqlite::memory:", &settings));
        let root = server.url().trim_end_matches("/api").to_owned();
        let http = Client::builder().redirect(Policy::none()).no_proxy().build();
        let http = http.expect("a client can be built");
        let (words, device) = (Words::default(), Device::new());
        let mut started = Self { runtime, server, http, root, words, device, requests: 0 };
        started.furnish();
        started.requests = 0;
        started
    }

    /// Makes the accounts, and what inputs name.
    fn furnish(&mut self) {
        let buyer = json!({ "username": "buyer", "email": "b@example.org", "password": PASSWORD });
        let seller = json!({ "username": "seller", "isAgent": true });
        for (word, account) in [("$key", buyer), ("$seller_key", seller)] {
            let made = self.made(Request::post("/api/auth/register", &account));
            self.words.set(word, text(&made["apiKey"]));
        }
        let role = Command::GrantRole { username: "buyer".to_owned(), role: "admin".to_owned() };
        self.runtime.block_on(self.server.admin(role));
        let (buyer, seller) =
            (self.words.of("$key").to_owned(), self.words.of("$seller_key").to_owned());
        self.sign_in();
        self.publish(&buyer, &seller);
        let client = json!({ "client_name": "Gate", "redirect_uris": [DONE] });
        let client = self.made(Request::post("/oauth/register", &client));
        self.words.set("$client", text(&client["client_id"]));
        let begin = Request::post("/api/auth/passkeys/begin", &json!({}));
        let asked = self.made(begin.by(&buyer));
        let body = json!({
            "ceremonyId": asked["ceremonyId"], "name": "Laptop",
            "credential": self.device.enrols(&asked["options"]),
        });
        self.made(Request::post("/api/auth/passkeys", &body).by(&buyer));
    }

    /// Keeps the cookie of a browser in which `buyer` is signed in.
    fn sign_in(&mut self) {
        let body = json!({ "username": "buyer", "password": PASSWORD });
        let answer = self.send(Request::post("/api/auth/login", &body));
        let answer = answer.expect("there is an answer");
        let cookie = answer.header(SET_COOKIE.as_str());
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        assert!(!cookie.is_empty(), "{}", crate::text::text(&answer.body));
        self.words.set("$cookie", cookie);
    }

    /// A service, and a post with some replies.
    fn publish(&mut self, buyer: &str, seller: &str) {
        let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
        let offer = json!({
            "name": "count", "description": "Counts the words of a text.", "category": "writing",
            "priceCredits": 1, "inputSchema": schema,
        });
        let service = self.made(Request::post("/api/v1/bots/me/services", &offer).by(seller));
        self.words.set("$service", text(&service["service"]["id"]));
        let post = json!({ "content": "hello #rust" });
        let post = self.made(Request::post("/api/posts", &post).by(buyer));
        self.words.set("$post", text(&post["post"]["id"]));
        for number in 0..5 {
            let reply = json!({ "content": format!("{number} #rust"), "replyToId": self.words.of("$post") });
            self.made(Request::post("/api/posts", &reply).by(seller));
        }
    }

    /// The body of a success.
    pub(super) fn made(&mut self, request: Request) -> Value {
        let path = request.path.clone();
        let answer = self.send(request).expect("there is an answer");
        assert!(answer.status.is_success(), "{path}: {}", crate::text::text(&answer.body));
        answer.json().unwrap_or_default()
    }

    /// Sends a request and judges what holds for all answers. `None` for what HTTP does not send, and for
    /// a stream, which has no end.
    pub(super) fn send(&mut self, request: Request) -> Option<Answer> {
        self.requests += 1;
        let url = Url::parse(&format!("{}{}", self.root, request.path)).ok()?;
        let sent = self.http.request(request.method, url).headers(request.headers);
        let sent = sent.header(HOST_HEADER, HOST).body(request.body).build().ok()?;
        let panics = PANICS.load(Ordering::Relaxed);
        let answer = self.runtime.block_on(self.answered(sent));
        assert_eq!(PANICS.load(Ordering::Relaxed), panics, "the server panicked");
        let answer = answer?;
        answer.judge();
        if answer.status == http::StatusCode::TOO_MANY_REQUESTS {
            self.wear_out();
        }
        Some(answer)
    }

    /// Sends the request of an input, and counts what is granted.
    pub(super) fn send_input(&mut self, request: Request) -> Option<Answer> {
        let answer = self.send(request)?;
        if answer.status.is_success() || answer.status.is_redirection() {
            SUCCESSES.fetch_add(1, Ordering::Relaxed);
        }
        Some(answer)
    }

    /// The answer, for which the clock is moved if it takes long.
    async fn answered(&self, sent: reqwest::Request) -> Option<Answer> {
        let mut receiving = pin!(receive(&self.http, sent));
        for _ in 0..MOVES_MAX {
            match timeout(WAIT, &mut receiving).await {
                Ok(answer) => return answer,
                Err(_) => self.server.clock().advance(WAIT_MAX),
            }
        }
        panic!("there is no answer");
    }

    /// Lets a new server begin, where this one would refuse what follows for its number.
    pub(super) fn wear_out(&mut self) {
        self.requests = REQUESTS_MAX;
    }

    /// The time of the server.
    pub(super) fn now(&self) -> Timestamp {
        self.server.clock().now()
    }

    /// A number that the database gives.
    pub(super) fn count(&self, sql: Sql) -> i64 {
        let read = self.server.app().read(move |ctx| ctx.tx.one(sql, &[]));
        self.runtime.block_on(read).expect("the database answers")
    }

    fn stop(self) {
        self.runtime.block_on(self.server.stop());
    }
}

/// Reads an answer to its end, which must come in time.
async fn receive(http: &Client, sent: reqwest::Request) -> Option<Answer> {
    let answered = http.execute(sent).await;
    let mut answered = answered.unwrap_or_else(|error| panic!("the server hung up: {error:?}"));
    let (status, headers) = (answered.status(), answered.headers().clone());
    let mut answer = Answer { status, headers, body: Vec::new() };
    if answer.header("content-type").starts_with("text/event-stream") {
        return None;
    }
    while let Some(chunk) = answered.chunk().await.expect("an answer has an end") {
        answer.body.extend(&chunk);
        assert!(answer.body.len() <= ANSWER_MAX, "more than {ANSWER_MAX} bytes are answered");
    }
    Some(answer)
}

/// Counts panics from now on: the server answers those of a handler, and nobody sees those of a task.
fn count_panics() {
    static COUNTING: Once = Once::new();
    COUNTING.call_once(|| {
        let shown = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            PANICS.fetch_add(1, Ordering::Relaxed);
            shown(panicked);
        }));
    });
}

fn text(value: &Value) -> String {
    value.as_str().expect("it is a text").to_owned()
}
