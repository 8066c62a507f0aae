//! Wrong keys, settings, files and folders: a server does not start with them, and says what is wrong and what
//! would be right.

mod keys;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use svc_client::types::api::escrow::Deliverable;
use svc_client::types::{Code, FactorCode, TotpUri};
use svc_store::clock::Clock;
use totp_rs::{Builder, Secret};

use crate::observability::scrape;
use crate::process::{Place, database, read_database};

/// A key that no server of these tests has made.
const OTHER_KEY: &str = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

/// A password that is neither common nor breached.
const PASSWORD: &str = "correct horse";

/// The code that an authenticator app with the key of this URI shows that many seconds from now.
fn shown(uri: &TotpUri, ahead: i64) -> FactorCode {
    let (_, secret) = uri.expose().split_once("secret=").unwrap();
    let secret = Secret::try_from_base32(secret.split('&').next().unwrap()).unwrap();
    let app = Builder::new().with_secret(secret).build().unwrap();
    let seconds = Clock::system().now().as_millis() / 1_000 + ahead;
    app.generate(seconds.unsigned_abs()).to_string().as_str().into()
}

/// Starts a server that must refuse its setup, by the exit code for that; returns its message.
#[track_caller]
fn refused(place: &Place, arguments: &[&str]) -> String {
    let mut command = place.program();
    command.args(["serve", "--listen", "127.0.0.1:0", "--mqtt-listen", "off"]).args(arguments);
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{message}");
    message
}

#[track_caller]
fn assert_refused(message: &str, file: &Path, remedy: &str) {
    assert!(message.contains(file.to_str().unwrap()) && message.contains(remedy), "{message}");
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn passwords_of_a_list_of_breaches_are_refused() {
    let place = Place::new();
    let list = place.path("breached.txt");
    let set = format!("passwords.breached_file={}", list.display());
    assert_refused(&refused(&place, &["--set", &set]), &list, "No such file");
    fs::write(&list, "password\nletmein\n").unwrap();
    assert_refused(
        &refused(&place, &["--set", &set]),
        &list,
        "must be SHA-1 hashes in hex, sorted",
    );
    // Of "anything", "correct horse battery staple" and "something".
    let hashes = [
        "8867C88B56E0BFB82CFFAF15A66BC8D107D6754A:3",
        "ABF7AAD6438836DBE526AA231ABDE2D0EEF74D42:12",
        "1AF17E73721DBE0C40011B82ED4BB1A7DBE3CE29:1",
    ];
    let mut sorted = hashes;
    sorted.sort_unstable();
    fs::write(&list, sorted.join("\r\n")).unwrap();
    let server = place.serve_by(place.program().args(["--set", &set]));
    let sign_up = async |name: &str, password: &str| {
        let client = server.client();
        client.auth().register_person(name, format!("{name}@example.org"), password).await
    };
    let refused = sign_up("ada", "correct horse battery staple").await.unwrap_err();
    assert_eq!(refused.code().map(ToString::to_string).as_deref(), Some("password_too_common"));
    sign_up("ada", "a password nobody else has").await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_server_without_its_encryption_key_does_not_start() {
    let place = Place::new();
    // No mail server answers there, so mails wait in the database.
    let mail = ["--set", "mail.url=smtp://127.0.0.1:9", "--set", "mail.from=svc@example.org"];
    let server = place.serve_by(place.program().args(mail));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let webhooks = server.client_of(&ada.api_key);
    webhooks.webhooks().create("https://hooks.example.org/svc").await.unwrap();
    let signing_up = server.client().auth().register_person("eve", "eve@example.org", PASSWORD);
    let eve = server.client_of(&signing_up.await.unwrap().api_key);
    let uri = eve.factors().create_totp().await.unwrap().uri;
    eve.factors().confirm_totp(shown(&uri, 0)).await.unwrap();
    let service = webhooks.services().create("count", "counts words", 1).await.unwrap().service.id;
    let escrow = eve.escrow().create("ada", &service, 1, "a word").await.unwrap().escrow.id;
    let mut work = Deliverable::new("text");
    work.access_token = Some("for-two".into());
    webhooks.escrow().deliver(&escrow, work).await.unwrap();
    // The keys that sign ID tokens are made when they are asked for.
    scrape(&format!("http://{}/.well-known/jwks.json", server.address())).await;
    server.stop().await;

    let file = place.path("data/sealing.key");
    let key = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    assert_refused(&refused(&place, &[]), &file, "put it back");
    assert!(!file.exists(), "no other key is made");

    fs::write(&file, OTHER_KEY).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    assert_refused(&refused(&place, &[]), &file, "did not seal");
    let set = format!("exchange.sealing_keys={OTHER_KEY}");
    assert!(refused(&place, &["--set", &set]).contains("exchange.sealing_keys holds key"));
    // Operator commands encrypt nothing.
    place.run(&["admin", "list-users"]);

    // An old key may follow a new one; it is removed once everything is encrypted again.
    let both = format!("exchange.sealing_keys={OTHER_KEY},{key}");
    place.serve_by(place.program().args(["--set", &both])).stop().await;
    fs::write(&file, &key).unwrap();
    assert_refused(&refused(&place, &[]), &file, "did not seal");
    let sealed = || {
        let rows = [
            "mail_outbox order by id",
            "signing_key order by alg, n",
            "webhook_secret order by id",
        ];
        rows.map(|rows| {
            let sql = format!("select group_concat(hex(sealed)) from (select sealed from {rows})");
            read_database::<String>(&place.path("data/svc.db"), &sql)
        })
    };
    let before = sealed();
    let printed = place.run(&["webhooks", "reseal", "--set", &both]);
    assert_eq!(printed, "sealed 1 secrets with the newest key\n");
    for (before, after) in before.into_iter().zip(sealed()) {
        assert_ne!(before, after, "mails and signing keys are encrypted with the new key, too");
    }
    let server = place.serve_by(place.program().args(["--set", &set]));
    let sign_in = server.client().auth().login("eve", PASSWORD).code(shown(&uri, 30)).await;
    sign_in.expect("the secret of her authenticator app is encrypted with the new key");
    let read = server.client_of(&ada.api_key).escrow().get(&escrow).await.unwrap().escrow;
    let token = read.deliverable.unwrap().access_token;
    assert_eq!(token, Some("for-two".into()), "so is the token of the work");
    server.stop().await;
}

#[test]
fn a_collector_that_cannot_be_used_is_named() {
    let place = Place::new();
    for (set, why) in [
        ("trace.endpoint=collector:4318", "trace.endpoint must be a URL such as"),
        ("trace.sample=2", "trace.sample must be between 0 and 1"),
        ("trace.headers_file=x", "trace.headers_file needs trace.endpoint"),
    ] {
        let message = refused(&place, &["--set", set]);
        assert!(message.contains(why), "{message}");
    }
    let file = place.path("file");
    for (setting, why) in [
        ("headers_file", "each line must be `name: value`"),
        ("tls_ca", "it holds no certificate in PEM"),
    ] {
        let set = format!("trace.{setting}={}", file.display());
        let set = ["--set", "trace.endpoint=https://127.0.0.1:4318", "--set", &set];
        let message = refused(&place, &set);
        assert_refused(&message, &file, "No such file");
        assert!(message.contains(&format!("trace.{setting}")), "{message}");
        fs::write(&file, "hidden\n").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        let message = refused(&place, &set);
        assert_refused(&message, &file, why);
        assert!(!message.contains("hidden"), "{message}");
        fs::remove_file(&file).unwrap();
    }
}

#[tokio::test]
async fn a_grant_at_sign_up_that_no_account_can_get_is_logged() {
    let place = Place::new();
    place
        .serve_by(place.program().args(["--set", "exchange.grant_requires=approval"]))
        .stop()
        .await;
    let log = place.log();
    assert!(log.contains("no new account gets exchange.signup_grant without signup.mode"), "{log}");
}

#[test]
fn a_grant_at_sign_up_without_a_condition_does_not_start() {
    let place = Place::new();
    let message = refused(&place, &["--set", "exchange.signup_grant=5"]);
    for part in ["exchange.grant_requires", "linked, invite, approval, or nothing"] {
        assert!(message.contains(part), "{message}");
    }
    // A server for development gives credits away.
    let shown = place.run(&["--dev", "config"]);
    assert!(shown.contains("grant_requires = \"nothing\""), "{shown}");
}

#[tokio::test]
async fn an_invite_of_the_operator_is_printed_once() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--set", "signup.mode=invite"]));
    let printed = place.run(&["admin", "invite", "--expires-in", "2h"]);
    let (code, url) = printed.trim().split_once("  ").unwrap();
    assert!(url.ends_with(&format!("/join?invite={code}")), "{printed}");
    let call = server.client().auth().register_agent("ada").invite(code);
    call.await.unwrap();
    let again = server.client().auth().register_agent("bob").invite(code).await.unwrap_err();
    assert_eq!(again.code(), Some(&Code::InviteRequired));
    server.stop().await;
}

#[tokio::test]
async fn data_of_a_lost_key_can_be_discarded() {
    let place = Place::new();
    place.serve().stop().await;
    fs::remove_file(place.path("data/sealing.key")).unwrap();
    assert!(refused(&place, &[]).contains("webhooks reseal --lost"));
    place.run(&["webhooks", "reseal", "--lost"]);
    place.serve().stop().await;
}

#[tokio::test]
async fn a_second_node_with_another_key_does_not_start() {
    let Some(database) = database().await else { return };
    let (one, other) = (Place::new(), Place::new());
    let url = ["--database-url", database.as_str()];
    let server = one.serve_by(one.program().args(url));
    let message = refused(&other, &url);
    assert_refused(
        &message,
        &other.path("data/sealing.key"),
        "give this server the key of the others by exchange.sealing_keys; only if no server has it",
    );
    fs::copy(one.path("data/sealing.key"), other.path("data/sealing.key")).unwrap();
    other.serve_by(other.program().args(url)).stop().await;
    server.stop().await;
}

#[tokio::test]
async fn an_unexpected_file_is_named() {
    let place = Place::new();
    place.serve().stop().await;
    let (key, database) = (place.path("data/sealing.key"), place.path("data/svc.db"));
    fs::write(&key, "short").unwrap();
    assert_refused(&refused(&place, &[]), &key, "must hold 32 bytes in base64");
    for beside in ["data/svc.db-wal", "data/svc.db-shm"] {
        let _ = fs::remove_file(place.path(beside));
    }
    fs::write(&database, "no database ".repeat(100)).unwrap();
    assert_refused(&refused(&place, &[]), &database, "file is not a database: put a backup");
    assert!(refused(&place, &["--set", "listen=here"]).contains("listen"));
    let folder = place.path("file/data");
    fs::write(place.path("file"), "").unwrap();
    let arguments = ["--set", &format!("data_dir={}", folder.display())];
    assert_refused(&refused(&place, &arguments), &folder, "can't make the data folder");
}

/// The program as a user whom permissions bind, as they bind root only without these rights. It ends after a minute.
fn bound(place: &Place, arguments: &[&str]) -> Command {
    let mut program = place.program();
    program.args(arguments);
    let mut command = Command::new("timeout");
    command.arg("60");
    if rustix::process::geteuid().is_root() {
        command.args(["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]);
    }
    command.arg(program.get_program()).args(program.get_args()).current_dir(place.path(""));
    for (name, _) in program.get_envs().filter(|(_, value)| value.is_none()) {
        command.env_remove(name);
    }
    command
}

#[tokio::test]
async fn a_database_that_the_user_can_not_reach_or_write_is_named() {
    let place = Place::new();
    // What a killed server leaves is there to be written, without anything new in the folder.
    place.serve().kill();
    let (data, database) = (place.path("data"), place.path("data/svc.db"));
    let serve = ["serve", "--listen", "127.0.0.1:0", "--mqtt-listen", "off"];
    for (path, allowed, arguments, remedy) in [
        (&database, 0o400, &serve[..], "must be able to write it and its folder"),
        (&data, 0o500, &serve[..], "must be able to write it and its folder"),
        (&data, 0o000, &["admin", "list-users"], "run this as the server's user"),
    ] {
        fs::set_permissions(path, Permissions::from_mode(allowed)).unwrap();
        let output = bound(&place, arguments).output().unwrap();
        fs::set_permissions(path, Permissions::from_mode(0o700)).unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(78), "{message}");
        assert_refused(&message, &database, remedy);
    }
}

#[tokio::test]
async fn secret_files_are_readable_by_the_server_only() {
    let place = Place::new();
    let server = place.serve();
    let (data, key) = (place.path("data"), place.path("data/sealing.key"));
    assert_eq!([mode(&data), mode(&key), mode(&place.path("data/svc.db"))], [0o700, 0o600, 0o600]);
    assert_eq!(mode(&place.path("data/erasures.log")), 0o600);
    place.run(&["backup", "copy.tar"]);
    assert_eq!(mode(&place.path("copy.tar")), 0o600);
    server.stop().await;

    for open in [0o644, 0o640, 0o602] {
        fs::set_permissions(&key, Permissions::from_mode(open)).unwrap();
        assert_refused(&refused(&place, &[]), &key, "chmod 600");
    }
    fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    for open in [0o777, 0o770, 0o1777] {
        fs::set_permissions(&data, Permissions::from_mode(open)).unwrap();
        assert_refused(&refused(&place, &[]), &data, "chmod go-w");
    }
    fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(place.path("data/svc.db"), Permissions::from_mode(0o644)).unwrap();
    place.serve().stop().await;
    assert_eq!(mode(&place.path("data/svc.db")), 0o600, "it is mended");
    assert!(place.log().contains("others could open the database"), "{}", place.log());
}
