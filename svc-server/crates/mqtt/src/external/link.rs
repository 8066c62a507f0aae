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
use svc_store::trace::Trace;
use svc_types::EventId;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use super::suspects::Suspects;
use super::{Delivered, Message};
use crate::PACKET_BYTES_MAX;
use crate::push::push;
use crate::wire::service::{self, Answer, Bounds, Login};
use crate::wire::{self, Content, Frame, Reason, Sending, Version};

/// Keep-alive of the connection, in seconds.
pub(super) const KEEP_ALIVE_SECONDS: u16 = 30;

/// Silence after which the broker is pinged, and the time it has to reply.
const SILENCE: Duration = Duration::from_secs(15);

/// How long the broker may take to acknowledge a message. One that replies to pings but acknowledges
/// nothing would block the queue for ever.
const ACKNOWLEDGE_TIME: Duration = Duration::from_secs(20);

/// How long a message may wait in the queue; then it is left to the sweeper. With the time to acknowledge it, this is
/// shorter than a turn lasts, after which another node may publish the event.
const QUEUED_MAX: Duration = Duration::from_secs(10);

/// Most unacknowledged messages.
const WINDOW: usize = 100;

/// The lowest reason code of MQTT 5 for a failure.
const REFUSED: u8 = 0x80;

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
    /// After this silence the broker is pinged.
    silence: Duration,
}

/// Why a connection was not made.
#[derive(Debug)]
pub(super) enum Unopened {
    /// The broker does not speak this version, or not as needed.
    Version,
    /// For another reason.
    Failed(io::Error),
}

impl From<io::Error> for Unopened {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Unacknowledged messages, oldest first.
struct Sent {
    packets: VecDeque<Packet>,
    last_id: u16,
    version: Version,
    /// Most of them.
    window: usize,
    /// Largest packet that the broker accepts.
    packet_maximum: usize,
    /// Whether the log has a message that the broker refused.
    has_warned: bool,
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
    pub(super) async fn open(
        mut stream: Box<dyn Stream>,
        login: &Login<'_>,
    ) -> Result<Self, Unopened> {
        let (mut input, mut out) = (BytesMut::new(), BytesMut::new());
        login.write(&mut out);
        stream.write_all_buf(&mut out).await?;
        stream.flush().await?;
        let answer = loop {
            if let Some(answer) = take(&mut input, login.version)? {
                break answer;
            }
            filled(stream.read_buf(&mut input).await)?;
        };
        match answer {
            Answer::Accepted(bounds) if !bounds.lacks_acks => {
                let sent = Sent::within(login.version, &bounds);
                let silence = silence(&bounds);
                Ok(Self { stream, input, out, sent, held: None, silence })
            }
            Answer::Accepted(_) => Err(Unopened::Version),
            answer if answer.is_other_version() => Err(Unopened::Version),
            Answer::Refused(code) => {
                let refusal = format!("it refuses the server with code {code}");
                Err(io::Error::new(io::ErrorKind::PermissionDenied, refusal).into())
            }
            _ => Err(broken(Reason::Protocol).into()),
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
        let Self { stream, input, out, sent, held, silence } = self;
        let (mut from, mut to) = split(stream);
        let (mut last_read, mut is_pinged) = (Instant::now(), false);
        let mut has_buffered = false;
        loop {
            sent.read_answers(input, suspects)?;
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
                () = sleep_until(last_read + *silence) => {
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
    fn within(version: Version, bounds: &Bounds) -> Self {
        let window = bounds.receive_maximum.map_or(WINDOW, usize::from).min(WINDOW);
        let most = bounds.packet_maximum.and_then(|most| usize::try_from(most).ok());
        let packet_maximum = most.unwrap_or(PACKET_BYTES_MAX).min(PACKET_BYTES_MAX);
        let packets = VecDeque::new();
        Self { packets, last_id: 0, version, window, packet_maximum, has_warned: false }
    }

    /// Whether another message may be sent now: a suspect is sent alone.
    fn has_room(&self, suspects: &Suspects) -> bool {
        let is_suspect = |packet: &Packet| suspects.contains(&packet.event);
        self.packets.len() < self.window && !self.packets.front().is_some_and(is_suspect)
    }

    /// When the oldest must be acknowledged.
    fn due(&self) -> Option<Instant> {
        self.packets.front().map(|packet| packet.since + ACKNOWLEDGE_TIME)
    }

    /// Writes a message under a packet id that is not in use; there are many more than the window. One that has waited
    /// for too long is dropped.
    fn write(&mut self, message: Message, out: &mut BytesMut) {
        if message.since.elapsed() > QUEUED_MAX {
            return;
        }
        let Message { event, topic, envelope, trace, delivered, .. } = message;
        loop {
            self.last_id = self.last_id.checked_add(1).unwrap_or(1);
            if self.packets.iter().all(|packet| packet.id != self.last_id) {
                break;
            }
        }
        let id = self.last_id;
        let trace = trace.as_ref().map(Trace::as_str);
        let content = Content { topic: &topic, payload: &envelope, trace };
        if wire::publish(out, self.version, content, Sending::First(id), self.packet_maximum) {
            self.packets.push_back(Packet { id, since: Instant::now(), event, delivered });
        } else {
            // Its account reads the event by cursor.
            tracing::warn!(%event, "skipped an event that is larger than the broker accepts");
            delivered();
        }
    }

    /// Reads what has arrived from the broker.
    fn read_answers(&mut self, input: &mut BytesMut, suspects: &mut Suspects) -> io::Result<()> {
        while let Some(answer) = take(input, self.version)? {
            match answer {
                Answer::PublishAck(id, reason) => self.acknowledge(id, reason, suspects),
                Answer::Disconnect(reason) => return Err(ended(reason)),
                Answer::Accepted(_) | Answer::Refused(_) | Answer::Pong => {}
            }
        }
        Ok(())
    }

    /// The broker has answered this packet id. What it refuses is left to the sweeper.
    fn acknowledge(&mut self, id: u16, reason: u8, suspects: &mut Suspects) {
        let place = self.packets.iter().position(|packet| packet.id == id);
        let Some(packet) = place.and_then(|place| self.packets.remove(place)) else { return };
        suspects.acquit(&packet.event);
        if reason < REFUSED {
            (packet.delivered)();
        } else if !std::mem::replace(&mut self.has_warned, true) {
            let event = &packet.event;
            tracing::warn!(%event, reason, "the broker refused an event, which is sent again");
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

/// Half of the broker's own keep-alive, if that is sooner.
fn silence(bounds: &Bounds) -> Duration {
    let own = bounds.keep_alive.filter(|seconds| *seconds > 0);
    own.map_or(SILENCE, |seconds| SILENCE.min(Duration::from_secs(seconds.into()) / 2))
}

/// The next complete packet of the broker.
fn take(input: &mut BytesMut, version: Version) -> io::Result<Option<Answer>> {
    let frame = Frame::take(input).map_err(broken)?;
    frame.map(|frame| Answer::read(&frame, version).map_err(broken)).transpose()
}

fn ended(reason: u8) -> io::Error {
    let message = format!("it ended the connection with reason {reason:#04x}");
    io::Error::new(io::ErrorKind::ConnectionAborted, message)
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
