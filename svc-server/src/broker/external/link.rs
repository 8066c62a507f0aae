//! One connection to a broker of others, on which the server only publishes.
//!
//! Written here and not taken from a crate because an event is marked when the broker has
//! acknowledged it: rumqttc does not tell which message was, sends others again by itself, and
//! brings TLS only with OpenSSL or with an outdated webpki.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use super::{Message, Told};
use crate::broker::PACKET_BYTES_MAX;
use crate::broker::push::push;
use crate::broker::wire::service::{self, Answer, Login};
use crate::broker::wire::{self, Frame, Reason, Version};

/// Seconds between two packets of the server at most.
pub(super) const KEEP_ALIVE_SECONDS: u16 = 30;

/// Silence after which the broker is asked whether it is there, and given as long to answer.
const SILENCE: Duration = Duration::from_secs(15);

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
    /// What the broker has not acknowledged, by packet id.
    sent: HashMap<u16, Told>,
    last_id: u16,
}

impl Link {
    /// Logs in.
    pub(super) async fn open(stream: Box<dyn Stream>, login: &Login<'_>) -> io::Result<Self> {
        let (input, out) = (BytesMut::new(), BytesMut::new());
        let mut link = Self { stream, input, out, sent: HashMap::new(), last_id: 0 };
        login.write(&mut link.out);
        link.stream.write_all_buf(&mut link.out).await?;
        link.stream.flush().await?;
        loop {
            match take(&mut link.input)? {
                Some(Answer::Greeting(0)) => return Ok(link),
                Some(Answer::Greeting(code)) => {
                    tracing::warn!(code, "the broker refuses the server");
                    return Err(io::ErrorKind::PermissionDenied.into());
                }
                Some(_) => return Err(broken(Reason::Protocol)),
                None => _ = filled(link.stream.read_buf(&mut link.input).await)?,
            }
        }
    }

    /// Sends what waits until the connection breaks. What was not acknowledged by then is dropped,
    /// and so untold.
    pub(super) async fn run(&mut self, waiting: &mut mpsc::Receiver<Message>) -> io::Error {
        match self.talk(waiting).await {
            Ok(never) => match never {},
            Err(error) => error,
        }
    }

    async fn talk(&mut self, waiting: &mut mpsc::Receiver<Message>) -> io::Result<Infallible> {
        let Self { stream, input, out, sent, last_id } = self;
        let (mut from, mut to) = split(stream);
        let (mut heard, mut is_asked) = (Instant::now(), false);
        let mut is_kept = false;
        loop {
            while let Some(answer) = take(input)? {
                if let Answer::Taken(id) = answer
                    && let Some(told) = sent.remove(&id)
                {
                    told();
                }
            }
            let has_room = sent.len() < WINDOW && out.len() < AHEAD_BYTES;
            tokio::select! {
                biased;
                pushed = push(&mut to, out), if is_kept || !out.is_empty() => is_kept = pushed?,
                read = from.read_buf(input) => {
                    filled(read)?;
                    (heard, is_asked) = (Instant::now(), false);
                }
                Some(message) = waiting.recv(), if has_room => send(message, out, sent, last_id),
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

/// Writes a message under a packet id that is not in use; there are many more than the window.
fn send(message: Message, out: &mut BytesMut, sent: &mut HashMap<u16, Told>, last_id: &mut u16) {
    let Message { topic, envelope, told } = message;
    loop {
        *last_id = last_id.checked_add(1).unwrap_or(1);
        if !sent.contains_key(last_id) {
            break;
        }
    }
    let id = (Some(*last_id), false);
    // Events are smaller than a packet may be.
    if wire::publish(out, Version::Three, (&topic, &envelope), id, PACKET_BYTES_MAX) {
        sent.insert(*last_id, told);
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
