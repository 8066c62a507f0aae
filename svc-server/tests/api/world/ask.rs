//! Every endpoint with what a valid request to it sends, and how a request says who calls.

use http::{Method, StatusCode};
use reqwest::RequestBuilder;
use serde_json::{Map, Value};
use svc_client::types::samples::{self, SampleVisitor};
use svc_client::types::{ApiKey, By, DeveloperKey, Endpoint, Scopes, Who, wire};

use crate::app::TestApp;

/// An endpoint, and what a valid request to it sends.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) name: &'static str,
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) who: Who,
    pub(crate) scopes: Scopes,
    pub(crate) status: StatusCode,
    pub(crate) is_secret: bool,
    /// Path parameters too.
    pub(crate) members: Map<String, Value>,
    /// Whether a path and a body have the form it wants.
    pub(crate) understands: fn(&[&str], &[u8]) -> bool,
    /// The texts it takes from a body.
    pub(crate) texts: fn(&[u8]) -> Vec<String>,
}

/// Every endpoint.
pub(crate) fn asks() -> Vec<Ask> {
    struct Asks(Vec<Ask>);
    impl SampleVisitor for Asks {
        fn visit<E: Endpoint>(&mut self, sample: E) {
            let mut members = serde_json::to_value(sample).unwrap();
            let members = members.as_object_mut().unwrap();
            members.retain(|_, value| !value.is_null());
            self.0.push(Ask {
                name: E::NAME,
                method: E::METHOD,
                path: E::PATH,
                who: <E::By as By>::WHO,
                scopes: E::SCOPES,
                status: E::STATUS,
                is_secret: E::SECRET,
                members: members.clone(),
                understands: |path, body| wire::decode::<E>(path, "", body).is_ok(),
                texts: texts::<E>,
            });
        }
    }
    let mut asks = Asks(Vec::new());
    samples::visit(&mut asks);
    asks.0
}

/// The texts that an endpoint reads from a body, regardless of its path.
fn texts<E: Endpoint>(body: &[u8]) -> Vec<String> {
    let path: Vec<&str> = svc_client::types::endpoint::path_parameters(E::PATH).collect();
    let mut texts = Vec::new();
    let request: E = wire::decode(&path, "", body).unwrap();
    wire::visit_texts(&request, |_, text| texts.push(text.to_owned()));
    texts
}

impl Ask {
    /// Whether a cookie or an account's key is checked.
    pub(crate) const fn is_of_accounts(&self) -> bool {
        !matches!(self.who, Who::Anyone | Who::Developer)
    }

    /// The parameters in the path.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static str> {
        svc_client::types::endpoint::path_parameters(self.path)
    }

    /// The request by the travel rule, without a credential.
    pub(crate) fn request(&self, app: &TestApp) -> RequestBuilder {
        let mut members = self.members.clone();
        let mut path = self.path.to_owned();
        for name in self.parameters() {
            let value = members.remove(name).unwrap();
            path = path.replace(&format!("{{{name}}}"), value.as_str().unwrap());
        }
        if !wire::in_query(&self.method) {
            let request = app.raw(self.method.clone(), &path);
            return if members.is_empty() { request } else { request.json(&members) };
        }
        let text = |value: Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let pairs = members.into_iter().map(|(name, value)| format!("{name}={}", text(value)));
        let query: Vec<String> = pairs.collect();
        app.raw(self.method.clone(), &format!("{path}?{}", query.join("&")))
    }
}

/// How a request says who calls.
#[derive(Clone, Debug)]
pub(crate) enum Credential {
    None,
    Key(ApiKey),
    Cookie(String),
    DeveloperKey(DeveloperKey),
}

impl Credential {
    /// The request with this credential, sent as our own pages or a bot would.
    pub(crate) fn sign(&self, request: RequestBuilder) -> RequestBuilder {
        match self {
            Self::None => request,
            Self::Key(key) => request.bearer_auth(key.expose()),
            Self::DeveloperKey(key) => request.bearer_auth(key.expose()),
            Self::Cookie(cookie) => {
                request.header("cookie", cookie).header("sec-fetch-site", "same-origin")
            }
        }
    }
}
