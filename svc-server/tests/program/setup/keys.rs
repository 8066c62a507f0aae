//! Keys and certificates: when secrets are sealed with a new key, and files that can't be used.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use svc_store::testing::postgres;

use super::{OTHER_KEY, assert_refused, bound, refused};
use crate::process::Place;

async fn secrets_are_not_sealed_with_a_key_that_a_running_server_may_lack(set: &[&str]) {
    let place = Place::new();
    let server = place.serve_by(place.program().args(set));
    let key = fs::read_to_string(place.path("data/sealing.key")).unwrap();
    let both = format!("exchange.sealing_keys={OTHER_KEY},{key}");
    let reseal = [&["webhooks", "reseal", "--set", &both], set].concat();
    let output = place.program().args(&reseal).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{message}");
    assert!(message.contains("restart each server with `old,new`"), "{message}");
    // With its own key it goes on.
    place.run(&[&["webhooks", "reseal"], set].concat());
    server.stop().await;
    place.run(&reseal);
}

#[tokio::test]
async fn secrets_of_a_file_are_not_sealed_with_a_key_that_its_server_may_lack() {
    secrets_are_not_sealed_with_a_key_that_a_running_server_may_lack(&[]).await;
}

#[tokio::test]
async fn secrets_in_postgres_are_not_sealed_with_a_key_that_a_node_may_lack() {
    let database =
        tokio::task::spawn_blocking(|| postgres::postgres().map(postgres::Cluster::database));
    let Some(database) = database.await.unwrap() else { return };
    let set = ["--database-url", database.as_str()];
    secrets_are_not_sealed_with_a_key_that_a_running_server_may_lack(&set).await;
}

#[tokio::test]
async fn a_key_that_a_backup_can_not_read_is_named() {
    let place = Place::new();
    place.serve().stop().await;
    let key = place.path("data/sealing.key");
    fs::set_permissions(&key, Permissions::from_mode(0o000)).unwrap();
    let output = bound(&place, &["backup", "copy.tar"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_refused(&message, &key, "Permission denied");
    assert!(!place.path("copy.tar").exists());
}

#[test]
fn a_certificate_of_the_broker_that_cannot_be_used_is_named() {
    let place = Place::new();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mqtt/tls");
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| {
        fs::copy(files.join(name), place.path(name)).unwrap();
        place.path(name)
    });
    let certificate_set = format!("mqtt_tls_cert={}", certificate.display());
    let key_set = format!("mqtt_tls_key={}", key.display());
    let set = ["--set", "mqtt_listen=127.0.0.1:0", "--set", &certificate_set, "--set", &key_set];
    fs::set_permissions(&key, Permissions::from_mode(0o644)).unwrap();
    assert_refused(&refused(&place, &set), &key, "chmod 600");
    fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    fs::write(&key, "hidden\n").unwrap();
    assert_refused(&refused(&place, &set), &key, "it holds no private key in PEM");
    fs::write(&certificate, "none\n").unwrap();
    assert_refused(&refused(&place, &set), &certificate, "it holds no certificate in PEM");
}
