//! Calls of paths without a type in this version.

use std::fmt;

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::call::Call;
use crate::download::Download;
use crate::error::{Error, Result};
use crate::plan::{Draft, Plan};
use crate::retry::{LOST_HINT, Repeat};

/// A request without a type; from [`Client::request`](crate::Client::request).
#[derive(Clone)]
pub struct Untyped {
    method: Method,
    path: String,
    query: String,
    body: Option<Result<Vec<u8>, String>>,
}

impl Untyped {
    pub(crate) fn new(method: Method, path: String) -> Self {
        Self { method, path, query: String::new(), body: None }
    }
}

impl fmt::Debug for Untyped {
    /// Without query and body, which may hold messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Untyped")
            .field("method", &self.method)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Call<Untyped> {
    /// Adds a parameter to the query.
    ///
    /// ```no_run
    /// # use svc_client::http::Method;
    /// # fn show(svc: svc_client::Client) {
    /// svc.request(Method::GET, "/v1/anything").query("limit", "5").query("q", "a b");
    /// # }
    /// ```
    pub fn query(mut self, name: &str, value: &str) -> Self {
        let query = &mut self.request.query;
        if !query.is_empty() {
            query.push('&');
        }
        query.extend(utf8_percent_encode(name, NON_ALPHANUMERIC));
        query.push('=');
        query.extend(utf8_percent_encode(value, NON_ALPHANUMERIC));
        self
    }

    /// Sets the body.
    ///
    /// ```no_run
    /// # use svc_client::http::Method;
    /// # fn show(svc: svc_client::Client) {
    /// svc.request(Method::POST, "/v1/anything").json(&serde_json::json!({ "amount": 5 }));
    /// # }
    /// ```
    pub fn json(mut self, body: &impl Serialize) -> Self {
        let bytes = serde_json::to_vec(body).map_err(|error| error.to_string());
        self.request.body = Some(bytes);
        self
    }

    /// Sets a body that is not JSON.
    ///
    /// ```no_run
    /// # use svc_client::http::{HeaderValue, Method};
    /// # fn show(svc: svc_client::Client, picture: Vec<u8>) {
    /// let png = HeaderValue::from_static("image/png");
    /// svc.request(Method::PUT, "/users/me/avatar").bytes(png, picture);
    /// # }
    /// ```
    pub fn bytes(mut self, content_type: HeaderValue, body: impl Into<Vec<u8>>) -> Self {
        self.request.body = Some(Ok(body.into()));
        self.header(CONTENT_TYPE, content_type)
    }

    /// Sends the request and decodes the body of the answer as `T`.
    ///
    /// ```no_run
    /// # use svc_client::http::Method;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let value: serde_json::Value = svc.request(Method::GET, "/health").send().await?;
    /// # Ok(()) }
    /// ```
    pub async fn send<T: DeserializeOwned>(self) -> Result<T> {
        Ok(self.raw().await?.value)
    }

    /// Sends the request and returns its answer with status, headers and request id.
    ///
    /// ```no_run
    /// # use svc_client::http::Method;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let answer = svc.request(Method::GET, "/health").raw::<serde_json::Value>().await?;
    /// println!("{} {:?}", answer.status, answer.request_id);
    /// # Ok(()) }
    /// ```
    pub async fn raw<T: DeserializeOwned>(self) -> Result<Answer<T>> {
        let plan = self.plan()?;
        self.client.run(plan).await?.decode()
    }

    /// Sends the request once, without retries, and returns the body of its answer piece by piece.
    ///
    /// ```no_run
    /// # use svc_client::http::Method;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let mut download = svc.request(Method::GET, "/users/me/export/file").download().await?;
    /// while let Some(piece) = download.chunk().await? {
    ///     println!("{} bytes", piece.len());
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn download(self) -> Result<Download> {
        let plan = self.plan()?;
        let limit = plan.options.timeout.unwrap_or(self.client.settings().attempt_timeout);
        let (opened, target) = (self.client.open(&plan, limit).await, plan.target());
        match opened {
            Ok(response) => Ok(Download::new(self.client, target, response)),
            Err(error) => Err(error.attempted(1).of(target)),
        }
    }

    fn plan(&self) -> Result<Plan> {
        let Self { client, request, options } = self;
        let body = request.body.clone().transpose();
        let draft = Draft {
            method: request.method.clone(),
            path: &request.path,
            query: &request.query,
            body: body.map_err(|problem| Error::invalid(problem, None))?,
            who: client.any_credential(),
            repeat: Repeat::Same,
            lost_hint: LOST_HINT,
            takes_post_slot: false,
            is_message: false,
        };
        Plan::new(client, draft, options)
    }
}
