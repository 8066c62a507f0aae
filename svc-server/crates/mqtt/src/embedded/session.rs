//! One client's conversation, from CONNACK to its end.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use svc_core::app::App;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::time::{Instant, sleep_until, timeout};

use super::connect::Client;
use super::hub::Hub;
use super::mailbox::{AHEAD_BYTES, Taking};
use super::publish::{publish, say_last};
use super::subscribe::{SUBSCRIPTIONS_MAX, subscribe};
use crate::push::push;
use crate::wire::{self, Frame, Packet, Publish, Reason, Version};

/// Bytes of answers that wait for a client at most; until it takes some, it is not heard.
const OUT_BYTES_MAX: usize = 1_048_576;

/// A client that takes nothing for so long is gone.
const STUCK: Duration = Duration::from_secs(10);

/// Time to tell a client why its connection ends.
const FAREWELL: Duration = Duration::from_millis(500);

/// How a connection ends.
enum End {
    /// The socket is gone.
    Gone,
    /// The client said so.
    Asked { with_will: bool, expiry: Option<u32> },
    /// The server says so.
    For(Reason),
}

struct Session {
    app: Arc<App>,
    hub: Arc<Hub>,
    client: Client,
    /// What is to be written.
    out: BytesMut,
}

/// Serves a client to its end.
pub(super) async fn run<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    buffer: BytesMut,
    client: Client,
    app: Arc<App>,
    hub: Arc<Hub>,
) {
    metrics::gauge!("svc_mqtt_connections").increment(1);
    let mut session = Session { app, hub, client, out: BytesMut::new() };
    let end = session.talk(&mut stream, buffer).await;
    let (with_will, expiry) = match end {
        End::Gone => (true, None),
        End::Asked { with_will, expiry } => (with_will, expiry),
        End::For(reason) => {
            session.bid_farewell(&mut stream, reason).await;
            // Whoever lost the right to connect has lost the right to a last word.
            (!matches!(reason, Reason::Administrative | Reason::ShuttingDown), None)
        }
    };
    metrics::gauge!("svc_mqtt_connections").decrement(1);
    session.leave(with_will, expiry);
}

impl Session {
    async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        mut buffer: BytesMut,
    ) -> End {
        let (mut input, mut output) = split(stream);
        let taking = self.taking();
        let notify = Arc::clone(&self.client.place.notify);
        let mut written = Instant::now();
        let mut heard = written;
        let mut has_read = true;
        let mut is_kept = false;
        loop {
            if let Err(end) = self.hear_all(&mut buffer).await {
                return end;
            }
            let is_deaf = self.out.len() >= OUT_BYTES_MAX;
            // The time that the server takes to answer, or does not listen, is not the client's.
            if mem::take(&mut has_read) || is_deaf {
                heard = Instant::now();
            }
            if let Some(reason) = self.client.place.mailbox.ended(taking.number) {
                return End::For(reason);
            }
            if self.out.is_empty() && !is_kept {
                written = Instant::now();
            }
            if self.out.len() < AHEAD_BYTES {
                self.client.place.mailbox.take(taking, &mut self.out);
            }
            let is_stuck = !self.out.is_empty() || is_kept;
            let silent = (!is_deaf).then(|| heard + self.client.patience);
            let stuck = is_stuck.then(|| written + STUCK);
            let wake = silent.into_iter().chain(stuck).min().expect("who is not heard is stuck");
            tokio::select! {
                // Whatever moves comes before the time: a client is not silent while it is heard.
                biased;
                pushed = push(&mut output, &mut self.out), if is_stuck => match pushed {
                    Err(_) => return End::Gone,
                    Ok(keeps) => (written, is_kept) = (Instant::now(), keeps),
                },
                read = input.read_buf(&mut buffer), if !is_deaf => match read {
                    Ok(0) | Err(_) => return End::Gone,
                    Ok(_) => has_read = true,
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
        let Client { version, packet_maximum, ref place, .. } = self.client;
        Taking { number: place.number, version, packet_maximum }
    }

    /// Answers the packets that have arrived.
    async fn hear_all(&mut self, buffer: &mut BytesMut) -> Result<(), End> {
        while self.out.len() < OUT_BYTES_MAX {
            let Some(frame) = Frame::take(buffer).map_err(End::For)? else { break };
            let packet = Packet::read(&frame, self.client.version).map_err(End::For)?;
            self.hear(packet).await?;
        }
        Ok(())
    }

    async fn hear(&mut self, packet: Packet) -> Result<(), End> {
        let version = self.client.version;
        match packet {
            Packet::Ping => wire::ping_response(&mut self.out),
            Packet::PublishAck(id) => self.client.place.mailbox.acknowledge(id),
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
                let end = |topic: &String| self.hub.unsubscribe(&self.client.place, topic);
                let existed: Vec<bool> = filters.iter().map(end).collect();
                wire::unsubscribe_ack(&mut self.out, version, packet_id, &existed);
            }
            Packet::Publish(message) => return self.hear_message(message).await,
            Packet::Disconnect { with_will, expiry } => {
                return Err(End::Asked { with_will, expiry });
            }
        }
        Ok(())
    }

    /// Stores a message and acknowledges it. 3.1.1 can't say that one is refused: the connection
    /// ends where the client may not publish or could try again later, whatever its QoS; what would
    /// be refused again is dropped.
    async fn hear_message(&mut self, message: Publish) -> Result<(), End> {
        let Publish { topic, payload, packet_id } = message;
        let heard = publish(&self.app, &mut self.client, topic, payload).await;
        if heard != Reason::Normal {
            metrics::counter!("svc_mqtt_publishes_refused_total").increment(1);
        }
        match (self.client.version, heard, packet_id) {
            (Version::Three, Reason::NotAuthorized, _)
            | (Version::Three, Reason::Unspecified, Some(_)) => return Err(End::For(heard)),
            (version, _, Some(packet_id)) => {
                wire::publish_ack(&mut self.out, version, packet_id, heard);
            }
            (.., None) => {}
        }
        Ok(())
    }

    /// Says why, if the client still listens.
    async fn bid_farewell<S: AsyncWrite + Unpin>(&mut self, stream: &mut S, reason: Reason) {
        wire::disconnect(&mut self.out, self.client.version, reason);
        let farewell = async {
            let _ = stream.write_all_buf(&mut self.out).await;
            let _ = stream.shutdown().await;
        };
        let _ = timeout(FAREWELL, farewell).await;
    }

    /// Gives the place back, and says the last word if there is one.
    fn leave(mut self, with_will: bool, expiry: Option<u32>) {
        let expiry = expiry.map(|seconds| Duration::from_secs(seconds.into()));
        let kept = self.hub.leave(&self.client.place, expiry);
        if let Some(will) = self.client.will.take().filter(|_| with_will) {
            say_last(self.app, &self.hub, self.client, will, kept);
        }
    }
}
