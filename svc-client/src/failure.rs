//! Turns answers and connection failures into [`Error`].

use std::time::Duration;

use http::header::{HeaderMap, LOCATION, RETRY_AFTER};
use http::{HeaderName, StatusCode};
use svc_types::wire::EncodeError;
use svc_types::{Code, ErrorBody, Timestamp};

use crate::answer::{REQUEST_ID, Received, text};
use crate::error::{Details, Error, Outcome, Target};
use crate::rate_limit::{instant, number};

/// Maximum length of an unexpected body that an error quotes, in bytes.
const PREVIEW_BYTES: usize = 200;

/// The header that says what is to be paid.
const PAYMENT_REQUIRED: HeaderName = HeaderName::from_static("payment-required");

/// Prefixes of the platform's secrets; an unexpected body that contains one is not quoted.
const SECRET_PREFIXES: [&str; 6] =
    ["svc_ak_", "svc_dk_", "svc_id_", "svc_at_", "svc_rt_", "whsec_"];

impl Error {
    /// The client is misconfigured.
    pub(crate) fn config(message: impl Into<String>) -> Self {
        Self::Config { details: Details::new(message.into()) }
    }

    /// The request is invalid and was not sent.
    pub(crate) fn invalid(message: impl Into<String>, field: Option<&str>) -> Self {
        let mut details = Details::new(message.into());
        details.field = field.map(str::to_owned);
        Self::Invalid { details }
    }

    /// No answer within `limit`.
    pub(crate) fn timeout(limit: Duration) -> Self {
        let mut details = Details::new(format!("no answer within {}", in_words(limit)));
        details.outcome = Outcome::Unknown;
        Self::Timeout { details }
    }

    /// The connection failed or was lost. The message names only host and port of the URL, because
    /// its query may contain text of users.
    pub(crate) fn transport(error: reqwest::Error) -> Self {
        let server = server(&error);
        let mut details = Details::new(match () {
            () if error.is_connect() => format!("could not connect to {server}: {}", cause(&error)),
            () if error.is_timeout() => format!("no answer from {server} in time"),
            () => format!("the connection to {server} was lost before the answer was complete"),
        });
        if !error.is_connect() && !error.is_builder() {
            details.outcome = Outcome::Unknown;
        }
        let timeout = error.is_timeout();
        details.source = Some(Box::new(error.without_url()));
        if timeout { Self::Timeout { details } } else { Self::Transport { details } }
    }

    /// A 2xx body does not match the endpoint's response.
    pub(crate) fn decode(
        received: &Received,
        error: &serde_path_to_error::Error<serde_json::Error>,
    ) -> Self {
        let path = error.path().to_string();
        let message = format!("the answer is not as expected: {path} {}", fault(error.inner()));
        let mut unread = Self::unreadable(received.status, &received.headers, path, message)
            .attempted(received.attempts)
            .of(received.target.clone());
        // What the call did is not known.
        unread.details_mut().idempotency_key.clone_from(&received.key);
        unread
    }

    /// A 2xx body cannot be read.
    pub(crate) fn unreadable(
        status: StatusCode,
        headers: &HeaderMap,
        path: String,
        message: String,
    ) -> Self {
        let mut details = Details::new(message);
        details.outcome = Outcome::Unknown;
        details.status = Some(status);
        details.request_id = text(headers, &REQUEST_ID).map(str::to_owned);
        Self::Decode { path, details }
    }

    /// A list that would never end.
    pub(crate) fn repeated_cursor() -> Self {
        let mut details =
            Details::new("the server returned a cursor twice, so the list would never end");
        details.outcome = Outcome::Unknown;
        Self::Decode { path: "nextCursor".to_owned(), details }
    }

    /// An answer that is not 2xx.
    pub(crate) fn refused(
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Self {
        let mut details = describe(status, headers, body);
        details.retry_after = retry_after(headers, now).or(details.retry_after);
        details.outcome = match (status.as_u16(), &details.code) {
            (503, Some(code)) if *code != Code::OutcomeUnknown => Outcome::Refused,
            (409, Some(Code::IdempotencyInProgress)) | (408 | 500.., _) => Outcome::Unknown,
            _ => Outcome::Refused,
        };
        match status.as_u16() {
            300..=399 => Self::Config { details },
            401 => Self::Unauthorized { details },
            403 => Self::Forbidden { details },
            404 => Self::NotFound { details },
            408 => Self::Timeout { details },
            409 => Self::Conflict { details },
            429 => Self::RateLimited {
                retry_after: details.retry_after.unwrap_or(Duration::from_secs(1)),
                limit: number(headers, "x-ratelimit-limit"),
                remaining: number(headers, "x-ratelimit-remaining"),
                reset: number(headers, "x-ratelimit-reset").and_then(instant),
                details,
            },
            503 => Self::Unavailable { details },
            500.. => Self::Server { details },
            _ => Self::Invalid { details },
        }
    }

    /// Adds the target of the request.
    pub(crate) fn of(mut self, target: Target) -> Self {
        self.details_mut().target = Some(target);
        self
    }

    /// Adds the number of attempts.
    pub(crate) fn attempted(mut self, attempts: u32) -> Self {
        self.details_mut().attempts = attempts;
        self
    }
}

impl From<EncodeError> for Error {
    fn from(error: EncodeError) -> Self {
        let field = match &error {
            EncodeError::PathParameter { field } => Some(*field),
            _ => None,
        };
        Self::invalid(error.to_string(), field)
    }
}

/// Host and port of the request, if known.
fn server(error: &reqwest::Error) -> String {
    let url = error.url();
    let host = url.and_then(|url| url.host_str().zip(url.port_or_known_default()));
    host.map_or_else(|| "the server".to_owned(), |(host, port)| format!("{host}:{port}"))
}

/// The root cause of an error, such as `connection refused`.
fn cause(error: &reqwest::Error) -> String {
    let mut deepest: &dyn std::error::Error = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    let text = deepest.to_string();
    let text = text.split(" (os error ").next().unwrap_or_default();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// A time limit in words. What remains of a time limit is never a round number.
fn in_words(limit: Duration) -> String {
    let millis = limit.saturating_add(Duration::from_micros(500)).as_millis();
    match (millis / 1000, millis % 1000) {
        (0, _) => format!("{millis} ms"),
        (seconds, 0) => format!("{seconds} s"),
        (seconds, rest) => format!("{seconds}.{} s", format!("{rest:03}").trim_end_matches('0')),
    }
}

/// The details of an answer that is not 2xx.
fn describe(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Box<Details> {
    let request_id = text(headers, &REQUEST_ID).map(str::to_owned);
    let mut details = match serde_json::from_slice::<ErrorBody>(body) {
        Ok(body) => {
            let mut details = Details::new(body.error);
            details.code = Some(body.code);
            details.field = body.field;
            details.hint = body.hint.map(Into::into);
            details.request_id = Some(body.request_id);
            details.retry_after = body.retry_after.map(Duration::from_secs);
            details
        }
        Err(_) if status.is_redirection() => Details::new(redirect(headers)),
        Err(_) => Details::new(foreign(body)),
    };
    details.status = Some(status);
    details.request_id = request_id.or(details.request_id.take());
    details.payment_required = text(headers, &PAYMENT_REQUIRED).map(str::to_owned);
    details
}

/// A redirect is refused, because following it could send the key to another host.
fn redirect(headers: &HeaderMap) -> String {
    let target = preview(headers.get(LOCATION).map_or(&[], |value| value.as_bytes()));
    format!("the server redirects to {target}; set the base URL to where the API itself is")
}

/// Describes a body that is not the platform's by its beginning.
fn foreign(body: &[u8]) -> String {
    match body {
        [] => "the server refused without a reason".to_owned(),
        _ => format!("the server answered {}", preview(body)),
    }
}

/// The first bytes in quotes, control characters escaped.
fn preview(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    if SECRET_PREFIXES.iter().any(|prefix| text.contains(prefix)) {
        return "[redacted]".to_owned();
    }
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(PREVIEW_BYTES)]);
    format!("{start:?}")
}

/// The wait in Retry-After: whole seconds, or the time until a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    const NAME: HeaderName = RETRY_AFTER;
    let text = text(headers, &NAME)?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    Some(Timestamp::from_millis(date.as_millisecond()).since(now))
}

/// What is wrong with a member, without its value, which may be secret or private.
fn fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let clause = text.rfind(" at line ").map_or(&*text, |end| &text[..end]);
    match clause.rsplit_once(", expected ") {
        Some((_, rule)) => format!("must be {rule}"),
        None if clause.starts_with("missing field") => format!("has a {clause}"),
        None if error.is_eof() => "is cut off".to_owned(),
        None => "is not of the expected form".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_reads_as_it_was_set() {
        let limits = [(999_999_269, "1 s"), (1_500_000_000, "1.5 s"), (250_000_000, "250 ms")];
        for (nanos, words) in limits {
            assert_eq!(in_words(Duration::from_nanos(nanos)), words);
        }
        assert_eq!(in_words(Duration::from_secs(120)), "120 s");
        assert_eq!(in_words(Duration::from_millis(1_020)), "1.02 s");
    }
}
