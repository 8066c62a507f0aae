//! Sends requests: the one place that checks keys, consent and `--dry-run`.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use svc_client::http::header::{COOKIE, ORIGIN};
use svc_client::http::{HeaderMap, HeaderValue, Method};
use svc_client::types::wire::{self, EncodeError};
use svc_client::types::{Declaration, Endpoint, Who};
use svc_client::{Answer, Call, Client, Declared, Download, Untyped};

use crate::consent;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::field;
use crate::input::Person;
use crate::operation::Operation;
use crate::output::Output;
use crate::raw::WithRaw;
use crate::settings::{Settings, Target};

/// What `send` gives: nothing under `--dry-run`, else the answer.
pub(crate) type Sent<E> = Option<Answer<WithRaw<<E as Endpoint>::Response>>>;

/// Calls one server as an account, an app, or anonymously.
pub(crate) struct Caller {
    /// The client beneath, for paths without a type.
    pub(crate) client: Client,
    /// Where it calls, and by which keys.
    pub(crate) target: Target,
    /// How to print.
    pub(crate) out: Output,
    person: Person,
    dry_run: bool,
    idempotency_key: Option<String>,
}

impl Caller {
    pub(crate) fn new(client: Client, target: Target, settings: &Settings) -> Self {
        Self {
            client,
            target,
            out: settings.out,
            person: settings.person,
            dry_run: settings.is_dry_run(),
            idempotency_key: settings.idempotency_key(),
        }
    }

    /// Sends a request.
    pub(crate) async fn send<E: Endpoint>(&self, request: E) -> Result<Sent<E>> {
        self.send_with(request, |call| call).await
    }

    /// Sends a request and prints its response, formatted by `people` for people.
    pub(crate) async fn show<E: Endpoint>(
        &self,
        request: E,
        people: impl FnOnce(&E::Response) -> String,
    ) -> Result<()> {
        match self.send(request).await? {
            Some(answer) => self.out.answer(&answer.value, people),
            None => Ok(()),
        }
    }

    /// Sends a request with options of its own.
    pub(crate) async fn send_with<E: Endpoint>(
        &self,
        request: E,
        options: impl FnOnce(Call<Declared>) -> Call<Declared>,
    ) -> Result<Sent<E>> {
        let operation = Operation::of::<E>();
        let members = members(&request)?;
        self.agree(&operation, &members)?;
        let call = self.call(&operation, members)?;
        sent::<E>(self.answer(call.map(options)).await?)
    }

    /// Sends a request that was agreed to, in words better than those of its endpoint.
    pub(crate) async fn send_agreed<E: Endpoint>(&self, request: E) -> Result<Sent<E>> {
        let call = self.call(&Operation::of::<E>(), members(&request)?)?;
        sent::<E>(self.answer(call).await?)
    }

    /// Sends a request by its members.
    pub(crate) async fn send_members(
        &self,
        operation: &Operation,
        members: Map<String, Value>,
    ) -> Result<Option<Answer<Box<RawValue>>>> {
        self.agree(operation, &members)?;
        self.send_agreed_members(operation, members).await
    }

    /// Sends a request by its members that was agreed to.
    pub(crate) async fn send_agreed_members(
        &self,
        operation: &Operation,
        members: Map<String, Value>,
    ) -> Result<Option<Answer<Box<RawValue>>>> {
        self.answer(self.call(operation, members)?).await
    }

    /// Reads what a command has to know before it acts, under `--dry-run` too.
    pub(crate) async fn read<E: Endpoint>(&self, request: E) -> Result<WithRaw<E::Response>> {
        let declared = Declaration::of::<E>();
        let who = declared.who;
        self.require_key(who)?;
        let call = self.signed(self.client.send_declared(declared, members(&request)?), who)?;
        WithRaw::read(call.await?)
    }

    /// Asks before an endpoint is called that is asked about.
    fn agree(&self, operation: &Operation, members: &Map<String, Value>) -> Result<()> {
        let declared = &operation.declared;
        let question = consent::question_of(declared.name, members).map(str::to_owned);
        let question = question.or_else(|| operation.asks.then(|| field::words(declared.doc)));
        match question.filter(|_| !self.dry_run) {
            Some(question) => {
                self.require_key(declared.who)?;
                self.confirm(&question)
            }
            None => Ok(()),
        }
    }

    /// A request ready to be sent; shown instead under `--dry-run`.
    fn call(
        &self,
        operation: &Operation,
        members: Map<String, Value>,
    ) -> Result<Option<Call<Declared>>> {
        if self.dry_run {
            return self.dry_run(operation, members).map(|()| None);
        }
        let who = operation.declared.who;
        self.require_key(who)?;
        let call = self.client.send_declared(operation.declared.clone(), members);
        self.signed(self.with_key(call), who).map(Some)
    }

    async fn answer(&self, call: Option<Call<Declared>>) -> Result<Option<Answer<Box<RawValue>>>> {
        match call {
            Some(call) => Ok(Some(call.raw().await?)),
            None => Ok(None),
        }
    }

    /// Sends a request without a type.
    pub(crate) async fn send_untyped(&self, call: Call<Untyped>) -> Result<Box<RawValue>> {
        Ok(self.with_key(self.with_cookie(call)?).send().await?)
    }

    /// Begins to download a file.
    pub(crate) async fn download(&self, path: &str) -> Result<Download> {
        let call = self.with_cookie(self.client.request(Method::GET, path))?;
        Ok(call.download().await?)
    }

    fn with_key<R>(&self, call: Call<R>) -> Call<R> {
        match &self.idempotency_key {
            Some(key) => call.idempotency_key(key),
            None => call,
        }
    }

    /// Asks before what can't be undone.
    pub(crate) fn confirm(&self, what: &str) -> Result<()> {
        self.person.confirm(what)
    }

    /// Whether a question is to be put together and asked; an error when nobody could answer it,
    /// so that nothing is read for it either.
    pub(crate) fn has_to_ask(&self, what: &str) -> Result<bool> {
        if self.dry_run { Ok(false) } else { self.person.has_to_be_asked(what) }
    }

    /// Whether a POST is sent under a key that was typed.
    pub(crate) fn has_idempotency_key(&self) -> bool {
        self.idempotency_key.is_some()
    }

    /// Whether nothing is to be sent.
    pub(crate) fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    /// Shows a request of any kind under `--dry-run`.
    pub(crate) fn is_shown(&self, method: &str, path: &str, body: Option<Value>) -> Result<bool> {
        if self.dry_run {
            let url = format!("{}{path}", self.target.url);
            let mut request = json!({ "method": method, "url": url });
            let mut people = format!("{method} {url}");
            if let Some(body) = body {
                people = format!("{people}\n{body:#}");
                request["body"] = body;
            }
            self.out.local(&request, &people)?;
        }
        Ok(self.dry_run)
    }

    fn dry_run(&self, operation: &Operation, members: Map<String, Value>) -> Result<()> {
        let encoded = wire::encode_members(&operation.declared, members)
            .map_err(|error| unsendable(&error))?;
        let mut path = encoded.path;
        if !encoded.query.is_empty() {
            path = format!("{path}?{}", encoded.query);
        }
        let body = encoded.body.map(|bytes| {
            let body = serde_json::from_slice(&bytes).expect("encode writes JSON");
            field::redact(body, operation.fields())
        });
        self.is_shown(operation.declared.method.as_str(), &path, body).map(|_| ())
    }

    /// Adds the cookie to a call, unless it is anonymous or by an app.
    fn signed(&self, call: Call<Declared>, who: Who) -> Result<Call<Declared>> {
        match who {
            Who::Anyone | Who::Developer => Ok(call),
            _ => self.with_cookie(call),
        }
    }

    /// Signs a call by the cookie of a sign-in.
    pub(crate) fn with_cookie<R>(&self, call: Call<R>) -> Result<Call<R>> {
        let headers = self.session()?;
        Ok(headers
            .iter()
            .fold(call, |call, (name, value)| call.header(name.clone(), value.clone())))
    }

    /// The headers of a sign-in; a cookie counts only with the server's own origin.
    pub(crate) fn session(&self) -> Result<HeaderMap> {
        let Some(cookie) = &self.target.credentials.cookie else {
            return Ok(HeaderMap::new());
        };
        let broken = |_| Error::usage("the cookie of the profile is broken").hint("svc login");
        let mut cookie = HeaderValue::from_str(cookie).map_err(broken)?;
        cookie.set_sensitive(true);
        let origin = HeaderValue::from_str(origin(&self.target.url)).map_err(broken)?;
        Ok(HeaderMap::from_iter([(COOKIE, cookie), (ORIGIN, origin)]))
    }

    /// Refuses at once what the server would refuse for want of a key.
    pub(crate) fn require_key(&self, who: Who) -> Result<()> {
        let keys = &self.target.credentials;
        let (there, what, hint) = match who {
            Who::Anyone | Who::Optional => return Ok(()),
            Who::Developer => (
                keys.developer_key.is_some(),
                "developer key",
                "svc developer register NAME --website URL",
            ),
            _ => (keys.has_account(), "key", "svc login --with-key"),
        };
        if there {
            return Ok(());
        }
        let message = format!("there is no {what} for {}", self.target.url);
        Err(Error::new(Exit::NotAllowed, "no_key", message).hint(hint))
    }
}

fn members<E: Endpoint>(request: &E) -> Result<Map<String, Value>> {
    wire::members(request).map_err(|error| unsendable(&error))
}

fn unsendable(error: &EncodeError) -> Box<Error> {
    Error::usage(error.to_string())
}

/// An answer as its endpoint answers.
fn sent<E: Endpoint>(answer: Option<Answer<Box<RawValue>>>) -> Result<Sent<E>> {
    let Some(answer) = answer else {
        return Ok(None);
    };
    let decoded = WithRaw::read(answer.value.clone())?;
    Ok(Some(answer.map(|_| decoded)))
}

/// Scheme, host and port of a URL.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |end| end + 3);
    let end = url[host..].find('/').map_or(url.len(), |end| host + end);
    &url[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_ends_before_the_path() {
        assert_eq!(origin("https://svc.example:8/api"), "https://svc.example:8");
        assert_eq!(origin("http://[::1]:8787"), "http://[::1]:8787");
    }
}
