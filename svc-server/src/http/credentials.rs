//! Credentials read from headers.
//!
//! The Authorization header wins over the cookie.

use http::Method;
use http::header::{AUTHORIZATION, COOKIE, HOST, HeaderMap, ORIGIN};
use svc_core::config::Config;
use svc_core::identity::{Bearer, Credentials};
use svc_core::keys;
use svc_core::services::oauth::Resource;

use super::cookie;

/// The credentials of an API request, not yet checked.
pub fn read(config: &Config, method: &Method, headers: &HeaderMap) -> Credentials {
    let session = cookie::read(config, headers.get_all(COOKIE)).map(keys::hash);
    let is_own = is_same_site(headers);
    // A script of another origin reads by key or token only. Links to here have no Origin.
    let session = session.filter(|_| !method.is_safe() || is_own || !headers.contains_key(ORIGIN));
    let same_site = method.is_safe() || is_own;
    let resource = Resource::Api;
    Credentials { bearer: bearer(headers), session, same_site, of_deleted: false, resource }
}

/// The cookie of a page's reader. An Authorization header is ignored: where browsers send one, it
/// is meant for a proxy before this server.
pub(super) fn of_page(config: &Config, headers: &HeaderMap) -> Credentials {
    let session = cookie::read(config, headers.get_all(COOKIE)).map(keys::hash);
    let (bearer, resource) = (Bearer::Absent, Resource::Api);
    Credentials { bearer, session, same_site: true, of_deleted: false, resource }
}

fn bearer(headers: &HeaderMap) -> Bearer {
    let Some(value) = headers.get(AUTHORIZATION) else { return Bearer::Absent };
    match value.to_str().ok().and_then(|text| text.split_once(' ')) {
        Some((scheme, key)) if scheme.eq_ignore_ascii_case("bearer") => {
            Bearer::Key(key.trim().to_owned())
        }
        _ => Bearer::Malformed,
    }
}

/// The rule of Go's `CrossOriginProtection`, but a request without these headers is refused.
pub(super) fn is_same_site(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    let origin = text(ORIGIN.as_str()).and_then(|origin| origin.split_once("://"));
    origin.is_some_and(|(_, host)| text(HOST.as_str()) == Some(host))
}
