//! One attempt over the network.

use std::pin::pin;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::future::{Either, select};
use http::HeaderMap;
use http::header::SET_COOKIE;
use reqwest::Response;

use crate::answer::{REQUEST_ID, Received, text};
use crate::client::Client;
use crate::error::{Error, Result};
use crate::plan::Plan;

/// Maximum size of an answer: a page of 100 orders with the largest inputs and results has about 40 MiB.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
/// How much of a refusal's body is read.
const REFUSAL_BYTES_MAX: usize = 64 * 1024;

impl Client {
    /// Sends the request once and waits for the answer, at most `limit`.
    pub(crate) async fn attempt(&self, plan: &Plan, limit: Duration) -> Result<Received> {
        self.within(limit, self.exchange(plan)).await
    }

    /// Sends the request once and waits for the head of the answer, at most `limit`.
    pub(crate) async fn open(&self, plan: &Plan, limit: Duration) -> Result<Response> {
        self.within(limit, self.begin(plan)).await
    }

    /// What this future returns, or a timeout if that takes longer than `limit`.
    pub(crate) async fn within<T>(
        &self,
        limit: Duration,
        answering: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let alarm = self.clock().alarm(self.clock().elapsed().saturating_add(limit));
        // The alarm is polled first, so an answer that arrives with it is too late.
        match select(alarm, pin!(answering)).await {
            Either::Left(_) => Err(Error::timeout(limit)),
            Either::Right((answer, _)) => answer,
        }
    }

    async fn begin(&self, plan: &Plan) -> Result<Response> {
        let request = plan.request();
        tracing::debug!(method = %plan.method, path = plan.url.path(), "request");
        let mut response = self.http().execute(request).await.map_err(Error::transport)?;
        let status = response.status();
        hide_cookies(response.headers_mut());
        let request_id = text(response.headers(), &REQUEST_ID);
        tracing::debug!(status = status.as_u16(), request_id, "answer");
        if status.is_success() {
            return Ok(response);
        }
        let headers = std::mem::take(response.headers_mut());
        let body = read_start(&mut response).await;
        Err(Error::refused(status, &headers, &body, self.clock().now()))
    }

    async fn exchange(&self, plan: &Plan) -> Result<Received> {
        let mut response = self.begin(plan).await?;
        let status = response.status();
        let headers = std::mem::take(response.headers_mut());
        let Some(body) = read(&mut response).await? else {
            let rule = format!("the answer is larger than {ANSWER_BYTES_MAX} bytes");
            return Err(Error::unreadable(status, &headers, ".".to_owned(), rule));
        };
        tracing::trace!(bytes = body.len(), "body");
        let (target, key) = (plan.target(), plan.repeat_key());
        Ok(Received { status, headers, body, attempts: 1, target, key })
    }
}

/// The body of an answer, unless it is too large.
async fn read(response: &mut Response) -> Result<Option<Bytes>> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(Error::transport)? {
        if body.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body.freeze()))
}

/// The body of a refusal as far as it arrives: the status decides, so it may be truncated.
async fn read_start(response: &mut Response) -> Bytes {
    let mut body = BytesMut::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let left = REFUSAL_BYTES_MAX - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(left)]);
        if body.len() == REFUSAL_BYTES_MAX {
            break;
        }
    }
    body.freeze()
}

/// Session cookies are secrets, and `Debug` of the headers must not show them.
fn hide_cookies(headers: &mut HeaderMap) {
    for (name, value) in headers.iter_mut() {
        if name == SET_COOKIE {
            value.set_sensitive(true);
        }
    }
}
