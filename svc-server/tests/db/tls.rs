//! TLS to PostgreSQL: a cluster whose certificates are made here.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::{fs, thread};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, PublicKeyData,
    date_time_ymd,
};
use svc_server::testing::found_by_thread;
use svc_store::clock::Clock;
use svc_store::db::{DatabaseUrl, Db, Settings, sql, values};
use svc_store::error::Result;
use svc_store::testing::postgres::{Certificates, Cluster, postgres};
use svc_store::testing::proxy::Proxy;
use tempfile::TempDir;

/// A CA, and the file with its certificate.
struct Ca {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
    file: String,
}

impl Ca {
    fn new(folder: &TempDir, name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name.push(DnType::CommonName, name);
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = parameters.self_signed(&key).unwrap().pem();
        let file = folder.path().join(name);
        fs::write(&file, &pem).unwrap();
        Self { issuer: Issuer::new(parameters, key), pem, file: file.to_str().unwrap().to_owned() }
    }

    /// A certificate for localhost, good until the end of this year.
    fn certify(&self, key: &impl PublicKeyData, last_year: Option<i32>) -> String {
        let mut parameters = CertificateParams::new(["localhost".to_owned()]).unwrap();
        parameters.distinguished_name.push(DnType::CommonName, "svc");
        if let Some(year) = last_year {
            parameters.not_after = date_time_ymd(year, 12, 31);
        }
        parameters.signed_by(key, &self.issuer).unwrap().pem()
    }
}

/// A server with a certificate of a CA.
struct Server {
    cluster: Cluster,
    port: u16,
    folder: TempDir,
    ca: Ca,
    key: KeyPair,
}

impl Server {
    fn start() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let (ca, key) = (Ca::new(&folder, "ca"), KeyPair::generate().unwrap());
        let (certificate, secret) = (ca.certify(&key, None), key.serialize_pem());
        let certificates = Certificates { certificate: &certificate, key: &secret, ca: &ca.pem };
        let (cluster, port) = Cluster::with_tls(certificates)?;
        Some(Self { cluster, port, folder, ca, key })
    }

    fn url(&self, host: &str, mode: &str, ca: &Ca) -> String {
        let port = self.port;
        format!("postgres://svc@{host}:{port}/postgres?sslmode={mode}&sslrootcert={}", ca.file)
    }
}

fn open(url: impl Into<String>) -> Result<Db> {
    Db::open(&Settings::new(DatabaseUrl::Postgres(url.into())), &Clock::system())
}

/// The message with which the settings are refused.
fn refusal(url: &str) -> String {
    let error = open(url).unwrap_err();
    assert!(error.is_setup(), "{error}");
    error.to_string()
}

#[test]
fn a_server_is_verified_by_its_ca_its_name_and_its_date() {
    let Some(server) = Server::start() else { return };
    let other = Ca::new(&server.folder, "other");
    open(server.url("localhost", "verify-full", &server.ca)).unwrap();
    let refused = refusal(&server.url("localhost", "verify-full", &other));
    assert!(refused.starts_with("database_url: no CA in sslrootcert signed"), "{refused}");
    let refused = refusal(&server.url("127.0.0.1", "verify-full", &server.ca));
    assert!(refused.starts_with("database_url: ") && refused.contains("another name"), "{refused}");

    open(server.url("127.0.0.1", "verify-ca", &server.ca)).unwrap();
    let refused = refusal(&server.url("127.0.0.1", "verify-ca", &other));
    assert!(refused.contains("no CA in sslrootcert signed"), "{refused}");
    open(format!("postgres://svc@127.0.0.1:{}/postgres?sslmode=require", server.port)).unwrap();

    // A pooler is verified like PostgreSQL itself.
    let direct = DatabaseUrl::Postgres(server.url("localhost", "verify-full", &server.ca));
    let pooler = DatabaseUrl::Postgres(server.url("localhost", "verify-full", &other));
    let settings = Settings { direct_url: Some(direct), ..Settings::new(pooler) };
    let refused = Db::open(&settings, &Clock::system()).unwrap_err();
    assert!(refused.is_setup(), "{refused}");
    assert!(refused.to_string().starts_with("database_url: no CA"), "{refused}");

    server.cluster.set_certificate(&server.ca.certify(&server.key, Some(2020)));
    // The server takes it a moment later.
    let full = server.url("localhost", "verify-full", &server.ca);
    found_by_thread("the server takes its new certificate", || open(full.as_str()).err());
    for mode in ["verify-full", "verify-ca"] {
        let refused = refusal(&server.url("localhost", mode, &server.ca));
        assert!(refused.contains("expired") && refused.contains("sslmode"), "{refused}");
    }
}

#[test]
fn a_server_without_tls_is_refused_unless_that_is_written() {
    let Some(cluster) = postgres() else { return };
    let proxy = Proxy::to(&cluster.database());
    let url = proxy.url();
    let refused = refusal(&format!("{url}?sslmode=require"));
    assert!(refused.starts_with("database_url: the server offers no TLS"), "{refused}");
    open(format!("{url}?sslmode=disable")).unwrap();
}

#[test]
fn a_server_that_asks_for_a_certificate_gets_it() {
    let Some(server) = Server::start() else { return };
    server.cluster.execute("create database certified");
    let (key, file) = (KeyPair::generate().unwrap(), |name: &str| server.folder.path().join(name));
    fs::write(file("client.crt"), server.ca.certify(&key, None)).unwrap();
    fs::write(file("client.key"), key.serialize_pem()).unwrap();
    let anonymous = server.url("localhost", "verify-full", &server.ca);
    let anonymous = anonymous.replace("/postgres?", "/certified?");
    let refused = open(anonymous.as_str()).unwrap_err().to_string();
    assert!(refused.contains("certificate"), "{refused}");
    let (certificate, secret) = (file("client.crt"), file("client.key"));
    let known =
        format!("{anonymous}&sslcert={}&sslkey={}", certificate.display(), secret.display());
    set_mode(&secret, 0o644);
    let refused = refusal(&known);
    assert!(refused.contains("sslkey: others may read"), "{refused}");
    set_mode(&secret, 0o600);
    open(known).unwrap();
}

fn set_mode(file: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
}

/// What passed a port in both directions.
type Captured = Arc<Mutex<Vec<u8>>>;

/// A port that passes everything on to another, and keeps it.
fn capture(server: u16) -> (u16, Captured) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let (port, captured) = (listener.local_addr().unwrap().port(), Captured::default());
    let kept = Arc::clone(&captured);
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect((Ipv4Addr::LOCALHOST, server)).unwrap();
            let back = (server.try_clone().unwrap(), client.try_clone().unwrap());
            for (from, to) in [(client, server), back] {
                let kept = Arc::clone(&kept);
                thread::spawn(move || pass(from, to, &kept));
            }
        }
    });
    (port, captured)
}

fn pass(mut from: TcpStream, mut to: TcpStream, kept: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 16_384];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        kept.lock().unwrap().extend(&bytes[..count]);
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// Writes a row and sends a hint, and answers which of their texts passed the port.
async fn spoken(server: &Server, mode: &str) -> Vec<&'static str> {
    let (port, captured) = capture(server.port);
    let url = server.url("localhost", mode, &server.ca);
    let url = url.replace(&format!(":{}/", server.port), &format!(":{port}/"));
    let db = tokio::task::spawn_blocking(|| open(url).unwrap()).await.unwrap();
    db.write(|tx| {
        let now = tx.now();
        let sql = sql!("insert into login_failure (id, scope, at) values ($1, 'x', $2)");
        tx.execute(sql, values![format!("a-secret-{}", now.as_millis()), now])
    })
    .await
    .unwrap();
    let mut signals = db.signals().unwrap();
    signals.send(&["a-hint".to_owned()]).await.unwrap();
    tokio::task::spawn_blocking(move || db.close()).await.unwrap();
    let captured = captured.lock().unwrap();
    assert!(!captured.is_empty());
    let has = |text: &&str| captured.windows(text.len()).any(|part| part == text.as_bytes());
    ["a-secret-", "a-hint", "insert into", "svc-server"].into_iter().filter(has).collect()
}

#[tokio::test]
async fn nothing_crosses_the_network_in_plain_text() {
    let Some(server) = Server::start() else { return };
    let plain = spoken(&server, "disable").await;
    assert_eq!(plain, ["a-secret-", "a-hint", "insert into", "svc-server"], "the capture works");
    assert_eq!(spoken(&server, "verify-full").await, [""; 0]);
}
