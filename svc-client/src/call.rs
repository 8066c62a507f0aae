//! A request on its way: options, and the ways to end it.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use svc_types::{Declaration, Endpoint, wire};

use crate::answer::Answer;
use crate::client::Client;
use crate::error::Result;
use crate::plan::{Options, Plan};

/// A request that is sent when it is awaited.
///
/// Awaiting it gives the body of the answer; [`raw`](Self::raw) gives everything around it too.
/// It owns what it needs, so it can be kept, moved to another task, or built in a function.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<R> {
    pub(crate) client: Client,
    pub(crate) request: R,
    pub(crate) options: Options,
}

impl<R> Call<R> {
    pub(crate) fn new(client: Client, request: R) -> Self {
        Self { client, request, options: Options::default() }
    }

    /// Sends a POST under a key of your own: 1 to 255 visible ASCII characters.
    ///
    /// Every POST has a key, the same over all attempts. A key that your program can make again,
    /// such as one from an order number, keeps the call from acting twice over restarts as well.
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

    /// How long the whole call may take, waits included, instead of the client's setting.
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

    /// The longest Retry-After that is waited for, instead of the client's setting.
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

    /// Sends the request once, whatever comes.
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

    /// Adds a header, in place of the one of that name.
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
    /// Changes the request: the way to members that have no method of their own.
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

    /// Sends the request, and answers with status, headers, request id and rate limit.
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
