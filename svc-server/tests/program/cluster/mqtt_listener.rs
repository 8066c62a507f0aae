//! A client of the brokers that hears an account's events, and connects again where it lost its broker.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, Packet, QoS};
use svc_client::Client;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// A pause before it connects again.
const PAUSE: Duration = Duration::from_millis(100);

/// When it connected and when it heard something.
#[derive(Default)]
struct Notes {
    connections: usize,
    heard: Vec<Instant>,
}

/// A client at work.
pub(super) struct MqttListener {
    notes: Arc<Mutex<Notes>>,
    task: JoinHandle<()>,
}

impl MqttListener {
    /// Listens to the messages of the account of this key, by the broker at this host.
    pub(super) async fn start(host: &str, name: &str, account: &Client, key: &str) -> Self {
        let id = account.users().me().await.unwrap().user.id.to_string();
        let topic = account.events().connect().await.unwrap().connect.topics.dm;
        let mut options = MqttOptions::new(format!("{id}:{name}"), host, 1883);
        options.set_credentials(&id, key).set_keep_alive(Duration::from_secs(5));
        options.set_max_packet_size(524_288, 524_288);
        let (client, events) = AsyncClient::new(options, 10);
        let notes = Arc::<Mutex<Notes>>::default();
        let task = tokio::spawn(listen(client, events, topic, Arc::clone(&notes)));
        Self { notes, task }
    }

    /// How often it has connected.
    pub(super) fn connections(&self) -> usize {
        self.notes.lock().unwrap().connections
    }

    /// Whether it has heard something.
    pub(super) fn has_heard(&self) -> bool {
        !self.notes.lock().unwrap().heard.is_empty()
    }

    /// The longest time without an event since this moment.
    pub(super) fn silence_since(&self, moment: Instant) -> Duration {
        let notes = self.notes.lock().unwrap();
        let since = notes.heard.iter().copied().filter(|heard| *heard >= moment);
        let ends = since.chain([Instant::now()]);
        let mut last = moment;
        ends.map(|end| end - std::mem::replace(&mut last, end)).max().unwrap_or_default()
    }
}

impl Drop for MqttListener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen(
    client: AsyncClient,
    mut events: EventLoop,
    topic: String,
    notes: Arc<Mutex<Notes>>,
) {
    loop {
        match events.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(_))) => {
                notes.lock().unwrap().connections += 1;
                client.subscribe(topic.clone(), QoS::AtLeastOnce).await.unwrap();
            }
            Ok(Event::Incoming(Packet::Publish(_))) => {
                notes.lock().unwrap().heard.push(Instant::now());
            }
            Ok(_) => {}
            Err(_) => sleep(PAUSE).await,
        }
    }
}
