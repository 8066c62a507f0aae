//! Requests of every endpoint: path, query and JSON body, and the same as a form.
//!
//! An input is the name of an endpoint, the values of its path, its query, each in a line, and the body.

use percent_encoding::percent_decode_str;
use svc_types::endpoint::path_parameters;
use svc_types::samples::{self, SampleVisitor};
use svc_types::wire::{self, EncodeError, Encoded, Handling, Rejected};
use svc_types::{Code, Endpoint, Visitor, api};
use url::form_urlencoded;

use crate::text::{line, text};

/// Longest message of a refusal.
const MESSAGE_MAX: usize = 1000;

struct Request<'a> {
    path: Vec<String>,
    query: String,
    body: &'a [u8],
}

pub(crate) fn judge(mut input: &[u8]) {
    let name = text(line(&mut input));
    let path = text(line(&mut input));
    let path = path.split('/').map(str::to_owned).collect();
    let query = text(line(&mut input));
    let request = Request { path, query, body: input };
    let mut all = Names(Vec::new());
    api::visit(&mut all);
    let name = *crate::text::by_name(&all.0, &name, |name| name);
    api::visit(&mut Chosen { name, request });
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Seeds(Vec::new());
    samples::visit(&mut seeds);
    seeds.0
}

/// The names of all endpoints.
struct Names(Vec<&'static str>);

impl Visitor for Names {
    fn visit<E: Endpoint>(&mut self) {
        self.0.push(E::NAME);
    }
}

/// Inputs that are the samples.
struct Seeds(Vec<Vec<u8>>);

impl SampleVisitor for Seeds {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        let encoded = wire::encode(&sample).expect("samples can be sent");
        self.0.push(seed(E::NAME, E::PATH, encoded));
    }
}

fn seed(name: &str, template: &str, encoded: Encoded) -> Vec<u8> {
    let path = parameters(template, &encoded.path).join("/");
    let head = format!("{name}\n{path}\n{}\n", encoded.query);
    [head.into_bytes(), encoded.body.unwrap_or_default()].concat()
}

/// The decoded parameters of an encoded path.
fn parameters(template: &str, path: &str) -> Vec<String> {
    let segments = template.split('/').zip(path.split('/'));
    let values = segments.filter(|(name, _)| name.starts_with('{')).map(|(_, value)| value);
    values.map(|value| percent_decode_str(value).decode_utf8_lossy().into_owned()).collect()
}

/// Judges the endpoint of this name.
struct Chosen<'a> {
    name: &'static str,
    request: Request<'a>,
}

impl Visitor for Chosen<'_> {
    fn visit<E: Endpoint>(&mut self) {
        if E::NAME == self.name {
            self.request.judge::<E>();
            self.request.judge_form::<E>();
        }
    }
}

impl Request<'_> {
    /// The parameters of the path, as many as the endpoint has.
    fn path(&self, template: &'static str) -> Vec<&str> {
        let given = self.path.iter().map(String::as_str).chain(std::iter::repeat("x"));
        path_parameters(template).zip(given).map(|(_, value)| value).collect()
    }

    fn judge<E: Endpoint>(&self) {
        let path = self.path(E::PATH);
        let decode = |handling| wire::decode_with::<E>(&path, &self.query, self.body, handling);
        let (lenient, strict) = (decode(Handling::Lenient), decode(Handling::Strict));
        match (lenient, strict) {
            (Ok((request, ignored)), Ok((same, none))) => {
                assert_eq!(request, same);
                assert!(ignored.is_empty() && none.is_empty(), "{ignored:?} {none:?}");
                again(&request);
            }
            (Ok((request, ignored)), Err(refused)) => {
                assert_eq!(refused.code, Code::UnknownMember, "{refused:?}");
                assert!(!ignored.is_empty(), "{refused:?}");
                again(&request);
            }
            (Err(refused), Err(_)) => {
                judge_refusal(&refused);
                let all = wire::problems::<E>(&path, &self.query, self.body, Handling::Lenient);
                assert_eq!(all.first(), Some(&refused), "{all:?}");
                all.iter().for_each(judge_refusal);
            }
            (Err(refused), Ok(_)) => panic!("only the lenient reader refuses: {refused:?}"),
        }
    }

    /// The query as the fields of a form.
    fn fields(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(self.query.as_bytes()).into_owned().collect()
    }

    fn judge_form<E: Endpoint>(&self) {
        let fields = self.fields();
        match wire::decode_form::<E>(&fields) {
            Ok(request) => again(&request),
            Err(refused) => {
                judge_refusal(&refused);
                let all = wire::form_problems::<E>(&fields);
                assert_eq!(all.first(), Some(&refused), "{all:?}");
            }
        }
    }
}

/// What was decoded is encoded to the same.
fn again<E: Endpoint>(request: &E) {
    wire::visit_texts(request, |_, _| {});
    let encoded = match wire::encode(request) {
        Ok(encoded) => encoded,
        // A server sees no such segments: URLs have none.
        Err(EncodeError::PathParameter { .. }) => return,
        Err(error) => panic!("{request:?}: {error}"),
    };
    let path = parameters(E::PATH, &encoded.path);
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let body = encoded.body.as_deref().unwrap_or_default();
    let same = wire::decode::<E>(&path, &encoded.query, body);
    assert_eq!(same.as_ref(), Ok(request), "{}", text(body));
}

/// A refusal is short, and names the member at fault unless it is about the whole.
fn judge_refusal(refused: &Rejected) {
    assert!(!refused.message.is_empty());
    assert!(refused.message.len() <= MESSAGE_MAX, "{} bytes: {refused:?}", refused.message.len());
    assert!(refused.hint.as_ref().is_none_or(|hint| hint.len() <= MESSAGE_MAX), "{refused:?}");
    let is_whole = refused.code == Code::InvalidJson
        || ["the query must", "a request must", "the request", "a form must"]
            .iter()
            .any(|start| refused.message.starts_with(start));
    // A parameter may be called whatever its sender likes, "the request" included.
    let begins_with_member =
        refused.field.as_ref().is_some_and(|field| refused.message.starts_with(field.as_str()));
    assert!(refused.field.is_some() != is_whole || begins_with_member, "{refused:?}");
}
