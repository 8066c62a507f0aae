//! One request: its key, its idempotency key, and the faults that a test asks for.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::API_KEY;
use crate::books::Books;
use crate::endpoints::Endpoint;
use crate::failure::Failure;
use crate::form;

/// Most bytes of a request.
const BYTES_MAX: usize = 1024 * 1024;

/// How long an answer is kept under its idempotency key.
const KEYS_SECONDS: i64 = 24 * 3600;

/// What goes wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Status 500, and nothing happened.
    FailsBefore,
    /// Status 500 after the effect. Stripe keeps it: the same key is answered with it again.
    FailsAfter,
    /// The connection ends before the call has its effect.
    LosesCall,
    /// The connection ends after the effect, without an answer.
    LosesAnswer,
    /// The effect happens, and no answer comes for as long as the caller waits.
    Hangs,
    /// The effect happens, and the answer comes when the test says so.
    AnswersLate,
    /// Status 200 after the effect, with something that is no object. The same key is answered rightly.
    Garbles,
    /// Status 429.
    LimitsRate,
    /// Status 409: another call with this idempotency key runs.
    KeyInUse,
    /// Status 401: the API key was replaced, and the server has the old one.
    RefusesKey,
}

/// A call as it arrived, and its answer.
#[derive(Clone, Debug)]
pub struct Call {
    /// Method and path, with `{id}` for an id.
    pub endpoint: String,
    /// The parameters, with numbers and truth values in place of their texts.
    pub parameters: Value,
    /// The value of `Stripe-Version`.
    pub version: Option<String>,
    /// The value of `Idempotency-Key`.
    pub idempotency_key: Option<String>,
    /// The status of the answer.
    pub status: u16,
    /// The body of the answer.
    pub answer: Value,
    /// Whether it is the answer to an earlier call with the same key.
    pub is_replayed: bool,
}

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) books: Books,
    pub(crate) faults: Vec<(String, String, Fault)>,
    pub(crate) is_down: bool,
    pub(crate) calls: Vec<Call>,
    /// Lets an answer go that is late.
    pub(crate) late: Arc<Notify>,
    kept: HashMap<String, Kept>,
}

/// An answer under an idempotency key.
#[derive(Clone, Debug)]
struct Kept {
    /// Method, path and parameters.
    request: String,
    created: i64,
    answer: Answer,
}

#[derive(Clone, Debug)]
struct Answer {
    status: u16,
    body: Value,
    is_replayed: bool,
}

/// A request after reading.
struct Asked {
    method: String,
    path: String,
    headers: HeaderMap,
    parameters: String,
}

impl Shared {
    pub(crate) fn new(now: i64) -> Self {
        let (books, late, kept) = (Books::new(now), Arc::default(), HashMap::new());
        Self { books, faults: Vec::new(), is_down: false, calls: Vec::new(), late, kept }
    }

    /// The fault of a call, which is used up.
    fn fault(&mut self, asked: &Asked) -> Option<Fault> {
        let is_for = |(method, path, _): &(String, String, Fault)| {
            *method == asked.method && asked.path.starts_with(path)
        };
        let index = self.faults.iter().position(is_for)?;
        Some(self.faults.remove(index).2)
    }

    /// Answers a call and writes it down.
    fn answer(&mut self, asked: &Asked, fault: Option<Fault>) -> Answer {
        let parameters = form::decode(&asked.parameters);
        let found = Endpoint::find(&asked.method, &asked.path);
        let answer = self.answer_once(asked, found, &parameters, fault);
        let path = || format!("{} {}", asked.method, asked.path);
        self.calls.push(Call {
            endpoint: found.map_or_else(path, |(endpoint, _)| endpoint.name.to_owned()),
            parameters: form::typed(&parameters),
            version: asked.header("stripe-version").map(str::to_owned),
            idempotency_key: asked.header("idempotency-key").map(str::to_owned),
            status: answer.status,
            answer: answer.body.clone(),
            is_replayed: answer.is_replayed,
        });
        answer
    }

    /// Answers a call, or repeats the answer that its idempotency key has.
    fn answer_once(
        &mut self,
        asked: &Asked,
        found: Option<(&Endpoint, &str)>,
        parameters: &Value,
        fault: Option<Fault>,
    ) -> Answer {
        if asked.header("authorization") != Some(&format!("Bearer {API_KEY}")) {
            return Answer::refused(&Failure::key());
        }
        let Some((endpoint, id)) = found else {
            return Answer::refused(&Failure::unknown(&asked.path));
        };
        let key = asked.header("idempotency-key").filter(|_| asked.method == "POST");
        let request = format!("{} {} {parameters}", asked.method, asked.path);
        let now = self.books.now;
        self.kept.retain(|_, kept| kept.created + KEYS_SECONDS > now);
        match key.and_then(|key| self.kept.get(key)) {
            Some(kept) if kept.request != request => {
                return Answer::refused(&Failure::other_parameters());
            }
            Some(kept) => return Answer { is_replayed: true, ..kept.answer.clone() },
            None => {}
        }
        let result = endpoint.answer(&mut self.books, id, parameters);
        let is_kept = result.as_ref().map_or_else(|failure| failure.is_kept, |_| true);
        let answer = match (result, fault) {
            (_, Some(Fault::FailsAfter)) => Answer::refused(&Failure::internal()),
            (Ok(body), _) => Answer { status: 200, body, is_replayed: false },
            (Err(failure), _) => Answer::refused(&failure),
        };
        if let Some(key) = key.filter(|_| is_kept) {
            let kept = Kept { request, created: now, answer: answer.clone() };
            self.kept.insert(key.to_owned(), kept);
        }
        answer
    }
}

impl Answer {
    fn refused(failure: &Failure) -> Self {
        Self { status: failure.status, body: failure.body(), is_replayed: false }
    }

    fn into_response(self) -> Response<Full<Bytes>> {
        let response = Response::builder()
            .status(self.status)
            .header("content-type", "application/json")
            .header("request-id", "req_fake")
            .header("idempotent-replayed", self.is_replayed.to_string());
        let response = match self.status {
            429 => response.header("retry-after", "1"),
            _ => response,
        };
        response.body(Full::from(self.body.to_string())).expect("these headers are valid")
    }
}

impl Asked {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Accepts connections until the task ends.
pub(crate) async fn serve(listener: TcpListener, shared: Arc<Mutex<Shared>>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        connections.spawn(async move {
            let service = service_fn(|request| handle(request, &shared));
            // A connection that ends early is the caller's, or a fault.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

/// Answers one request. An error ends the connection without an answer.
async fn handle(
    request: Request<Incoming>,
    shared: &Mutex<Shared>,
) -> io::Result<Response<Full<Bytes>>> {
    let asked = read(request).await?;
    let refused = |failure: Failure| Ok(Answer::refused(&failure).into_response());
    let (answer, fault) = {
        let mut shared = lock(shared);
        if shared.is_down {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let fault = shared.fault(&asked);
        match fault {
            Some(Fault::FailsBefore) => return refused(Failure::internal()),
            Some(Fault::LimitsRate) => return refused(Failure::rate()),
            Some(Fault::KeyInUse) => return refused(Failure::key_in_use()),
            Some(Fault::RefusesKey) => return refused(Failure::key()),
            Some(Fault::LosesCall) => return Err(io::ErrorKind::ConnectionReset.into()),
            _ => (shared.answer(&asked, fault), fault),
        }
    };
    match fault {
        Some(Fault::LosesAnswer) => Err(io::ErrorKind::ConnectionReset.into()),
        Some(Fault::AnswersLate) => {
            let late = Arc::clone(&lock(shared).late);
            late.notified().await;
            Ok(answer.into_response())
        }
        Some(Fault::Garbles) => Ok(Response::new(Full::from("<html>"))),
        Some(Fault::Hangs) => {
            let never: Infallible = std::future::pending().await;
            match never {}
        }
        _ => Ok(answer.into_response()),
    }
}

async fn read(request: Request<Incoming>) -> io::Result<Asked> {
    let (parts, body) = request.into_parts();
    let body = Limited::new(body, BYTES_MAX).collect().await.map_err(io::Error::other)?;
    let body = String::from_utf8(body.to_bytes().into()).map_err(io::Error::other)?;
    let query = parts.uri.query().unwrap_or_default();
    let parameters = if body.is_empty() { query.to_owned() } else { body };
    let (method, path) = (parts.method.to_string(), parts.uri.path().to_owned());
    Ok(Asked { method, path, headers: parts.headers, parameters })
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
