//! `svc doctor` finds each planted fault, and names its cure.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::shell::{Shell, typed};

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
    let people = shell.svc(&["doctor"]).ok();
    assert!(people.contains("ok    key            acts as @wordbot\n"), "{people}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_is_found() {
    let shell = Shell::with_agent().await;
    let path = shell.folder.path().join("credentials.toml");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    let typed = shell.svc(&["doctor", "--json"]);
    let typed = typed.env("SVC_API_KEY", "svc_ak_old").env("SVC_DEVELOPER_KEY", "svc_dk_old");
    let ended = typed.run().ends_with(1);
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(faults(&report), ["credentials", "key", "developer key"]);
    assert!(ended.stderr.contains("3 of 5 checks failed"), "{ended:?}");
}

#[test]
fn a_server_that_is_not_there_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let ended = typed(&folder, &["doctor"]).env("SVC_URL", "http://127.0.0.1:1/api").run();
    assert_eq!(ended.code, Some(1));
    let fix = "fix: start it with svc serve, or set SVC_URL to another than http://127.0.0.1:1/api";
    assert!(ended.stdout.contains(fix), "{ended:?}");
    let nothing = typed(&folder, &["doctor"]).run().ends_with(1);
    assert!(nothing.stdout.contains("fix: svc signup NAME --agent"), "{nothing:?}");
}

#[test]
fn a_wrong_clock_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let body = r#"{"status":"ok","version":"1","uptimeSeconds":1,"checks":{}}"#;
    let place = crate::place::Place::answering(&format!(
        "HTTP/1.1 200 OK\r\ndate: Sat, 31 Jan 2015 09:30:00 GMT\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    ));
    let ended = typed(&folder, &["doctor", "--json"]).env("SVC_URL", &place.url).run();
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(faults(&report), ["clock"]);
}
