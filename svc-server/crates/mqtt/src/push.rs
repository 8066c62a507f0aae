//! Bytes on their way out, with TLS or without.

use std::io;

use bytes::BytesMut;
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// Writes some of what waits; when nothing does, what the stream still keeps: TLS holds what the
/// socket did not take, and has to be asked to go on. The answer is whether it may keep something.
///
/// Nothing is lost when it is given up in the middle.
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
    async fn what_the_stream_keeps_goes_out_when_nothing_else_waits() {
        let (near, mut far) = tokio::io::duplex(16);
        // It keeps what it is given until it is told to let go, as TLS may.
        let mut near = BufWriter::new(near);
        let mut out = BytesMut::from(&b"hello"[..]);
        assert!(push(&mut near, &mut out).await.unwrap());
        assert!(out.is_empty() && !push(&mut near, &mut out).await.unwrap());
        let mut heard = [0; 5];
        far.read_exact(&mut heard).await.unwrap();
        assert_eq!(&heard, b"hello");
    }
}
