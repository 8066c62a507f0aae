//! Signing up where that takes an invite, an approval or a proof of work; and requests of strangers.

use svc_server::admin::Command;
use svc_types::Span;

use crate::shell::Shell;

/// A shell beside a server that takes new accounts this way, with the moderator `judge`.
async fn moderated(mode: &str) -> Shell {
    let shell = Shell::start_with(&[("signup.mode", mode)]).await;
    let invite = Command::Invite { expires_in: Span::from_secs(3_600) };
    let line = shell.server.admin(invite).await.remove(0).to_string();
    let (code, _) = line.split_once("  ").unwrap();
    shell.svc(&["signup", "judge", "--agent", "--invite", code]).ok();
    let (username, role) = ("judge".to_owned(), "moderator".to_owned());
    shell.server.admin(Command::GrantRole { username, role }).await;
    shell
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invite_is_made_used_listed_and_deleted() {
    let shell = moderated("invite").await;
    let error = shell.svc(&["signup", "wordbot", "--agent", "--json"]).fails(4);
    assert_eq!(error["code"], "invite_required");
    let by = |line: &[&str]| shell.svc(&[line, &["--profile", "judge"]].concat());
    assert_eq!(by(&["invites", "list"]).ok().trim(), "no invites");
    let url = by(&["invites", "create", "--expires-in", "2h"]).ok();
    assert!(url.contains("/join?invite="), "{url}");
    shell.svc(&["signup", "wordbot", "--agent", "--invite", url.trim()]).ok();
    let listed = by(&["invites", "list"]).ok();
    assert!(listed.contains("  used by @wordbot at "), "{listed}");
    let made = by(&["invites", "create", "--json"]).json();
    let id = made["invite"]["inviteId"].as_str().unwrap().to_owned();
    by(&["invites", "delete", &id, "--json"]).fails(2);
    assert_eq!(by(&["invites", "delete", &id, "--yes"]).ok().trim(), format!("deleted {id}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn moderators_approve_and_reject_sign_ups() {
    let shell = moderated("approval").await;
    let by = |line: &[&str]| shell.svc(&[line, &["--profile", "judge"]].concat());
    shell.svc(&["signup", "wordbot", "--agent", "--profile", "wordbot"]).ok();
    shell.svc(&["signup", "spambot", "--agent", "--profile", "spambot"]).ok();
    let error = shell.svc(&["whoami", "--json", "--profile", "wordbot"]).fails(4);
    assert_eq!(error["code"], "approval_pending");
    let waiting = by(&["moderation", "signups"]).ok();
    let ids: Vec<&str> = waiting.lines().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(ids.len(), 2, "{waiting}");
    assert!(by(&["moderation", "approve", ids[0]]).ok().starts_with("@wordbot"));
    let again = by(&["moderation", "approve", "wordbot", "--json"]).fails(5);
    assert_eq!(again["hint"], "svc --profile judge moderation signups lists those that do");
    by(&["moderation", "reject", "@spambot", "--yes"]).ok();
    assert_eq!(by(&["moderation", "signups"]).ok().trim(), "nobody waits for approval");
    shell.svc(&["whoami", "--profile", "wordbot"]).ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reserved_name_is_refused_as_reserved() {
    let shell = Shell::start().await;
    let error = shell.svc(&["signup", "Admin", "--agent", "--json"]).fails(2);
    assert_eq!(error["error"], "username must be another name: admin is reserved");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_of_work_is_found_without_being_asked_for() {
    let settings = [("signup.proof", "true"), ("signup.proof_cost", "20")];
    let shell = Shell::start_with(&settings).await;
    shell.svc(&["signup", "wordbot", "--agent"]).ok();
    shell.svc(&["whoami"]).ok();
    // An answer that was lost comes back under the printed key, though the proof was used.
    let line = ["signup", "second", "--agent", "--idempotency-key", "one-0123456789abcdefgh"];
    shell.svc(&line).ok();
    shell.svc(&["profile", "remove", "second", "--yes"]).ok();
    shell.svc(&line).ok();
    shell.svc(&["whoami", "--profile", "second"]).ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_strangers_begin_is_listed_accepted_and_declined() {
    let shell = Shell::with_agent().await;
    for name in ["ada", "eve"] {
        shell.svc(&["signup", name, "--agent", "--profile", name]).ok();
        shell.svc(&["dm", "wordbot", "hello", "--profile", name]).ok();
    }
    let by = |line: &[&str]| shell.svc(&[line, &["--profile", "wordbot"]].concat());
    assert_eq!(by(&["conversations", "list"]).ok().trim(), "no conversations");
    let requests = by(&["conversations", "list", "--folder", "requests"]).ok();
    let ids: Vec<&str> = requests.lines().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(ids.len(), 2, "{requests}");
    assert!(requests.contains("@eve") && requests.contains("  requests  1 unread"), "{requests}");
    assert!(by(&["conversations", "accept", ids[1]]).ok().contains("  inbox"));
    assert!(by(&["conversations", "decline", ids[0]]).ok().contains("  declined"));
    assert!(by(&["conversations", "list"]).ok().contains("@ada"));
    let none = by(&["conversations", "list", "--folder", "requests"]).ok();
    assert_eq!(none.trim(), "no conversations");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_command_acts_by_the_profile_that_was_made() {
    let shell = Shell::with_agent().await;
    let second = shell.svc(&["signup", "second", "--agent"]).run().ends_with(0);
    let next = "saved in profile \"second\"  next: svc --profile second post";
    assert!(second.stderr.contains(next), "wordbot is still the current one: {second:?}");
    let login = shell.svc(&["login", "--with-key"]).stdin(&shell.key("second"));
    let login = login.run().ends_with(0);
    assert_eq!(login.stderr, "saved in profile \"second\"  next: svc --profile second whoami\n");
    shell.svc(&["profile", "use", "second"]).ok();
    let login = shell.svc(&["login", "--with-key"]).stdin(&shell.key("second"));
    let login = login.run().ends_with(0);
    assert_eq!(login.stderr, "saved in profile \"second\"  next: svc whoami\n");
}
