//! Writes to a socket, with TLS or without.

use std::io;

use bytes::BytesMut;
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// Writes some of `out`, or flushes the stream when `out` is empty: TLS buffers what the socket did
/// not accept. Returns whether the stream may have buffered bytes.
///
/// Cancel safe.
pub(super) async fn push<W: AsyncWrite + Unpin>(
    output: &mut W,
    out: &mut BytesMut,
) -> io::Result<bool> {
    if out.is_empty() {
        return output.flush().await.map(|()| false);
    }
    match output.write_buf(out).await? {
        0 => Err(io::ErrorKind::WriteZero.into()),
        _ => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, BufWriter};

    #[tokio::test]
    async fn buffered_bytes_are_flushed_when_nothing_else_is_pending() {
        let (near, mut far) = tokio::io::duplex(16);
        // It buffers until it is flushed, as TLS may.
        let mut near = BufWriter::new(near);
        let mut out = BytesMut::from(&b"hello"[..]);
        assert!(push(&mut near, &mut out).await.unwrap());
        assert!(out.is_empty() && !push(&mut near, &mut out).await.unwrap());
        let mut read = [0; 5];
        far.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"hello");
    }
}
