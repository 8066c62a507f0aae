//! Live hints by server-sent events, over the client's own connection.

use std::time::Duration;

use serde::Deserialize;
use svc_client::http::{Method, StatusCode};
use svc_client::types::{ChannelId, Code};
use svc_client::{Client, Download, Error, Result};

use super::channel_hints::ChannelHints;
use super::hints::Hint;
use super::live::{Backoff, Live, Outlet};
use super::passing::{asked_wait, is_inactive};

const PATH: &str = "/v1/connect/stream";
/// The kind of events that say that a channel changed.
const CHANNEL_CHANGED: &str = "channel_changed";
/// Channels of a stream at most; others are polled.
const CHANNELS_MAX: usize = 50;
/// How long a stream may be silent: the platform sends a comment every 15 s.
const SILENCE_MAX: Duration = Duration::from_secs(45);
/// Largest event in bytes.
const EVENT_BYTES_MAX: usize = 1024 * 1024;

/// Hints from the platform's stream; without a stream, only time.
pub(super) fn live(client: Client, channels: ChannelHints) -> Live {
    Live::new(|outlet| async move { keep(&client, &channels, &outlet).await })
}

/// Opens the stream again whenever it ends, until the platform refuses it for good.
async fn keep(client: &Client, channels: &ChannelHints, outlet: &Outlet) {
    let (mut wanted, mut backoff) = (channels.wanted(), Backoff::new());
    // Whether the platform refused the present channels.
    let mut without_channels = false;
    loop {
        if wanted.has_changed().unwrap_or(false) {
            without_channels = false;
        }
        let mut ids = wanted.borrow_and_update().clone();
        ids.truncate(if without_channels { 0 } else { CHANNELS_MAX });
        let pause = match open(client, &ids).await {
            Ok(stream) => {
                backoff.reset();
                outlet.opened();
                let live = (!ids.is_empty()).then(|| channels.live());
                let is_changed = tokio::select! {
                    () = read(stream, channels, outlet) => false,
                    Ok(()) = wanted.changed() => true,
                };
                drop(live);
                outlet.closed();
                if is_changed {
                    without_channels = false;
                    continue;
                }
                backoff.pause(Duration::ZERO)
            }
            Err(error) if !ids.is_empty() && is_about_channels(&error) => {
                tracing::debug!(%error, "the stream without channels is opened instead");
                without_channels = true;
                channels.all_changed();
                continue;
            }
            Err(error) if is_final(&error) => {
                tracing::info!(%error, "the platform has no stream of events; polling instead");
                return;
            }
            Err(error) => {
                let pause = backoff.pause(asked_wait(&error));
                report(&error, pause);
                pause
            }
        };
        tokio::time::sleep(pause).await;
    }
}

/// Says why there is no stream for now. An outage is reported where the list of events is read, which
/// an account that is suspended can still do.
fn report(error: &Error, pause: Duration) {
    let seconds = pause.as_secs_f64();
    if is_inactive(error) {
        tracing::warn!(%error, "trying again in {seconds:.1} s");
    } else {
        tracing::debug!(%error, "the stream can't be opened; trying again in {seconds:.1} s");
    }
}

async fn open(client: &Client, channels: &[ChannelId]) -> Result<Download> {
    let mut request = client.request(Method::GET, PATH);
    if !channels.is_empty() {
        let ids: Vec<&str> = channels.iter().map(ChannelId::as_str).collect();
        request = request.query("channels", &ids.join(","));
    }
    request.download().await
}

/// Forwards events until the stream ends or is silent for too long.
async fn read(mut stream: Download, channels: &ChannelHints, outlet: &Outlet) {
    let mut received = Blocks::default();
    while let Ok(Ok(Some(bytes))) = tokio::time::timeout(SILENCE_MAX, stream.chunk()).await {
        if !received.push(&bytes) {
            return;
        }
        while let Some(block) = received.next() {
            forward(&block, channels, outlet);
        }
    }
}

fn forward(block: &Block, channels: &ChannelHints, outlet: &Outlet) {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Changed {
        channel_id: ChannelId,
    }
    if block.kind == CHANNEL_CHANGED {
        match serde_json::from_str(&block.data) {
            Ok(Changed { channel_id }) => channels.changed(channel_id),
            Err(_) => channels.all_changed(),
        }
        outlet.send(Hint::Channel);
        return;
    }
    match serde_json::from_str(&block.data) {
        Ok(event) => outlet.send(Hint::Event(Box::new(event))),
        Err(_) => outlet.send(Hint::Poll),
    }
}

/// Whether the platform refuses the channels and not the stream: one may be gone, or the platform
/// does not know the parameter.
fn is_about_channels(error: &Error) -> bool {
    error.field() == Some("channels")
}

/// Whether retrying is pointless. A refusal without a code of the platform is that of a proxy, and passes.
fn is_final(error: &Error) -> bool {
    let absent =
        [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED, StatusCode::NOT_IMPLEMENTED];
    let Some(code) = error.code() else { return false };
    *code == Code::FeatureNotConfigured
        || matches!(error, Error::Unauthorized { .. })
        || error.status().is_some_and(|status| absent.contains(&status))
}

/// The bytes of a stream, cut into blocks at empty lines.
#[derive(Debug, Default)]
struct Blocks {
    bytes: Vec<u8>,
    /// How much of the bytes has no empty line.
    searched: usize,
}

/// An event of a stream.
#[derive(Debug, Default, PartialEq, Eq)]
struct Block {
    kind: String,
    data: String,
}

impl Blocks {
    /// Adds bytes. Returns false if an event is too large.
    fn push(&mut self, bytes: &[u8]) -> bool {
        // JSON has no raw carriage return, so it can only be part of a line's end.
        self.bytes.extend(bytes.iter().filter(|byte| **byte != b'\r'));
        self.bytes.len() <= EVENT_BYTES_MAX
    }

    /// The next event that is complete.
    fn next(&mut self) -> Option<Block> {
        loop {
            let rest = &self.bytes[self.searched..];
            let Some(at) = rest.windows(2).position(|pair| pair == b"\n\n") else {
                self.searched = self.bytes.len().saturating_sub(1);
                return None;
            };
            let block: Vec<u8> = self.bytes.drain(..self.searched + at + 2).collect();
            self.searched = 0;
            if let Some(block) = Block::of(&String::from_utf8_lossy(&block)) {
                return Some(block);
            }
        }
    }
}

impl Block {
    /// An event; `None` if the block has no data, such as a comment.
    fn of(text: &str) -> Option<Self> {
        let (mut kind, mut data) = (String::new(), Vec::new());
        for line in text.lines() {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match name {
                "event" => value.clone_into(&mut kind),
                "data" => data.push(value),
                _ => {}
            }
        }
        (!data.is_empty()).then(|| Self { kind, data: data.join("\n") })
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
