//! `svc inbox --follow`: messages as they come in.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::shell::{Shell, read_until};

#[tokio::test(flavor = "multi_thread")]
async fn following_shows_each_message_once() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let send = |text: &str| shell.svc(&["dm", "ada", text, "--profile", "wordbot"]).ok();
    send("left out by the limit");
    send("before");
    let line = ["inbox", "--follow", "--limit", "1", "--json", "--profile", "ada"];
    let mut command = shell.svc(&line).command;
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
    assert_eq!(next(), "after");
    // Not INT: a shell that runs the tests in the background has its children ignore that.
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let ended = child.wait().unwrap();
    assert_eq!(ended.signal(), Some(15), "it ends at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_says_how_to_continue() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    for text in ["one", "two", "three"] {
        shell.svc(&["dm", "ada", text, "--profile", "wordbot"]).ok();
    }
    let page = shell.svc(&["inbox", "--limit", "2"]).run().ends_with(0);
    let texts: Vec<&str> =
        page.stdout.lines().map(|row| row.rsplit("  ").next().unwrap()).collect();
    assert_eq!(texts, ["two", "three"], "newest last");
    let more = page.stderr.trim().strip_prefix("more: svc ").unwrap();
    let rest = shell.svc(&more.split(' ').collect::<Vec<_>>()).ok();
    assert!(rest.ends_with("  one\n"), "{rest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_read_by_its_id_too() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let line = ["dm", "ada", "psst", "--schema", "note.v1", "--payload", "{\"a\":1}", "--id", "n1"];
    let sent = shell.svc(&[&line[..], &["--profile", "wordbot", "--json"]].concat()).json();
    let message = &sent["message"];
    assert_eq!(message["payload"]["a"], 1);
    let id = message["conversationId"].as_str().unwrap();
    let read = shell.svc(&["read-conversation", id, "--mark-read", "--json"]).json();
    assert_eq!(read["messages"][0]["messageId"], message["messageId"]);
    let empty = shell.svc(&["read-conversation", "wordbot", "--profile", "ada", "--quiet"]);
    assert!(empty.ok().ends_with("  psst\n"));
    assert!(shell.svc(&["read-conversation", "@ada"]).ok().ends_with("  psst\n"));
    let unread = || {
        let page = shell.svc(&["inbox", "--unread", "--profile", "ada", "--json"]).json();
        page["messages"].as_array().unwrap().len()
    };
    assert_eq!(unread(), 1, "the sender does not learn that it was seen, unless that is asked for");
    shell.svc(&["read-conversation", id, "--mark-read", "--profile", "ada", "--json"]).json();
    assert_eq!(unread(), 0);
}
