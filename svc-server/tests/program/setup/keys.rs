//! Keys and certificates: when secrets are sealed with a new key, and files that can't be used.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use svc_client::types::Code;
use svc_server::testing::until;

use super::{OTHER_KEY, PASSWORD, assert_refused, bound, refused, shown};
use crate::observability::{metrics_address, scrape};
use crate::process::{Place, database};

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
    let Some(database) = database().await else { return };
    let set = ["--database-url", database.as_str()];
    secrets_are_not_sealed_with_a_key_that_a_running_server_may_lack(&set).await;
}

async fn keys_of_a_server_that_runs_are_not_given_up(set: &[&str]) {
    let place = Place::new();
    let server = place.serve_by(place.program().args(set));
    let other = format!("exchange.sealing_keys={OTHER_KEY}");
    let give_up = [&["webhooks", "reseal", "--lost", "--set", &other], set].concat();
    let output = place.program().args(&give_up).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{message}");
    assert!(message.contains("so they are not lost"), "{message}");
    server.stop().await;
    place.serve_by(place.program().args(set)).stop().await;
    place.run(&give_up);
}

#[tokio::test]
async fn keys_of_a_server_that_serves_a_file_are_not_given_up() {
    keys_of_a_server_that_runs_are_not_given_up(&[]).await;
}

#[tokio::test]
async fn keys_of_a_node_that_runs_are_not_given_up() {
    let Some(database) = database().await else { return };
    keys_of_a_server_that_runs_are_not_given_up(&["--database-url", database.as_str()]).await;
}

#[tokio::test]
async fn a_server_signs_and_seals_with_new_keys_after_its_key_was_lost() {
    let place = Place::new();
    let server = place.serve();
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let webhooks = server.client_of(&ada.api_key);
    webhooks.webhooks().create("https://hooks.example.org/svc").await.unwrap();
    let signing_up = server.client().auth().register_person("eve", "eve@example.org", PASSWORD);
    let eve = server.client_of(&signing_up.await.unwrap().api_key);
    let uri = eve.factors().create_totp().await.unwrap().uri;
    let added = eve.factors().confirm_totp(shown(&uri, 0)).await.unwrap();
    server.client().bots().reputation("ada").await.unwrap();
    server.stop().await;

    fs::remove_file(place.path("data/sealing.key")).unwrap();
    let printed = place.run(&["webhooks", "reseal", "--lost"]);
    assert!(printed.contains("admin remove-factors"), "{printed}");
    let server = place.serve();
    server.client().bots().reputation("ada").await.expect("another key signs");
    let published = scrape(&format!("http://{}/.well-known/jwks.json", server.address())).await;
    assert_eq!(published.matches("\"kid\"").count(), 4, "what the lost ones signed is verified");
    let sign_in = || server.client().auth().login("eve", PASSWORD);
    let refused = sign_in().code(shown(&uri, 30)).await.unwrap_err();
    assert_eq!(refused.code(), Some(&Code::InvalidCredentials), "{refused}");
    sign_in().code(added.recovery_codes[0].expose()).await.expect("these are not sealed");
    server.stop().await;
    assert_eq!(place.run(&["webhooks", "reseal"]), "sealed 0 secrets with the newest key\n");
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

#[tokio::test]
async fn the_end_of_the_certificate_of_the_broker_is_announced() {
    let place = Place::new();
    let own = KeyPair::generate().unwrap();
    let mut parameters = CertificateParams::new(["localhost".to_owned()]).unwrap();
    parameters.not_after = date_time_ymd(2000, 1, 2);
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| place.path(name));
    fs::write(&certificate, parameters.self_signed(&own).unwrap().pem()).unwrap();
    fs::write(&key, own.serialize_pem()).unwrap();
    fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    let certificate_set = format!("mqtt_tls_cert={}", certificate.display());
    let key_set = format!("mqtt_tls_key={}", key.display());
    let mut program = place.program();
    program.args(["--metrics-listen", "127.0.0.1:0"]);
    let server = place.serve_by(program.args(["--set", &certificate_set, "--set", &key_set]));
    until("the log names it", async || place.log().contains("MQTT broker has ended")).await;
    let text = scrape(&format!("http://{}/metrics", metrics_address(&place))).await;
    let found = text.lines().find(|line| line.starts_with("svc_mqtt_certificate_ends"));
    assert_eq!(
        found,
        Some("svc_mqtt_certificate_ends_timestamp_seconds{node=\"0\"} 946771200"),
        "{text}"
    );
    server.stop().await;
}

#[test]
fn certificates_for_an_external_broker_that_cannot_be_used_are_named() {
    let place = Place::new();
    let file = place.path("ca.pem");
    let set = format!("broker.tls_ca={}", file.display());
    let set = ["--broker", "mqtts://svc:secret@127.0.0.1:1", "--set", &set];
    let message = refused(&place, &set);
    assert_refused(&message, &file, "No such file");
    assert!(message.contains("broker.tls_ca: "), "{message}");
    fs::write(&file, "hidden\n").unwrap();
    let message = refused(&place, &set);
    assert_refused(&message, &file, "it holds no certificate in PEM");
    assert!(!message.contains("hidden") && !message.contains("secret"), "{message}");
}
