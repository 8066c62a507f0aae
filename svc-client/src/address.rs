//! Which servers a key may be sent to.

use std::net::IpAddr;

use reqwest::Url;

use crate::error::{Error, Result};

/// The base URL, if a key may be sent there.
pub(crate) fn address(text: &str, plain_http: bool) -> Result<Url> {
    let rule = "the base URL must be http or https and end in /api, without user, query and \
                fragment, such as https://svc.example/api";
    let mut url = Url::parse(text).map_err(|_| Error::config(rule))?;
    let path = url.path().trim_end_matches('/').to_owned();
    let bare = url.query().is_none() && url.fragment().is_none();
    let anonymous = url.username().is_empty() && url.password().is_none();
    if !path.ends_with("/api") || !bare || !anonymous {
        return Err(Error::config(rule));
    }
    url.set_path(&path);
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
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let address: Option<IpAddr> = address.parse().ok();
    host == "localhost" || address.is_some_and(|address| address.is_loopback())
}
