//! One client's connection, from the CONNACK to its end.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use svc_core::app::App;
use svc_store::panics::caught;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::time::{Instant, sleep_until, timeout};

use super::connect::Client;
use super::hub::Hub;
use super::mailbox::{AHEAD_BYTES, Taking};
use super::publish::{publish, publish_will};
use super::subscribe::{SUBSCRIPTIONS_MAX, subscribe};
use crate::push::push;
use crate::wire::{self, Frame, Packet, Publish, Reason, Version};

/// Most bytes of unsent replies; until the client reads some, its packets are not read.
const OUT_BYTES_MAX: usize = 1_048_576;

/// A client that reads nothing for so long is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Time to send a DISCONNECT.
const DISCONNECT_TIME: Duration = Duration::from_millis(500);

/// How a connection ends.
enum End {
    /// The socket broke.
    Gone,
    /// The client sent a DISCONNECT.
    Asked { with_will: bool, expiry: Option<u32> },
    /// The server disconnects the client.
    For(Reason),
}

struct Session {
    app: Arc<App>,
    hub: Arc<Hub>,
    client: Client,
    /// Bytes to write.
    out: BytesMut,
}

/// How the client keeps up.
struct Pace {
    /// When bytes were last written, or there were none to write.
    written: Instant,
    /// Whether written bytes are not sent yet.
    has_buffered: bool,
    /// Since when it is silent.
    last_read: Instant,
    /// Whether bytes of it arrived since the last turn.
    has_read: bool,
}

impl Pace {
    fn new() -> Self {
        let now = Instant::now();
        Self { written: now, has_buffered: false, last_read: now, has_read: true }
    }

    /// Begins a turn with these bytes to write. Time that the server spends on replies, or does not read, does not
    /// count as silence.
    fn turn(&mut self, out: &BytesMut) {
        if mem::take(&mut self.has_read) || is_full(out) {
            self.last_read = Instant::now();
        }
        if out.is_empty() && !self.has_buffered {
            self.written = Instant::now();
        }
    }
}

/// Whether unsent replies fill their buffer, so that nothing is read.
fn is_full(out: &BytesMut) -> bool {
    out.len() >= OUT_BYTES_MAX
}

/// Serves a client until its connection ends.
pub(super) async fn run<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    buffer: BytesMut,
    client: Client,
    app: Arc<App>,
    hub: Arc<Hub>,
) {
    metrics::gauge!("svc_mqtt_connections").increment(1);
    let mut session = Session { app, hub, client, out: BytesMut::new() };
    let serving = async { Ok(session.serve(&mut stream, buffer).await) };
    // After a panic the client leaves its session, too: otherwise the session would never end.
    let end = caught(serving).await.unwrap_or_else(|error| {
        tracing::error!(%error, "an MQTT connection panicked");
        End::Gone
    });
    let (with_will, expiry) = match end {
        End::Gone => (true, None),
        End::Asked { with_will, expiry } => (with_will, expiry),
        End::For(reason) => {
            session.disconnect(&mut stream, reason).await;
            // An account that may no longer connect may not publish its will either.
            (!matches!(reason, Reason::Administrative | Reason::ShuttingDown), None)
        }
    };
    metrics::gauge!("svc_mqtt_connections").decrement(1);
    session.leave(with_will, expiry);
}

impl Session {
    async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        mut buffer: BytesMut,
    ) -> End {
        let (mut input, mut output) = split(stream);
        let taking = self.taking();
        let notify = Arc::clone(&self.client.handle.notify);
        let mut pace = Pace::new();
        loop {
            if let Err(end) = self.handle_all(&mut buffer).await {
                return end;
            }
            pace.turn(&self.out);
            if let Some(reason) = self.client.handle.mailbox.ended(taking.number) {
                return End::For(reason);
            }
            let is_full = is_full(&self.out);
            if self.out.len() < AHEAD_BYTES {
                self.client.handle.mailbox.take(taking, &mut self.out);
            }
            let is_stuck = !self.out.is_empty() || pace.has_buffered;
            let silent = (!is_full).then(|| pace.last_read + self.client.silence_max);
            let stuck = is_stuck.then(|| pace.written + WRITE_TIMEOUT);
            let wake = silent.into_iter().chain(stuck).min().expect("a full buffer is stuck");
            tokio::select! {
                // Progress before timers: a client is not silent while its packets arrive.
                biased;
                pushed = push(&mut output, &mut self.out), if is_stuck => match pushed {
                    Err(_) => return End::Gone,
                    Ok(buffered) => (pace.written, pace.has_buffered) = (Instant::now(), buffered),
                },
                read = input.read_buf(&mut buffer), if !is_full => match read {
                    Ok(0) | Err(_) => return End::Gone,
                    Ok(_) => pace.has_read = true,
                },
                () = notify.notified() => {}
                () = sleep_until(wake) => {
                    if silent == Some(wake) {
                        return End::For(Reason::KeepAlive);
                    }
                    metrics::counter!("svc_mqtt_stuck_total").increment(1);
                    return End::Gone;
                }
            }
        }
    }

    const fn taking(&self) -> Taking {
        let Client { version, packet_maximum, ref handle, .. } = self.client;
        Taking { number: handle.number, version, packet_maximum }
    }

    /// Handles the packets that have arrived.
    async fn handle_all(&mut self, buffer: &mut BytesMut) -> Result<(), End> {
        while self.out.len() < OUT_BYTES_MAX {
            let Some(frame) = Frame::take(buffer).map_err(End::For)? else { break };
            let packet = Packet::read(&frame, self.client.version).map_err(End::For)?;
            self.handle(packet).await?;
        }
        Ok(())
    }

    async fn handle(&mut self, packet: Packet) -> Result<(), End> {
        let version = self.client.version;
        match packet {
            Packet::Ping => wire::ping_response(&mut self.out),
            Packet::PublishAck(id) => self.client.handle.mailbox.acknowledge(id),
            Packet::Subscribe { has_id: true, .. } => {
                return Err(End::For(Reason::SubscriptionIds));
            }
            Packet::Subscribe { packet_id, filters, .. } => {
                let granted = subscribe(&self.app, &self.hub, &self.client, filters).await;
                wire::subscribe_ack(&mut self.out, version, packet_id, &granted);
            }
            Packet::Unsubscribe { filters, .. } if filters.len() > SUBSCRIPTIONS_MAX => {
                return Err(End::For(Reason::Quota));
            }
            Packet::Unsubscribe { packet_id, filters } => {
                let end = |topic: &String| self.hub.unsubscribe(&self.client.handle, topic);
                let existed: Vec<bool> = filters.iter().map(end).collect();
                wire::unsubscribe_ack(&mut self.out, version, packet_id, &existed);
            }
            Packet::Publish(message) => return self.handle_publish(message).await,
            Packet::Disconnect { with_will, expiry } => {
                return Err(End::Asked { with_will, expiry });
            }
        }
        Ok(())
    }

    /// Stores a message and acknowledges it. 3.1.1 has no code for a refusal: the connection ends if
    /// the client may not publish, or if it may retry a message of QoS 1; other refused messages are
    /// dropped.
    async fn handle_publish(&mut self, message: Publish) -> Result<(), End> {
        let Publish { topic, payload, packet_id } = message;
        let reason = publish(&self.app, &mut self.client, topic, payload).await;
        if reason != Reason::Normal {
            metrics::counter!("svc_mqtt_publishes_refused_total").increment(1);
        }
        match (self.client.version, reason, packet_id) {
            (Version::Three, Reason::NotAuthorized, _)
            | (Version::Three, Reason::Unspecified, Some(_)) => return Err(End::For(reason)),
            (version, _, Some(packet_id)) => {
                wire::publish_ack(&mut self.out, version, packet_id, reason);
            }
            (.., None) => {}
        }
        Ok(())
    }

    /// Sends the reason, as far as the client still reads.
    async fn disconnect<S: AsyncWrite + Unpin>(&mut self, stream: &mut S, reason: Reason) {
        wire::disconnect(&mut self.out, self.client.version, reason);
        let disconnect = async {
            let _ = stream.write_all_buf(&mut self.out).await;
            let _ = stream.shutdown().await;
        };
        let _ = timeout(DISCONNECT_TIME, disconnect).await;
    }

    /// Leaves the session, and publishes the will message if there is one.
    fn leave(mut self, with_will: bool, expiry: Option<u32>) {
        let expiry = expiry.map(|seconds| Duration::from_secs(seconds.into()));
        let remaining = self.hub.leave(&self.client.handle, expiry);
        if let Some(will) = self.client.will.take().filter(|_| with_will) {
            publish_will(self.app, &self.hub, self.client, will, remaining);
        }
    }
}
