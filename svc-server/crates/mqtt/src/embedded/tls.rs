//! TLS of the embedded broker. The certificate is reloaded when its file changes, and its end is announced.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use svc_core::config::Config;
use svc_core::data_dir;
use svc_store::error::{Error, Result};
use svc_types::Timestamp;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use x509_parser::parse_x509_certificate;

use super::accept::is_time_to_warn;

/// Time before the end of the certificate in which the log warns.
const WARN_BEFORE: Duration = Duration::from_hours(24);

/// Time between two of these warnings.
const WARN_EVERY: Duration = Duration::from_hours(1);

/// The certificate and key of the broker.
pub(super) struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    current: Mutex<Current>,
}

/// What was read of the files.
struct Current {
    /// When the file of the certificate had changed.
    changed: Option<SystemTime>,
    acceptor: TlsAcceptor,
    /// When the certificate ends, or the first one of its chain.
    ends: Option<Timestamp>,
    /// When the log warned of that.
    warned_at: Option<Timestamp>,
    /// When the log said that newer files can't be loaded.
    failed_at: Option<Instant>,
}

impl Current {
    fn read(certificate: &Path, key: &Path) -> Result<Self> {
        let changed = changed(certificate);
        let (acceptor, ends) = read(certificate, key)?;
        Ok(Self { changed, acceptor, ends, warned_at: None, failed_at: None })
    }
}

impl Tls {
    /// Reads the files of the settings, if they name any.
    pub(super) fn open(config: &Config) -> Result<Option<Self>> {
        let Some((certificate, key)) = config.mqtt_tls() else { return Ok(None) };
        let current = Mutex::new(Current::read(&certificate, &key)?);
        Ok(Some(Self { certificate, key, current }))
    }

    /// The acceptor for the next connection.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if changed(&self.certificate) != current.changed {
            match Current::read(&self.certificate, &self.key) {
                Ok(read) => *current = read,
                // One of the two files may not be written yet; the next connection tries again.
                Err(error) if is_time_to_warn(&mut current.failed_at) => {
                    tracing::warn!(%error, "failed to load the new certificate");
                }
                Err(_) => {}
            }
        }
        current.acceptor.clone()
    }

    /// Shows when the certificate ends, and warns in its last day and after it.
    pub(super) fn watch(&self, now: Timestamp) {
        self.acceptor();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(ends) = current.ends else { return };
        let seconds = ends.since(Timestamp::from_millis(0)).as_secs_f64();
        metrics::gauge!("svc_mqtt_certificate_ends_timestamp_seconds").set(seconds);
        let is_time = current.warned_at.is_none_or(|last| now.since(last) >= WARN_EVERY);
        if now.plus(WARN_BEFORE) < ends || !is_time {
            return;
        }
        current.warned_at = Some(now);
        if ends <= now {
            let message = "the certificate of the MQTT broker has ended; clients refuse it";
            tracing::error!(%ends, "{message}");
        } else {
            tracing::warn!(%ends, "the certificate of the MQTT broker ends within a day");
        }
    }
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|found| found.modified()).ok()
}

fn read(certificate: &Path, key: &Path) -> Result<(TlsAcceptor, Option<Timestamp>)> {
    let wrong = |file: &Path, error: String| {
        Error::setup(format!("can't use {} for TLS: {error}", file.display()))
    };
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| wrong(certificate, error.to_string()))?;
    if chain.is_empty() {
        return Err(wrong(certificate, "it holds no certificate in PEM".to_owned()));
    }
    let ends = chain.iter().filter_map(end_of).min();
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
    Ok((TlsAcceptor::from(Arc::new(config)), ends))
}

/// When a certificate ends; `None` if it can't be read: its clients judge it.
fn end_of(certificate: &CertificateDer<'_>) -> Option<Timestamp> {
    let (_, certificate) = parse_x509_certificate(certificate).ok()?;
    let seconds = certificate.validity().not_after.timestamp();
    Some(Timestamp::from_millis(seconds.saturating_mul(1000)))
}
