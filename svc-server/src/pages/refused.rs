//! The error page, and what a page shows of a refusal itself.

use askama::Template;
use http::StatusCode;
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use url::form_urlencoded::{Serializer, parse};

use super::Frame;
use crate::http::{is_local, is_secret_field};

/// Fields that mean nothing to people, or must not be repeated.
const UNSEEN: [&str; 6] = ["back", "next", "of", "kept", "idempotency_key", "confirm"];

/// The page if rendering the error page fails too.
const PLAIN: &str = "<!doctype html><title>internal server error</title>internal server error";

#[derive(Template)]
#[template(path = "refused.html")]
struct Page<'a> {
    frame: Frame,
    status: u16,
    refusal: &'a Refusal,
    request_id: &'a str,
    typed: Vec<&'a str>,
    /// The page with the button that was refused.
    back: Option<&'a str>,
    /// The start of the list that has no such page.
    start: Option<String>,
}

/// The error page, with the submitted fields of a failed form.
pub fn page(
    refusal: &Refusal,
    request_id: &str,
    typed: &[(String, String)],
    frame: Frame,
) -> String {
    let status = refusal.code.status();
    let is_seen = |(name, text): &&(String, String)| {
        text.contains(' ') && !is_secret_field(name) && !UNSEEN.contains(&&**name)
    };
    let back = back(typed);
    let typed = typed.iter().filter(is_seen).map(|(_, text)| &**text).collect();
    let title = frame.t(title(&refusal.code)).to_string();
    let mut frame = frame.called(title);
    // The card is that of the page that was asked for.
    frame.card = None;
    let is_in_list = refusal.code == Code::InvalidCursor && frame.is_known;
    let start = is_in_list.then(|| start_of(&frame.path));
    let status = status.as_u16();
    let page = Page { frame, status, refusal, request_id, typed, back, start };
    page.render().unwrap_or_else(|_| PLAIN.to_owned())
}

/// The rights of what another website shows instead of a post.
pub const POLICY_ELSEWHERE: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; \
    frame-ancestors *; sandbox";

/// What another website shows instead of a post.
#[derive(Template)]
#[template(
    source = r#"<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>{{ text }}</title><p>{{ text }}</p></html>
"#,
    ext = "html"
)]
struct Elsewhere<'a> {
    text: &'a str,
}

/// What an iframe of another website shows of a refusal.
pub fn elsewhere(refusal: &Refusal) -> String {
    let is_gone = refusal.code == Code::NotFound;
    let text: &str = if is_gone { "This post is no longer available." } else { &refusal.message };
    Elsewhere { text }.render().unwrap_or_else(|_| PLAIN.to_owned())
}

/// The page with the button that was refused, unless it is the home page, to which each error page leads.
fn back(typed: &[(String, String)]) -> Option<&str> {
    let (_, path) = typed.iter().rev().find(|(name, _)| name == "back")?;
    Some(path.as_str()).filter(|path| *path != "/" && is_local(path))
}

/// The path of a list from its start.
fn start_of(path: &str) -> String {
    let (list, query) = path.split_once('?').unwrap_or((path, ""));
    let kept = parse(query.as_bytes()).filter(|(name, _)| name != "cursor");
    let query = Serializer::new(String::new()).extend_pairs(kept).finish();
    if query.is_empty() { list.to_owned() } else { format!("{list}?{query}") }
}

/// What a search found, or nothing and the refusal of its words or filters, which the page shows with its form.
pub(super) fn or_refused<T: Default>(found: Result<T>) -> Result<(T, Option<Box<Refusal>>)> {
    match found {
        Ok(found) => Ok((found, None)),
        Err(Error::Refused(refusal)) if refusal.code.status() == StatusCode::BAD_REQUEST => {
            Ok((T::default(), Some(refusal)))
        }
        Err(error) => Err(error),
    }
}

/// The id of a title.
fn title(code: &Code) -> &'static str {
    match code.status() {
        // Waiting does not help.
        _ if *code == Code::FeatureNotConfigured => "refused-else",
        StatusCode::BAD_REQUEST => "refused-unreadable",
        StatusCode::FORBIDDEN => "refused-forbidden",
        StatusCode::NOT_FOUND => "refused-not-found",
        StatusCode::CONFLICT => "refused-conflict",
        StatusCode::PAYLOAD_TOO_LARGE => "refused-large",
        StatusCode::TOO_MANY_REQUESTS => "refused-often",
        StatusCode::SERVICE_UNAVAILABLE => "refused-unavailable",
        StatusCode::INTERNAL_SERVER_ERROR => "refused-failed",
        _ => "refused-else",
    }
}
