//! Live events under `kill -9`: a session at an external broker receives everything that was
//! committed, and what the embedded broker lost with its process is read by number.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, Packet, QoS};
use serde_json::Value;
use svc_client::Client;
use svc_server::testing::{PATIENCE, in_time, until};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::aedes::Aedes;
use crate::kill::rounds;
use crate::load::{Ledger, World};
use crate::process::{Place, Server, read_database};

/// Writes that are answered before the next kill.
const WRITES: usize = 40;

/// The events bob has received, by number.
type Heard = Arc<Mutex<BTreeSet<u64>>>;

/// A client of bob's that listens to all that is his.
struct Ear {
    events: EventLoop,
    client: AsyncClient,
}

impl Ear {
    /// Connects with a session that lasts; the answer is whether there was one.
    async fn connect(broker: SocketAddr, bob: &Client, key: &str) -> (Self, bool) {
        let id = bob.users().me().await.unwrap().user.id.to_string();
        let mut options = MqttOptions::new(&id, broker.ip().to_string(), broker.port());
        options.set_credentials(&id, key).set_clean_session(false);
        options.set_max_packet_size(524_288, 524_288);
        let (client, events) = AsyncClient::new(options, 10);
        let mut ear = Self { events, client };
        let present = ear.until(|packet| match packet {
            Packet::ConnAck(answer) => Some(answer.session_present),
            _ => None,
        });
        let present = present.await;
        (ear, present)
    }

    /// Subscribes to both topics of bob's.
    async fn subscribe(&mut self, bob: &Client) {
        let topics = bob.events().connect().await.unwrap().connect.topics;
        for topic in [topics.dm, topics.notifications] {
            self.client.subscribe(topic, QoS::AtLeastOnce).await.unwrap();
            self.until(|packet| matches!(packet, Packet::SubAck(_)).then_some(())).await;
        }
    }

    async fn until<T>(&mut self, wanted: impl Fn(&Packet) -> Option<T>) -> T {
        let polling = async {
            loop {
                if let Event::Incoming(packet) = self.events.poll().await.unwrap()
                    && let Some(found) = wanted(&packet)
                {
                    return found;
                }
            }
        };
        in_time("the packet arrives", polling).await
    }

    /// Notes what comes until the connection breaks.
    fn listen(mut self, received: &Heard) -> JoinHandle<()> {
        let received = Arc::clone(received);
        tokio::spawn(async move {
            while let Ok(event) = self.events.poll().await {
                if let Event::Incoming(Packet::Publish(message)) = event {
                    let envelope: Value = serde_json::from_slice(&message.payload).unwrap();
                    received.lock().unwrap().insert(envelope["seq"].as_u64().unwrap());
                }
            }
        })
    }
}

/// Waits until all numbers up to this have arrived.
async fn all_received(received: &Heard, latest: u64) {
    let expected: BTreeSet<u64> = (1..=latest).collect();
    let waiting = async {
        while !expected.is_subset(&received.lock().unwrap()) {
            tokio::task::yield_now().await;
        }
    };
    let found = timeout(PATIENCE, waiting).await;
    let missing: Vec<u64> = expected.difference(&received.lock().unwrap()).copied().collect();
    assert!(found.is_ok(), "of {latest} events these are missing: {missing:?}");
}

async fn latest(bob: &Client) -> u64 {
    bob.events().list().limit(1).await.unwrap().latest_seq
}

/// Where the server answers an external broker, from its log.
fn internal(place: &Place) -> SocketAddr {
    let log = place.log();
    let line = log.lines().rfind(|line| line.contains("a broker is answered")).unwrap();
    let address = line.split("127.0.0.1:").nth(1).unwrap();
    let port: String = address.chars().take_while(char::is_ascii_digit).collect();
    ([127, 0, 0, 1], port.parse().unwrap()).into()
}

#[tokio::test]
async fn a_session_at_an_external_broker_receives_everything_a_killed_server_committed() {
    let Some(mut aedes) = Aedes::start(0).await else { return };
    let (place, url) = (Place::new(), aedes.url());
    let settings = ["broker.internal_listen=127.0.0.1:0", "broker.internal_secret=hush"];
    let serve = || -> Server {
        let mut program = place.program();
        program.args(["--broker", &url, "--set", settings[0], "--set", settings[1]]);
        place.serve_by(&mut program)
    };
    let mut server = serve();
    aedes.use_server(internal(&place)).await;
    let world = World::new(&server).await;
    let (mut ear, _) = Ear::connect(aedes.address, &world.bob(&server), world.bob_key()).await;
    ear.subscribe(&world.bob(&server)).await;
    // Only its session remains.
    drop(ear);
    let mut ledger = Ledger::default();
    for round in 0..rounds() {
        let mut load = world.load(&server, &format!("round-{round}"));
        load.reaches(WRITES + usize::try_from(round).unwrap() % 7).await;
        server.kill();
        ledger.add(load.end().await);
        server = serve();
        aedes.use_server(internal(&place)).await;
        world.settle(&server, &mut ledger).await;
    }
    until("the broker receives everything", async || {
        let sql = "select count(*) from event where relayed_at is null";
        read_database::<i64>(&place.path("data/svc.db"), sql) == 0
    })
    .await;
    let bob = world.bob(&server);
    let (ear, is_present) = Ear::connect(aedes.address, &bob, world.bob_key()).await;
    assert!(is_present, "the session outlived all servers");
    let received = Heard::default();
    let listening = ear.listen(&received);
    all_received(&received, latest(&bob).await).await;
    server.stop().await;
    aedes.kill().await;
    listening.await.unwrap();
}

#[tokio::test]
async fn a_client_of_a_killed_server_resumes_where_it_stopped() {
    let place = Place::new();
    let mut server = place.serve();
    let world = World::new(&server).await;
    let (received, mut ledger) = (Heard::default(), Ledger::default());
    for round in 0..rounds() {
        let bob = world.bob(&server);
        let (mut ear, is_present) = Ear::connect(server.mqtt(), &bob, world.bob_key()).await;
        assert!(!is_present, "the embedded broker keeps nothing over its end");
        ear.subscribe(&bob).await;
        // What came before is in the list; from now on it comes by itself.
        let before = latest(&bob).await;
        let mut last = received.lock().unwrap().last().copied().unwrap_or(0);
        let listening = ear.listen(&received);
        while last < before {
            let page = bob.events().after(last).limit(100).await.unwrap();
            last = page.events.last().unwrap().seq;
            received.lock().unwrap().extend(page.events.iter().map(|event| event.seq));
        }
        let mut load = world.load(&server, &format!("round-{round}"));
        load.reaches(WRITES + usize::try_from(round).unwrap() % 7).await;
        // All that is acknowledged by now arrives, even from a server that is killed.
        all_received(&received, latest(&bob).await).await;
        server.kill();
        listening.await.unwrap();
        ledger.add(load.end().await);
        server = place.serve();
        world.settle(&server, &mut ledger).await;
    }
    server.stop().await;
}
