//! What can't be undone is not done without a yes, and a dry run does nothing at all.

use crate::place::Place;
use crate::shell::{Shell, typed};

/// What a moderator acts on.
const POST: &str = "{\"type\":\"post\",\"id\":\"post_1\"}";

/// Commands that delete, end a key or move credits.
const FINAL: &[&[&str]] = &[
    &["delete", "post_1"],
    &["key", "regenerate"],
    &["developer", "rotate-key"],
    &["developer", "rotate-key", "app_1"],
    &["developer", "delete"],
    &["call", "delete-post", "--post-id", "post_1"],
    &["call", "delete-me", "--confirm", "ada"],
    &["call", "regenerate-api-key"],
    &["api", "DELETE", "/posts/post_1"],
    &["api", "POST", "/v1/escrow/esc_1/release"],
    &["api", "POST", "/auth/api-key/regenerate"],
    &["services", "retire", "srv_1"],
    &["block", "mallory"],
    &["call", "block-user", "--username", "mallory"],
    &["escrow", "fund", "esc_1"],
    &["escrow", "release", "esc_1", "--rating", "5"],
    &["escrow", "dispute", "esc_1", "--reason", "late"],
    &["escrow", "refund", "esc_1"],
    &["escrow", "accept-split", "esc_1", "1"],
    &["escrow", "resolve", "esc_1", "refund", "--note", "late"],
    &["credits", "grant", "ada", "5", "--reason", "prize"],
    &["credits", "refund", "pay_1", "--credits", "5"],
    &["billing", "pass", "boost"],
    &["payouts", "request", "500"],
    &["call", "approve-payout", "--payout-id", "po_1"],
    &["api", "POST", "/v1/payouts/po_1/approve"],
    &["call", "create-moderation-action", "--subject", POST, "--type", "remove", "--reason", "x"],
    &["call", "release-escrow", "--escrow-id", "esc_1"],
    &["call", "grant-credits", "--username", "ada", "--amount", "5", "--reason", "prize"],
];

#[test]
fn without_a_yes_nothing_is_sent() {
    let (folder, place) = (tempfile::tempdir().unwrap(), Place::empty());
    // What an escrow is opened for is looked up, so a dry run of this one reads.
    let create = ["escrow", "create", "wordbot/count", "--description", "all of it"];
    for line in FINAL.iter().copied().chain([&create[..]]) {
        let line = [line, &["--json", "--url", &place.url]].concat();
        let error = typed(&folder, &line)
            .env("SVC_API_KEY", "svc_ak_x")
            .env("SVC_DEVELOPER_KEY", "svc_dk_x")
            .fails(2);
        assert_eq!(error["code"], "confirmation_missing", "{line:?}");
    }
    assert_eq!(place.received(), Vec::<String>::new());
}

#[test]
fn a_dry_run_sends_nothing() {
    let (folder, place) = (tempfile::tempdir().unwrap(), Place::empty());
    let posts: &[&[&str]] = &[
        &["post", "hello"],
        &["reply", "post_1", "hello"],
        &["quote", "post_1", "hello"],
        &["post", "like", "post_1"],
        &["post", "mute", "post_1"],
        &["unrepost", "post_1"],
        &["follow", "@ada"],
        &["mute", "ada", "--for", "7d"],
        &["unblock", "ada"],
        &["edit", "post_1", "hello"],
        &["dm", "ada", "hello"],
        &["signup", "wordbot", "--agent"],
        &["identity", "token"],
        &["identity", "verify", "svc_id_x"],
        &["developer", "register", "Gate", "--website", "https://gate.example.org"],
        &["api", "POST", "/posts", "-f", "content=hello"],
        &["services", "update", "srv_1", "--price", "5"],
        &["escrow", "deliver", "esc_1", "--deliverable", "{\"type\":\"text\"}"],
        &["escrow", "respond", "esc_1", "--response", "in time"],
        &["escrow", "decline", "esc_1"],
        &["escrow", "cancel", "esc_1"],
        &["call", "deny-payout", "--payout-id", "po_1", "--reason", "no proof"],
        &["call", "create-moderation-action", "--subject", POST, "--type", "hide", "--reason", "x"],
    ];
    for line in posts.iter().chain(FINAL) {
        let line = [*line, &["--dry-run", "--json", "--url", &place.url]].concat();
        let request = typed(&folder, &line).json();
        assert!(request["url"].as_str().unwrap().starts_with(&place.url), "{line:?}");
    }
    assert_eq!(place.received(), Vec::<String>::new());
    assert!(!folder.path().join("config.toml").exists());
}

#[test]
fn who_gets_credits_may_be_typed_with_an_at_sign() {
    let folder = tempfile::tempdir().unwrap();
    let line = ["credits", "grant", "@ada", "5", "--reason", "prize", "--dry-run", "--json"];
    assert_eq!(typed(&folder, &line).env("SVC_URL", URL).json()["body"]["username"], "ada");
}

/// A server that is not asked.
const URL: &str = "http://127.0.0.1:1/api";

#[test]
fn a_flag_for_one_call_is_no_flag_of_the_tools_for_agents() {
    let folder = tempfile::tempdir().unwrap();
    for flag in [&["--dry-run"][..], &["--idempotency-key", "a"]] {
        let line = [&["mcp", "--json", "--url", "http://127.0.0.1:1/api"], flag].concat();
        let error = typed(&folder, &line).env("SVC_API_KEY", "svc_ak_x").fails(2);
        assert!(error["error"].as_str().unwrap().starts_with("svc mcp has no "), "{error}");
    }
}

#[test]
fn a_dry_run_shows_people_the_request_without_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let line = ["signup", "ada", "--email", "a@b.c", "--password-stdin", "--dry-run"];
    let shown = typed(&folder, &line).stdin("correct horse").ok();
    let expected = "POST http://127.0.0.1:8787/api/auth/register\n{\n  \"email\": \"a@b.c\",\n  \
                    \"password\": \"[redacted]\",\n  \"username\": \"ada\"\n}\n";
    assert_eq!(shown, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_a_profile_are_not_forgotten_without_a_yes() {
    let shell = Shell::with_agent().await;
    for line in [&["logout", "--json"][..], &["profile", "remove", "wordbot", "--json"]] {
        assert_eq!(shell.svc(line).fails(2)["code"], "confirmation_missing");
    }
    let dry = shell.svc(&["logout", "--dry-run", "--json"]).json();
    assert_eq!(dry["would"], "log out of profile \"wordbot\"");
    shell.svc(&["profile", "remove", "wordbot", "--dry-run"]).ok();
    shell.svc(&["whoami"]).ok();
    shell.svc(&["logout", "--yes"]).ok();
    assert_eq!(shell.svc(&["whoami", "--json"]).fails(4)["code"], "no_key");
    shell.svc(&["profile", "remove", "wordbot", "--yes"]).ok();
    assert_eq!(shell.svc(&["profile", "list", "--json"]).json(), serde_json::json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_does_nothing_on_this_machine_either() {
    let shell = Shell::with_agent().await;
    shell.svc(&["signup", "second", "--agent"]).ok();
    let used = shell.svc(&["profile", "use", "second", "--dry-run", "--json"]).json();
    assert_eq!(used["would"], "use profile \"second\"");
    assert_eq!(shell.svc(&["whoami", "--json"]).json()["user"]["username"], "wordbot");
    shell.svc(&["profile", "use", "third", "--dry-run", "--json"]).fails(3);
    let run = shell.svc(&["exec", "--dry-run", "--", "echo", "it ran"]).ok();
    assert_eq!(run, format!("would run echo with the keys for {}\n", shell.server.url()));
    let line = ["serve", "--memory", "--listen", "127.0.0.1:0", "--dry-run"];
    assert_eq!(shell.svc(&line).ok(), "would serve at 127.0.0.1:0\n");
}
