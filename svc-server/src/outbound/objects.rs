//! Requests to the store that `storage.blobs` names: by our client, without that of the library.

use std::pin::Pin;
use std::time::Duration;

use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use reqwest::redirect::Policy;
use reqwest::{Body, Client, Request, retry};

use super::class::class_of;
use super::span::CallSpan;

/// Longest time for a connection, TLS included.
const CONNECT: Duration = Duration::from_secs(3);

/// Idle time after which a connection is closed; stores close theirs after about as long.
const IDLE: Duration = Duration::from_secs(15);

/// Idle connections to the store.
const IDLE_MAX: usize = 16;

/// Makes the client of a store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoreConnector {
    /// Time until the store has to send something.
    pub(crate) time: Duration,
}

/// Sends requests of the library, which signs and repeats them.
#[derive(Debug)]
struct StoreClient(Client);

impl HttpConnector for StoreConnector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .referer(false)
            .retry(retry::never())
            .connect_timeout(CONNECT.min(self.time))
            .read_timeout(self.time)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(IDLE_MAX)
            .http1_only()
            .tls_backend_rustls()
            .build();
        let client = client.map_err(|error| object_store::Error::Generic {
            store: "S3",
            source: Box::new(error),
        })?;
        Ok(HttpClient::new(StoreClient(client)))
    }
}

/// As the macro of the trait writes it.
type Answering<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for StoreClient {
    fn call<'s, 'a>(&'s self, request: HttpRequest) -> Answering<'a>
    where
        's: 'a,
        Self: 'a,
    {
        Box::pin(async move {
            let request = Request::try_from(request.map(Body::wrap)).map_err(failure)?;
            let with_tls = request.url().scheme() == "https";
            let span = CallSpan::of(&request);
            let answered = self.0.execute(request).await;
            let status = answered.as_ref().map(|response| response.status().as_u16());
            span.end(status.map_err(|error| class_of(error, with_tls)).as_ref().copied());
            let response = http::Response::<Body>::from(answered.map_err(failure)?);
            Ok(response.map(|body| HttpResponseBody::new(body.map_err(failure))))
        })
    }
}

/// What the library repeats depends on the kind. The URL is in its message already.
fn failure(error: reqwest::Error) -> HttpError {
    let kind = if error.is_timeout() {
        HttpErrorKind::Timeout
    } else if error.is_connect() {
        HttpErrorKind::Connect
    } else if error.is_builder() {
        HttpErrorKind::Unknown
    } else {
        HttpErrorKind::Interrupted
    };
    HttpError::new(kind, error.without_url())
}
