//! What is shown when something is refused or fails.

use askama::Template;
use http::StatusCode;
use svc_types::ErrorBody;

use super::Frame;

/// Names of fields that say nothing to people, or must not be shown again.
const UNSEEN: [&str; 6] = ["back", "next", "of", "kept", "idempotency_key", "confirm"];

/// What is shown when even this page can't be made.
const PLAIN: &str = "<!doctype html><title>internal server error</title>internal server error";

#[derive(Template)]
#[template(path = "refused.html")]
struct Page<'a> {
    frame: Frame,
    status: u16,
    body: &'a ErrorBody,
    typed: Vec<&'a str>,
}

/// The page that tells what is wrong, with what was typed into a form that failed; in the frame of
/// who looks, where that is known.
pub fn page(body: &ErrorBody, typed: &[(String, String)], frame: Option<Frame>) -> String {
    let status = body.code.status();
    let is_seen = |(name, text): &&(String, String)| {
        let is_secret = name.to_ascii_lowercase().contains("password");
        text.contains(' ') && !is_secret && !UNSEEN.contains(&&**name)
    };
    let typed = typed.iter().filter(is_seen).map(|(_, text)| &**text).collect();
    let frame = frame.unwrap_or_else(Frame::unknown).called(title(status));
    let page = Page { frame, status: status.as_u16(), body, typed };
    page.render().unwrap_or_else(|_| PLAIN.to_owned())
}

fn title(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "That was not understood",
        StatusCode::FORBIDDEN => "Not allowed",
        StatusCode::NOT_FOUND => "Nothing here",
        StatusCode::CONFLICT => "Not possible now",
        StatusCode::PAYLOAD_TOO_LARGE => "Too large",
        StatusCode::TOO_MANY_REQUESTS => "Too much at once",
        StatusCode::SERVICE_UNAVAILABLE => "Not at the moment",
        StatusCode::INTERNAL_SERVER_ERROR => "Something broke here",
        _ => "That did not work",
    }
}
