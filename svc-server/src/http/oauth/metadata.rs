//! What the server says of itself: RFC 8414, OpenID Connect Discovery, RFC 9728.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use http::header::{CACHE_CONTROL, HeaderValue};
use serde_json::{Value, json};
use svc_core::app::App;
use svc_core::services::oauth::client::GRANT_TYPES;
use svc_core::services::oauth::scopes::SUPPORTED;
use svc_core::services::oauth::{Resource, signing};

use crate::app::ServerApp;
use crate::http::plain::response;
use crate::http::refuse::carry;

/// The routes of this module.
pub(super) fn router() -> Router<Arc<ServerApp>> {
    Router::new()
        .route("/.well-known/oauth-authorization-server", get(server))
        .route("/.well-known/openid-configuration", get(server))
        .route("/.well-known/oauth-protected-resource", get(mcp))
        .route("/.well-known/oauth-protected-resource/api", get(api))
        .route("/.well-known/oauth-protected-resource/mcp", get(mcp))
        .route("/.well-known/jwks.json", get(keys))
}

/// The authorization server, which is an OpenID provider too.
async fn server(State(app): State<Arc<ServerApp>>) -> Response {
    let root = &app.public_url;
    let at = |path: &str| format!("{root}{path}");
    let secret = ["client_secret_basic", "client_secret_post"];
    let any = ["client_secret_basic", "client_secret_post", "none"];
    let mut value = json!({
        "issuer": root,
        "authorization_endpoint": at("/oauth/authorize"),
        "token_endpoint": at("/oauth/token"),
        "device_authorization_endpoint": at("/oauth/device"),
        "introspection_endpoint": at("/oauth/introspect"),
        "revocation_endpoint": at("/oauth/revoke"),
        "userinfo_endpoint": at("/oauth/userinfo"),
        "jwks_uri": at("/.well-known/jwks.json"),
        "scopes_supported": SUPPORTED,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GRANT_TYPES,
        "token_endpoint_auth_methods_supported": any,
        "revocation_endpoint_auth_methods_supported": any,
        "introspection_endpoint_auth_methods_supported": secret,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
        "protected_resources": [Resource::Api.url(&app), Resource::Mcp.url(&app)],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256", "RS256"],
        "prompt_values_supported": ["none", "login", "consent", "select_account"],
        "claims_supported": ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce",
            "preferred_username", "name", "picture", "is_agent", "email", "email_verified"],
        "claims_parameter_supported": false,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
    });
    if app.config.oauth.registration {
        value["registration_endpoint"] = at("/oauth/register").into();
    }
    public(&value)
}

async fn api(State(app): State<Arc<ServerApp>>) -> Response {
    resource(&app, Resource::Api, "The API of svc")
}

async fn mcp(State(app): State<Arc<ServerApp>>) -> Response {
    resource(&app, Resource::Mcp, "The tools of svc for agents")
}

fn resource(app: &App, resource: Resource, name: &str) -> Response {
    public(&json!({
        "resource": resource.url(app),
        "resource_name": name,
        "authorization_servers": [app.public_url],
        "scopes_supported": ["read"],
        "bearer_methods_supported": ["header"],
    }))
}

/// The public keys of ID tokens. They are made when they are asked for first.
async fn keys(State(app): State<Arc<ServerApp>>) -> Response {
    let published = async {
        signing::ensure(&app).await?;
        app.read(signing::published).await
    };
    match published.await {
        Ok(keys) => public(&json!({ "keys": keys })),
        Err(error) => carry(error),
    }
}

/// A document that may be kept for a few minutes.
fn public(value: &Value) -> Response {
    let mut response = response("application/json", value.to_string().into_bytes());
    let fresh = HeaderValue::from_static("public, max-age=300");
    response.headers_mut().insert(CACHE_CONTROL, fresh);
    response
}
