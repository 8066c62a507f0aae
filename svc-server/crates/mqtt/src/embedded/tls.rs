//! TLS of the embedded broker. The certificate is reloaded when its file changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use svc_core::config::Config;
use svc_core::data_dir;
use svc_store::error::{Error, Result};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The certificate and key of the broker.
pub(super) struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    current: Mutex<(Option<SystemTime>, TlsAcceptor)>,
}

impl Tls {
    /// Reads the files of the settings, if they name any.
    pub(super) fn open(config: &Config) -> Result<Option<Self>> {
        let Some((certificate, key)) = config.mqtt_tls() else { return Ok(None) };
        let current = Mutex::new((changed(&certificate), read(&certificate, &key)?));
        Ok(Some(Self { certificate, key, current }))
    }

    /// The acceptor for the next connection.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = changed(&self.certificate);
        if changed != current.0 {
            match read(&self.certificate, &self.key) {
                Ok(acceptor) => *current = (changed, acceptor),
                // One of the two files may not be written yet; the next connection tries again.
                Err(error) => tracing::warn!(%error, "failed to load the new certificate"),
            }
        }
        current.1.clone()
    }
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|found| found.modified()).ok()
}

fn read(certificate: &Path, key: &Path) -> Result<TlsAcceptor> {
    let wrong = |file: &Path, error: String| {
        Error::setup(format!("can't use {} for TLS: {error}", file.display()))
    };
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| wrong(certificate, error.to_string()))?;
    if chain.is_empty() {
        return Err(wrong(certificate, "it holds no certificate in PEM".to_owned()));
    }
    data_dir::refuse_open_file("mqtt_tls_key", key)?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| match error {
        pem::Error::NoItemsFound => wrong(key, "it holds no private key in PEM".to_owned()),
        error => wrong(key, error.to_string()),
    })?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private))
        .map_err(|error| wrong(certificate, error.to_string()))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
