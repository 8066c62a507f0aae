//! A connection that drains unread bytes before it closes, and fails if its client stops reading.
//!
//! Closing a socket with unread bytes resets the connection, and the client may lose the last
//! answer. An answer that nobody reads would keep its memory and its connection for good.
//!
//! A client that vanishes, such as a phone without a network, closes nothing. The system would resend a stream's
//! comments for a quarter of an hour before it gave up, and the stream would stay open.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::unreadable;

/// The largest number of bytes that are drained.
const BYTES_MAX: usize = 1024 * 1024;

/// The longest time in which the system accepts nothing of an answer that waits for its client. It accepts more once a
/// third of its buffer has been sent, which is more than a megabyte behind a proxy of this machine. So a phone that is
/// slowed down to 64 kbit/s still downloads a file, and takes minutes for each third.
const STALL_MAX: Duration = Duration::from_mins(5);

/// How long the client of a stream may acknowledge nothing that was sent to it: three of its comments.
const SILENCE_MAX: Duration = Duration::from_secs(45);

/// Whether the answer on a connection is a stream. The router learns it, and the socket acts on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Streaming(Arc<AtomicBool>);

impl Streaming {
    /// Records whether the answer that begins is a stream.
    pub(super) fn set(&self, is_stream: bool) {
        self.0.store(is_stream, Ordering::Relaxed);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A connection to a client.
pub(super) struct Socket {
    stream: TcpStream,
    streaming: Streaming,
    /// Whether the silence of the client is limited.
    is_limited: bool,
    /// Bytes that may still be drained; `None` before shutdown.
    left: Option<usize>,
    /// When a write that waits for the client fails; `None` while none waits.
    stalled: Option<Pin<Box<Sleep>>>,
    /// What is still to be sent in place of an answer without a body.
    instead: Bytes,
}

impl Socket {
    pub(super) const fn new(stream: TcpStream, streaming: Streaming) -> Self {
        Self {
            stream,
            streaming,
            is_limited: false,
            left: None,
            stalled: None,
            instead: Bytes::new(),
        }
    }

    /// Limits the silence of the client while it gets a stream. Not otherwise: a slow download waits longer at times,
    /// also on a connection that had a stream.
    fn limit_silence(&mut self) {
        let is_stream = self.streaming.get();
        if is_stream != self.is_limited {
            self.is_limited = is_stream;
            limit_silence(&self.stream, is_stream.then_some(SILENCE_MAX));
        }
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(&mut self.get_mut().stream)
    }

    /// The outcome of a write, which fails once it has waited too long.
    fn in_time(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let stalled = &mut self.get_mut().stalled;
        if written.is_ready() {
            *stalled = None;
            return written;
        }
        let stalled = stalled.get_or_insert_with(|| Box::pin(sleep(STALL_MAX)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream().poll_read(context, buffer)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Some(answer) = unreadable::with_body(bytes) {
            // It is sent by the flush that follows: nothing is written after it.
            self.instead = answer.into();
            return Poll::Ready(Ok(bytes.len()));
        }
        self.limit_silence();
        let written = self.as_mut().stream().poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [only] = bytes {
            return self.poll_write(context, only);
        }
        self.limit_silence();
        let written = self.as_mut().stream().poll_write_vectored(context, bytes);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.instead.is_empty() {
            let Self { stream, instead, .. } = &mut *self;
            let written = Pin::new(stream).poll_write(context, instead);
            match ready!(self.as_mut().in_time(context, written))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                sent => self.instead.advance(sent),
            }
        }
        self.stream().poll_flush(context)
    }

    /// Shuts down the sending side, then drains the bytes that have arrived.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.left.is_none() {
            ready!(self.as_mut().stream().poll_shutdown(context))?;
            self.left = Some(BYTES_MAX);
        }
        let mut bytes = [0; 8 * 1024];
        while let Some(left) = self.left.filter(|left| *left > 0) {
            let mut buffer = ReadBuf::new(&mut bytes);
            match self.as_mut().stream().poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    self.left = Some(left.saturating_sub(buffer.filled().len()));
                }
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Has the system end the connection when what was sent stays unacknowledged for that long, if it can. Without a time,
/// the system's own counts.
fn limit_silence(stream: &TcpStream, longest: Option<Duration>) {
    #[cfg(target_os = "linux")]
    {
        let milliseconds = longest.unwrap_or_default().as_millis();
        let milliseconds = u32::try_from(milliseconds).unwrap_or(u32::MAX);
        let _ = rustix::net::sockopt::set_tcp_user_timeout(stream, milliseconds);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (stream, longest);
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    async fn pair() -> (Socket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (Socket::new(listener.accept().await.unwrap().0, Streaming::default()), client)
    }

    /// More than the system buffers for a client.
    const LARGE: usize = 64 * 1024 * 1024;

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_reads_fails() {
        let (mut socket, _client) = pair().await;
        let error = socket.write_all(&vec![0; LARGE]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_client_of_a_stream_may_be_silent_for_less_than_a_minute() {
        let limit = |socket: &Socket| rustix::net::sockopt::tcp_user_timeout(&socket.stream);
        let (mut socket, _client) = pair().await;
        socket.write_all(b"a page").await.unwrap();
        assert_eq!(limit(&socket).unwrap(), 0, "the system's own");
        socket.streaming.set(true);
        for comment in ["events follow", "still here"] {
            socket.write_all(comment.as_bytes()).await.unwrap();
            assert_eq!(limit(&socket).unwrap(), 45_000);
        }
        socket.streaming.set(false);
        socket.write_all(b"a file").await.unwrap();
        assert_eq!(limit(&socket).unwrap(), 0, "a slow download may take longer");
    }

    #[tokio::test]
    async fn an_answer_that_is_read_arrives() {
        let (mut socket, mut client) = pair().await;
        let answer = async {
            socket.write_all(&vec![0; LARGE]).await.unwrap();
            socket.shutdown().await.unwrap();
        };
        let mut read = Vec::new();
        let ((), bytes) = tokio::join!(answer, client.read_to_end(&mut read));
        assert_eq!(bytes.unwrap(), LARGE);
    }
}
