//! How NATS is reached, by the settings.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_nats::{ConnectOptions, ServerAddr};
use svc_core::config::BusSettings;
use svc_core::data_dir;
use svc_store::error::{Error, Result};
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// How long a server may take to answer before the next one is tried.
const SERVER_TIMEOUT: Duration = Duration::from_secs(2);

/// How often a silent connection is checked; one that misses two answers is given up.
const CHECK_EVERY: Duration = Duration::from_secs(2);

/// Messages that wait to be verified, each as large as NATS allows (1 MB by default), and commands for
/// the connection. What exceeds them is left to the look.
const MESSAGES_MAX: usize = 64;
const COMMANDS_MAX: usize = 256;

/// The servers and how to connect to them. Files are read now: changes need a restart.
pub(super) async fn read(settings: &BusSettings) -> Result<(Vec<ServerAddr>, ConnectOptions)> {
    let nats = settings.nats().map_err(Error::internal)?;
    let count = nats.urls.len();
    let servers = nats.urls.into_iter().map(ServerAddr::from_url);
    let servers = servers.collect::<io::Result<_>>().map_err(Error::internal)?;
    let mut options = ConnectOptions::new()
        .name("svc-server")
        .tls_client_config(tls(&settings.tls_ca)?)
        .connection_timeout(SERVER_TIMEOUT)
        .ping_interval(CHECK_EVERY)
        .subscription_capacity(MESSAGES_MAX)
        .client_capacity(COMMANDS_MAX)
        // The password goes only to servers of the settings.
        .ignore_discovered_servers()
        // The loop that listens connects again, and then the node looks. The library only finds a server.
        .max_reconnects(count);
    if let Some((user, password)) = nats.login {
        options = options.user_and_password(user, password);
    }
    if settings.credentials_file != Path::new("") {
        data_dir::refuse_open_file("bus.credentials_file", &settings.credentials_file)?;
        options = options
            .credentials_file(&settings.credentials_file)
            .await
            .map_err(|error| credentials(&error))?;
    }
    Ok((servers, options))
}

fn credentials(error: &dyn std::error::Error) -> Error {
    Error::setup(format!("bus.credentials_file: {error}"))
}

fn tls(ca: &Path) -> Result<ClientConfig> {
    let builder = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(Error::internal)?;
    let place = ca.display();
    let roots = roots(ca).map_err(|why| Error::setup(format!("bus.tls_ca: {place}: {why}")))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

fn roots(ca: &Path) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    if ca == Path::new("") {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return Ok(roots);
    }
    for certificate in CertificateDer::pem_file_iter(ca).map_err(|error| error.to_string())? {
        let added = certificate.map(|certificate| roots.add(certificate));
        added.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    }
    if roots.is_empty() {
        return Err("it holds no certificate in PEM".to_owned());
    }
    Ok(roots)
}
