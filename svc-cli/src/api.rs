//! `svc api`: any path, for what has no command.

use std::collections::HashSet;

use clap::Args;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use svc_client::http::{HeaderName, HeaderValue, Method};
use svc_client::types::{Declaration, Endpoint, Visitor, api};
use svc_client::{Call, Untyped};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::field::{self, Field, Kind};
use crate::input;
use crate::operation::Operation;
use crate::output;
use crate::settings::Settings;

/// When the command asks.
pub(crate) const ASKS: &str =
    "Asks before it deletes, ends a key or moves credits. Without a terminal that needs --yes.";

/// Flags of `svc api`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ApiFlags {
    /// HTTP method.
    #[arg(value_parser = method)]
    method: Method,
    /// Path below the base URL, such as /users/ada.
    path: String,
    /// A field that is text; @FILE and - read its value.
    #[arg(short = 'f', long = "field", value_name = "NAME=TEXT", value_parser = pair)]
    texts: Vec<(String, String)>,
    /// A field that is JSON; @FILE and - read its value.
    #[arg(short = 'F', long = "json-field", value_name = "NAME=JSON", value_parser = pair)]
    values: Vec<(String, String)>,
    /// The whole body: a file with JSON, or - for stdin.
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["texts", "values"])]
    input: Option<String>,
    /// Follow nextCursor to the end of a list, one page per line.
    #[arg(long)]
    paginate: bool,
}

/// Sends the request and prints the answer.
pub(crate) async fn run(flags: &ApiFlags, settings: &Settings) -> Result<()> {
    refuse(flags)?;
    let known = known(&flags.method, &flags.path);
    let mut target = settings.target()?;
    if target.credentials.cookie.is_some() {
        // A path without a type is called by the account first, and a sent key beats a cookie.
        target.credentials.developer_key = None;
    }
    let caller = settings.connect(target)?;
    let fields = fields(flags, known.as_ref())?;
    let in_query = matches!(flags.method, Method::GET | Method::DELETE);
    let body = match &flags.input {
        Some(path) => Some(body(path)?),
        None if in_query || fields.is_empty() => None,
        None => Some(Value::Object(fields.clone())),
    };
    let query = if in_query { fields } else { Map::new() };
    let shown = format!("{}{}", flags.path, query_text(&query));
    if caller.is_shown(flags.method.as_str(), &shown, redacted(body.clone(), known.as_ref()))? {
        return Ok(());
    }
    let asks = known.is_some_and(|operation| operation.asks_with(body.as_ref()));
    if asks || flags.method == Method::DELETE {
        caller.confirm(&format!("{} {shown}.", flags.method))?;
    }
    if flags.paginate {
        return pages(&caller, |next| called(flags, &query, next, &caller)).await;
    }
    let call = called(flags, &query, None, &caller);
    let call = body.iter().fold(call, |call, body| strictly(call.json(body)));
    caller.out.any(&caller.send_untyped(call).await?)
}

/// The call without its body; of a list, the page that is `next`.
fn called(
    flags: &ApiFlags,
    query: &Map<String, Value>,
    next: Option<&Next>,
    caller: &Caller,
) -> Call<Untyped> {
    let call = caller.client.request(flags.method.clone(), &flags.path);
    // Where the first page began is not where the next one does.
    let is_kept = |name: &str| next.is_none_or(|next| next.member != name);
    let kept = query.iter().filter(|(name, _)| is_kept(name));
    let call = kept.fold(call, |call, (name, value)| call.query(name, &scalar(value)));
    next.iter().fold(call, |call, next| call.query(next.member, &next.value))
}

/// The endpoint that a request reaches, if it is one of this version: its secrets are kept, and it is asked about, as
/// by `svc call`.
fn known(method: &Method, path: &str) -> Option<Operation> {
    let mut reached = Reached { method, path, operation: None };
    api::visit(&mut reached);
    reached.operation
}

/// Finds the endpoint of a path; one without parameters goes first.
struct Reached<'a> {
    method: &'a Method,
    path: &'a str,
    operation: Option<Operation>,
}

impl Visitor for Reached<'_> {
    fn visit<E: Endpoint>(&mut self) {
        let Declaration { method, path, .. } = Declaration::of::<E>();
        let is_first = path == self.path || self.operation.is_none();
        if method == *self.method && is_first && leads_to(path, self.path) {
            self.operation = Some(Operation::of::<E>());
        }
    }
}

/// Whether a declared path, such as `/posts/{postId}`, has this one.
fn leads_to(declared: &str, path: &str) -> bool {
    let (mut declared, mut given) = (declared.split('/'), path.split('/'));
    loop {
        match (declared.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(word)) if part.starts_with('{') || part == word => {}
            _ => return false,
        }
    }
}

/// A body for people to see.
fn redacted(body: Option<Value>, known: Option<&Operation>) -> Option<Value> {
    let fields = known.map(Operation::fields).unwrap_or_default();
    body.map(|body| field::redact(body, fields))
}

/// Has the server refuse a misspelt member, which would have no effect otherwise (RFC 7240).
fn strictly(call: Call<Untyped>) -> Call<Untyped> {
    call.header(HeaderName::from_static("prefer"), HeaderValue::from_static("handling=strict"))
}

/// Refuses what the flags can't say together.
fn refuse(flags: &ApiFlags) -> Result<()> {
    if flags.paginate && flags.method != Method::GET {
        return Err(Error::usage("--paginate repeats the request, so it must be GET"));
    }
    if flags.path.contains('?') {
        let message = "the path must not have a query";
        return Err(Error::usage(message).hint("each member of a query is a field: -f NAME=TEXT"));
    }
    Ok(())
}

/// Where the next page of a list begins, and the member of the query that says so.
struct Next {
    member: &'static str,
    value: String,
}

impl Next {
    /// Reads it off a page. Events are numbered: their list goes on after a number.
    fn of(page: &RawValue) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Page {
            next_cursor: Option<Value>,
        }
        let cursor = serde_json::from_str::<Page>(page.get()).ok()?.next_cursor?;
        let member = if cursor.is_number() { "after" } else { "cursor" };
        Some(Self { member, value: scalar(&cursor) })
    }
}

/// Prints each page of a list on a line of its own.
async fn pages(caller: &Caller, call: impl Fn(Option<&Next>) -> Call<Untyped>) -> Result<()> {
    let mut seen = HashSet::new();
    let mut next: Option<Next> = None;
    loop {
        let page = caller.send_untyped(call(next.as_ref())).await?;
        output::raw(&page)?;
        next = Next::of(&page);
        let Some(next) = &next else {
            return Ok(());
        };
        if !seen.insert(next.value.clone()) {
            let message = "the server returned a cursor twice, so the list would never end";
            return Err(Error::new(Exit::Other, "unexpected_answer", message));
        }
    }
}

fn fields(flags: &ApiFlags, known: Option<&Operation>) -> Result<Map<String, Value>> {
    let known = known.map(Operation::fields).unwrap_or_default();
    let mut fields = Map::new();
    for (name, text) in &flags.texts {
        refuse_secret(&known, name, text)?;
        fields.insert(name.clone(), input::value(text)?.into());
    }
    for (name, text) in &flags.values {
        refuse_secret(&known, name, text)?;
        fields.insert(name.clone(), field::json(text, name)?);
    }
    Ok(fields)
}

/// Refuses a secret that was typed: others see a command line.
fn refuse_secret(known: &[Field], name: &str, text: &str) -> Result<()> {
    let is_secret = |field: &&Field| field.name == name && field.kind == Kind::Secret;
    match known.iter().find(is_secret) {
        Some(field) if text != "-" && !text.starts_with('@') => {
            field.parse_as(text, name).map(|_| ())
        }
        _ => Ok(()),
    }
}

fn body(path: &str) -> Result<Value> {
    let text = match path {
        "-" => input::stdin()?,
        path => input::file(path)?,
    };
    let wrong = |error| Error::usage(format!("the body must be JSON: {error}"));
    serde_json::from_str(&text).map_err(wrong)
}

/// A value in a query.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A query as the client writes it.
fn query_text(query: &Map<String, Value>) -> String {
    let escaped = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs =
        query.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(&scalar(value))));
    let pairs: Vec<String> = pairs.collect();
    if pairs.is_empty() {
        return String::new();
    }
    format!("?{}", pairs.join("&"))
}

fn method(text: &str) -> Result<Method, String> {
    let method = text.to_ascii_uppercase().parse();
    method.map_err(|_| "must be GET, POST, PATCH, PUT or DELETE".to_owned())
}

/// `NAME=VALUE` as a pair.
fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("must be NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
