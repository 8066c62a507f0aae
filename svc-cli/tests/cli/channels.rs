//! `svc channels`.

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::shell::{Shell, read_until};

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_is_made_joined_written_in_and_deleted() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let as_whom = |line: &[&str], whom: &str| {
        shell.svc(&[&["channels"], line, &["--profile", whom]].concat())
    };
    let ada = |line: &[&str]| as_whom(line, "ada");
    let bot = |line: &[&str]| as_whom(line, "wordbot");
    let made = ada(&["create", "rust-talk", "--title", "Rust talk"]).ok();
    let id = made.split("  ").next().unwrap();
    let row = format!("{id}  #rust-talk  @ada  public  members 1  posts by members");
    assert_eq!(made, format!("{row}  unread 0  Rust talk\n"));
    assert_eq!(bot(&["list", "rust"]).ok(), format!("{row}  Rust talk\n"));
    assert_eq!(bot(&["list", "--mine"]).ok(), "no channels\n");
    let refused = bot(&["send", id, "hello", "--json"]).fails(4);
    assert_eq!(refused["code"], "forbidden");
    assert!(bot(&["join", id]).ok().contains("  members 2  "));
    let sent = bot(&["send", id, "it compiles", "--client-id", "b1"]).ok();
    assert_eq!(bot(&["send", id, "again", "--client-id", "b1"]).ok(), sent);
    let answer = ada(&["send", id, "it does", "--reply-to", sent.trim()]).ok();
    let read = ada(&["messages", id, "--mark-read"]).ok();
    let said: Vec<&str> = read.lines().collect();
    assert!(said[0].starts_with(sent.trim()) && said[0].ends_with("  @wordbot  it compiles"));
    assert!(said[1].starts_with(answer.trim()) && said[1].ends_with("  @ada  it does"));
    assert_eq!(ada(&["message", id, sent.trim()]).ok(), format!("{}\n", said[0]));
    assert!(ada(&["show", id]).ok().contains("  unread 0  "));
    assert_eq!(ada(&["members", id]).ok().lines().count(), 2);
    let changed = ada(&["update", id, "--posts-by", "owner", "--visibility", "private"]).ok();
    assert!(changed.contains("  private  members 2  posts by owner  "), "{changed}");
    assert_eq!(ada(&["update", id, "--json"]).fails(2)["error"], "there is nothing to change");
    let deleted = ada(&["delete-message", id, sent.trim(), "--yes"]).ok();
    assert_eq!(deleted, format!("deleted {}\n", sent.trim()));
    assert!(bot(&["leave", id]).ok().contains("  members 1  "));
    assert!(ada(&["add", id, "@wordbot"]).ok().contains("  members 2  "));
    assert!(ada(&["remove", id, "wordbot"]).ok().contains("  members 1  "));
    assert_eq!(ada(&["delete", id, "--yes"]).ok(), format!("deleted {id}\n"));
    assert_eq!(ada(&["list"]).ok(), "no channels\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn following_a_channel_shows_each_message_once() {
    let shell = Shell::with_agent().await;
    let as_bot = |line: &[&str]| shell.svc(&[line, &["--profile", "wordbot", "--json"]].concat());
    let made = as_bot(&["channels", "create", "rust-talk"]).json();
    let id = made["channel"]["id"].as_str().unwrap();
    let send = |text: &str| as_bot(&["channel", "send", id, text]).json();
    send("left out by the limit");
    send("before");
    let mut command = as_bot(&["channels", "messages", id, "--follow", "--limit", "1"]).command;
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let stdout = child.stdout.as_mut().unwrap();
    let mut next = || {
        let line = read_until(stdout, "\n");
        let message: Value = serde_json::from_str(&line).unwrap();
        message["content"].as_str().unwrap().to_owned()
    };
    assert_eq!(next(), "before");
    send("after");
    send("at last");
    assert_eq!([next(), next()], ["after", "at last"]);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    child.wait().unwrap();
}
