//! One connection to an external broker, on which the server only publishes.
//!
//! Hand-written because an event is marked when the broker acknowledges it: rumqttc does not report
//! which message was acknowledged, resends others by itself, and offers TLS only with OpenSSL or an
//! outdated webpki.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::time::Duration;

use bytes::BytesMut;
use svc_types::EventId;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use super::suspects::Suspects;
use super::{Delivered, Message};
use crate::PACKET_BYTES_MAX;
use crate::push::push;
use crate::wire::service::{self, Answer, Login};
use crate::wire::{self, Frame, Reason, Version};

/// Keep-alive of the connection, in seconds.
pub(super) const KEEP_ALIVE_SECONDS: u16 = 30;

/// Silence after which the broker is pinged, and the time it has to reply.
const SILENCE: Duration = Duration::from_secs(15);

/// How long the broker may take to acknowledge a message. One that replies to pings but acknowledges
/// nothing would block the queue for ever.
const ACKNOWLEDGE_TIME: Duration = Duration::from_secs(20);

/// Most unacknowledged messages.
const WINDOW: usize = 100;

/// Bytes encoded ahead of the socket.
const AHEAD_BYTES: usize = 65_536;

/// Time to send a DISCONNECT.
const DISCONNECT_TIME: Duration = Duration::from_millis(500);

/// A byte stream, with TLS or without.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// An authenticated connection.
pub(super) struct Link {
    stream: Box<dyn Stream>,
    input: BytesMut,
    out: BytesMut,
    sent: Sent,
    /// A suspect message that waits until nothing else is in flight.
    held: Option<Message>,
}

/// Unacknowledged messages, oldest first.
#[derive(Default)]
struct Sent {
    packets: VecDeque<Packet>,
    last_id: u16,
}

/// An unacknowledged message.
struct Packet {
    id: u16,
    since: Instant,
    event: EventId,
    delivered: Delivered,
}

impl Link {
    /// Connects as the service account.
    pub(super) async fn open(stream: Box<dyn Stream>, login: &Login<'_>) -> io::Result<Self> {
        let (input, out) = (BytesMut::new(), BytesMut::new());
        let mut link = Self { stream, input, out, sent: Sent::default(), held: None };
        login.write(&mut link.out);
        link.stream.write_all_buf(&mut link.out).await?;
        link.stream.flush().await?;
        loop {
            match take(&mut link.input)? {
                Some(Answer::ConnectAck(0)) => return Ok(link),
                Some(Answer::ConnectAck(code)) => {
                    let refusal = format!("it refuses the server with code {code}");
                    return Err(io::Error::new(io::ErrorKind::PermissionDenied, refusal));
                }
                Some(_) => return Err(broken(Reason::Protocol)),
                None => _ = filled(link.stream.read_buf(&mut link.input).await)?,
            }
        }
    }

    /// Sends queued messages until the connection breaks. Unacknowledged ones are dropped without
    /// calling `delivered`.
    pub(super) async fn run(
        &mut self,
        waiting: &mut mpsc::Receiver<Message>,
        suspects: &mut Suspects,
    ) -> io::Error {
        let Err(error) = self.transfer(waiting, suspects).await;
        // A broker that timed out has not rejected any of them.
        if error.kind() != io::ErrorKind::TimedOut {
            self.sent.blame(suspects);
        }
        error
    }

    async fn transfer(
        &mut self,
        waiting: &mut mpsc::Receiver<Message>,
        suspects: &mut Suspects,
    ) -> io::Result<Infallible> {
        let Self { stream, input, out, sent, held } = self;
        let (mut from, mut to) = split(stream);
        let (mut last_read, mut is_pinged) = (Instant::now(), false);
        let mut has_buffered = false;
        loop {
            while let Some(answer) = take(input)? {
                if let Answer::PublishAck(id) = answer {
                    sent.acknowledge(id, suspects);
                }
            }
            if let Some(message) = held.take_if(|_| sent.packets.is_empty()) {
                sent.write(message, out);
            }
            let has_room = out.len() < AHEAD_BYTES && held.is_none() && sent.has_room(suspects);
            tokio::select! {
                biased;
                read = from.read_buf(input) => {
                    filled(read)?;
                    (last_read, is_pinged) = (Instant::now(), false);
                }
                // Before the branches that could starve it while there is always more to send.
                () = sleep_until(sent.due().unwrap_or(last_read)), if sent.due().is_some() => {
                    let slow = "it does not acknowledge messages";
                    return Err(io::Error::new(io::ErrorKind::TimedOut, slow));
                }
                pushed = push(&mut to, out), if has_buffered || !out.is_empty() => has_buffered = pushed?,
                Some(message) = waiting.recv(), if has_room => {
                    if suspects.contains(&message.event) {
                        *held = Some(message);
                    } else {
                        sent.write(message, out);
                    }
                }
                () = sleep_until(last_read + SILENCE) => {
                    if is_pinged {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    service::ping(out);
                    (last_read, is_pinged) = (Instant::now(), true);
                }
            }
        }
    }

    /// Disconnects, as far as the broker still reads.
    pub(super) async fn leave(mut self) {
        service::disconnect(&mut self.out);
        let disconnect = async {
            let _ = self.stream.write_all_buf(&mut self.out).await;
            let _ = self.stream.shutdown().await;
        };
        let _ = timeout(DISCONNECT_TIME, disconnect).await;
    }
}

impl Sent {
    /// Whether another message may be sent now: a suspect is sent alone.
    fn has_room(&self, suspects: &Suspects) -> bool {
        let is_suspect = |packet: &Packet| suspects.contains(&packet.event);
        self.packets.len() < WINDOW && !self.packets.front().is_some_and(is_suspect)
    }

    /// When the oldest must be acknowledged.
    fn due(&self) -> Option<Instant> {
        self.packets.front().map(|packet| packet.since + ACKNOWLEDGE_TIME)
    }

    /// Writes a message under a packet id that is not in use; there are many more than the window.
    fn write(&mut self, message: Message, out: &mut BytesMut) {
        let Message { event, topic, envelope, delivered, .. } = message;
        loop {
            self.last_id = self.last_id.checked_add(1).unwrap_or(1);
            if self.packets.iter().all(|packet| packet.id != self.last_id) {
                break;
            }
        }
        let id = self.last_id;
        // Events are smaller than a packet may be.
        let (content, place) = ((&*topic, &*envelope), (Some(id), false));
        if wire::publish(out, Version::Three, content, place, PACKET_BYTES_MAX) {
            self.packets.push_back(Packet { id, since: Instant::now(), event, delivered });
        }
    }

    /// The broker has acknowledged this packet id.
    fn acknowledge(&mut self, id: u16, suspects: &mut Suspects) {
        let place = self.packets.iter().position(|packet| packet.id == id);
        if let Some(packet) = place.and_then(|place| self.packets.remove(place)) {
            suspects.acquit(&packet.event);
            (packet.delivered)();
        }
    }

    /// The broker hung up. A message that it hung up on twice is not sent again; its account reads
    /// the event by cursor.
    fn blame(&mut self, suspects: &mut Suspects) {
        if suspects.hung_up_on(self.packets.iter().map(|packet| &packet.event))
            && let Some(packet) = self.packets.pop_front()
        {
            tracing::warn!(event = %packet.event, "skipped an event that the broker hangs up on");
            (packet.delivered)();
        }
    }
}

/// The next complete packet of the broker.
fn take(input: &mut BytesMut) -> io::Result<Option<Answer>> {
    let frame = Frame::take(input).map_err(broken)?;
    frame.map(|frame| Answer::read(&frame).map_err(broken)).transpose()
}

fn broken(reason: Reason) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the broker breaks the protocol: {reason:?}"),
    )
}

/// A read of zero bytes is the end of the stream.
fn filled(bytes: io::Result<usize>) -> io::Result<usize> {
    match bytes? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
