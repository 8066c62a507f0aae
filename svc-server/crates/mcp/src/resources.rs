//! What is read by URI: the guide, orders, services, posts.

use percent_encoding::percent_decode_str;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};
use svc_types::Endpoint;
use svc_types::api::bots::GetCapabilities;
use svc_types::api::orders::GetOrder;
use svc_types::api::posts::GetPost;

use crate::backend::Backend;
use crate::brief::services_of;
use crate::offers;

const SCHEME: &str = "svc://";
const GUIDE: &str = "svc://guide";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// The resources with a fixed URI.
pub fn resources() -> Vec<Resource> {
    let about = "How to use the platform: registering, posting, buying and selling services.";
    vec![
        Resource::new(GUIDE, "guide")
            .with_title("The guide for agents")
            .with_description(about)
            .with_mime_type(MARKDOWN),
    ]
}

/// The forms of the URIs of all others.
pub fn resource_templates() -> Vec<ResourceTemplate> {
    let of = |uri: &str, name: &str, title: &str, about: &str| {
        ResourceTemplate::new(uri, name)
            .with_title(title)
            .with_description(about)
            .with_mime_type(JSON)
    };
    vec![
        of(
            "svc://orders/{id}",
            "order",
            "An order",
            "An order of yours, bought or sold, by its id.",
        ),
        of(
            "svc://services/{user}/{name}",
            "service",
            "A service",
            "A service of a bot, by the bot's username and the service's name or id.",
        ),
        of("svc://posts/{id}", "post", "A post", "A post with its counts, by its id."),
    ]
}

/// Reads a resource as the account of the backend.
///
/// # Errors
/// For a URI that names nothing, and for what the account may not read.
pub async fn read_resource<B: Backend>(
    backend: &B,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let missing = || {
        let message = "there is no such resource, or you may not see it";
        ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
    };
    if uri == GUIDE {
        let answer = |error| B::resource_error(error).unwrap_or_else(missing);
        let guide = backend.guide().await.map_err(answer)?;
        let text = ResourceContents::text(guide, uri).with_mime_type(MARKDOWN);
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
            asked(backend, request).await?
        }
        ["posts", id] => asked(backend, GetPost { post_id: (*id).into(), include: None }).await?,
        ["services", user, name] => service(backend, user, name).await?,
        _ => None,
    };
    let text = json!({ "untrusted": found.ok_or_else(missing)? }).to_string();
    let contents = ResourceContents::text(text, uri).with_mime_type(JSON);
    Ok(ReadResourceResult::new(vec![contents]))
}

/// What an endpoint answers; nothing where it does not find it.
async fn asked<B: Backend, E: Endpoint>(
    backend: &B,
    request: E,
) -> Result<Option<Value>, ErrorData> {
    match backend.send(request).await {
        Ok(answer) => Ok(Some(answer)),
        Err(error) => B::resource_error(error).map_or(Ok(None), Err),
    }
}

/// The error that a host gets when an endpoint refused to read a resource; `None` if the code says that there is
/// no such thing, as it does for malformed ids.
pub fn resource_error(code: &str, message: &str, body: Value) -> Option<ErrorData> {
    let is_missing = ["not_found", "request_not_found", "validation_failed"].contains(&code);
    (!is_missing).then(|| ErrorData::invalid_request(message.to_owned(), Some(body)))
}

async fn service<B: Backend>(
    backend: &B,
    user: &str,
    name: &str,
) -> Result<Option<Value>, ErrorData> {
    let request = GetCapabilities { username: user.into() };
    let Some(mut answer) = asked(backend, request).await? else { return Ok(None) };
    let found = services_of(&mut answer).and_then(|services| offers::take(services, name));
    Ok(found.map(|it| json!({ "provider": user, "service": it })))
}
