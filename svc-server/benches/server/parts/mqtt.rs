//! Live events: latency, fan-out, and the cost of an idle client.

mod fan_out;
mod foreign;
mod wire;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use svc_client::Client;
use svc_client::types::api::users::User;
use tokio::task::JoinSet;
use tokio::time::interval;

pub(super) use self::wire::{Listener, message};
use super::seconds;
use crate::load::{histogram, micros};
use crate::process::Process;
use crate::table::Table;

/// Direct messages per second, and concurrent senders.
const RATE: u64 = 500;
const SENDERS: usize = 16;

pub(crate) async fn run(table: &mut Table) {
    arrival(table).await;
    fan_out::run(table).await;
}

/// An account with its client.
pub(super) struct Member {
    pub(super) user: User,
    pub(super) key: String,
    pub(super) client: Client,
}

pub(super) async fn member(server: &Process, name: &str) -> Member {
    let registered = server.client().auth().register_agent(name).await.expect("the name is free");
    let client = server.builder().api_key(registered.api_key.clone()).build();
    let client = client.expect("the key is one");
    let key = registered.api_key.expose().to_owned();
    Member { user: registered.user, key, client }
}

/// A connection of a member, subscribed to one topic at QoS 0.
pub(super) async fn listen(
    broker: SocketAddr,
    member: &Member,
    suffix: u32,
    topic: &str,
) -> Listener {
    let id = member.user.id.as_str();
    wire::subscribe(broker, &format!("{id}:{suffix}"), [id, &member.key], topic).await
}

/// Latency from the sender's response, which follows the commit, to the event.
async fn arrival(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = Process::server(folder.path(), &[]);
    let broker = server.mqtt;
    let mut senders = JoinSet::new();
    let ticks = RATE * seconds().as_secs().max(1);
    let per_sender = ticks / SENDERS as u64;
    for number in 0..SENDERS {
        let (from, to) = (format!("from_{number}"), format!("to_{number}"));
        let (from, to) = (member(&server, &from).await, member(&server, &to).await);
        let topic = format!("svc/dm/{}", to.user.id);
        let mut stream = listen(broker, &to, 0, &topic).await;
        senders.spawn(async move {
            let mut pace =
                interval(Duration::from_secs(1) * u32::try_from(SENDERS).unwrap_or(1) / 500);
            let mut delays = Vec::new();
            let receiving = tokio::spawn(async move {
                let mut arrived = Vec::new();
                for _ in 0..per_sender {
                    message(&mut stream).await;
                    arrived.push(Instant::now());
                }
                arrived
            });
            let mut answered = Vec::new();
            for number in 0..per_sender {
                pace.tick().await;
                let sending = from.client.messages();
                let sent = sending.send(&*to.user.username, format!("message {number}")).await;
                sent.expect("a message can be sent");
                answered.push(Instant::now());
            }
            let arrived = receiving.await.expect("all messages arrive");
            for (arrived, answered) in arrived.into_iter().zip(answered) {
                delays.push(arrived.saturating_duration_since(answered));
            }
            delays
        });
    }
    let mut latency = histogram();
    while let Some(delays) = senders.join_next().await {
        for delay in delays.expect("a sender ends well") {
            latency.saturating_record(micros(delay));
        }
    }
    let p99 = Duration::from_micros(latency.value_at_quantile(0.99)).as_secs_f64() * 1_000.0;
    let note = format!("{} direct messages at {RATE}/s", latency.len());
    table.add("mqtt commit to arrival p99, ms", "≤ 20", vec![p99], note);
}
