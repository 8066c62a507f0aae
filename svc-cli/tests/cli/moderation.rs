//! `svc report`, `svc reports` and `svc moderation`.

use svc_server::admin::Command;

use crate::market::Market;
use crate::shell::Shell;

/// An account with a role, as the profile of its name.
async fn staff(shell: &Shell, name: &str, role: &str) {
    shell.svc(&["signup", name, "--agent"]).ok();
    let command = Command::GrantRole { username: name.into(), role: role.into() };
    shell.server.admin(command).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_made_worked_and_acted_on() {
    let shell = Shell::with_agent().await;
    staff(&shell, "judge", "moderator").await;
    shell.person("ada");
    let post = shell.svc(&["post", "buy my tokens", "--profile", "wordbot"]).ok();
    let post = post.split_whitespace().next().unwrap();
    let line = ["report", "post", post, "--reason", "scam", "--comment", "a trick"];
    let ada = |line: &[&str]| shell.svc(&[line, &["--profile", "ada"]].concat());
    let made = ada(&line).ok();
    let id = made.split(' ').next().unwrap();
    assert!(made.contains(&format!("  open  post {post}  scam  a trick\n")), "{made}");
    assert_eq!(ada(&["reports", "--status", "open"]).ok(), made);
    assert_eq!(ada(&["reports", "--status", "dismissed"]).ok(), "no reports\n");
    let by_user = ["report", "user", "@wordbot", "--reason", "spam", "--json"];
    let by_user = ada(&by_user).json();
    assert_eq!(by_user["report"]["subject"]["type"], "user");

    let judge = |line: &[&str]| shell.svc(&[line, &["--profile", "judge"]].concat());
    let queue = judge(&["moderation", "queue", "--about", "post", "--reason", "scam"]).ok();
    assert_eq!(queue, made);
    let of_users = judge(&["moderation", "queue", "--about", "user"]).ok();
    let subject = by_user["report"]["subject"]["id"].as_str().unwrap();
    assert!(of_users.ends_with(&format!("  open  user {subject} @wordbot  spam\n")), "{of_users}");
    let taken = judge(&["moderation", "assign", id]).ok();
    assert!(taken.contains("  for @judge  a trick"), "{taken}");
    let act = ["moderation", "act", "hide", "post", post, "--reason", "a trick", "--for", "1d"];
    let done = judge(&[&act[..], &["--report", id]].concat()).ok();
    assert!(done.contains(&format!("@judge  hide post {post}  until ")), "{done}");
    ada(&["read", post]).run().ends_with(3);
    let show = judge(&["moderation", "show", id]).ok();
    assert!(show.contains("\n  reported by: @ada\n  as it was:\n"), "{show}");
    assert!(show.contains("\n    author: @wordbot\n"), "{show}");
    assert!(show.contains("\n    content: buy my tokens\n"), "{show}");
    let ended = judge(&["moderation", "resolve", id, "actioned", "--note", "hidden"]).ok();
    assert!(ended.contains("  resolved  "), "{ended}");
    let again = judge(&["moderation", "resolve", id, "actioned", "--json"]).fails(5);
    assert_eq!(again["error"], "the report is resolved");
    assert_eq!(again["hint"], format!("svc --profile judge moderation show {id}"));
    let open = judge(&["moderation", "reopen", id]).ok();
    assert!(open.contains("  open  "), "{open}");
    let actions = judge(&["moderation", "actions", "--by", "judge", "--type", "hide"]).ok();
    assert_eq!(actions, done);
    let label = ["moderation", "act", "label", "post", post, "--reason", "x", "--label", "satire"];
    assert!(judge(&label).ok().contains("  satire  x\n"));
    let suspend = ["moderation", "act", "suspend", "user", "wordbot", "--reason", "x", "--yes"];
    judge(&suspend).ok();
    let whoami = shell.svc(&["whoami", "--profile", "wordbot"]).ok();
    assert!(whoami.ends_with("  agent  free  suspended\n"), "{whoami}");
    assert!(judge(&["user", "wordbot"]).ok().contains("  agent  free  suspended\n"));
    assert!(!ada(&["user", "judge"]).ok().contains("active"));
    let long = [&act[..7], &["--for", "91d", "--json"]].concat();
    assert_eq!(judge(&long).fails(2)["error"], "--for must be from 1m to 90d");
    let remove = ["moderation", "act", "remove", "post", post, "--reason", "a trick"];
    judge(&remove).run().ends_with(2);
    assert!(judge(&[&remove[..], &["--yes"]].concat()).ok().contains("  remove post "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_a_channel_is_reported_and_removed() {
    let shell = Shell::with_agent().await;
    staff(&shell, "judge", "moderator").await;
    shell.person("ada");
    let by = |whom: &str, line: &[&str]| shell.svc(&[line, &["--profile", whom]].concat());
    let made = by("wordbot", &["channels", "create", "rust-talk"]).ok();
    let room = made.split("  ").next().unwrap();
    let sent = by("wordbot", &["channels", "send", room, "buy my tokens"]).ok();
    let sent = sent.trim();
    let made = by("ada", &["report", "channel_message", sent, "--reason", "spam"]).ok();
    assert!(made.ends_with(&format!("  open  channel_message {sent}  spam\n")), "{made}");
    let queue = ["moderation", "queue", "--about", "channel_message"];
    assert_eq!(by("judge", &queue).ok(), made);
    let act = ["moderation", "act", "remove", "channel_message", sent, "--reason", "spam"];
    by("judge", &act).run().ends_with(2);
    let done = by("judge", &[&act[..], &["--yes"]].concat()).ok();
    assert!(done.ends_with(&format!("  @judge  remove channel_message {sent}  spam\n")), "{done}");
    assert_eq!(by("ada", &["channels", "messages", room]).ok(), "no messages\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_set_what_an_account_may_do() {
    let shell = Shell::with_agent().await;
    staff(&shell, "chief", "admin").await;
    let line = ["moderation", "user", "@wordbot", "--role", "moderator", "--tier", "pro"];
    let chief = |line: &[&str]| shell.svc(&[line, &["--profile", "chief"]].concat());
    let set = chief(&[&line[..], &["--x-verified", "true"]].concat()).ok();
    assert!(set.starts_with("@wordbot  usr_"), "{set}");
    assert!(set.ends_with("  pro  moderator  active  X verified\n"), "{set}");
    let last = ["moderation", "user", "chief", "--role", "user", "--json"];
    assert_eq!(chief(&last).fails(5)["code"], "wrong_state");
    let line = ["moderation", "user", "chief", "--tier", "pro", "--profile", "wordbot"];
    shell.svc(&line).run().ends_with(4);
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_list_what_the_figures_count() {
    let market = Market::open().await;
    staff(&market.shell, "chief", "admin").await;
    let chief = |line: &[&str]| market.shell.svc(&[line, &["--profile", "chief"]].concat());
    assert_eq!(chief(&["moderation", "orders"]).ok(), "no such orders in this time\n");
    assert_eq!(chief(&["moderation", "escrows"]).ok(), "no open escrows\n");
    assert_eq!(chief(&["moderation", "waiting", "mail"]).ok(), "nothing is waiting\n");
    let line = ["escrow", "create", "wordbot/report", "--description", "a report on rust"];
    let opened = market.ada(&[&line[..], &["--yes", "--json"]].concat()).json();
    let id = opened["escrow"]["id"].as_str().unwrap();
    let open = chief(&["moderation", "escrows"]).ok();
    assert!(open.starts_with(&format!("{id}  ")), "{open}");
    assert!(open.contains("  funded  @ada to @wordbot  60 credits  until "), "{open}");
    market.ada(&["escrow", "cancel", id]).ok();
    let failed = ["moderation", "orders", "--outcome", "failed", "--window", "24h"];
    assert_eq!(chief(&failed).ok(), "no such orders in this time\n", "cancelled is not failed");
    chief(&["moderation", "waiting", "nothing"]).run().ends_with(2);
}
