//! TLS to PostgreSQL, with the parameters of libpq.

use std::error::Error as StdError;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use tokio_rustls::rustls::crypto::{CryptoProvider, aws_lc_rs};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{
    AlertDescription, CertificateError, ClientConfig, Error as TlsError, RootCertStore,
};

use super::verifier::Verifier;

/// The parameters in a URL that the client library does not know, or not in all their values.
const PARAMETERS: [&str; 4] = ["sslmode", "sslrootcert", "sslcert", "sslkey"];

/// Where libpq looks for certificates, below the home folder.
const FOLDER: &str = ".postgresql";

/// The name of the protocol, without which `sslnegotiation=direct` is refused.
const PROTOCOL: &[u8] = b"postgresql";

/// What TLS protects from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing: there is no TLS.
    Disable,
    /// Listeners: no certificate is verified.
    Require,
    /// Servers of another CA; any name is good.
    VerifyCa,
    /// Every other server.
    VerifyFull,
}

/// What the URL says about TLS.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// The values of [`PARAMETERS`].
    values: [Option<String>; 4],
}

impl Parameters {
    /// Takes them out of a URL, and returns the rest of it.
    pub(super) fn take(url: &str) -> (String, Self) {
        let mut found = Self::default();
        // Before the @ a question mark is a part of the password.
        let host = url.find('@').unwrap_or(0);
        let Some(mark) = url[host..].find('?').map(|mark| host + mark) else {
            return (url.to_owned(), found);
        };
        let is_other = |pair: &&str| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let place = PARAMETERS.iter().position(|name| *name == key);
            if let Some(place) = place {
                let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
                found.values[place] = Some(value);
            }
            place.is_none()
        };
        let others: Vec<&str> = url[mark + 1..].split('&').filter(is_other).collect();
        let others = others.join("&");
        let before = &url[..mark];
        let rest = if others.is_empty() { before.to_owned() } else { format!("{before}?{others}") };
        (rest, found)
    }

    pub(super) fn mode(&self) -> Result<Option<Mode>, String> {
        match self.values[0].as_deref() {
            None => Ok(None),
            Some("disable") => Ok(Some(Mode::Disable)),
            Some("require") => Ok(Some(Mode::Require)),
            Some("verify-ca") => Ok(Some(Mode::VerifyCa)),
            Some("verify-full") => Ok(Some(Mode::VerifyFull)),
            Some(_) => Err("sslmode must be verify-full, verify-ca, require or disable".to_owned()),
        }
    }

    fn roots(&self) -> Option<&str> {
        self.values[1].as_deref()
    }

    /// The files of the client's certificate and key, if it has one.
    fn identity(&self) -> Result<Option<(PathBuf, PathBuf)>, String> {
        match (&self.values[2], &self.values[3]) {
            (Some(certificate), Some(key)) => Ok(Some((certificate.into(), key.into()))),
            (None, None) => Ok(usual("postgresql.crt").zip(usual("postgresql.key"))),
            _ => Err("sslcert and sslkey belong together".to_owned()),
        }
    }
}

/// A file in libpq's folder, if it is there.
fn usual(name: &str) -> Option<PathBuf> {
    let path = std::env::home_dir()?.join(FOLDER).join(name);
    path.is_file().then_some(path)
}

/// The client's side of TLS. The files are read now: changes need a restart.
pub(super) fn client(mode: Mode, parameters: &Parameters) -> Result<ClientConfig, String> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS: {error}"))?;
    let builder = match mode {
        // Never used.
        Mode::Disable => {
            return Ok(builder
                .with_root_certificates(RootCertStore::empty())
                .with_no_client_auth());
        }
        Mode::VerifyFull => builder.with_root_certificates(roots_of_full(parameters)?),
        Mode::VerifyCa | Mode::Require => {
            let verifier = Arc::new(loose(mode, parameters, provider)?);
            builder.dangerous().with_custom_certificate_verifier(verifier)
        }
    };
    let mut client = match parameters.identity()? {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let key_read = key_in(&key)?;
            builder
                .with_client_auth_cert(certificates("sslcert", &certificate)?, key_read)
                .map_err(|error| format!("sslcert and sslkey do not match: {error}"))?
        }
    };
    client.alpn_protocols = vec![PROTOCOL.to_vec()];
    Ok(client)
}

/// The CAs that may vouch for a name: those written, those where libpq looks, or the system's.
fn roots_of_full(parameters: &Parameters) -> Result<RootCertStore, String> {
    let usual = usual("root.crt");
    match parameters.roots() {
        Some("system") => Ok(system_roots()),
        Some(file) => roots_in(Path::new(file)),
        None => usual.map_or_else(|| Ok(system_roots()), |file| roots_in(&file)),
    }
}

/// What verifies less than a name.
fn loose(
    mode: Mode,
    parameters: &Parameters,
    provider: Arc<CryptoProvider>,
) -> Result<Verifier, String> {
    if mode == Mode::Require {
        // libpq would verify by the file, and nothing without it: too easily mistaken.
        return match parameters.roots() {
            None => Ok(Verifier::of_nothing(provider)),
            Some(_) => Err("sslmode=require ignores sslrootcert: write verify-full".to_owned()),
        };
    }
    match parameters.roots().map(PathBuf::from).or_else(|| usual("root.crt")) {
        Some(file) if file != Path::new("system") => {
            Ok(Verifier::of_chains(roots_in(&file)?, provider))
        }
        // Some CA of the system signs for everybody.
        _ => Err("sslmode=verify-ca needs sslrootcert with the file of the CA".to_owned()),
    }
}

fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

fn roots_in(file: &Path) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates("sslrootcert", file)? {
        let added = roots.add(certificate);
        added.map_err(|error| format!("sslrootcert: {}: {error}", file.display()))?;
    }
    Ok(roots)
}

fn certificates(parameter: &str, file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let place = file.display();
    let opened = File::open(file);
    let opened = opened.map_err(|error| format!("{parameter}: can't read {place}: {error}"))?;
    let read: Result<Vec<_>, _> = CertificateDer::pem_reader_iter(opened).collect();
    let read = read.map_err(|error| format!("{parameter}: {place}: {error}"))?;
    if read.is_empty() {
        return Err(format!("{parameter}: {place} holds no certificate in PEM"));
    }
    Ok(read)
}

/// The key of the client's certificate, which others must not read: libpq has the same rule.
fn key_in(file: &Path) -> Result<PrivateKeyDer<'static>, String> {
    let place = file.display();
    let unreadable = |error: io::Error| format!("sslkey: can't read {place}: {error}");
    let about = fs::metadata(file).map_err(unreadable)?;
    let forbidden = if about.uid() == 0 { 0o037 } else { 0o077 };
    if about.mode() & forbidden != 0 {
        return Err(format!("sslkey: others may read {place}; chmod 600 takes that away"));
    }
    PrivateKeyDer::from_pem_file(file).map_err(|error| match error {
        pem::Error::NoItemsFound => format!("sslkey: {place} holds no private key in PEM"),
        error => format!("sslkey: {place}: {error}"),
    })
}

/// Why TLS failed and what would be right, if TLS is what failed.
pub(super) fn explain(error: &postgres::Error) -> Option<String> {
    let cause = error.source()?;
    if let Some(error) = cause.downcast_ref::<io::Error>() {
        return error.get_ref()?.downcast_ref::<TlsError>().map(refusal);
    }
    // The library has no type for this one.
    (cause.to_string() == "server does not support TLS").then(|| {
        "the server offers no TLS: turn `ssl` on there, or write sslmode=disable to send everything, \
         passwords included, in plain text"
            .to_owned()
    })
}

fn refusal(error: &TlsError) -> String {
    match error {
        TlsError::InvalidCertificate(reason) => refused_certificate(reason),
        TlsError::AlertReceived(AlertDescription::CertificateRequired) => {
            "the server asks for a certificate: name it by sslcert and its key by sslkey".to_owned()
        }
        TlsError::AlertReceived(AlertDescription::UnknownCA) => {
            "the server does not know the CA of the certificate in sslcert".to_owned()
        }
        other => format!("TLS with the server failed: {other}"),
    }
}

fn refused_certificate(reason: &CertificateError) -> String {
    match reason {
        CertificateError::UnknownIssuer => {
            "no CA in sslrootcert signed the server's certificate: name the file of its CA there"
                .to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "the server's certificate is for another name than the URL's: use a name in it, or \
             sslmode=verify-ca, which accepts each server of that CA"
                .to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the server's certificate has expired, and sslmode=verify-full and verify-ca refuse it: \
             renew it there"
                .to_owned()
        }
        other => format!("sslmode: the server's certificate is refused: {other}"),
    }
}
