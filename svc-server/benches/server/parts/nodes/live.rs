//! Messages that one node commits, and accounts that listen at the two others.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{Instant as Started, interval_at, timeout};

use super::scene::Scene;
use crate::load::{histogram, micros};
use crate::parts::mqtt::{Listener, Member, listen, member, message};
use crate::process::Process;
use crate::table::Table;

/// Messages in all, and how many a second.
const MESSAGES: usize = 1_000;
const RATE: u32 = 100;

/// Senders, each with a recipient of its own.
const SENDERS: usize = 10;
const OF_ONE: usize = MESSAGES / SENDERS;

/// Listeners of each recipient: at each of two nodes a stream and a client of the broker.
const LISTENERS: usize = 4;

/// How long a message may take before it counts as lost.
const LOST_AFTER: Duration = Duration::from_secs(5);

/// How long to wait for messages that come twice.
const TWICE_WITHIN: Duration = Duration::from_millis(500);

/// What stands before the number of a message.
const MARK: &str = "live message ";

/// A listener and the number of a message that it heard.
type Heard = ((usize, usize), Instant);

/// When the request of a message began, and when it was answered.
#[derive(Clone, Copy)]
struct Sent {
    began: Instant,
    answered: Instant,
}

pub(super) async fn run(table: &mut Table, scene: &Scene<impl Sized>, bus: &str) {
    let (hear, mut heard) = unbounded_channel();
    let (mut listening, mut senders) = (JoinSet::new(), Vec::new());
    for number in 0..SENDERS {
        let [from, to] = [format!("from_{number}"), format!("to_{number}")];
        let (from, to) = (member(&scene.nodes[0], &from).await, member(&scene.nodes[0], &to).await);
        for (place, node) in scene.nodes[1..].iter().enumerate() {
            let listener = number * LISTENERS + place * 2;
            let (stream, wire) = (open(node, &to).await, subscribe(node, &to).await);
            listening.spawn(hear_stream(stream, listener, hear.clone()));
            listening.spawn(hear_wire(wire, listener + 1, hear.clone()));
        }
        senders.push((from, (*to.user.username).to_owned()));
    }
    let start = Started::now() + Duration::from_secs(1);
    let mut sending = JoinSet::new();
    for (number, (from, to)) in senders.into_iter().enumerate() {
        sending.spawn(send(from, to, number, start));
    }
    let collecting = tokio::spawn(async move { collect(&mut heard).await });
    let sent: HashMap<usize, Sent> = sending.join_all().await.into_iter().flatten().collect();
    let (heard, twice) = collecting.await.expect("what is heard is collected");
    report(table, bus, &sent, &heard, twice);
}

/// Sends its share of the messages, each at its time.
async fn send(from: Member, to: String, number: usize, start: Started) -> Vec<(usize, Sent)> {
    let [number_of_all, senders] =
        [number, SENDERS].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    let every = Duration::from_secs(1) / RATE;
    let mut pace = interval_at(start + every * number_of_all, every * senders);
    let mut sent = Vec::new();
    for turn in 0..OF_ONE {
        pace.tick().await;
        let (message, began) = (number * OF_ONE + turn, Instant::now());
        let sending = from.client.messages().send(to.as_str(), format!("{MARK}{message}"));
        sending.await.expect("a message can be sent");
        sent.push((message, Sent { began, answered: Instant::now() }));
    }
    sent
}

/// The recipient's stream of server-sent events, which has begun.
async fn open(node: &Process, to: &Member) -> reqwest::Response {
    let url = format!("http://{}/api/v1/connect/stream", node.address);
    let answer = reqwest::Client::new().get(url).bearer_auth(&to.key).send().await;
    let mut stream = answer.expect("the node answers").error_for_status().expect("it may listen");
    let opening = stream.chunk().await.expect("the stream lives").expect("it begins");
    assert!(opening.starts_with(b"retry") || opening.starts_with(b":"), "{opening:?}");
    stream
}

/// The recipient's subscription at the broker of a node.
async fn subscribe(node: &Process, to: &Member) -> Listener {
    listen(node.mqtt, to, 0, &format!("svc/dm/{}", to.user.id)).await
}

async fn hear_stream(mut stream: reqwest::Response, listener: usize, hear: UnboundedSender<Heard>) {
    let mut text = String::new();
    while let Ok(Some(chunk)) = stream.chunk().await {
        let at = Instant::now();
        text.push_str(&String::from_utf8_lossy(&chunk));
        while let Some((event, rest)) = text.split_once("\n\n") {
            if let Some(message) = number_in(event) {
                // An error means that the bench has ended.
                let _ = hear.send(((listener, message), at));
            }
            text = rest.to_owned();
        }
    }
}

async fn hear_wire(mut wire: Listener, listener: usize, hear: UnboundedSender<Heard>) {
    loop {
        let packet = message(&mut wire).await;
        if let Some(message) = number_in(&String::from_utf8_lossy(&packet)) {
            let _ = hear.send(((listener, message), Instant::now()));
        }
    }
}

/// The number of the message that an event is about.
fn number_in(event: &str) -> Option<usize> {
    let (_, rest) = event.split_once(MARK)?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// When each listener heard each message, and how often one was heard again.
async fn collect(
    heard: &mut UnboundedReceiver<Heard>,
) -> (HashMap<(usize, usize), Instant>, usize) {
    let (mut first, mut twice) = (HashMap::new(), 0);
    loop {
        let is_complete = first.len() == MESSAGES * LISTENERS;
        let patience = if is_complete { TWICE_WITHIN } else { LOST_AFTER };
        let Ok(Some((what, at))) = timeout(patience, heard.recv()).await else { break };
        match first.entry(what) {
            Entry::Vacant(place) => {
                place.insert(at);
            }
            Entry::Occupied(_) => twice += 1,
        }
    }
    (first, twice)
}

fn report(
    table: &mut Table,
    bus: &str,
    sent: &HashMap<usize, Sent>,
    heard: &HashMap<(usize, usize), Instant>,
    twice: usize,
) {
    let (mut after, mut whole) = (histogram(), histogram());
    for ((_, message), at) in heard {
        let Some(sent) = sent.get(message) else { continue };
        note(&mut after, at.saturating_duration_since(sent.answered));
        note(&mut whole, at.saturating_duration_since(sent.began));
    }
    let (told, all) = (heard.len(), MESSAGES * LISTENERS);
    let lost = all - told;
    let note = format!("{told} of {all} heard, {twice} twice; {MESSAGES} messages at {RATE}/s");
    let what = format!("live over nodes, bus {bus}: lost or twice");
    let wrong = u32::try_from(lost + twice).unwrap_or(u32::MAX);
    table.add(&what, "0", vec![f64::from(wrong)], note);
    for (percentile, name, goal) in [(0.5, "p50", "< 20"), (0.99, "p99", "< 200")] {
        let what = format!("live over nodes, bus {bus}: {name}, ms");
        let note =
            format!("after the answer; {:.2} ms after the request", millis(&whole, percentile));
        table.add(&what, goal, vec![millis(&after, percentile)], note);
    }
}

fn note(latencies: &mut Histogram<u64>, latency: Duration) {
    latencies.saturating_record(micros(latency));
}

fn millis(latencies: &Histogram<u64>, percentile: f64) -> f64 {
    Duration::from_micros(latencies.value_at_quantile(percentile)).as_secs_f64() * 1_000.0
}
