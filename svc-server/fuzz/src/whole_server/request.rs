//! Inputs as requests.

use std::collections::BTreeMap;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use reqwest::Url;
use serde_json::Value;

use crate::text::{by_name, line, text};

/// Most headers of a request; the library for HTTP refuses more without a body.
const HEADERS_MAX: usize = 50;

/// What HTTP itself is made of is for its library.
const FRAMING: [&str; 7] =
    ["connection", "content-length", "expect", "host", "te", "transfer-encoding", "upgrade"];

/// A method, and a path that goes on with anything if it ends with `*`.
pub(super) type Route = (&'static str, &'static str);

/// A request for one of some routes.
pub(super) struct Request {
    pub(super) method: Method,
    /// Path and query.
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Reads an input.
    pub(super) fn read(mut input: &[u8], routes: &[Route], words: &Words) -> Self {
        let (method, path) = target(&words.fill(&text(line(&mut input))), routes);
        let mut headers = HeaderMap::new();
        while !input.is_empty() && headers.len() < HEADERS_MAX {
            let header = words.fill(&text(line(&mut input)));
            let Some((name, value)) = header.split_once(':') else { break };
            let (name, value) = (HeaderName::try_from(name), HeaderValue::try_from(value.trim()));
            if let (Ok(name), Ok(value)) = (name, value) {
                headers.append(name, value);
            }
        }
        for name in FRAMING {
            headers.remove(name);
        }
        let body = match std::str::from_utf8(input) {
            Ok(body) => words.fill(body).into_bytes(),
            Err(_) => input.to_vec(),
        };
        Self { method, path, headers, body }
    }

    /// A request without a body.
    pub(super) fn get(path: String) -> Self {
        Self { method: Method::GET, path, headers: HeaderMap::new(), body: Vec::new() }
    }

    /// A request with a JSON body.
    pub(super) fn post(path: &str, body: &Value) -> Self {
        Self::send(path, "application/json", body.to_string().into_bytes())
    }

    /// A request with a form.
    pub(super) fn form(path: &str, form: &str) -> Self {
        Self::send(path, "application/x-www-form-urlencoded", form.as_bytes().to_vec())
    }

    fn send(path: &str, content_type: &'static str, body: Vec<u8>) -> Self {
        let (method, path) = (Method::POST, path.to_owned());
        Self { method, path, headers: HeaderMap::new(), body }.with(CONTENT_TYPE, content_type)
    }

    /// The same by the holder of a key.
    pub(super) fn by(self, key: &str) -> Self {
        self.with(AUTHORIZATION, &format!("Bearer {key}"))
    }

    /// The same with a header.
    pub(super) fn with(mut self, name: HeaderName, value: &str) -> Self {
        let value = HeaderValue::try_from(value).expect("it is plain text");
        self.headers.insert(name, value);
        self
    }

    /// The query, without its question mark.
    pub(super) fn query(&self) -> &str {
        self.path.split_once('?').map_or("", |(_, query)| query)
    }
}

/// The method of a request, its path and its query.
fn target(first: &str, routes: &[Route]) -> (Method, String) {
    let (start, query) = first.split_once('?').unwrap_or((first, ""));
    let (method, path) = start.split_once(' ').unwrap_or(("", start));
    let is_known = routes.iter().any(|(own, route)| *own == method && is_on(route, path));
    let (method, path) = if is_known {
        (method, path)
    } else {
        let (method, route) = by_name(routes, start, |(_, route)| route);
        (*method, route.trim_end_matches('*'))
    };
    let method = Method::from_bytes(method.as_bytes()).expect("routes have methods");
    let query = as_sent(query);
    let path = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
    (method, path)
}

/// A query as a client sends it: without a fragment, tabs and ends of lines.
fn as_sent(query: &str) -> String {
    let url = Url::parse(&format!("http://localhost/?{query}"));
    url.ok().and_then(|url| url.query().map(str::to_owned)).unwrap_or_default()
}

/// Whether a path is on a route. The library for HTTP resolves `..` in any spelling first.
fn is_on(route: &str, path: &str) -> bool {
    let Ok(url) = Url::parse(&format!("http://localhost{path}")) else { return false };
    match route.strip_suffix('*') {
        Some(start) => path.starts_with(start) && url.path().starts_with(start),
        None => path == route,
    }
}

/// What words with `$` stand for.
#[derive(Default)]
pub(super) struct Words(BTreeMap<&'static str, String>);

impl Words {
    /// Says what a word stands for from now on.
    pub(super) fn set(&mut self, word: &'static str, text: String) {
        self.0.insert(word, text);
    }

    /// What a word stands for; nothing before it is said.
    pub(super) fn of(&self, word: &str) -> &str {
        self.0.get(word).map_or("", String::as_str)
    }

    /// A text with what its words stand for, the longest first.
    pub(super) fn fill(&self, text: &str) -> String {
        let words = self.0.iter().rev();
        words.fold(text.to_owned(), |text, (word, value)| text.replace(word, value))
    }
}
