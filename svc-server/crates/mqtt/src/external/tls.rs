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
    let ca = ca.to_owned();
    let reading = tokio::task::spawn_blocking(move || roots(&ca));
    let roots = reading.await.map_err(io::Error::other)??;
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

fn roots(ca: &Path) -> io::Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    if ca.as_os_str().is_empty() {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return Ok(roots);
    }
    for certificate in CertificateDer::pem_file_iter(ca).map_err(io::Error::other)? {
        roots.add(certificate.map_err(io::Error::other)?).map_err(io::Error::other)?;
    }
    if roots.is_empty() {
        return Err(io::Error::other(format!("{} holds no certificate in PEM", ca.display())));
    }
    Ok(roots)
}
