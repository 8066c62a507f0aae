//! A call: its options, and how it is sent.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use svc_types::{Declaration, Endpoint, wire};

use crate::answer::Answer;
use crate::client::Client;
use crate::error::Result;
use crate::plan::{Options, Plan};

/// A request that is sent when awaited.
///
/// Awaiting it returns the body of the answer; [`raw`](Self::raw) returns status and headers, too.
/// It owns its data, so it can be stored, moved to another task, or returned from a function.
#[must_use = "a call is sent only when awaited"]
pub struct Call<R> {
    pub(crate) client: Client,
    pub(crate) request: R,
    pub(crate) options: Options,
}

impl<R> Call<R> {
    pub(crate) fn new(client: Client, request: R) -> Self {
        Self { client, request, options: Options::default() }
    }

    /// Sets the idempotency key of a POST: 1 to 255 visible ASCII characters.
    ///
    /// Every POST has a key, the same for all attempts. A key that your program can derive again,
    /// such as from an order number, prevents duplicates across restarts as well.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.messages().send("ada", "hello").idempotency_key("greet-ada").await?;
    /// # Ok(()) }
    /// ```
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.options.idempotency_key = Some(key.into());
        self
    }

    /// Time limit of this call, including its pauses, instead of the client's setting.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.users().me().timeout(Duration::from_secs(2)).await?;
    /// # Ok(()) }
    /// ```
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = Some(timeout);
        self
    }

    /// The longest Retry-After to wait for, instead of the client's setting.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.users().me().max_retry_wait(Duration::from_secs(1)).await?;
    /// # Ok(()) }
    /// ```
    pub fn max_retry_wait(mut self, wait: Duration) -> Self {
        self.options.max_retry_wait = Some(wait);
        self
    }

    /// Disables retries for this call.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.health().ready().no_retry().await?;
    /// # Ok(()) }
    /// ```
    pub fn no_retry(mut self) -> Self {
        self.options.no_retry = true;
        self
    }

    /// Sets a header, replacing one of the same name.
    ///
    /// ```no_run
    /// use svc_client::http::{HeaderName, HeaderValue};
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let trace = HeaderName::from_static("traceparent");
    /// svc.users().me().header(trace, HeaderValue::from_static("00-4bf9-00f0-01")).await?;
    /// # Ok(()) }
    /// ```
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.options.headers.insert(name, value);
        self
    }
}

impl<E: Endpoint> Call<E> {
    /// Changes the request; for members without a setter.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.messages()
    ///     .send("ada", "hello")
    ///     .with(|request| request.reply_to_id = Some("msg_01".into()))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn with(mut self, change: impl FnOnce(&mut E)) -> Self {
        change(&mut self.request);
        self
    }

    /// Sends the request and returns its answer with status, headers, request id and rate limit.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let posted = svc.posts().create("first post").raw().await?;
    /// println!("{} after {} attempts", posted.value.post.id, posted.attempts);
    /// # Ok(()) }
    /// ```
    pub async fn raw(self) -> Result<Answer<E::Response>> {
        let plan = self.plan()?;
        self.client.run(plan).await?.decode()
    }

    pub(crate) fn plan(&self) -> Result<Plan> {
        let encoded = wire::encode(&self.request)?;
        Plan::declared(&self.client, &Declaration::of::<E>(), encoded, &self.options)
    }
}

impl<E: Endpoint> IntoFuture for Call<E> {
    type Output = Result<E::Response>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { Ok(self.raw().await?.value) })
    }
}

impl<R: Clone> Clone for Call<R> {
    fn clone(&self) -> Self {
        Self {
            client: self.client.clone(),
            request: self.request.clone(),
            options: self.options.clone(),
        }
    }
}

impl<R> fmt::Debug for Call<R> {
    /// Without the request, which may hold messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<R>();
        f.debug_struct("Call").field("request", &name).finish_non_exhaustive()
    }
}
