//! The client for the collector of traces. The operator names it, so its address may be internal.

use std::time::Duration;

use http::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, retry};

/// Time for a connection, and for a whole call.
const CONNECT: Duration = Duration::from_secs(3);
const TOTAL: Duration = Duration::from_secs(5);

/// Idle time after which a connection is closed.
const IDLE: Duration = Duration::from_secs(20);

/// A client that sends these headers, and trusts these certificates in PEM rather than those of the
/// system.
pub(crate) fn collector_client(
    headers: HeaderMap,
    trusted: Option<&[u8]>,
) -> Result<Client, String> {
    let builder = Client::builder()
        .default_headers(headers)
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        // The exporter repeats what may be repeated.
        .retry(retry::never())
        .connect_timeout(CONNECT)
        .timeout(TOTAL)
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(1)
        .http1_only()
        .tls_backend_rustls();
    let builder = match trusted {
        None => builder,
        Some(pem) => {
            let certificates =
                Certificate::from_pem_bundle(pem).map_err(|error| error.to_string())?;
            if certificates.is_empty() {
                return Err("it holds no certificate in PEM".to_owned());
            }
            builder.tls_certs_only(certificates)
        }
    };
    builder.build().map_err(|error| error.to_string())
}
