//! Webhook calls, compared with a bare client, and the latency of an event.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use hdrhistogram::Histogram;
use svc_client::Client;
use svc_client::types::WebhookId;
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinSet;

use super::{pairs, seconds};
use crate::load::histogram;
use crate::process::Process;
use crate::table::Table;

/// Accounts with a webhook; each gets four concurrent calls.
const ACCOUNTS: usize = 32;

/// Events of each account in a burst.
const EVENTS: usize = 100;

/// Events per second of a light load.
const RATE: u64 = 200;

/// Pending deliveries of the hanging receiver.
const HANGING: usize = 5_000;

/// The calls that the receiver got.
struct Seen {
    began: Instant,
    count: AtomicUsize,
    /// Time from sending a message to the call of its event, in microseconds.
    latency: Mutex<Histogram<u64>>,
}

/// A receiver that keeps connections open and responds at once.
async fn receiver() -> (String, Arc<Seen>) {
    let latency = Mutex::new(histogram());
    let seen = Arc::new(Seen { began: Instant::now(), count: AtomicUsize::new(0), latency });
    let hook = axum::routing::post(take);
    let router = axum::Router::new().route("/hook", hook).with_state(Arc::clone(&seen));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("a bound socket has an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    (format!("http://{address}/hook"), seen)
}

/// Records an event; its text is the time at which it was sent.
async fn take(State(seen): State<Arc<Seen>>, body: Bytes) {
    seen.count.fetch_add(1, Ordering::Relaxed);
    let body: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
    let sent = body["data"]["content"].as_str().and_then(|text| text.parse::<u64>().ok());
    if let Some(sent) = sent {
        let took = seen.now().saturating_sub(sent).max(1);
        seen.latency.lock().await.saturating_record(took);
    }
}

impl Seen {
    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    async fn reaches(&self, count: usize) {
        while self.count.load(Ordering::Relaxed) < count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

/// Accounts with a webhook each, and one that sends them messages.
struct World {
    writer: Client,
    owners: Vec<(Client, WebhookId)>,
}

impl World {
    async fn new(process: &Process, url: &str) -> Self {
        let writer = agent(process, "writer").await;
        let mut owners = Vec::new();
        for number in 0..ACCOUNTS {
            let owner = agent(process, &format!("hook_{number}")).await;
            let made = owner.webhooks().create(url).await.expect("the address is fine");
            owners.push((owner, made.webhook.id));
        }
        Self { writer, owners }
    }

    /// Sends messages to all accounts in turns, many concurrently.
    async fn write(&self, count: usize, text: impl Fn() -> String) {
        let turns = Arc::new(Semaphore::new(64));
        let mut sends = JoinSet::new();
        for number in 0..count {
            let turn = Arc::clone(&turns).acquire_owned().await.expect("nobody closes it");
            let (writer, text) = (self.writer.clone(), text());
            let name = format!("hook_{}", number % ACCOUNTS);
            sends.spawn(async move {
                let sent = writer.messages().send(name, text).await;
                sent.expect("a message is taken");
                drop(turn);
            });
        }
        sends.join_all().await;
    }

    /// Deliveries per second of a burst: deliveries are held back, then released together.
    async fn burst(&self, seen: &Seen) -> f64 {
        for (owner, webhook) in &self.owners {
            owner.webhooks().disable(webhook).await.expect("it is there");
        }
        self.write(ACCOUNTS * EVENTS, || "some words, as people write them".to_owned()).await;
        let target = seen.count.load(Ordering::Relaxed) + ACCOUNTS * EVENTS;
        let began = Instant::now();
        for (owner, webhook) in &self.owners {
            owner.webhooks().enable(webhook).await.expect("it is there");
        }
        seen.reaches(target).await;
        per_second(ACCOUNTS * EVENTS, began)
    }

    /// The p99 in milliseconds from a message to the call of its event.
    async fn arrival(&self, seen: &Seen) -> f64 {
        seen.latency.lock().await.reset();
        let target = seen.count.load(Ordering::Relaxed);
        let mut ticks = tokio::time::interval(Duration::from_millis(1_000 / RATE));
        let (began, mut sends, mut count) = (Instant::now(), JoinSet::new(), 0);
        while began.elapsed() < seconds() * 2 {
            ticks.tick().await;
            let (writer, text) = (self.writer.clone(), seen.now().to_string());
            let name = format!("hook_{}", count % ACCOUNTS);
            sends.spawn(async move { writer.messages().send(name, text).await.map(drop) });
            count += 1;
        }
        for sent in sends.join_all().await {
            sent.expect("a message is taken");
        }
        seen.reaches(target + count).await;
        Duration::from_micros(seen.latency.lock().await.value_at_quantile(0.99)).as_secs_f64()
            * 1_000.0
    }
}

async fn agent(process: &Process, name: &str) -> Client {
    let registered = process.client().auth().register_agent(name).await;
    let key = registered.expect("the name is free").api_key;
    process.builder().api_key(key).build().expect("the key is one")
}

fn per_second(count: usize, began: Instant) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / began.elapsed().as_secs_f64()
}

/// The same number of POSTs by a bare client, with the same concurrency.
async fn bare(url: &str) -> f64 {
    let client = reqwest::Client::builder().no_proxy().build().expect("the settings are valid");
    let body = r#"{"event":"direct_message","timestamp":"2026-01-02T03:04:05.678Z","data":{}}"#;
    let (began, mut lanes) = (Instant::now(), JoinSet::new());
    for _ in 0..ACCOUNTS * 4 {
        let (client, url) = (client.clone(), url.to_owned());
        lanes.spawn(async move {
            for _ in 0..EVENTS / 4 {
                let sent = client.post(&url).body(body).send().await;
                sent.expect("the receiver answers");
            }
        });
    }
    lanes.join_all().await;
    per_second(ACCOUNTS * EVENTS, began)
}

/// An account whose receiver accepts connections and never responds, with many pending deliveries.
async fn hanging(process: &Process, writer: &Client) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("a bound socket has an address");
    tokio::spawn(async move {
        let mut kept = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            kept.push(stream);
        }
    });
    let owner = agent(process, "hanging").await;
    let made = owner.webhooks().create(format!("http://{address}/")).await;
    let webhook = made.expect("the address is fine").webhook.id;
    owner.webhooks().disable(&webhook).await.expect("it is there");
    for _ in 0..HANGING {
        writer.messages().send("hanging", "psst").await.expect("a message is taken");
    }
    owner.webhooks().enable(&webhook).await.expect("it is there");
}

pub(crate) async fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let process = Process::server(folder.path(), &["webhooks.allow_loopback=true"]);
    let (url, seen) = receiver().await;
    let world = World::new(&process, &url).await;
    let (mut rates, mut ratios, mut note) = (Vec::new(), Vec::new(), String::new());
    for _ in 0..pairs() {
        let (other, ours) = (bare(&url).await, world.burst(&seen).await);
        note = format!("last pair {ours:.0}/s : {other:.0}/s");
        rates.push(ours);
        ratios.push(ours / other);
    }
    table.add("webhooks through the outbox, per second", "≥ 3000", rates, "");
    table.add("webhooks through the outbox : bare reqwest", "≥ 0.20", ratios, note);
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..pairs() {
        alone.push(world.arrival(&seen).await);
    }
    hanging(&process, &world.writer).await;
    for _ in 0..pairs() {
        beside.push(world.arrival(&seen).await);
    }
    let rises = alone.iter().zip(&beside).map(|(alone, beside)| beside / alone).collect();
    table.add("200 events/s: p99 until arrival, ms", "≤ 100", alone, "");
    table.add("the same beside one that hangs : alone", "≤ 1.2", rises, "5,000 wait for it");
}
