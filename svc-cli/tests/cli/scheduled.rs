//! `svc post --at` and `svc scheduled`.

use serde_json::json;

use crate::place::Place;
use crate::shell::{Shell, typed};

/// A shell with the agent `wordbot`; its server stands at 2026-01-31 09:30.
async fn shell() -> Shell {
    Shell::with_agent().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_scheduled_shown_changed_and_cancelled() {
    let shell = shell().await;
    let line = ["post", "good morning", "--at", "2026-02-01T09:00:00+01:00", "--format", "plain"];
    let made = shell.svc(&line).run().ends_with(0);
    assert_eq!(made.stderr, "will be published at 2026-02-01 08:00\n");
    let id = made.stdout.trim().to_owned();
    assert!(id.starts_with("sch_"), "{id}");
    let listed = shell.svc(&["scheduled", "list"]).ok();
    assert_eq!(listed.trim(), format!("{id}  2026-02-01 08:00  scheduled  good morning"));
    // A time without a zone is that of this machine, which is UTC in tests.
    let shown = shell.svc(&["scheduled", "show", &id, "--json"]).json();
    assert_eq!(shown["scheduledPost"]["format"], "plain");
    let edited = [
        "scheduled",
        "edit",
        &id,
        "good evening",
        "--at",
        "2026-02-01 18:30",
        "--format",
        "markdown",
    ];
    let row = shell.svc(&edited).ok();
    assert_eq!(row.trim(), format!("{id}  2026-02-01 18:30  scheduled  good evening"));
    let shown = shell.svc(&["scheduled", "show", &id, "--json"]).json();
    assert_eq!(shown["scheduledPost"]["content"], "good evening");
    assert_eq!(shown["scheduledPost"]["format"], "markdown");
    shell.server.clock().advance(std::time::Duration::from_hours(72));
    let shown = shell.svc(&["scheduled", "show", &id]).ok();
    assert!(
        shown.contains("  failed\nfailure: it could not be published within 24 hours\n"),
        "{shown}"
    );
    assert_eq!(
        shell.svc(&["scheduled", "list", "--status", "scheduled"]).ok().trim(),
        "no scheduled posts"
    );
    shell.svc(&["scheduled", "cancel", &id, "--json"]).fails(2);
    let cancelled = shell.svc(&["scheduled", "cancel", &id, "--yes"]).ok();
    assert_eq!(cancelled.trim(), format!("cancelled {id}"));
    let gone = shell.svc(&["scheduled", "show", &id, "--json"]).fails(3);
    assert_eq!(gone["hint"], "svc scheduled list");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_published_names_its_post() {
    let shell = shell().await;
    let id = shell.svc(&["post", "on time", "--at", "2026-01-31T10:00:00Z"]).ok();
    shell.server.clock().advance(std::time::Duration::from_mins(30));
    let row = shell.svc(&["scheduled", "list"]).ok();
    let post = row.split_whitespace().find(|word| word.starts_with("post_")).unwrap();
    assert!(shell.svc(&["read", post]).ok().contains("on time"), "{row}");
    let over = shell.svc(&["scheduled", "edit", id.trim(), "late", "--json"]).fails(5);
    assert_eq!(
        (&over["code"], &over["hint"]),
        (&json!("wrong_state"), &json!("svc edit, or svc delete"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_taken_slot_names_the_flag_that_helps() {
    let shell = shell().await;
    shell.svc(&["post", "one", "--at", "2026-02-01T09:00:00Z"]).ok();
    let taken = shell.svc(&["post", "two", "--at", "2026-02-01T09:10:00Z", "--json"]).fails(5);
    assert_eq!(taken["code"], "slot_taken");
    assert_eq!(taken["hint"], "the next free time: --at 2026-02-01T09:30:00.000Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_span_counts_from_now_and_odd_times_are_refused() {
    let shell = shell().await;
    let dry = shell.svc(&["post", "soon", "--in", "2h", "--dry-run", "--json"]).json();
    assert!(dry["url"].as_str().unwrap().ends_with("/scheduled-posts"), "{dry}");
    assert!(dry["body"]["scheduledFor"].as_str().unwrap().ends_with('Z'), "{dry}");
    for line in [
        &["post", "x", "--at", "tomorrow"][..],
        &["post", "x", "--in", "2h30m"],
        &["post", "x", "--in", "2h", "--at", "2026-02-01T09:00:00Z"],
        &["post", "x", "--in", "2h", "--when-allowed"],
        &["scheduled", "edit", "sch_1"],
    ] {
        shell.svc(&[line, &["--json"]].concat()).fails(2);
    }
}

#[test]
fn a_time_from_now_is_repeated_as_the_instant_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let answered = |status: &str, code: &str| {
        let body = format!(r#"{{"error":"no","code":"{code}","requestId":"r1","hint":"h"}}"#);
        let place = Place::saying(status, &body);
        let line = ["post", "later", "--in", "2h", "--json", "--timeout", "20s"];
        typed(&folder, &line).env("SVC_URL", &place.url).env("SVC_API_KEY", "svc_ak_x").run()
    };
    let lost = answered("503 Unavailable", "outcome_unknown").ends_with(7);
    assert!(lost.stderr.contains("repeat it with --at 2"), "{lost:?}");
    let other = answered("409 Conflict", "idempotency_conflict").ends_with(5);
    assert!(other.stderr.contains("svc scheduled list shows what was planned"), "{other:?}");
}
