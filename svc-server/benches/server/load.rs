//! A load generator over bare HTTP/1.1 connections, for latencies and for sequences of requests.
//!
//! It costs as much as a server; throughput is measured by [`wrk`](crate::wrk).

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hdrhistogram::Histogram;
use http::{Method, Request};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Greatest latency of a histogram, in microseconds.
const SLOWEST_MICROS: u64 = 60_000_000;

/// A repeated request.
#[derive(Clone)]
pub(crate) struct Shot {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) key: Option<String>,
    pub(crate) cookie: Option<String>,
    pub(crate) body: Option<String>,
}

impl Shot {
    pub(crate) fn get(path: impl Into<String>, key: &str) -> Self {
        let key = Some(key.to_owned());
        Self { method: Method::GET, path: path.into(), key, cookie: None, body: None }
    }

    /// A request of a signed-in person.
    pub(crate) fn seen(path: &str, cookie: &str) -> Self {
        Self { key: None, cookie: Some(cookie.to_owned()), ..Self::get(path, "") }
    }

    pub(crate) fn post(path: impl Into<String>, key: &str, body: &str) -> Self {
        let body = Some(body.to_owned());
        Self { method: Method::POST, body, ..Self::get(path, key) }
    }

    /// A write without a body.
    pub(crate) fn bare_post(path: impl Into<String>, key: &str) -> Self {
        Self { method: Method::POST, ..Self::get(path, key) }
    }

    pub(crate) fn delete(path: impl Into<String>, key: &str) -> Self {
        Self { method: Method::DELETE, ..Self::get(path, key) }
    }

    /// The headers, apart from the host.
    pub(crate) fn headers(&self) -> Vec<(&'static str, String)> {
        let key = self.key.iter().map(|key| ("authorization", format!("Bearer {key}")));
        let cookie = self.cookie.iter().map(|cookie| ("cookie", cookie.clone()));
        let kind = self.body.iter().map(|_| ("content-type", "application/json".to_owned()));
        key.chain(cookie).chain(kind).collect()
    }

    fn request(&self, address: SocketAddr) -> Request<Full<Bytes>> {
        let mut request = Request::builder().method(&self.method).uri(&self.path);
        request = request.header("host", address.to_string());
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        let body = Bytes::from(self.body.clone().unwrap_or_default());
        request.body(Full::new(body)).expect("a shot is a valid request")
    }
}

/// Latencies, and how many requests failed.
type Counted = (Histogram<u64>, u64);

/// The result of a load.
pub(crate) struct LoadResult {
    pub(crate) per_second: f64,
    pub(crate) latency: Histogram<u64>,
    pub(crate) failures: u64,
}

impl LoadResult {
    fn of((latency, failures): Counted, took: Duration) -> Self {
        Self { per_second: count(&latency) / took.as_secs_f64(), latency, failures }
    }

    /// How many requests there were.
    pub(crate) fn requests(&self) -> f64 {
        count(&self.latency)
    }

    /// Requests per second that were answered with 2xx.
    pub(crate) fn accepted_per_second(&self) -> f64 {
        let failures = f64::from(u32::try_from(self.failures).unwrap_or(u32::MAX));
        self.per_second * (1.0 - failures / self.requests())
    }

    /// A percentile in milliseconds.
    pub(crate) fn millis(&self, percentile: f64) -> f64 {
        Duration::from_micros(self.latency.value_at_quantile(percentile)).as_secs_f64() * 1000.0
    }
}

/// Latencies in microseconds. One without bounds would take only the first two milliseconds as they are.
pub(crate) fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, SLOWEST_MICROS, 3).expect("the bounds are in order")
}

/// A latency as a histogram takes it.
pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(SLOWEST_MICROS).clamp(1, SLOWEST_MICROS)
}

async fn connect(address: SocketAddr) -> SendRequest<Full<Bytes>> {
    let stream = TcpStream::connect(address).await.expect("the server listens");
    stream.set_nodelay(true).expect("the socket takes the option");
    let (sender, connection) =
        handshake(TokioIo::new(stream)).await.expect("the server speaks HTTP");
    tokio::spawn(connection);
    sender
}

/// Sends one request and returns whether the response was 2xx.
async fn fire(sender: &mut SendRequest<Full<Bytes>>, request: Request<Full<Bytes>>) -> bool {
    let answer = sender.send_request(request).await.expect("the connection lives");
    let accepted = answer.status().is_success();
    let _ = answer.into_body().collect().await;
    accepted
}

/// Sends as fast as responses arrive, over this number of connections, for this time. Each
/// connection has its own shot if there are enough.
pub(crate) async fn closed(
    address: SocketAddr,
    connections: usize,
    length: Duration,
    shots: &[Shot],
) -> LoadResult {
    closed_by(&[address], connections, length, &repeated(shots.to_vec())).await
}

/// Makes the next shot of the connection with this number.
pub(crate) type Maker = Arc<dyn Fn(usize) -> Shot + Send + Sync>;

/// Each connection repeats its own shot if there are enough.
pub(crate) fn repeated(shots: Vec<Shot>) -> Maker {
    Arc::new(move |number| shots[number % shots.len()].clone())
}

/// [`closed`] over several servers in turn, with the shots that `shot` makes.
pub(crate) async fn closed_by(
    addresses: &[SocketAddr],
    connections: usize,
    length: Duration,
    shot: &Maker,
) -> LoadResult {
    let mut tasks = JoinSet::new();
    let began = Instant::now();
    for number in 0..connections {
        let (shot, address) = (Arc::clone(shot), addresses[number % addresses.len()]);
        tasks.spawn(async move {
            let mut sender = connect(address).await;
            let (mut latency, mut failures) = (histogram(), 0);
            while began.elapsed() < length {
                let request = shot(number).request(address);
                let sent = Instant::now();
                failures += u64::from(!fire(&mut sender, request).await);
                latency.saturating_record(micros(sent.elapsed()));
            }
            (latency, failures)
        });
    }
    let counted = sum(tasks).await;
    LoadResult::of(counted, began.elapsed())
}

/// A repeated sequence of requests; `{id}` in later ones is the id of the first response.
#[derive(Clone)]
pub(crate) struct Turn {
    pub(crate) first: Shot,
    /// The member of the first response that contains the id.
    pub(crate) member: &'static str,
    pub(crate) rest: Vec<Shot>,
}

impl Turn {
    /// Sends all requests and returns how many responses were not 2xx.
    async fn send(&self, sender: &mut SendRequest<Full<Bytes>>, address: SocketAddr) -> u64 {
        let first = sender.send_request(self.first.request(address)).await;
        let first = first.expect("the connection lives");
        let refused = u64::from(!first.status().is_success());
        let body = first.into_body().collect().await.expect("the answer ends").to_bytes();
        let id = member(&body, self.member);
        let mut failures = refused;
        for shot in &self.rest {
            let filled = |text: &str| text.replace("{id}", id);
            let mut shot = shot.clone();
            shot.path = filled(&shot.path);
            shot.body = shot.body.as_deref().map(filled);
            failures += u64::from(!fire(sender, shot.request(address)).await);
        }
        failures
    }
}

/// The text of the first member with this name, extracted without parsing the rest.
fn member<'a>(body: &'a [u8], name: &str) -> &'a str {
    let text = std::str::from_utf8(body).unwrap_or_default();
    let from = text.split_once(&format!("\"{name}\":\"")).map_or("", |(_, rest)| rest);
    from.split('"').next().unwrap_or_default()
}

/// Runs turns as fast as responses arrive, for this time, and counts requests.
pub(crate) async fn closed_turns(
    address: SocketAddr,
    length: Duration,
    turns: &[Turn],
) -> LoadResult {
    let mut tasks = JoinSet::new();
    let began = Instant::now();
    for turn in turns.iter().cloned() {
        tasks.spawn(async move {
            let mut sender = connect(address).await;
            let (mut latency, mut failures) = (histogram(), 0);
            while began.elapsed() < length {
                let sent = Instant::now();
                failures += turn.send(&mut sender, address).await;
                let requests = u32::try_from(turn.rest.len() + 1).unwrap_or(u32::MAX);
                latency.saturating_record_n(micros(sent.elapsed() / requests), requests.into());
            }
            (latency, failures)
        });
    }
    let counted = sum(tasks).await;
    LoadResult::of(counted, began.elapsed())
}

/// Cycles through the shots of each connection as fast as responses arrive, for this time.
pub(crate) async fn closed_rounds(
    address: SocketAddr,
    length: Duration,
    rounds: &[Vec<Shot>],
) -> LoadResult {
    in_rounds(address, Some(length), rounds).await
}

/// Sends the shots of each connection once, as fast as responses arrive.
pub(crate) async fn closed_once(address: SocketAddr, rounds: &[Vec<Shot>]) -> LoadResult {
    in_rounds(address, None, rounds).await
}

/// Sends the shots of each connection again and again for this time, or once without one.
async fn in_rounds(
    address: SocketAddr,
    length: Option<Duration>,
    rounds: &[Vec<Shot>],
) -> LoadResult {
    let mut tasks = JoinSet::new();
    let began = Instant::now();
    for round in rounds {
        let round = round.clone();
        tasks.spawn(async move {
            let mut sender = connect(address).await;
            let (mut latency, mut failures) = (histogram(), 0);
            for (number, shot) in round.iter().cycle().enumerate() {
                if length.map_or(number == round.len(), |length| began.elapsed() >= length) {
                    break;
                }
                let sent = Instant::now();
                failures += u64::from(!fire(&mut sender, shot.request(address)).await);
                latency.saturating_record(micros(sent.elapsed()));
            }
            (latency, failures)
        });
    }
    let counted = sum(tasks).await;
    LoadResult::of(counted, began.elapsed())
}

/// A connection that sends shots at a fixed interval.
pub(crate) async fn paced(
    address: SocketAddr,
    every: Duration,
    length: Duration,
    shots: &[Shot],
) -> LoadResult {
    let mut sender = connect(address).await;
    let (mut latency, mut failures) = (histogram(), 0);
    let began = Instant::now();
    for shot in shots.iter().cycle() {
        if began.elapsed() >= length {
            break;
        }
        let sent = Instant::now();
        failures += u64::from(!fire(&mut sender, shot.request(address)).await);
        latency.saturating_record(micros(sent.elapsed()));
        tokio::time::sleep(every.saturating_sub(sent.elapsed())).await;
    }
    LoadResult::of((latency, failures), began.elapsed())
}

/// Sends this number of requests in all, as fast as responses arrive.
pub(crate) async fn closed_count(
    address: SocketAddr,
    connections: usize,
    requests: usize,
    shots: &[Shot],
) {
    let shots: Arc<[Shot]> = shots.into();
    let mut tasks = JoinSet::new();
    for number in 0..connections {
        let shots = Arc::clone(&shots);
        tasks.spawn(async move {
            let mut sender = connect(address).await;
            for _ in (number..requests).step_by(connections) {
                let accepted =
                    fire(&mut sender, shots[number % shots.len()].request(address)).await;
                assert!(accepted, "a request of the set-up was refused");
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("a load task ends");
    }
}

/// Sends at a fixed rate and measures each latency from the planned start of the request, so that a
/// server that falls behind can't hide it.
pub(crate) async fn open(
    address: SocketAddr,
    connections: usize,
    per_second: u32,
    length: Duration,
    shots: &[Shot],
) -> LoadResult {
    let shots: Arc<[Shot]> = shots.into();
    let mut tasks = JoinSet::new();
    let began = tokio::time::Instant::now();
    let every = Duration::from_secs(1) / per_second;
    for number in 0..connections {
        let shots = Arc::clone(&shots);
        tasks.spawn(async move {
            let mut sender = connect(address).await;
            let (mut latency, mut failures) = (histogram(), 0);
            for turn in (number..).step_by(connections) {
                let due = began + every * u32::try_from(turn).unwrap_or(u32::MAX);
                if due > began + length {
                    break;
                }
                tokio::time::sleep_until(due).await;
                let request = shots[number % shots.len()].request(address);
                failures += u64::from(!fire(&mut sender, request).await);
                latency.saturating_record(micros(due.elapsed()));
            }
            (latency, failures)
        });
    }
    let counted = sum(tasks).await;
    LoadResult::of(counted, began.elapsed())
}

async fn sum(mut tasks: JoinSet<Counted>) -> Counted {
    let (mut latency, mut failures) = (histogram(), 0);
    while let Some(done) = tasks.join_next().await {
        let (part, failed) = done.expect("a load task ends");
        latency.add(part).expect("the bounds are the same");
        failures += failed;
    }
    (latency, failures)
}

#[expect(clippy::cast_precision_loss, reason = "counts of a few seconds")]
fn count(latency: &Histogram<u64>) -> f64 {
    latency.len() as f64
}
