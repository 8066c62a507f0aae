//! Requests and answers as bytes.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Most bytes of a head.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// Most bytes of a body.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A request as it came in.
pub(super) struct Request {
    /// Its first line and its headers, each with its line end.
    head: String,
    body: Vec<u8>,
}

impl Request {
    /// Reads a request; none when the connection ends before it.
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

    /// Its first line.
    pub(super) fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }

    /// Has a server answer it, on a connection of its own.
    pub(super) async fn ask(&self, server: &str) -> io::Result<Vec<u8>> {
        let mut server = TcpStream::connect(server).await?;
        let kept = |line: &&str| !line.to_ascii_lowercase().starts_with("connection:");
        let head: String = self
            .head
            .split_inclusive("\r\n")
            .filter(kept)
            .chain(["connection: close\r\n\r\n"])
            .collect();
        server.write_all(head.as_bytes()).await?;
        server.write_all(&self.body).await?;
        let mut answer = Vec::new();
        server.read_to_end(&mut answer).await?;
        Ok(answer)
    }
}

/// Passes a request on, and its answer back.
pub(super) async fn pass(
    request: &Request,
    server: &str,
    client: &mut TcpStream,
) -> io::Result<()> {
    let answer = request.ask(server).await?;
    send(client, &answer).await
}

/// Answers in the server's place.
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

/// Sends these bytes, and ends the connection.
pub(super) async fn send(client: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    client.write_all(bytes).await?;
    client.shutdown().await
}

fn length(head: &str) -> Option<usize> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(name, _)| name.eq_ignore_ascii_case("content-length"))?;
    value.trim().parse().ok()
}
