//! Live events: latency, fan-out, and the cost of an idle client.

mod rumqttd;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use svc_client::Client;
use svc_client::types::api::users::User;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{interval, timeout};

use self::rumqttd::Rumqttd;
use super::{pairs, seconds};
use crate::load::{histogram, micros};
use crate::process::Process;
use crate::table::Table;

/// Direct messages per second, and concurrent senders.
const RATE: u64 = 500;
const SENDERS: usize = 16;

/// Subscribers of one channel, and how many of them share an account.
const LISTENERS: u32 = 1_000;
const OF_ONE: u32 = 10;

/// Messages of one fan-out, each sent when all subscribers have received the previous one.
const MESSAGES: u32 = 50;

pub(crate) async fn run(table: &mut Table) {
    arrival(table).await;
    fan_out(table).await;
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

/// A connection subscribed to one topic at QoS 0.
pub(super) async fn listen(
    broker: SocketAddr,
    member: &Member,
    suffix: u32,
    topic: &str,
) -> TcpStream {
    let id = member.user.id.as_str();
    receive_one(broker, &format!("{id}:{suffix}"), [id, &member.key], topic).await
}

/// The same with this client id, user name and password.
async fn receive_one(
    broker: SocketAddr,
    client_id: &str,
    credentials: [&str; 2],
    topic: &str,
) -> TcpStream {
    let [name, password] = credentials.map(text);
    let login = [&text("MQTT")[..], &[4, 0xC2, 0, 60], &text(client_id), &name, &password];
    let wish = [&[0, 1][..], &text(topic), &[0]].concat();
    let mut stream = TcpStream::connect(broker).await.expect("the broker listens");
    for (first, body) in [(0x10, login.concat()), (0x82, wish)] {
        stream.write_all(&framed(first, &body)).await.expect("the broker reads it");
    }
    let mut answers = [0; 9];
    stream.read_exact(&mut answers).await.expect("it is answered");
    assert_eq!((answers[3], answers[8]), (0, 0), "it may listen");
    stream
}

/// A text with its length prefix.
fn text(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).expect("the texts are short").to_be_bytes();
    [&length[..], text.as_bytes()].concat()
}

/// A packet with this first byte; shorter than 16 KiB.
fn framed(first: u8, body: &[u8]) -> Vec<u8> {
    let [low, high] = [body.len() & 0x7F, body.len() >> 7].map(|part| part.to_le_bytes()[0]);
    let length = if high == 0 { vec![low] } else { vec![low | 0x80, high] };
    [&[first][..], &length, body].concat()
}

/// The payload of the next packet.
pub(super) async fn message(stream: &mut TcpStream) -> Vec<u8> {
    stream.read_u8().await.expect("the broker goes on");
    let (mut length, mut place) = (0_usize, 0);
    loop {
        let byte = stream.read_u8().await.expect("the broker goes on");
        length |= usize::from(byte & 0x7F) << (7 * place);
        place += 1;
        if byte & 0x80 == 0 {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.expect("the broker goes on");
    body
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

/// One message for all subscribers, compared with a program that writes the same bytes to as many
/// sockets, and with rumqttd if it is installed.
async fn fan_out(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = Process::server(folder.path(), &[]);
    let owner = member(&server, "owner").await;
    let created = owner.client.channels().create("bench").await.expect("the name is free");
    let channel = created.channel;
    let mut members = Vec::new();
    for number in 0..LISTENERS / OF_ONE {
        let member = member(&server, &format!("member_{number}")).await;
        member.client.channels().join(&channel.id).await.expect("the channel is public");
        members.push(member);
    }
    let before = server.resident_mb();
    let mut streams = Vec::new();
    for (member, suffix) in members.iter().flat_map(|member| (0..OF_ONE).map(move |n| (member, n)))
    {
        streams.push(listen(server.mqtt, member, suffix, &channel.topic).await);
    }
    let idle = server.resident_mb() - before;
    table.add("mqtt 1,000 idle clients, MB", "≤ 60", vec![idle], "");
    let mut rumqttd = Rumqttd::start().await;
    let (mut ratios, mut rates) = ([Vec::new(), Vec::new()], [0.0; 3]);
    for _ in 0..pairs() {
        let bare = bare(&mut Vec::new()).await;
        let other = match &mut rumqttd {
            Some(rumqttd) => Some(rumqttd.fan_out().await),
            None => None,
        };
        let began = Instant::now();
        for number in 0..MESSAGES {
            let receiving = receive(streams);
            let posting = owner.client.channels().post(&channel.id, format!("message {number}"));
            posting.await.expect("its owner may write");
            streams = receiving.await.expect("all receive");
        }
        let ours = f64::from(MESSAGES * LISTENERS) / began.elapsed().as_secs_f64();
        ratios[0].push(ours / bare);
        ratios[1].extend(other.map(|other| ours / other));
        rates = [ours, bare, other.unwrap_or_default()];
    }
    let [ours, bare, other] = rates;
    let [beside_sockets, beside_rumqttd] = ratios;
    let note = format!("last pair {ours:.0}/s : {bare:.0}/s");
    table.add("mqtt fan-out / bare sockets", "≥ 0.5", beside_sockets, note);
    if rumqttd.is_some() {
        let note = format!("last pair {ours:.0}/s : {other:.0}/s; ours stores each message first");
        table.add("mqtt fan-out / rumqttd", "≥ 0.5", beside_rumqttd, note);
    }
}

/// Reads a message on each stream and returns the streams.
fn receive(streams: Vec<TcpStream>) -> tokio::task::JoinHandle<Vec<TcpStream>> {
    tokio::spawn(async move {
        let mut readers = JoinSet::new();
        for mut stream in streams {
            readers.spawn(async move {
                let received = timeout(Duration::from_mins(1), message(&mut stream));
                received.await.expect("all messages arrive");
                stream
            });
        }
        readers.join_all().await
    })
}

/// Deliveries per second of a loop that only writes to sockets.
async fn bare(sockets: &mut Vec<TcpStream>) -> f64 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("a bound socket has an address");
    let mut streams = Vec::new();
    for _ in 0..LISTENERS {
        streams.push(TcpStream::connect(address).await.expect("it listens"));
        sockets.push(listener.accept().await.expect("it accepts").0);
    }
    // A packet of the size of an envelope of a short message.
    let packet = [&[0x30, 0xC8, 0x02][..], &[b'x'; 328]].concat();
    let began = Instant::now();
    for _ in 0..MESSAGES {
        let receiving = receive(streams);
        for socket in sockets.iter_mut() {
            socket.write_all(&packet).await.expect("it is read");
        }
        streams = receiving.await.expect("all receive");
    }
    f64::from(MESSAGES * LISTENERS) / began.elapsed().as_secs_f64()
}
