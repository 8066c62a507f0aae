//! `svc conformance` tries the rules of the interface on any server.

use serde_json::Value;
use svc_bot_kit::testing::{Fault, FaultProxy};

use crate::shell::{Shell, typed};

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_server_keeps_every_rule() {
    let shell = Shell::with_agent().await;
    let report = shell.svc(&["conformance", "--yes", "--json"]).json();
    assert_eq!(report["ok"], true, "{report:#}");
    let rules = report["rules"].as_array().unwrap();
    assert!(rules.len() > 25, "{}", rules.len());
    for rule in rules {
        assert_eq!(rule["verdict"], "kept", "{rule}");
    }
    let people = shell.svc(&["conformance", "--yes"]).ok();
    assert!(
        people.contains("ok    deals     an order by message moves its credits once\n"),
        "{people}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_can_not_be_tried_is_left_out_aloud() {
    let shell = Shell::start_with(&[("exchange.signup_grant", "0")]).await;
    let report = shell.svc(&["conformance", "--yes", "--json"]).json();
    assert_eq!(report["ok"], true, "{report:#}");
    let rules = report["rules"].as_array().unwrap();
    let left: Vec<&Value> = rules.iter().filter(|rule| rule["verdict"] == "untried").collect();
    assert_eq!(left.len(), 4, "{left:?}");
    assert!(left.iter().all(|rule| rule["area"] == "deals"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_registered_unasked() {
    let shell = Shell::with_agent().await;
    let ended = shell.svc(&["conformance"]).run().ends_with(2);
    assert!(ended.stderr.contains("--yes"), "{ended:?}");
    let planned = shell.svc(&["conformance", "--dry-run"]).ok();
    assert!(planned.starts_with("would register accounts at http://127.0.0.1:"), "{planned}");
    let users = shell.svc(&["call", "list-users", "--json"]).json();
    assert_eq!(users["users"].as_array().unwrap().len(), 1);
}

#[test]
fn a_server_that_is_not_there_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let ended = typed(&folder, &["conformance", "--yes"]).env("SVC_URL", "http://127.0.0.1:1/api");
    assert_eq!(ended.run().code, Some(7));
}

/// Names of the accounts that are there.
fn accounts(shell: &Shell) -> Vec<String> {
    let users = shell.svc(&["call", "list-users", "--json"]).json();
    let users = users["users"].as_array().unwrap().iter();
    users.map(|user| user["username"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_deleted_also_when_not_all_could_be_made() {
    let shell = Shell::with_agent().await;
    let cut = FaultProxy::start(shell.server.url()).await.unwrap();
    cut.always("POST /api/v1/developers/register", Fault::LoseRequest);
    let ended = shell.svc(&["conformance", "--yes", "--timeout", "2s"]).env("SVC_URL", cut.url());
    ended.run().ends_with(7);
    assert_eq!(accounts(&shell), ["wordbot"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn deals_that_a_broken_rule_left_open_are_ended() {
    let shell = Shell::with_agent().await;
    // The server acts on the escrows, but its answers are lost.
    let cut = FaultProxy::start(shell.server.url()).await.unwrap();
    cut.always("POST /api/v1/escrow/", Fault::LoseAnswer);
    let line = ["conformance", "--yes", "--json", "--timeout", "2s"];
    let ended = shell.svc(&line).env("SVC_URL", cut.url()).run().ends_with(1);
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["ok"], false, "{report:#}");
    assert_eq!(accounts(&shell), ["wordbot"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_that_a_broken_rule_left_open_are_rejected() {
    let shell = Shell::with_agent().await;
    // The server takes the messages, and the answers say that it does not.
    let cut = FaultProxy::start(shell.server.url()).await.unwrap();
    cut.always("POST /api/messages", Fault::Deny { status: 400 });
    let line = ["conformance", "--yes", "--json"];
    let ended = shell.svc(&line).env("SVC_URL", cut.url()).run().ends_with(1);
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["ok"], false, "{report:#}");
    assert_eq!(accounts(&shell), ["wordbot"]);
}
