//! Callers as security schemes and in words.

use svc_types::{Declaration, Scopes, Who};
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
        "Cookie set by login; over https its name is `__Host-svc_session`. Except for GET, a request with it also \
         needs the header `Origin` with the origin of this server, or `Sec-Fetch-Site: same-origin`, as browsers send them.",
    );
    [
        (
            API_KEY,
            bearer(
                "svc_ak_…",
                "API key of an account, shown once at registration and regeneration. An OAuth access token, `svc_at_…`, \
                 works in its place, within its scopes: `/.well-known/openid-configuration` describes how to get one.",
            ),
        ),
        (SESSION, SecurityScheme::ApiKey(ApiKey::Cookie(cookie))),
        (
            DEVELOPER_KEY,
            bearer("svc_dk_…", "Developer key of an app, shown once at registration and rotation."),
        ),
    ]
}

/// The accepted credentials; an empty one if none is required. A key needs one of the scopes.
pub(crate) fn requirements(who: Who, scopes: Scopes) -> Vec<SecurityRequirement> {
    let by = |name: &str| SecurityRequirement::new(name, [""; 0]);
    match who {
        Who::Anyone => vec![],
        Who::Optional => vec![SecurityRequirement::default(), by(API_KEY), by(SESSION)],
        Who::Developer => vec![by(DEVELOPER_KEY)],
        _ if scopes == Scopes::ALL => vec![by(API_KEY), by(SESSION)],
        _ => {
            let keys =
                scopes.iter().map(|scope| SecurityRequirement::new(API_KEY, [scope.as_str()]));
            keys.chain([by(SESSION)]).collect()
        }
    }
}

/// Sentences about who may call an endpoint.
pub(crate) fn of(endpoint: &Declaration) -> String {
    let mut sentences = sentence(endpoint.who, endpoint.scopes);
    if endpoint.guarded {
        sentences
            .push_str(" It must be confirmed within the last 10 minutes: `POST /auth/step-up`.");
    }
    sentences
}

/// A sentence about who may call, and with which key.
pub(crate) fn sentence(who: Who, scopes: Scopes) -> String {
    let sentence = caller(who);
    if scopes.is_empty() || scopes == Scopes::ALL {
        return sentence.to_owned();
    }
    let names: Vec<String> = scopes.iter().map(|scope| format!("`{scope}`")).collect();
    let (last, rest) = names.split_last().expect("the set is not empty");
    if rest.is_empty() {
        return format!("{sentence} A key needs the scope {last}.");
    }
    format!(
        "{sentence} A key needs the scope {} or {last}, as the request decides.",
        rest.join(", ")
    )
}

const fn caller(who: Who) -> &'static str {
    match who {
        Who::Anyone => "Open to everyone; credentials are ignored.",
        Who::Optional => "Open to everyone; an invalid credential is refused.",
        Who::Developer => "Needs a developer key.",
        Who::Moderator => "Needs a moderator or an admin.",
        Who::Admin => "Needs an admin.",
        _ => "Needs an account: API key or session cookie.",
    }
}
