//! Live hints over MQTT.
//!
//! A dedicated task keeps the connection, because its event loop must be polled without pauses.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use rumqttc::{
    AsyncClient, ConnectReturnCode, ConnectionError, EventLoop, Incoming, MqttOptions, QoS,
    SubscribeFilter, SubscribeReasonCode,
};
use svc_client::types::api::connect::Connect;
use svc_client::types::{ApiKey, Code};
use svc_client::{Client, Error};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::AbortHandle;

use super::hints::{Hint, Hints, Waiting};

/// Queued hints at most; if there are more, the listener polls instead.
const HINTS_MAX: usize = 256;
/// Largest packet in bytes, in either direction: the largest event and its topic.
const PACKET_BYTES_MAX: usize = 512 * 1024;
/// The first pause before reconnecting.
const PAUSE_MIN: Duration = Duration::from_secs(1);
/// The longest pause before reconnecting.
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// Hints from the platform's broker; without a broker, time alone.
pub(super) struct Live {
    setup: Option<Setup>,
    hints: Option<Receiver<Hint>>,
    state: Arc<State>,
    task: Option<AbortHandle>,
}

struct Setup {
    client: Client,
    key: ApiKey,
    allows_plain: bool,
    /// The suffix of the client id. It is the same for all connections of a listener, so that each
    /// replaces the one before.
    name: String,
}

#[derive(Default)]
struct State {
    /// Whether the topics are subscribed.
    is_live: AtomicBool,
    /// Whether a hint was dropped because the queue was full.
    overflowed: AtomicBool,
}

impl Live {
    /// Connects on the first wait.
    pub(super) fn new(client: Client, key: ApiKey, allows_plain: bool) -> Self {
        let setup = Some(Setup { client, key, allows_plain, name: name() });
        Self { setup, hints: None, state: Arc::default(), task: None }
    }

    fn start(&mut self) {
        if let Some(setup) = self.setup.take() {
            let (sender, receiver) = mpsc::channel(HINTS_MAX);
            let task = tokio::spawn(setup.keep(sender, Arc::clone(&self.state)));
            self.hints = Some(receiver);
            self.task = Some(task.abort_handle());
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl Hints for Live {
    fn wait(&mut self, at_most: Duration) -> Waiting<'_> {
        self.start();
        Box::pin(async move {
            if self.state.overflowed.swap(false, Ordering::AcqRel) {
                return Hint::Poll;
            }
            if let Some(hints) = &mut self.hints {
                match tokio::time::timeout(at_most, hints.recv()).await {
                    Ok(Some(hint)) => return hint,
                    Ok(None) => self.hints = None,
                    Err(_) => return Hint::Elapsed,
                }
            }
            tokio::time::sleep(at_most).await;
            Hint::Elapsed
        })
    }

    fn is_live(&self) -> bool {
        self.state.is_live.load(Ordering::Acquire)
    }
}

/// Why a connection ended.
enum End {
    /// Reconnecting may help.
    Broken,
    /// Reconnecting does not help.
    Refused,
}

impl Setup {
    /// Connects and reconnects until the broker refuses the client for good.
    async fn keep(self, hints: Sender<Hint>, state: Arc<State>) {
        let mut pause = PAUSE_MIN;
        loop {
            match self.client.events().connect().await {
                Ok(answer) => {
                    let ended = self.session(&answer.connect, &hints, &state).await;
                    if state.is_live.swap(false, Ordering::AcqRel) {
                        pause = PAUSE_MIN;
                    }
                    if matches!(ended, End::Refused) {
                        return;
                    }
                }
                Err(error) if is_final(&error) => {
                    tracing::info!(%error, "live events are unavailable; polling instead");
                    return;
                }
                Err(error) => {
                    tracing::debug!(%error, "the broker's address can't be read; retrying");
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }

    async fn session(&self, connect: &Connect, hints: &Sender<Hint>, state: &State) -> End {
        let Some(options) = self.options(connect) else { return End::Refused };
        // Together these two topics carry all events of the account.
        let topics = [&connect.topics.dm, &connect.topics.notifications];
        let (broker, mut events) = AsyncClient::new(options, topics.len());
        let ended = listen(&broker, &mut events, topics, hints, state).await;
        let _ = broker.try_disconnect();
        ended
    }

    fn options(&self, connect: &Connect) -> Option<MqttOptions> {
        let (is_tls, host, port) = address(&connect.broker_url)?;
        if !is_tls && !self.allows_plain && !is_loopback(host) {
            tracing::warn!(
                "the broker has no TLS and the password is the API key; polling instead \
                 (live_plain allows it)"
            );
            return None;
        }
        let id = format!("{}:{}", connect.client_id_prefix, self.name);
        let mut options = MqttOptions::new(id, host, port);
        options.set_credentials(connect.username.clone(), self.key.expose());
        options.set_keep_alive(Duration::from_secs(connect.keep_alive_seconds.max(5).into()));
        options.set_clean_session(true);
        options.set_max_packet_size(PACKET_BYTES_MAX, PACKET_BYTES_MAX);
        if is_tls {
            #[cfg(feature = "mqtt-tls")]
            options.set_transport(rumqttc::Transport::tls_with_config(tls()?));
            #[cfg(not(feature = "mqtt-tls"))]
            {
                tracing::warn!("the broker requires TLS; enable the feature mqtt-tls");
                return None;
            }
        }
        Some(options)
    }
}

/// TLS as the client has it: rustls with aws-lc-rs, and the certificates that the system trusts.
#[cfg(feature = "mqtt-tls")]
fn tls() -> Option<rumqttc::TlsConfiguration> {
    use tokio_rustls::rustls::crypto::aws_lc_rs;
    use tokio_rustls::rustls::{ClientConfig, RootCertStore};

    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        tracing::warn!("the system trusts no certificates; polling instead");
        return None;
    }
    let config = ClientConfig::builder_with_provider(aws_lc_rs::default_provider().into())
        .with_safe_default_protocol_versions()
        .inspect_err(|error| tracing::warn!(%error, "TLS can't be set up; polling instead"))
        .ok()?;
    Some(config.with_root_certificates(roots).with_no_client_auth().into())
}

/// Subscribes and forwards events until the connection ends.
async fn listen(
    broker: &AsyncClient,
    events: &mut EventLoop,
    topics: [&String; 2],
    hints: &Sender<Hint>,
    state: &State,
) -> End {
    loop {
        let packet = match events.poll().await {
            Ok(rumqttc::Event::Incoming(packet)) => packet,
            Ok(rumqttc::Event::Outgoing(_)) => continue,
            Err(ConnectionError::ConnectionRefused(
                code @ (ConnectReturnCode::BadUserNamePassword | ConnectReturnCode::NotAuthorized),
            )) => {
                tracing::warn!(?code, "the broker rejects the API key; polling instead");
                return End::Refused;
            }
            Err(error) => {
                tracing::debug!(%error, "the connection to the broker broke");
                return End::Broken;
            }
        };
        match packet {
            Incoming::ConnAck(_) => {
                let filters =
                    topics.map(|topic| SubscribeFilter::new(topic.clone(), QoS::AtLeastOnce));
                if broker.try_subscribe_many(filters).is_err() {
                    return End::Broken;
                }
            }
            Incoming::SubAck(answer) => {
                if answer.return_codes.contains(&SubscribeReasonCode::Failure) {
                    // Maybe it could not ask who may receive what.
                    tracing::warn!(
                        "the broker refuses a topic; the list is read until it is asked again"
                    );
                    return End::Broken;
                }
                state.is_live.store(true, Ordering::Release);
                forward(hints, state, Hint::Poll);
            }
            Incoming::Publish(publish) => match serde_json::from_slice(&publish.payload) {
                Ok(event) => forward(hints, state, Hint::Event(Box::new(event))),
                Err(_) => forward(hints, state, Hint::Poll),
            },
            _ => {}
        }
    }
}

/// Forwards a hint without waiting, because the event loop must not wait.
fn forward(hints: &Sender<Hint>, state: &State, hint: Hint) {
    if hints.try_send(hint).is_err() {
        state.overflowed.store(true, Ordering::Release);
    }
}

/// A name that is unique across listeners and processes.
fn name() -> String {
    static LISTENERS: AtomicU32 = AtomicU32::new(0);
    let number = LISTENERS.fetch_add(1, Ordering::Relaxed);
    let millis = crate::clock::now().as_millis();
    format!("kit-{}-{millis}-{number}", std::process::id())
}

/// Whether retrying is pointless.
fn is_final(error: &Error) -> bool {
    error.code() == Some(&Code::FeatureNotConfigured)
        || matches!(error, Error::Unauthorized { .. } | Error::NotFound { .. })
}

/// Whether a broker uses TLS, its host and its port.
fn address(url: &str) -> Option<(bool, &str, u16)> {
    let (is_tls, rest) = match url.split_once("://")? {
        ("mqtt", rest) => (false, rest),
        ("mqtts", rest) => (true, rest),
        _ => return None,
    };
    let (host, port) = rest.trim_end_matches('/').rsplit_once(':')?;
    Some((is_tls, host.trim_matches(['[', ']']), port.parse().ok()?))
}

/// Whether a host is the loopback interface.
fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
#[path = "mqtt_tests.rs"]
mod tests;
