//! Says when it is worth looking: the platform's live stream of events is a hint, no more.

use std::time::Duration;

use reqwest::{Client, Request, Response};
use svc_client::http::header::{ACCEPT, AUTHORIZATION};
use svc_client::http::{HeaderMap, HeaderValue, Method, StatusCode};
use tokio::time::timeout;

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::transport;

const PATH: &str = "/v1/connect/stream";
/// How platforms answer that have no stream.
const ABSENT: [StatusCode; 3] =
    [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED, StatusCode::NOT_IMPLEMENTED];
/// How long a stream may take to begin.
const OPENING: Duration = Duration::from_secs(5);
/// How long an open stream may be silent: the platform sends a comment every 15 s. One that is silent for
/// longer is broken, although nothing said so.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// Waits for a hint.
pub(super) struct Wake {
    client: Client,
    request: Request,
    stream: Stream,
    silence_max: Duration,
}

enum Stream {
    Open(Box<Response>),
    Lost,
    /// The platform has none; remembered to avoid asking again.
    None,
}

impl Wake {
    pub(super) fn new(caller: &Caller) -> Result<Self> {
        let broken = |error: &dyn std::fmt::Display| {
            Error::new(Exit::Other, "config", format!("the stream can't be asked for: {error}"))
        };
        let url = format!("{}{PATH}", caller.target.url).parse().map_err(|error| broken(&error))?;
        let client = transport::client(&caller.target.url).connect_timeout(OPENING).build();
        let mut request = Request::new(Method::GET, url);
        *request.headers_mut() = headers(caller).map_err(|error| broken(&error.message))?;
        let client = client.map_err(|error| broken(&error))?;
        Ok(Self { client, request, stream: Stream::Lost, silence_max: SILENCE_MAX })
    }

    /// Waits until something may have happened; at most this long without a notification.
    pub(super) async fn wait(&mut self, at_most: Duration) {
        match &mut self.stream {
            Stream::Open(stream) => match timeout(self.silence_max, stream.chunk()).await {
                Ok(Ok(Some(_))) => {}
                Ok(Ok(None) | Err(_)) => {
                    self.stream = Stream::Lost;
                    // Some proxies end every stream at once, so the next one waits.
                    tokio::time::sleep(at_most).await;
                }
                Err(_) => self.stream = Stream::Lost,
            },
            Stream::Lost => {
                self.stream = self.open().await;
                // Once it is open, what happened before is there to be read.
                if !matches!(self.stream, Stream::Open(_)) {
                    tokio::time::sleep(at_most).await;
                }
            }
            Stream::None => tokio::time::sleep(at_most).await,
        }
    }

    async fn open(&self) -> Stream {
        let request = self.request.try_clone().expect("it has no body");
        match timeout(OPENING, self.client.execute(request)).await {
            Ok(Ok(stream)) if stream.status().is_success() => Stream::Open(Box::new(stream)),
            Ok(Ok(refused)) if ABSENT.contains(&refused.status()) => Stream::None,
            _ => Stream::Lost,
        }
    }
}

/// Who asks.
fn headers(caller: &Caller) -> Result<HeaderMap> {
    let mut headers = caller.session()?;
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    if let (true, Some(key)) = (headers.len() == 1, caller.target.credentials.bearer()) {
        let mut bearer = HeaderValue::from_str(&format!("Bearer {}", key.expose()))
            .map_err(|_| Error::usage("the key of the profile is broken").hint("svc login"))?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Begins a stream that then says nothing.
    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

    async fn wait_for_ever(wake: &mut Wake) {
        loop {
            wake.wait(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn a_stream_that_falls_silent_is_opened_again() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}{PATH}", listener.local_addr().unwrap());
        let client = transport::client(&url).build().unwrap();
        let request = Request::new(Method::GET, url.parse().unwrap());
        let silence_max = Duration::from_millis(1);
        let mut wake = Wake { client, request, stream: Stream::Lost, silence_max };
        let opened_twice = async {
            let mut streams = Vec::new();
            while streams.len() < 2 {
                let (mut stream, _) = listener.accept().await.unwrap();
                assert!(stream.read(&mut [0; 4_096]).await.unwrap() > 0);
                stream.write_all(HEAD).await.unwrap();
                streams.push(stream);
            }
        };
        tokio::select! {
            ended = timeout(Duration::from_secs(20), opened_twice) => ended.unwrap(),
            () = wait_for_ever(&mut wake) => {}
        }
    }
}
