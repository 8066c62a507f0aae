//! Which servers a key may be sent to.

use std::net::IpAddr;

use reqwest::Url;

use crate::error::{Error, Result};

/// The base URL of the API for a server URL with or without `/api`: a missing `/api` is appended,
/// and trailing slashes are removed.
///
/// The URL is not validated; [`ClientBuilder::build`](crate::ClientBuilder::build) does that.
///
/// ```
/// use svc_client::base_url;
/// assert_eq!(base_url("https://svc.example"), "https://svc.example/api");
/// assert_eq!(base_url("https://svc.example/api/"), "https://svc.example/api");
/// ```
pub fn base_url(url: &str) -> String {
    let url = url.trim_end_matches('/');
    let host = url.find("://").map_or(0, |end| end + 3);
    let path = url[host..].find('/').map_or("", |begin| &url[host + begin..]);
    if path.ends_with("/api") { url.to_owned() } else { format!("{url}/api") }
}

/// The base URL, if a key may be sent to it.
pub(crate) fn address(text: &str, plain_http: bool) -> Result<Url> {
    let rule = "the base URL must be http or https, without user, query, fragment or a path after \
                /api, such as https://svc.example";
    let url = Url::parse(&base_url(text)).map_err(|_| Error::config(rule))?;
    let before = url.path().strip_suffix("/api").unwrap_or_default();
    let is_bare = url.query().is_none() && url.fragment().is_none();
    let is_anonymous = url.username().is_empty() && url.password().is_none();
    if format!("{before}/").contains("/api/") || !is_bare || !is_anonymous {
        return Err(Error::config(rule));
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if plain_http || is_loopback(&url) => Ok(url),
        "http" => Err(Error::config(
            "the base URL must be https, since the key would travel readable; allow_plain_http \
             or SVC_ALLOW_PLAIN_HTTP=1 allows it all the same",
        )),
        _ => Err(Error::config(rule)),
    }
}

/// Whether the host is this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let address: Option<IpAddr> = address.parse().ok();
    host == "localhost" || address.is_some_and(|address| address.is_loopback())
}
