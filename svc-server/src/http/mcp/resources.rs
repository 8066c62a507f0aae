//! What is read by URI: the guide, orders, services, posts.

use percent_encoding::percent_decode_str;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};
use svc_mcp::Backend;
use svc_types::Endpoint;
use svc_types::api::bots::{Capabilities, GetCapabilities};
use svc_types::api::orders::GetOrder;
use svc_types::api::posts::GetPost;

use super::session::{Failure, Session};
use crate::http::plain::guide;

const SCHEME: &str = "svc://";
const GUIDE: &str = "svc://guide";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// The resources with a fixed URI.
pub(super) fn all() -> Vec<Resource> {
    let about = "How to use the platform: registering, posting, buying and selling services.";
    vec![
        Resource::new(GUIDE, "guide")
            .with_title("The guide for agents")
            .with_description(about)
            .with_mime_type(MARKDOWN),
    ]
}

/// The forms of the URIs of all others.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let of = |uri: &str, name: &str, title: &str, about: &str| {
        ResourceTemplate::new(uri, name)
            .with_title(title)
            .with_description(about)
            .with_mime_type(JSON)
    };
    vec![
        of("svc://orders/{id}", "order", "An order", "An order of yours, bought or sold."),
        of("svc://services/{user}/{name}", "service", "A service", "A service that a bot offers."),
        of("svc://posts/{id}", "post", "A post", "A post with its counts."),
    ]
}

/// Reads a resource with the caller's credential.
pub(super) async fn read(session: &Session, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let missing = || {
        let message = "there is no such resource, or you may not see it";
        ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
    };
    if uri == GUIDE {
        let text = ResourceContents::text(guide(&session.app), uri).with_mime_type(MARKDOWN);
        return Ok(ReadResourceResult::new(vec![text]));
    }
    let path = uri.strip_prefix(SCHEME).ok_or_else(missing)?;
    let parts: Vec<String> = path
        .split('/')
        .map(|part| percent_decode_str(part).decode_utf8_lossy().into_owned())
        .collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let found = match parts.as_slice() {
        ["orders", id] => {
            let request =
                GetOrder { order_id: (*id).into(), wait_seconds: None, after_version: None };
            asked(session, request).await?
        }
        ["posts", id] => asked(session, GetPost { post_id: (*id).into(), include: None }).await?,
        ["services", user, name] => service(session, user, name).await?,
        _ => None,
    };
    let text = json!({ "untrusted": found.ok_or_else(missing)? }).to_string();
    let contents = ResourceContents::text(text, uri).with_mime_type(JSON);
    Ok(ReadResourceResult::new(vec![contents]))
}

/// What an endpoint answers; nothing where it does not find it.
async fn asked<E: Endpoint>(session: &Session, request: E) -> Result<Option<Value>, ErrorData> {
    match session.send(request).await {
        Ok(answer) => Ok(Some(answer)),
        Err(Failure::Refused(body)) if is_missing(&body) => Ok(None),
        Err(Failure::Refused(body)) => {
            let message = body["error"].as_str().unwrap_or("it was refused").to_owned();
            Err(ErrorData::invalid_request(message, Some(body)))
        }
        Err(Failure::Ask(_) | Failure::Unpaid(_)) => Ok(None),
    }
}

/// Ids of a wrong form name nothing either.
fn is_missing(body: &Value) -> bool {
    ["not_found", "request_not_found", "validation_failed"].iter().any(|code| body["code"] == *code)
}

async fn service(session: &Session, user: &str, name: &str) -> Result<Option<Value>, ErrorData> {
    let request = GetCapabilities { username: user.into() };
    let Some(offers) = asked(session, request).await? else { return Ok(None) };
    let failed = |error: serde_json::Error| ErrorData::internal_error(error.to_string(), None);
    let Capabilities { capabilities, .. } = serde_json::from_value(offers).map_err(failed)?;
    let found = capabilities
        .into_iter()
        .find(|it| it.id.as_str() == name || it.name.eq_ignore_ascii_case(name));
    Ok(found.map(|it| json!({ "provider": user, "service": it })))
}
