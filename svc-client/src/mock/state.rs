//! A rule without its endpoint's type: matching, counting, replying.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, StatusCode};
use percent_encoding::percent_decode_str;
use svc_types::wire::{Rejected, decode};
use svc_types::{Code, Endpoint, ErrorBody};
use wiremock::{Request, ResponseTemplate};

use crate::answer::REQUEST_ID;

/// A rule without its endpoint's type.
pub(super) struct RuleState {
    method: Method,
    path: &'static str,
    act: Act,
    turns: Mutex<Turns>,
}

pub(super) enum Act {
    Reply(Box<dyn Fn(&Incoming) -> Reply + Send + Sync>),
    Drop,
}

/// The mutable part of a rule.
#[derive(Default)]
pub(super) struct Turns {
    pub(super) times: Option<usize>,
    pub(super) delay: Duration,
    pub(super) headers: HeaderMap,
    pub(super) received: Vec<Incoming>,
}

impl RuleState {
    pub(super) fn new(method: Method, path: &'static str, act: Act) -> Self {
        Self { method, path, act, turns: Mutex::default() }
    }

    pub(super) fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_open(&self) -> bool {
        let turns = self.turns();
        turns.times.is_none_or(|times| turns.received.len() < times)
    }

    pub(super) fn drops(&self) -> bool {
        matches!(self.act, Act::Drop)
    }

    pub(super) fn delay(&self) -> Duration {
        self.turns().delay
    }

    /// The request, if it is for this rule's endpoint.
    pub(super) fn fits(&self, request: &Request) -> Option<Incoming> {
        let path = request.url.path().strip_prefix("/api")?;
        let mut parameters = Vec::new();
        let mut segments = path.split('/');
        for pattern in self.path.split('/') {
            let segment = segments.next()?;
            if pattern.starts_with('{') {
                parameters.push(percent_decode_str(segment).decode_utf8_lossy().into_owned());
            } else if pattern != segment {
                return None;
            }
        }
        (segments.next().is_none() && request.method == self.method).then(|| Incoming {
            parameters,
            query: request.url.query().unwrap_or_default().to_owned(),
            headers: request.headers.clone(),
            body: request.body.clone(),
        })
    }

    pub(super) fn reply(&self, incoming: &Incoming) -> Reply {
        let mut reply = match &self.act {
            Act::Reply(reply) => reply(incoming),
            Act::Drop => Reply::refusal(Code::Internal, "dropped".to_owned(), None),
        };
        reply.headers.extend(self.turns().headers.clone());
        reply
    }

    pub(super) fn receive(&self, incoming: Incoming) {
        self.turns().received.push(incoming);
    }
}

/// A request as received.
pub(super) struct Incoming {
    parameters: Vec<String>,
    query: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Incoming {
    pub(super) fn decode<E: Endpoint>(&self) -> Result<E, Rejected> {
        let parameters: Vec<&str> = self.parameters.iter().map(String::as_str).collect();
        decode(&parameters, &self.query, &self.body)
    }
}

/// An answer without its type.
#[derive(Clone)]
pub(super) struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Reply {
    pub(super) fn new(status: StatusCode, body: Vec<u8>) -> Self {
        let headers = HeaderMap::from_iter([(REQUEST_ID, HeaderValue::from_static("mock"))]);
        Self { status, headers, body }
    }

    pub(super) fn json(status: StatusCode, body: &impl serde::Serialize) -> Self {
        let body = serde_json::to_vec(body).expect("answers have string keys, so they are JSON");
        Self::new(status, body)
    }

    pub(super) fn refusal(code: Code, error: String, field: Option<String>) -> Self {
        let status = code.status();
        let body = ErrorBody {
            error,
            code,
            field,
            hint: None,
            request_id: "mock".to_owned(),
            retry_after: None,
            errors: Vec::new(),
        };
        Self::json(status, &body)
    }

    pub(super) fn template(self) -> ResponseTemplate {
        let template =
            ResponseTemplate::new(self.status.as_u16()).set_body_raw(self.body, "application/json");
        self.headers
            .iter()
            .fold(template, |template, (name, value)| template.insert_header(name, value))
    }
}
