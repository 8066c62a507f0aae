//! `svc doctor` finds each planted fault, and names its cure.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::market::Market;
use crate::place::Place;
use crate::shell::{Ended, Shell, typed};

/// The checks that failed, by name.
fn faults(report: &Value) -> Vec<&str> {
    let checks = report["checks"].as_array().unwrap().iter();
    let bad = checks.filter(|check| check["ok"] == false);
    bad.inspect(|check| assert!(check["fix"].is_string(), "{check}"))
        .map(|check| check["name"].as_str().unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_is_well() {
    let shell = Shell::with_agent().await;
    let report = shell.svc(&["doctor", "--json"]).json();
    assert_eq!(report["ok"], true);
    let names = report["checks"].as_array().unwrap().iter().map(|check| check["name"].as_str());
    let names: Vec<&str> = names.map(Option::unwrap).collect();
    let expected =
        ["credentials", "transport", "server", "version", "clock", "key", "journal", "broker"];
    assert_eq!(names, expected);
    let people = shell.svc(&["doctor"]).ok();
    assert!(people.contains("ok    key            acts as @wordbot\n"), "{people}");
    assert!(people.contains(" lets you subscribe to your topics\n"), "{people}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_is_found() {
    let shell = Shell::with_agent().await;
    let path = shell.folder.path().join("credentials.toml");
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    let typed = shell.svc(&["doctor", "--json"]);
    let typed = typed.env("SVC_API_KEY", "svc_ak_old").env("SVC_DEVELOPER_KEY", "svc_dk_old");
    let ended = typed.run().ends_with(1);
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(faults(&report), ["credentials", "key", "developer key"]);
    assert!(ended.stderr.contains("3 of 7 checks failed"), "{ended:?}");
}

#[test]
fn a_server_that_is_not_there_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let ended = typed(&folder, &["doctor"]).env("SVC_URL", "http://127.0.0.1:1/api").run();
    assert_eq!(ended.code, Some(1));
    let fix = "fix: start it with svc serve, or set SVC_URL to another than http://127.0.0.1:1/api";
    assert!(ended.stdout.contains(fix), "{ended:?}");
    assert!(
        ended.stdout.contains("could not connect to 127.0.0.1:1: connection refused"),
        "{ended:?}"
    );
    let nothing = typed(&folder, &["doctor"]).run().ends_with(1);
    assert!(nothing.stdout.contains("127.0.0.1:8787"), "{nothing:?}");
    assert!(nothing.stdout.contains("fix: svc signup NAME --agent"), "{nothing:?}");
    // A newcomer is not sent in a circle: both name the server, and how there comes to be one.
    let line = ["signup", "ada", "--agent", "--json"];
    let signup = typed(&folder, &line).env("SVC_URL", "http://127.0.0.1:1").fails(7);
    assert_eq!(signup["error"], "could not connect to 127.0.0.1:1: connection refused");
    assert!(!signup["hint"].as_str().unwrap().contains("doctor"), "{signup}");
    assert!(signup["hint"].as_str().unwrap().contains("svc serve"), "{signup}");
}

#[test]
fn a_wrong_clock_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let body = health(env!("CARGO_PKG_VERSION"));
    let place = Place::answering(&format!(
        "HTTP/1.1 200 OK\r\ndate: Sat, 31 Jan 2015 09:30:00 GMT\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    ));
    let ended = typed(&folder, &["doctor", "--json"]).env("SVC_URL", &place.url).run();
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(faults(&report), ["clock"]);
}

fn health(version: &str) -> String {
    json!({ "status": "ok", "version": version, "uptimeSeconds": 1, "checks": {} }).to_string()
}

/// What a check says and advises.
fn finding(ended: &Ended, name: &str) -> (String, String) {
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(faults(&report), [name], "{report:#}");
    let checks = report["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["ok"] == false).unwrap();
    let text = |member: &str| check[member].as_str().unwrap().to_owned();
    (text("detail"), text("fix"))
}

/// What doctor finds where a server of this version names this broker and these webhooks.
async fn examined(broker: &str, webhooks: &Value, version: &str) -> Ended {
    let connect = json!({
        "brokerUrl": broker, "username": "usr_01", "clientIdPrefix": "usr_01",
        "topics": {
            "dm": "svc/dm/usr_01", "notifications": "svc/notifications/usr_01", "channels": [],
            "feedGlobal": "svc/feed/global",
        },
        "channelPublish": "mqtt", "qos": 1, "keepAliveSeconds": 60, "maxPacketBytes": 524_288,
        "protocols": ["3.1.1"], "latestSeq": 0,
    });
    let shell = Shell::with_agent().await;
    let url = Place::posing_as(
        &shell.server.url(),
        &[
            ("/health", health(version)),
            ("/v1/connect", json!({ "connect": connect }).to_string()),
            ("/webhooks?limit=100", json!({ "webhooks": webhooks }).to_string()),
        ],
    );
    let doctor = shell.svc(&["doctor", "--json"]);
    doctor.env("SVC_URL", &url).env("SVC_API_KEY", &shell.key("wordbot")).run()
}

/// A broker that answers each packet with the next of these; its URL.
fn broker(answers: &'static [&'static [u8]]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("mqtt://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            for answer in answers {
                let _ = client.read(&mut [0; 1024]);
                let _ = client.write_all(answer);
            }
        }
    });
    url
}

const LET_IN: &[u8] = &[0x20, 2, 0, 0];
const GRANTED: &[u8] = &[0x90, 4, 0, 1, 0, 0];

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_is_away_or_refuses_is_found() {
    let own = env!("CARGO_PKG_VERSION");
    let ended = examined(&broker(&[LET_IN, GRANTED]), &json!([]), own).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let cases: [(String, &str, &str); 5] = [
        ("mqtt://127.0.0.1:1".to_owned(), "refused", "is its port open?"),
        (broker(&[&[0x20, 2, 0, 5]]), "refuses your key (code 5)", "svc login --with-key"),
        (
            broker(&[LET_IN, &[0x90, 4, 0, 1, 0, 0x80]]),
            "refuses svc/notifications/usr_01",
            "svc connect",
        ),
        ("mqtt://broker.example.org:1883".to_owned(), "in the clear", "mqtts://"),
        ("amqp://127.0.0.1:1".to_owned(), "no address of a broker", "the operator"),
    ];
    for (url, detail, fix) in cases {
        let found = finding(&examined(&url, &json!([]), own).await.ends_with(1), "broker");
        assert!(found.0.contains(detail) && found.1.contains(fix), "{url}: {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn receivers_that_are_disabled_or_fail_are_found() {
    let base = json!({
        "id": "whk_01", "url": "https://bot.example.org/hook", "events": ["like"],
        "status": "active", "secretHint": "abcd", "secrets": [], "pendingCount": 3,
        "createdAt": "2026-01-31T09:30:00.000Z", "updatedAt": "2026-01-31T09:30:00.000Z",
        "lastSuccessAt": "2026-01-31T09:31:00.000Z",
    });
    let with = |members: Value| {
        let mut webhook = base.clone();
        webhook.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        json!([webhook])
    };
    let examined = async |webhooks: &Value| {
        examined(&broker(&[LET_IN, GRANTED]), webhooks, env!("CARGO_PKG_VERSION")).await
    };
    let well = examined(&with(json!({}))).await;
    assert_eq!(well.code, Some(0), "{well:?}");
    assert!(well.stdout.contains("https://bot.example.org/hook, last at "), "{well:?}");
    let disabled = with(json!({ "status": "disabled", "disabledReason": "failing" }));
    let found = finding(&examined(&disabled).await.ends_with(1), "webhook");
    let expected = "https://bot.example.org/hook is disabled (failing)";
    assert_eq!(found, (expected.to_owned(), "svc webhooks enable whk_01".to_owned()));
    let error = json!({ "at": "2026-01-31T09:32:00.000Z", "class": "http_5xx", "httpStatus": 503 });
    let pause = json!({ "state": "open", "until": "2026-01-31T09:33:00.000Z" });
    let failing = with(json!({ "lastError": error, "breaker": pause }));
    let found = finding(&examined(&failing).await.ends_with(1), "webhook");
    assert!(
        found.0.contains(" fails: http_5xx 503 at 2026-01-31 09:32; calls pause, 3 wait"),
        "{found:?}"
    );
    assert_eq!(found.1, "svc webhooks deliveries whk_01");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_of_another_interface_is_found() {
    let ended = examined(&broker(&[LET_IN, GRANTED]), &json!([]), "7.1.0").await;
    let ended = ended.ends_with(1);
    let (detail, fix) = finding(&ended, "version");
    assert!(detail.ends_with("server 7.1.0"), "{detail}");
    assert_eq!(fix, "cargo install svc-cli --version 7.1.0");
    let hostile = examined(&broker(&[LET_IN, GRANTED]), &json!([]), "7.1.0; echo evil").await;
    let (_, fix) = finding(&hostile.ends_with(1), "version");
    assert_eq!(fix, "cargo install svc-cli --version '7.1.0; echo evil'");
}

#[test]
fn keys_that_would_go_in_the_clear_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let doctor = typed(&folder, &["doctor"]).env("SVC_URL", "http://svc.example.org/api");
    let ended = doctor.env("SVC_ALLOW_PLAIN_HTTP", "1").env("SVC_TIMEOUT", "1s").run().ends_with(1);
    assert!(ended.stdout.contains("keys go to svc.example.org in the clear"), "{ended:?}");
    assert!(ended.stdout.contains("fix: set the URL to https://svc.example.org/api"), "{ended:?}");
}

/// The journal of a buyer who has ordered something under a name.
async fn journal() -> (Market, PathBuf) {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--id", "one"];
    market.ada(&line).ok();
    let files = fs::read_dir(market.shell.folder.path()).unwrap();
    let mut paths = files.map(|file| file.unwrap().path());
    let path = paths.find(|path| path.extension().is_some_and(|end| end == "db")).unwrap();
    (market, path)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_others_read_or_hold_or_that_is_broken_is_found() {
    let (market, path) = journal().await;
    let name = path.display().to_string();
    let doctor = || market.ada(&["doctor", "--json"]).run();
    let well = doctor();
    assert_eq!(well.code, Some(0), "{well:?}");
    assert!(well.stdout.contains(&format!("{name}, readable only by you")), "{well:?}");
    let stored = fs::read(&path).unwrap();

    fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    let found = finding(&doctor().ends_with(1), "journal");
    let expected = (format!("{name} can be read by others"), format!("chmod 600 {name}"));
    assert_eq!(found, expected);
    fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();

    let held = svc_bot_kit::Journal::open(&path).unwrap();
    let found = finding(&doctor().ends_with(1), "journal");
    assert!(found.0.contains("used by another process") && found.1.contains("fuser"), "{found:?}");
    drop(held);

    fs::write(&path, "no journal at all, but a text that somebody wrote over it").unwrap();
    let found = finding(&doctor().ends_with(1), "journal");
    assert!(found.1.starts_with(&format!("mv {name} {name}.old")), "{found:?}");

    // A bot's own journal is checked where it is named.
    let bot = market.shell.folder.path().join("bot.db");
    fs::write(&path, stored).unwrap();
    fs::write(&bot, "no journal either, but it is long enough for one").unwrap();
    fs::set_permissions(&bot, PermissionsExt::from_mode(0o600)).unwrap();
    let named = market.ada(&["doctor", "--json", "--journal", bot.to_str().unwrap()]).run();
    assert!(finding(&named.ends_with(1), "journal").0.contains("bot.db"));
}
