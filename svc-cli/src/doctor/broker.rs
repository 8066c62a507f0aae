//! Live events: whether the broker lets the account in and subscribe to its topics.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use svc_client::types::ApiKey;
use svc_client::types::api::connect::{Connect, GetConnect};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::check::Check;
use super::mqtt::{self, Refused};
use super::server::is_here;
use crate::caller::Caller;

const NAME: &str = "broker";

/// How long it may take to connect and subscribe.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connects as `svc connect` shows, and subscribes to the account's own topics.
pub(super) async fn check(caller: &Caller, key: &ApiKey) -> Check {
    let connect = match caller.read(GetConnect {}).await {
        Ok(answer) => answer.value.connect,
        Err(error) if error.code == "feature_not_configured" => {
            return Check::good(NAME, "the server has none; events are read by number");
        }
        Err(error) => return Check::failed(NAME, *error, "svc connect"),
    };
    let url = &connect.broker_url;
    let Some((is_secret, address)) = address(url) else {
        return Check::bad(NAME, format!("{url} is no address of a broker"), OPERATOR);
    };
    if !is_secret && !is_here(address) {
        let detail = format!("{url} has no TLS: the API key would go in the clear");
        return Check::bad(NAME, detail, OPERATOR);
    }
    let tried = tokio::time::timeout(PATIENCE, subscribe(&connect, key, is_secret, address)).await;
    match tried.unwrap_or_else(|_| Err(Refused::Broken("it does not answer in time".to_owned()))) {
        Ok(()) => Check::good(NAME, format!("{url} lets you subscribe to your topics")),
        Err(Refused::Login(code)) => {
            let detail = format!("{url} refuses your key (code {code})");
            Check::bad(NAME, detail, "svc login --with-key; svc key regenerate makes a new key")
        }
        Err(Refused::Topic(topic)) => {
            Check::bad(NAME, format!("{url} refuses {topic}"), "svc connect shows your topics")
        }
        Err(Refused::Broken(why)) => {
            let fix = "is its port open? svc listen reads events by number meanwhile";
            Check::bad(NAME, format!("{url}: {why}"), fix)
        }
    }
}

/// What only the operator can do.
const OPERATOR: &str = "the operator sets mqtts:// (svc-server --mqtt-tls-cert, --mqtt-tls-key)";

/// Whether a broker speaks TLS, and its host and port.
fn address(url: &str) -> Option<(bool, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let address = rest.trim_end_matches('/');
    let is_secret = match scheme {
        "mqtt" => false,
        "mqtts" => true,
        _ => return None,
    };
    address.rsplit_once(':').map(|_| (is_secret, address))
}

async fn subscribe(
    connect: &Connect,
    key: &ApiKey,
    is_secret: bool,
    address: &str,
) -> Result<(), Refused> {
    let mut stream = TcpStream::connect(address).await?;
    if !is_secret {
        return mqtt::subscribe(&mut stream, connect, key).await;
    }
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let mut stream = tls(stream, host).await?;
    mqtt::subscribe(&mut stream, connect, key).await
}

/// TLS by the certificates of the system.
async fn tls(
    stream: TcpStream,
    host: &str,
) -> io::Result<tokio_rustls::client::TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let name = ServerName::try_from(host).map_err(io::Error::other)?;
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broker_has_a_scheme_a_host_and_a_port() {
        assert_eq!(address("mqtt://127.0.0.1:1883"), Some((false, "127.0.0.1:1883")));
        assert_eq!(address("mqtts://a.example:8883/"), Some((true, "a.example:8883")));
        for url in ["http://a.example:80", "a.example:1883", "mqtt://a.example"] {
            assert_eq!(address(url), None, "{url}");
        }
    }
}
