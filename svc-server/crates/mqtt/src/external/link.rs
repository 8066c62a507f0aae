//! One connection to a broker of others, on which the server only publishes.
//!
//! Written here and not taken from a crate because an event is marked when the broker has
//! acknowledged it: rumqttc does not tell which message was, sends others again by itself, and
//! brings TLS only with OpenSSL or with an outdated webpki.

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
use super::{Message, Told};
use crate::PACKET_BYTES_MAX;
use crate::push::push;
use crate::wire::service::{self, Answer, Login};
use crate::wire::{self, Frame, Reason, Version};

/// Seconds between two packets of the server at most.
pub(super) const KEEP_ALIVE_SECONDS: u16 = 30;

/// Silence after which the broker is asked whether it is there, and given as long to answer.
const SILENCE: Duration = Duration::from_secs(15);

/// How long the broker may take to acknowledge a message. One that answers pings but takes nothing
/// would hold up all others for ever.
const ACKNOWLEDGE_TIME: Duration = Duration::from_secs(20);

/// Messages that the broker has not acknowledged, at most.
const WINDOW: usize = 100;

/// Bytes written ahead of what the socket takes.
const AHEAD_BYTES: usize = 65_536;

/// Time for the last packet.
const FAREWELL: Duration = Duration::from_millis(500);

/// What a connection is made of, with TLS or without.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// A connection that was let in.
pub(super) struct Link {
    stream: Box<dyn Stream>,
    input: BytesMut,
    out: BytesMut,
    sent: Sent,
    /// A message that waits until nothing else is on its way.
    held: Option<Message>,
}

/// What the broker has not acknowledged, the oldest first.
#[derive(Default)]
struct Sent {
    packets: VecDeque<Packet>,
    last_id: u16,
}

/// A message on its way.
struct Packet {
    id: u16,
    since: Instant,
    event: EventId,
    told: Told,
}

impl Link {
    /// Logs in.
    pub(super) async fn open(stream: Box<dyn Stream>, login: &Login<'_>) -> io::Result<Self> {
        let (input, out) = (BytesMut::new(), BytesMut::new());
        let mut link = Self { stream, input, out, sent: Sent::default(), held: None };
        login.write(&mut link.out);
        link.stream.write_all_buf(&mut link.out).await?;
        link.stream.flush().await?;
        loop {
            match take(&mut link.input)? {
                Some(Answer::Greeting(0)) => return Ok(link),
                Some(Answer::Greeting(code)) => {
                    let refusal = format!("it refuses the server with code {code}");
                    return Err(io::Error::new(io::ErrorKind::PermissionDenied, refusal));
                }
                Some(_) => return Err(broken(Reason::Protocol)),
                None => _ = filled(link.stream.read_buf(&mut link.input).await)?,
            }
        }
    }

    /// Sends what waits until the connection breaks. What was not acknowledged by then is dropped,
    /// and so untold.
    pub(super) async fn run(
        &mut self,
        waiting: &mut mpsc::Receiver<Message>,
        suspects: &mut Suspects,
    ) -> io::Error {
        let Err(error) = self.talk(waiting, suspects).await;
        // A broker that says nothing any more is not known to mind any of them.
        if error.kind() != io::ErrorKind::TimedOut {
            self.sent.blame(suspects);
        }
        error
    }

    async fn talk(
        &mut self,
        waiting: &mut mpsc::Receiver<Message>,
        suspects: &mut Suspects,
    ) -> io::Result<Infallible> {
        let Self { stream, input, out, sent, held } = self;
        let (mut from, mut to) = split(stream);
        let (mut heard, mut is_asked) = (Instant::now(), false);
        let mut is_kept = false;
        loop {
            while let Some(answer) = take(input)? {
                if let Answer::Taken(id) = answer {
                    sent.taken(id, suspects);
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
                    (heard, is_asked) = (Instant::now(), false);
                }
                // Before what may go on for ever while there is always more to send.
                () = sleep_until(sent.due().unwrap_or(heard)), if sent.due().is_some() => {
                    let slow = "it does not acknowledge what it is sent";
                    return Err(io::Error::new(io::ErrorKind::TimedOut, slow));
                }
                pushed = push(&mut to, out), if is_kept || !out.is_empty() => is_kept = pushed?,
                Some(message) = waiting.recv(), if has_room => {
                    if suspects.contains(&message.event) {
                        *held = Some(message);
                    } else {
                        sent.write(message, out);
                    }
                }
                () = sleep_until(heard + SILENCE) => {
                    if is_asked {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    service::ping(out);
                    (heard, is_asked) = (Instant::now(), true);
                }
            }
        }
    }

    /// Says goodbye, if the broker still listens.
    pub(super) async fn leave(mut self) {
        service::goodbye(&mut self.out);
        let farewell = async {
            let _ = self.stream.write_all_buf(&mut self.out).await;
            let _ = self.stream.shutdown().await;
        };
        let _ = timeout(FAREWELL, farewell).await;
    }
}

impl Sent {
    /// Whether another message may be sent now: a suspect goes alone.
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
        let Message { event, topic, envelope, told, .. } = message;
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
            self.packets.push_back(Packet { id, since: Instant::now(), event, told });
        }
    }

    /// The broker has the message of this packet id.
    fn taken(&mut self, id: u16, suspects: &mut Suspects) {
        let place = self.packets.iter().position(|packet| packet.id == id);
        if let Some(packet) = place.and_then(|place| self.packets.remove(place)) {
            suspects.acquit(&packet.event);
            (packet.told)();
        }
    }

    /// The broker hung up. What it hung up on twice is never sent again: whom it concerns reads it
    /// from the list of events.
    fn blame(&mut self, suspects: &mut Suspects) {
        if suspects.hung_up_on(self.packets.iter().map(|packet| &packet.event))
            && let Some(packet) = self.packets.pop_front()
        {
            tracing::warn!(event = %packet.event, "the broker hangs up on an event, which is left out");
            (packet.told)();
        }
    }
}

/// The next answer that has arrived whole.
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

/// Nothing read is the end.
fn filled(bytes: io::Result<usize>) -> io::Result<usize> {
    match bytes? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
