//! The alerts of `deploy/prometheus/`, and their runbooks.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::{root, text};

/// The files of a folder of `deploy/` by their names without the ending.
fn names(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    entries.map(|entry| stem(entry.unwrap().path())).collect()
}

/// Whether a route matches a pattern of Prometheus whose only wildcard is `.*`.
fn is_like(route: &str, pattern: &str) -> bool {
    match pattern.split_once(".*") {
        None => route == pattern,
        Some((begin, rest)) => route.strip_prefix(begin).is_some_and(|left| {
            left.char_indices()
                .map(|(at, _)| at)
                .chain([left.len()])
                .any(|at| is_like(&left[at..], rest))
        }),
    }
}

/// The pattern of the routes that an alert leaves out.
fn left_out_by(alert: &str) -> String {
    let rules = text("deploy/prometheus/rules.yml");
    let (_, rule) = rules.split_once(&format!("- alert: {alert}\n")).unwrap();
    let (_, pattern) = rule.split_once("route!~\"").unwrap();
    pattern.split('"').next().unwrap().to_owned()
}

#[test]
fn health_checks_of_a_stopping_node_raise_no_alert() {
    let left_out = left_out_by("SvcErrors");
    assert!(is_like("/api/health/ready", &left_out), "{left_out}");
    assert!(!is_like("/api/posts", &left_out), "{left_out}");
}

#[test]
fn routes_that_wait_on_purpose_are_not_slow() {
    let left_out = left_out_by("SvcSlow");
    let waits = |route: &str| left_out.split('|').any(|pattern| is_like(route, pattern));
    for route in [
        "/api/v1/connect/stream",
        "/mcp",
        "/a2a/{username}",
        "/a2a/{username}/message:send",
        "/api/orders/{orderId}",
        "/api/v1/billing/payments/{paymentId}",
        "/api/v1/credits/x402",
        "/api/webhooks/{webhookId}/test",
        "/settings/webhooks/{webhookId}/test",
    ] {
        assert!(waits(route), "{route}");
    }
    assert!(!waits("/api/posts") && !waits("/api/webhooks/{webhookId}") && !waits("/orders"));
}

#[test]
fn commands_in_runbooks_give_the_settings_of_the_server() {
    let settings = "svc-server --config /etc/svc/svc.toml --data-dir /var/lib/svc ";
    for name in names("deploy/runbooks") {
        let runbook = text(&format!("deploy/runbooks/{name}.md"));
        for command in ["admin", "audit", "reconcile"] {
            let bare = format!("svc-server {command}");
            assert!(!runbook.contains(&bare), "{name}: as printed, {bare} finds no database");
        }
        let typed = runbook.lines().filter(|line| line.trim_start().starts_with("sudo "));
        for line in typed {
            assert!(line.contains(settings), "{name}: {line}");
        }
    }
}

#[test]
fn every_alert_has_a_runbook() {
    let rules = text("deploy/prometheus/rules.yml");
    let alerts = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: "));
    let alerts: BTreeSet<String> = alerts.map(str::to_owned).collect();
    assert_eq!(alerts, names("deploy/runbooks"));
    for alert in alerts {
        assert!(rules.contains(&format!("runbook: runbooks/{alert}.md")), "{alert}");
    }
}
