//! A connection that drains unread bytes before it closes.
//!
//! Closing a socket with unread bytes resets the connection, and the client may lose the last
//! answer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// Most bytes that are drained.
const BYTES_MAX: usize = 1024 * 1024;

/// A connection to a client.
pub(super) struct Socket {
    stream: TcpStream,
    /// Bytes that may still be drained; `None` before shutdown.
    left: Option<usize>,
}

impl Socket {
    pub(super) const fn new(stream: TcpStream) -> Self {
        Self { stream, left: None }
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(&mut self.get_mut().stream)
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
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream().poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream().poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
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
