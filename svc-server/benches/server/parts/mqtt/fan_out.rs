//! Messages to a channel with many subscribers, beside brokers that neither store nor authorize, and beside a program
//! that only writes to sockets.

use std::time::Instant;

use futures_util::future::join_all;
use svc_client::types::ChannelId;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::foreign::{Broker, KINDS};
use super::wire::{Listener, framed, receive};
use super::{Member, listen, member};
use crate::parts::pairs;
use crate::process::Process;
use crate::table::Table;

/// Subscribers of one channel, and how many of them share an account.
pub(super) const LISTENERS: u32 = 1_000;
const OF_ONE: u32 = 10;

/// Messages of one fan-out.
const MESSAGES: u32 = 50;

/// As long as the event of a short message.
pub(super) const PAYLOAD: [u8; 328] = [b'x'; 328];

pub(super) async fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = Process::server(folder.path(), &[]);
    let mut ours = Ours::start(&server, table).await;
    let mut others = vec![Other::Sockets(Sockets::open().await)];
    for kind in KINDS {
        others.extend(Broker::start(kind).await.map(Other::Broker));
    }
    for other in &mut others {
        compare(table, &mut ours, other, (1, "one by one", "≥ 0.5")).await;
        if matches!(other, Other::Broker(_)) {
            compare(table, &mut ours, other, (MESSAGES, "all at once", "≥ 0.8")).await;
        }
    }
}

/// Compares the rates at which messages are received when this many are sent at once.
async fn compare(
    table: &mut Table,
    ours: &mut Ours,
    other: &mut Other,
    (at_once, how, goal): (u32, &str, &str),
) {
    let (mut ratios, mut note) = (Vec::new(), String::new());
    for _ in 0..pairs() {
        let began = Instant::now();
        for _ in 0..MESSAGES / at_once {
            other.send(at_once).await;
        }
        let other_rate = rate(began);
        let began = Instant::now();
        for _ in 0..MESSAGES / at_once {
            ours.send(at_once).await;
        }
        let rate = rate(began);
        ratios.push(rate / other_rate);
        note = format!("last pair {rate:.0}/s : {other_rate:.0}/s; ours stores each first");
    }
    table.add(&format!("mqtt fan-out, {how} : {}", other.name()), goal, ratios, note);
}

/// Messages received per second.
fn rate(began: Instant) -> f64 {
    f64::from(MESSAGES * LISTENERS) / began.elapsed().as_secs_f64()
}

/// The server's channel and its subscribers.
struct Ours {
    owner: Member,
    channel: ChannelId,
    listeners: Vec<Listener>,
}

impl Ours {
    async fn start(server: &Process, table: &mut Table) -> Self {
        let owner = member(server, "owner").await;
        let created = owner.client.channels().create("bench").await.expect("the name is free");
        let channel = created.channel;
        let mut members = Vec::new();
        for number in 0..LISTENERS / OF_ONE {
            let member = member(server, &format!("member_{number}")).await;
            member.client.channels().join(&channel.id).await.expect("the channel is public");
            members.push(member);
        }
        let before = server.resident_mb();
        let mut listeners = Vec::new();
        for member in &members {
            for suffix in 0..OF_ONE {
                listeners.push(listen(server.mqtt, member, suffix, &channel.topic).await);
            }
        }
        let idle = server.resident_mb() - before;
        table.add("mqtt 1,000 idle clients, MB", "≤ 60", vec![idle], "");
        Self { owner, channel: channel.id, listeners }
    }

    async fn send(&mut self, at_once: u32) {
        let receiving = receive(std::mem::take(&mut self.listeners), at_once);
        let posts = (0..at_once).map(async |number| {
            let channels = self.owner.client.channels();
            let posted = channels.post(&self.channel, format!("message {number}")).await;
            posted.expect("its owner may write");
        });
        join_all(posts).await;
        self.listeners = receiving.await.expect("all receive");
    }
}

/// What ours is compared with.
enum Other {
    Sockets(Sockets),
    Broker(Broker),
}

impl Other {
    const fn name(&self) -> &'static str {
        match self {
            Self::Sockets(_) => "bare sockets",
            Self::Broker(broker) => broker.name,
        }
    }

    async fn send(&mut self, at_once: u32) {
        match self {
            Self::Sockets(sockets) => sockets.send(at_once).await,
            Self::Broker(broker) => broker.send(at_once).await,
        }
    }
}

/// Sockets to which packets are written, with those who read them.
struct Sockets {
    sockets: Vec<TcpStream>,
    listeners: Vec<Listener>,
}

impl Sockets {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("a bound socket has an address");
        let (mut sockets, mut listeners) = (Vec::new(), Vec::new());
        for _ in 0..LISTENERS {
            let stream = TcpStream::connect(address).await.expect("it listens");
            listeners.push(BufReader::new(stream));
            sockets.push(listener.accept().await.expect("it accepts").0);
        }
        Self { sockets, listeners }
    }

    async fn send(&mut self, at_once: u32) {
        let packet = framed(0x30, &PAYLOAD);
        let receiving = receive(std::mem::take(&mut self.listeners), at_once);
        for _ in 0..at_once {
            for socket in &mut self.sockets {
                socket.write_all(&packet).await.expect("it is read");
            }
        }
        self.listeners = receiving.await.expect("all receive");
    }
}
