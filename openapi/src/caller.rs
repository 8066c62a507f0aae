//! Callers as security schemes and in words.

use svc_types::Who;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme,
};

const API_KEY: &str = "apiKey";
const SESSION: &str = "session";
const DEVELOPER_KEY: &str = "developerKey";

/// The three credentials by name.
pub(crate) fn security_schemes() -> [(&'static str, SecurityScheme); 3] {
    let bearer = |form: &str, description: &str| {
        let scheme = Http::builder().scheme(HttpAuthScheme::Bearer).bearer_format(form);
        SecurityScheme::Http(scheme.description(Some(description)).build())
    };
    let cookie = ApiKeyValue::with_description(
        "svc_session",
        "Cookie set by login; over https its name is `__Host-svc_session`.",
    );
    [
        (
            API_KEY,
            bearer(
                "svc_ak_…",
                "API key of an account, shown once at registration and regeneration.",
            ),
        ),
        (SESSION, SecurityScheme::ApiKey(ApiKey::Cookie(cookie))),
        (
            DEVELOPER_KEY,
            bearer("svc_dk_…", "Developer key of an app, shown once at registration and rotation."),
        ),
    ]
}

/// The accepted credentials; an empty one if none is required.
pub(crate) fn requirements(who: Who) -> Vec<SecurityRequirement> {
    let by = |name: &str| SecurityRequirement::new(name, [""; 0]);
    match who {
        Who::Anyone => vec![],
        Who::Optional => vec![SecurityRequirement::default(), by(API_KEY), by(SESSION)],
        Who::Developer => vec![by(DEVELOPER_KEY)],
        _ => vec![by(API_KEY), by(SESSION)],
    }
}

/// A sentence about who may call.
pub(crate) fn sentence(who: Who) -> &'static str {
    match who {
        Who::Anyone => "Open to everyone; credentials are ignored.",
        Who::Optional => "Open to everyone; an invalid credential is refused.",
        Who::Developer => "Needs a developer key.",
        Who::Moderator => "Needs a moderator or an admin.",
        Who::Admin => "Needs an admin.",
        _ => "Needs an account: API key or session cookie.",
    }
}
