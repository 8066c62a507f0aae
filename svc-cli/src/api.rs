//! `svc api`: any path, for what has no command.

use std::collections::HashSet;

use clap::Args;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::{Map, Value};
use svc_client::http::{HeaderName, HeaderValue, Method};
use svc_client::{Call, Untyped};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::field;
use crate::input;
use crate::output;
use crate::settings::Settings;

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
    let mut target = settings.target()?;
    if target.credentials.cookie.is_some() {
        // A path without a type is called by the account first, and a sent key beats a cookie.
        target.credentials.developer_key = None;
    }
    let caller = settings.connect(target)?;
    let fields = fields(flags)?;
    let in_query = matches!(flags.method, Method::GET | Method::DELETE);
    let body = match &flags.input {
        Some(path) => Some(body(path)?),
        None if in_query || fields.is_empty() => None,
        None => Some(Value::Object(fields.clone())),
    };
    let query = if in_query { fields } else { Map::new() };
    let shown = format!("{}{}", flags.path, query_text(&query));
    if caller.is_shown(flags.method.as_str(), &shown, body.clone())? {
        return Ok(());
    }
    if flags.method == Method::DELETE {
        caller.confirm(&format!("DELETE {shown}."))?;
    }
    let call = || {
        let mut call = caller.client.request(flags.method.clone(), &flags.path);
        for (name, value) in &query {
            call = call.query(name, &scalar(value));
        }
        match &body {
            Some(body) => strictly(call.json(body)),
            None => call,
        }
    };
    if flags.paginate {
        return pages(&caller, call).await;
    }
    let answer = caller.send_untyped(call()).await?;
    caller.out.any(&answer)
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

/// Prints each page of a list on a line of its own.
async fn pages(caller: &Caller, call: impl Fn() -> Call<Untyped>) -> Result<()> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Next {
        next_cursor: Option<String>,
    }
    let mut seen = HashSet::new();
    let mut next: Option<String> = None;
    loop {
        let asked = match &next {
            Some(cursor) => call().query("cursor", cursor),
            None => call(),
        };
        let page = caller.send_untyped(asked).await?;
        output::raw(&page)?;
        let cursor =
            serde_json::from_str::<Next>(page.get()).ok().and_then(|page| page.next_cursor);
        let Some(cursor) = cursor else {
            return Ok(());
        };
        if !seen.insert(cursor.clone()) {
            let message = "the server returned a cursor twice, so the list would never end";
            return Err(Error::new(Exit::Other, "unexpected_answer", message));
        }
        next = Some(cursor);
    }
}

fn fields(flags: &ApiFlags) -> Result<Map<String, Value>> {
    let mut fields = Map::new();
    for (name, text) in &flags.texts {
        fields.insert(name.clone(), input::value(text)?.into());
    }
    for (name, text) in &flags.values {
        fields.insert(name.clone(), field::json(text, name)?);
    }
    Ok(fields)
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
