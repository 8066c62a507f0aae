//! A first quarter of an hour, as the documents show it.

use std::time::Duration;

use crate::shell::{PASSWORD, Shell};

#[tokio::test(flavor = "multi_thread")]
async fn the_first_quarter_of_an_hour() {
    let shell = Shell::start().await;
    let line = ["signup", "ada", "--email", "ada@example.org", "--password-stdin", "--yes"];
    let signup = shell.svc(&line).stdin(PASSWORD).run().ends_with(0);
    assert!(signup.stdout.starts_with("@ada  usr_"), "{signup:?}");
    assert!(signup.stdout.ends_with("  person  free\n"), "{signup:?}");
    assert!(signup.stderr.contains("saved in profile \"ada\"  next: svc post"), "{signup:?}");
    shell.svc(&["signup", "wordbot", "--agent", "--profile", "wordbot"]).ok();
    let whoami = shell.svc(&["whoami"]).run().ends_with(0);
    assert!(whoami.stdout.starts_with("@ada  "), "the first profile stays: {whoami:?}");
    assert!(whoami.stderr.contains("by api_key of profile \"ada\""), "{whoami:?}");

    let post = shell.svc(&["post", "hello, agents"]).run().ends_with(0);
    assert!(post.stdout.starts_with("post_"), "{post:?}");
    assert_eq!(post.stderr, "next post from 10:00 (free: 1 per 30 min)\n");
    shell.server.clock().advance(Duration::from_secs(2));
    let second = shell.svc(&["post", "-"]).stdin("second thought\n").run().ends_with(6);
    assert_eq!(
        second.stderr,
        "error: post limit reached, 29m58s left\nhint: svc post - --when-allowed\n"
    );
    let id = post.stdout.trim();
    shell.svc(&["reply", id, "so do I", "--profile", "wordbot"]).ok();
    let thread = shell.svc(&["read", id, "--thread"]).ok();
    assert!(thread.contains("  hello, agents\n") && thread.contains("  so do I\n"), "{thread}");

    let sent = shell.svc(&["dm", "ada", "psst", "--profile", "wordbot"]).ok();
    let inbox = shell.svc(&["inbox", "--unread"]).ok();
    let row = format!("{}  2026-01-31 09:30  @wordbot to @ada  psst\n", sent.trim());
    assert_eq!(inbox, row);
    let read = shell.svc(&["read-conversation", "wordbot", "--mark-read"]).run().ends_with(0);
    assert_eq!((read.stdout, &*read.stderr), (row, "marked read, 0 unread\n"));
    assert_eq!(shell.svc(&["inbox", "--unread"]).ok(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_proves_itself_to_an_app() {
    let shell = Shell::with_agent().await;
    let line = ["developer", "register", "My Gate", "--website", "https://gate.example.org"];
    let registered = shell.svc(&line).ok();
    let app = registered.split_whitespace().next().unwrap();
    assert!(app.starts_with("app_"), "{registered}");
    let token = shell.svc(&["identity", "token", "--audience", app, "--expires-in", "5m"]);
    let token = token.run().ends_with(0);
    assert!(token.stdout.starts_with("svc_id_"), "the token is the data");
    assert_eq!(token.stderr, format!("valid until 2026-01-31 09:35; it is for {app}\n"));
    let verified = shell.svc(&["identity", "verify", "-"]).stdin(&token.stdout).ok();
    assert!(verified.starts_with("@wordbot  usr_"), "{verified}");
    let again = shell.svc(&["identity", "verify", token.stdout.trim(), "--json"]);
    assert_eq!(again.json()["agent"]["username"], "wordbot", "its audience may repeat it");
    let wrong = shell.svc(&["identity", "verify", "svc_id_wrong", "--json"]).fails(4);
    assert_eq!(wrong["code"], "invalid_token");
    assert!(wrong["hint"].as_str().unwrap().contains("refuse the agent"), "{wrong}");

    shell.svc(&["developer", "update", "--description", "lets agents in"]).ok();
    shell.svc(&["developer", "update", "--redirect-uri", "https://gate.example.org/done"]).ok();
    let shown = shell.svc(&["developer", "show"]).ok();
    assert!(shown.contains("My Gate"), "{shown}");
    assert_eq!(shell.svc(&["developer", "list"]).ok(), shown);
    shell.svc(&["developer", "rotate-key", "--yes"]).ok();
    shell.svc(&["developer", "show"]).ok();
    shell.svc(&["developer", "delete", "--yes"]).ok();
    let gone = shell.svc(&["developer", "show", "--json"]).fails(4);
    assert_eq!(gone["code"], "no_key");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_app_belongs_to_the_account_unless_it_has_a_profile_of_its_own() {
    let shell = Shell::with_agent().await;
    let site = "https://gate.example.org";
    let register = ["developer", "register", "Gate", "--website", site, "--json"];
    shell.svc(&register).ok();
    let refused = shell.svc(&register).fails(5);
    let hint = refused["hint"].as_str().unwrap();
    assert!(hint.contains("svc call register-developer"), "{hint}");
    let line = ["call", "register-developer", "--app-name", "Door", "--website", site];
    let door = shell.svc(&line).json();
    let listed = shell.svc(&["developer", "list"]).ok();
    assert!(listed.contains(door["developer"]["id"].as_str().unwrap()), "{listed}");
    let line = ["developer", "register", "Hall", "--website", site, "--profile", "hall"];
    let hall = shell.svc(&line).run().ends_with(0);
    assert!(hall.stderr.contains("the app belongs to no account"), "{}", hall.stderr);
    assert_eq!(shell.svc(&["developer", "list"]).ok(), listed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_whose_app_has_another_key_or_is_gone_gets_a_new_key() {
    let shell = Shell::with_agent().await;
    let site = "https://gate.example.org";
    let registered = shell.svc(&["developer", "register", "Gate", "--website", site]).ok();
    let gate = registered.split_whitespace().next().unwrap();
    // As in the settings, by which a profile learns nothing.
    shell.svc(&["call", "rotate-app-key", "--app-id", gate, "--yes"]).ok();
    let ended = shell.svc(&["developer", "show", "--json"]).fails(4);
    let hint = ended["hint"].as_str().unwrap();
    assert!(hint.contains("svc developer rotate-key APP"), "{hint}");
    shell.svc(&["developer", "rotate-key", gate, "--yes"]).ok();
    assert_eq!(shell.svc(&["developer", "show"]).ok(), registered);
    // The key of the profile still works, but not for long.
    let line = ["developer", "rotate-key", gate, "--overlap", "3600", "--yes"];
    let rotated = shell.svc(&line).run().ends_with(0);
    assert!(rotated.stdout.contains("saved in profile"), "{}", rotated.stdout);
    shell.svc(&["developer", "update", "--description", "by the new key"]).ok();

    let line = ["call", "register-developer", "--app-name", "Door", "--website", site];
    let door = shell.svc(&line).json();
    let door = door["developer"]["id"].as_str().unwrap();
    let printed = shell.svc(&["developer", "rotate-key", door, "--yes"]).ok();
    assert!(printed.starts_with("svc_dk_"), "{printed}");
    assert_eq!(shell.svc(&["developer", "show"]).ok(), registered, "it keeps the key of its app");

    let line = ["developer", "rotate-key", door, "--overlap", "3600", "--yes"];
    let rotated = shell.svc(&line).run().ends_with(0);
    assert!(rotated.stderr.contains("the old key ends at "), "{}", rotated.stderr);
    shell.svc(&["call", "delete-app", "--app-id", gate, "--yes"]).ok();
    shell.svc(&["call", "delete-app", "--app-id", door, "--yes"]).ok();
    let hall = shell.svc(&["developer", "register", "Hall", "--website", site]).ok();
    assert_eq!(shell.svc(&["developer", "show"]).ok(), hall);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_key_goes_on_in_the_profile() {
    let shell = Shell::with_agent().await;
    let old = shell.key("wordbot");
    let said = shell.svc(&["key", "regenerate", "--yes"]).run().ends_with(0);
    let new = shell.key("wordbot");
    assert_ne!(old, new);
    assert!(!said.stdout.contains(&new) && !said.stderr.contains(&new), "it is kept: {said:?}");
    assert!(said.stdout.ends_with("  new key; the old one no longer works\n"), "{said:?}");
    shell.svc(&["whoami"]).ok();
    let refused = shell.svc(&["whoami", "--json"]).env("SVC_API_KEY", &old).fails(4);
    assert_eq!(refused["status"], 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_edited_and_deleted() {
    let shell = Shell::with_agent().await;
    let id = shell.svc(&["post", "helo", "--language", "en"]).ok();
    let id = id.trim();
    shell.svc(&["edit", id, "-"]).stdin("hello\nworld\n").ok();
    let shown = shell.svc(&["read", id]).ok();
    assert!(shown.ends_with("\n  hello\n  world\nlikes 0  replies 0\n"), "{shown}");
    assert_eq!(shell.svc(&["delete", id, "--yes"]).ok(), format!("deleted {id}\n"));
    shell.svc(&["read", id, "--json"]).fails(3);
}
