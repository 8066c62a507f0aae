//! HTTP clients for requests that `svc-client` does not send.

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

use crate::doctor::is_here;

/// The root cause of a failure, such as a certificate that is not valid.
pub(crate) fn cause(error: &reqwest::Error) -> String {
    let mut deepest: &dyn std::error::Error = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

/// A client for this URL without redirects, and without a proxy to this machine: it would read keys and tokens.
pub(crate) fn client(url: &str) -> ClientBuilder {
    let address = url.split_once("://").map_or(url, |(_, address)| address);
    let host = address.split('/').next().unwrap_or_default();
    let builder = Client::builder().redirect(Policy::none());
    if is_here(host) { builder.no_proxy() } else { builder }
}
