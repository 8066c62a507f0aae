//! HTTP requests and responses as bytes.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Maximum size of a head in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// Maximum size of a body in bytes.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A received request.
pub(super) struct Request {
    /// The request line and the headers, each with its line ending.
    head: String,
    body: Vec<u8>,
}

impl Request {
    /// Reads a request; `None` if the connection ends early.
    pub(super) async fn read(client: &mut TcpStream) -> io::Result<Option<Self>> {
        const END: &[u8] = b"\r\n\r\n";
        let mut bytes = Vec::new();
        let head_len = loop {
            if let Some(at) = bytes.windows(END.len()).position(|window| window == END) {
                break at + 2;
            }
            if bytes.len() > HEAD_BYTES_MAX || client.read_buf(&mut bytes).await? == 0 {
                return Ok(None);
            }
        };
        let mut body = bytes.split_off(head_len + 2);
        bytes.truncate(head_len);
        let head = String::from_utf8_lossy(&bytes).into_owned();
        let length = length(&head).unwrap_or(0).min(BODY_BYTES_MAX);
        while body.len() < length {
            if client.read_buf(&mut body).await? == 0 {
                return Ok(None);
            }
        }
        Ok(Some(Self { head, body }))
    }

    /// The request line.
    pub(super) fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }

    /// Sends the request to a server on a new connection, and returns the response.
    pub(super) async fn ask(&self, server: &str) -> io::Result<Vec<u8>> {
        let mut server = self.send(server).await?;
        let mut answer = Vec::new();
        server.read_to_end(&mut answer).await?;
        Ok(answer)
    }

    /// Sends the request to a server on a new connection.
    async fn send(&self, server: &str) -> io::Result<TcpStream> {
        let mut server = TcpStream::connect(server).await?;
        let headers = self.head.split_inclusive("\r\n");
        let head: String = headers
            .filter(|line| !line.to_ascii_lowercase().starts_with("connection:"))
            .chain(["connection: close\r\n\r\n"])
            .collect();
        server.write_all(head.as_bytes()).await?;
        server.write_all(&self.body).await?;
        Ok(server)
    }
}

/// Forwards a request, and returns the response to the client.
pub(super) async fn forward(
    request: &Request,
    server: &str,
    client: &mut TcpStream,
) -> io::Result<()> {
    let mut server = request.send(server).await?;
    // As it arrives, because a stream of events does not end.
    tokio::io::copy(&mut server, client).await?;
    client.shutdown().await
}

/// Responds in place of the server.
pub(super) async fn answer(
    client: &mut TcpStream,
    status: u16,
    retry_after: Option<u32>,
) -> io::Result<()> {
    let wait = retry_after.map_or(String::new(), |wait| format!("retry-after: {wait}\r\n"));
    let answer =
        format!("HTTP/1.1 {status} fault\r\n{wait}content-length: 0\r\nconnection: close\r\n\r\n");
    send(client, answer.as_bytes()).await
}

/// Sends these bytes and closes the connection.
pub(super) async fn send(client: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    client.write_all(bytes).await?;
    client.shutdown().await
}

fn length(head: &str) -> Option<usize> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(name, _)| name.eq_ignore_ascii_case("content-length"))?;
    value.trim().parse().ok()
}
