//! `svc webhooks`: making, changing and watching them.

use crate::shell::Shell;

const URL: &str = "https://hooks.example.org/svc";

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_made_shown_changed_and_deleted() {
    let shell = Shell::with_agent().await;
    let made = shell.svc(&["webhooks", "create", URL, "--events", "like,escrow"]).ok();
    let id = made.split_whitespace().next().unwrap().to_owned();
    assert!(id.starts_with("wh_") && made.contains("\nsecret  whsec_"), "{made}");
    let listed = shell.svc(&["webhooks", "list"]).ok();
    assert_eq!(listed.trim(), format!("{id}  active  {URL}"));
    let shown = shell.svc(&["webhooks", "show", &id]).ok();
    assert!(shown.contains("\nevents  like, escrow\nsecret  whs_"), "{shown}");
    assert!(!shown.contains("whsec_"), "{shown}");
    let changed =
        shell.svc(&["webhooks", "update", &id, "--description", "pager", "--json"]).json();
    assert_eq!(changed["webhook"]["description"], "pager");
    shell.svc(&["webhooks", "update", &id, "--json"]).fails(2);
    let disabled = shell.svc(&["webhooks", "disable", &id]).ok();
    assert_eq!(disabled.trim(), format!("{id}  disabled (manual)  {URL}"));
    shell.svc(&["webhooks", "enable", &id]).ok();
    shell.svc(&["webhooks", "delete", &id, "--json"]).fails(2);
    assert_eq!(
        shell.svc(&["webhooks", "delete", &id, "--yes"]).ok().trim(),
        format!("deleted {id}")
    );
    let gone = shell.svc(&["webhooks", "show", &id, "--json"]).fails(3);
    assert_eq!(gone["hint"], "svc webhooks list");
    assert_eq!(shell.svc(&["webhooks", "list"]).ok().trim(), "no webhooks");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_rotated_and_promoted() {
    let shell = Shell::with_agent().await;
    let made = shell.svc(&["webhooks", "create", URL, "--json"]).json();
    let id = made["webhook"]["id"].as_str().unwrap();
    let rotated = shell.svc(&["webhooks", "rotate", id, "--overlap", "60", "--json"]).json();
    assert_ne!(rotated["secret"], made["secret"]);
    let shown = shell.svc(&["webhooks", "promote", id]).ok();
    assert!(shown.contains("current") && shown.contains("previous"), "{shown}");
    shell.svc(&["webhooks", "rotate", id, "--json"]).fails(5);
    let leaked = shell.svc(&["webhooks", "rotate", id, "--overlap", "0"]).ok();
    assert!(leaked.starts_with("secret  whsec_"), "{leaked}");
    let none = shell.svc(&["webhooks", "promote", id, "--json"]).fails(5);
    assert_eq!(none["hint"], "svc webhooks rotate makes one");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_delivered_is_found_and_recovered() {
    let shell = Shell::with_agent().await;
    let made = shell.svc(&["webhooks", "create", URL, "--json"]).json();
    let id = made["webhook"]["id"].as_str().unwrap();
    assert_eq!(shell.svc(&["webhooks", "deliveries", id]).ok().trim(), "no deliveries");
    let stats = shell.svc(&["webhooks", "stats", id]).ok();
    assert_eq!(stats.trim(), "24h  no deliveries\n7d   no deliveries");
    let since = "2026-01-31T00:00:00Z";
    let counted = shell.svc(&["webhooks", "recover", id, "--since", since, "--count"]).ok();
    assert!(counted.starts_with("rcv_") && counted.contains("done  0 of 0 events"), "{counted}");
    let recovery = counted.split_whitespace().next().unwrap();
    assert_eq!(shell.svc(&["webhooks", "recover", id, recovery]).ok(), counted);
    let ago = shell.svc(&["webhooks", "recover", id, "--since", "9999d", "--count"]).ok();
    assert!(ago.contains("done  0 of 0 events"), "{ago}");
    let asked = shell.svc(&["webhooks", "recover", id, "--json"]).fails(2);
    assert!(asked["error"].as_str().unwrap().contains("--since <WHEN>"), "{asked}");
    shell.svc(&["webhooks", "deliveries", id, "dlv_none", "--json"]).fails(3);
    shell.svc(&["webhooks", "redeliver", id, "dlv_none", "--json"]).fails(3);
}
