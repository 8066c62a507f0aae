//! TLS to an external broker.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Performs the TLS handshake with the broker of this name. It trusts the certificates of the file,
/// or those of the system; the file is read each time, so that changes need no restart.
pub(super) async fn connect(
    stream: TcpStream,
    host: &str,
    ca: &Path,
) -> io::Result<TlsStream<TcpStream>> {
    let roots = trusted(ca).await?;
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// The certificates that vouch for the broker's own.
pub(super) async fn trusted(ca: &Path) -> io::Result<RootCertStore> {
    let ca = ca.to_owned();
    let reading = tokio::task::spawn_blocking(move || roots(&ca));
    reading.await.map_err(io::Error::other)?
}

fn roots(ca: &Path) -> io::Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    if ca.as_os_str().is_empty() {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return Ok(roots);
    }
    // It is read again for each connection, so the log has to name it, too.
    let wrong = |why: String| io::Error::other(format!("broker.tls_ca: {}: {why}", ca.display()));
    let found = CertificateDer::pem_file_iter(ca).map_err(|error| wrong(error.to_string()))?;
    for certificate in found {
        let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
        roots.add(certificate).map_err(|error| wrong(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(wrong("it holds no certificate in PEM".to_owned()));
    }
    Ok(roots)
}
