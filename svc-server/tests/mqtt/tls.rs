//! TLS on the broker's port; the certificate next to this file is only for these tests.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use svc_server::testing::{Engine, in_time};

use crate::app::TestApp;
use crate::wire::{Login, Wire};

pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mqtt/tls").join(name)
}

/// A client that trusts the certificate of these tests.
fn connector() -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(file("certificate.pem")).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

/// A server with the certificate of these tests.
pub(crate) fn acceptor() -> TlsAcceptor {
    let chain = vec![CertificateDer::from_pem_file(file("certificate.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(file("key.pem")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    TlsAcceptor::from(Arc::new(config.with_single_cert(chain, key).unwrap()))
}

#[tokio::test]
async fn the_port_speaks_tls_and_a_stalled_handshake_blocks_no_other_client() {
    let (certificate, folder) = (file("certificate.pem"), tempfile::tempdir().unwrap());
    // Others may read the one beside this file.
    let key = folder.path().join("key.pem");
    fs::copy(file("key.pem"), &key).unwrap();
    fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    let settings = [
        ("mqtt_listen", "127.0.0.1:0"),
        ("mqtt_tls_cert", certificate.to_str().unwrap()),
        ("mqtt_tls_key", key.to_str().unwrap()),
    ];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let ada = app.agent("ada").await;
    let connect = ada.client.events().connect().await.unwrap().connect;
    assert_eq!(connect.broker_url, format!("mqtts://{}", app.server.mqtt()));
    let mut halves = Vec::new();
    for _ in 0..50 {
        let mut stream = TcpStream::connect(app.server.mqtt()).await.unwrap();
        stream.write_all(&[0x16, 3, 1]).await.unwrap();
        halves.push(stream);
    }
    let stream = TcpStream::connect(app.server.mqtt()).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let connecting = connector().connect(name, stream);
    let mut stream = timeout(Duration::from_secs(3), connecting).await.unwrap().unwrap();
    stream.write_all(&Login::of(&ada, 4).packet()).await.unwrap();
    let mut answer = [0; 4];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, [0x20, 2, 0, 0]);
    for mut half in halves {
        let mut rest = Vec::new();
        // Closed, with an alert or without.
        let _ = in_time("a half connection ends", half.read_to_end(&mut rest)).await;
    }
    let mut plain = Wire::dial(&app, 4).await;
    plain.send(&Login::of(&ada, 4).packet()).await;
    assert_ne!(plain.packet().await.map(|(first, _)| first), Some(0x20), "nothing in the clear");
}
