//! Who may call, as security schemes and in words.

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
        (API_KEY, bearer("svc_ak_…", "Key of an account, shown once at register and regenerate.")),
        (SESSION, SecurityScheme::ApiKey(ApiKey::Cookie(cookie))),
        (DEVELOPER_KEY, bearer("svc_dk_…", "Key of an app, shown once at register and rotate.")),
    ]
}

/// The credentials one of which is needed; an empty one where none is.
pub(crate) fn requirements(who: Who) -> Vec<SecurityRequirement> {
    let by = |name: &str| SecurityRequirement::new(name, [""; 0]);
    match who {
        Who::Anyone => vec![],
        Who::Optional => vec![SecurityRequirement::default(), by(API_KEY), by(SESSION)],
        Who::Developer => vec![by(DEVELOPER_KEY)],
        _ => vec![by(API_KEY), by(SESSION)],
    }
}

/// Who may call, for readers.
pub(crate) fn sentence(who: Who) -> &'static str {
    match who {
        Who::Anyone => "Open to everybody; credentials are not looked at.",
        Who::Optional => "Open to everybody; a credential that is sent must be valid.",
        Who::Developer => "Needs a developer key.",
        Who::Moderator => "Needs the account of a moderator or admin.",
        Who::Admin => "Needs the account of an admin.",
        _ => "Needs an account: API key or session cookie.",
    }
}
