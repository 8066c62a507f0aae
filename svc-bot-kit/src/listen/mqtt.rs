//! Live hints over MQTT.
//!
//! A dedicated task keeps the connection, because its event loop must be polled without pauses.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rumqttc::{
    AsyncClient, ConnectReturnCode, ConnectionError, EventLoop, Incoming, MqttOptions, Publish,
    QoS, SubscribeFilter, SubscribeReasonCode,
};
use svc_client::types::api::connect::{Connect, ConnectTopics};
use svc_client::types::{ApiKey, ChannelId, Code};
use svc_client::{Client, Error};

use super::channel_hints::ChannelHints;
use super::hints::Hint;
use super::live::{Backoff, Live, Outlet};
use super::passing::asked_wait;

/// Requests to the broker that wait at most: a subscription is one.
const REQUESTS_MAX: usize = 4;
/// Channels that are watched at most; others are polled. The platform's broker grants a client 200
/// topics and refuses all of a request that asks for more.
const CHANNELS_MAX: usize = 198;
/// Pause after the broker did not let the account in. It counts refusals by address, which bots of other
/// accounts may share.
const NOT_NOW: Duration = Duration::from_secs(5 * 60);
/// Largest packet in bytes, in either direction: the largest event and its topic.
const PACKET_BYTES_MAX: usize = 512 * 1024;

/// Hints from the platform's broker; without a broker, only time.
pub(super) fn live(
    client: Client,
    key: ApiKey,
    allows_plain: bool,
    channels: ChannelHints,
) -> Live {
    let setup = Setup { client, key, allows_plain, name: name(), channels };
    Live::new(|outlet| setup.keep(outlet))
}

struct Setup {
    client: Client,
    key: ApiKey,
    allows_plain: bool,
    /// The suffix of the client id. It is the same for all connections of a listener, so that each
    /// replaces the one before.
    name: String,
    channels: ChannelHints,
}

/// Why a connection ended.
enum End {
    /// Reconnecting may help.
    Broken,
    /// Reconnecting may help later.
    NotNow,
    /// Other channels are to be watched.
    Changed,
    /// Reconnecting does not help.
    Refused,
}

impl Setup {
    /// Connects and reconnects until the broker refuses the client for good.
    async fn keep(self, outlet: Outlet) {
        let (mut wanted, mut backoff) = (self.channels.wanted(), Backoff::new());
        loop {
            let channels = wanted.borrow_and_update().clone();
            let at_least = match self.client.events().connect().await {
                Ok(answer) => {
                    let ended = tokio::select! {
                        ended = self.session(&answer.connect, &channels, &outlet) => ended,
                        Ok(()) = wanted.changed() => End::Changed,
                    };
                    if outlet.closed() {
                        backoff.reset();
                    }
                    match ended {
                        End::Refused => return,
                        End::Changed => continue,
                        End::Broken => Duration::ZERO,
                        End::NotNow => NOT_NOW,
                    }
                }
                Err(error) if is_final(&error) => {
                    tracing::info!(%error, "live events are unavailable; polling instead");
                    return;
                }
                Err(error) => {
                    tracing::debug!(%error, "the broker's address can't be read; retrying");
                    asked_wait(&error)
                }
            };
            tokio::time::sleep(backoff.pause(at_least)).await;
        }
    }

    async fn session(&self, connect: &Connect, channels: &[ChannelId], outlet: &Outlet) -> End {
        let Some(options) = self.options(connect) else { return End::Refused };
        let topics = Topics::of(connect, channels);
        let (broker, events) = AsyncClient::new(options, REQUESTS_MAX);
        let session = Session { broker, topics, channels: &self.channels, outlet };
        let ended = session.listen(events).await;
        let _ = session.broker.try_disconnect();
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

/// The topics to subscribe to.
struct Topics {
    /// Together these two topics carry all events of the account.
    account: [String; 2],
    /// Topics of channels, with the ids they end in.
    channels: Vec<(String, ChannelId)>,
}

impl Topics {
    /// Those of the account, and those of these channels that the platform names, as far as the broker
    /// grants them.
    fn of(connect: &Connect, channels: &[ChannelId]) -> Self {
        let ConnectTopics { dm, notifications, channels: named, .. } = &connect.topics;
        let topic = |id: &ChannelId| {
            let topic = named.iter().find(|topic| topic.rsplit('/').next() == Some(id.as_str()))?;
            Some((topic.clone(), id.clone()))
        };
        let channels = channels.iter().filter_map(topic).take(CHANNELS_MAX).collect();
        Self { account: [dm.clone(), notifications.clone()], channels }
    }

    fn filters(&self) -> Vec<SubscribeFilter> {
        let channels = self.channels.iter().map(|(topic, _)| topic);
        let all = self.account.iter().chain(channels);
        all.map(|topic| SubscribeFilter::new(topic.clone(), QoS::AtLeastOnce)).collect()
    }

    fn channel(&self, topic: &str) -> Option<&ChannelId> {
        self.channels.iter().find(|(known, _)| known == topic).map(|(_, id)| id)
    }
}

/// One connection to the broker.
struct Session<'a> {
    broker: AsyncClient,
    topics: Topics,
    channels: &'a ChannelHints,
    outlet: &'a Outlet,
}

impl Session<'_> {
    /// Subscribes and forwards events until the connection ends.
    async fn listen(&self, mut events: EventLoop) -> End {
        if let Err(end) = self.subscribe(&mut events).await {
            return end;
        }
        let _live = (!self.topics.channels.is_empty()).then(|| self.channels.live());
        self.outlet.opened();
        loop {
            match next_packet(&mut events).await {
                Ok(Incoming::Publish(publish)) => self.forward(&publish),
                Ok(_) => {}
                Err(end) => return end,
            }
        }
    }

    /// Subscribes when the broker accepts the connection, and waits until it accepts the topics.
    async fn subscribe(&self, events: &mut EventLoop) -> Result<(), End> {
        loop {
            match next_packet(events).await? {
                Incoming::ConnAck(_) => {
                    let subscribed = self.broker.try_subscribe_many(self.topics.filters());
                    subscribed.map_err(|_| End::Broken)?;
                }
                Incoming::SubAck(answer) => {
                    if !answer.return_codes.contains(&SubscribeReasonCode::Failure) {
                        return Ok(());
                    }
                    // Maybe it could not ask who may receive what, or a channel was left.
                    tracing::warn!(
                        "the broker refuses a topic; the list is read until it is asked again"
                    );
                    return Err(End::Broken);
                }
                _ => {}
            }
        }
    }

    fn forward(&self, publish: &Publish) {
        if let Some(channel) = self.topics.channel(&publish.topic) {
            self.channels.changed(channel.clone());
            self.outlet.send(Hint::Channel);
            return;
        }
        match serde_json::from_slice(&publish.payload) {
            Ok(event) => self.outlet.send(Hint::Event(Box::new(event))),
            Err(_) => self.outlet.send(Hint::Poll),
        }
    }
}

/// The next packet of the broker.
async fn next_packet(events: &mut EventLoop) -> Result<Incoming, End> {
    loop {
        match events.poll().await {
            Ok(rumqttc::Event::Incoming(packet)) => return Ok(packet),
            Ok(rumqttc::Event::Outgoing(_)) => {}
            Err(ConnectionError::ConnectionRefused(ConnectReturnCode::BadUserNamePassword)) => {
                tracing::warn!("the broker rejects the API key; polling instead");
                return Err(End::Refused);
            }
            // The account is suspended, for example, and may connect once that is lifted.
            Err(ConnectionError::ConnectionRefused(ConnectReturnCode::NotAuthorized)) => {
                tracing::warn!(
                    "the broker does not let the account in: it may be suspended, or its key may \
                     lack the scope dm; polling meanwhile"
                );
                return Err(End::NotNow);
            }
            Err(error) => {
                tracing::debug!(%error, "the connection to the broker broke");
                return Err(End::Broken);
            }
        }
    }
}

/// A name that is unique across listeners and processes.
fn name() -> String {
    static LISTENERS: AtomicU32 = AtomicU32::new(0);
    let number = LISTENERS.fetch_add(1, Ordering::Relaxed);
    let millis = crate::clock::now().as_millis();
    format!("kit-{}-{millis}-{number}", std::process::id())
}

/// Whether retrying is pointless. A refusal without a code of the platform is that of a proxy, and passes.
fn is_final(error: &Error) -> bool {
    let Some(code) = error.code() else { return false };
    *code == Code::FeatureNotConfigured
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
