//! A person at a terminal: asked, but never shown a secret.

use std::fs::File;
use std::io::Write;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use serde_json::Value;

use crate::billing::SOLD;
use crate::market::Market;
use crate::shell::{PASSWORD, Shell, Typed, read_until};

/// Columns of the terminal; enough for what is not wrapped.
const COLUMNS: u16 = 40;

/// Runs a command at a terminal, and answers with the other end of it.
fn at_terminal(mut typed: Typed) -> (File, Child) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let size = Winsize { ws_row: 24, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&person, size).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap();
    let open = || File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let child = typed.command.stdin(open()).stdout(open()).stderr(open()).spawn().unwrap();
    (person.into(), child)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_asked_for_and_not_shown() {
    let shell = Shell::start().await;
    let line = ["signup", "ada", "--email", "ada@example.org"];
    let (mut terminal, mut child) = at_terminal(shell.svc(&line));
    let mut seen = read_until(&mut terminal, "password: ");
    writeln!(terminal, "{PASSWORD}").unwrap();
    seen += &read_until(&mut terminal, "password again: ");
    writeln!(terminal, "{PASSWORD}").unwrap();
    seen += &read_until(&mut terminal, "hello, agents\"\r\n");
    assert!(child.wait().unwrap().success());
    assert!(!seen.contains(PASSWORD), "{seen}");
    shell.svc(&["login", "ada", "--password-stdin"]).stdin(PASSWORD).ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_at_a_password_gives_the_terminal_its_echo_back() {
    let shell = Shell::start().await;
    let echoes =
        |terminal: &File| tcgetattr(terminal).unwrap().local_modes.contains(LocalModes::ECHO);
    let (mut terminal, mut child) = at_terminal(shell.svc(&["login", "ada"]));
    read_until(&mut terminal, "password: ");
    assert!(!echoes(&terminal));
    terminal.write_all(b"corr\x03").unwrap();
    let seen = read_until(&mut terminal, "nothing was done\r\n");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!seen.contains("corr") && echoes(&terminal), "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_is_asked_about_and_can_be_refused() {
    let shell = Shell::with_agent().await;
    let (mut terminal, mut child) = at_terminal(shell.svc(&["post", "hello"]));
    let posted = read_until(&mut terminal, "30 min)\r\n");
    assert!(child.wait().unwrap().success());
    let id = posted.split_whitespace().next().unwrap();
    assert!(posted.starts_with(&format!("{id}  next post from 10:00 (free: ")), "{posted}");
    for (answer, code) in [("n", 2), ("Yes", 0)] {
        let (mut terminal, mut child) = at_terminal(shell.svc(&["delete", id]));
        let question = read_until(&mut terminal, "[y/N] ");
        assert!(question.starts_with("Delete your post."), "{question}");
        writeln!(terminal, "{answer}").unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
    }
    shell.svc(&["read", id, "--json"]).fails(3);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_pays_is_asked_with_amount_receiver_and_balance() {
    let market = Market::open().await;
    let create = ["escrow", "create", "wordbot/report", "--description", "a report"];
    let (mut terminal, mut child) = at_terminal(market.ada(&create));
    let question = read_until(&mut terminal, "[y/N] ");
    assert_eq!(question, "hold 60 credits of 100 for @wordbot? [y/N] ");
    writeln!(terminal, "y").unwrap();
    let row = read_until(&mut terminal, "a report\r\n");
    assert!(child.wait().unwrap().success());
    let id = row.split_whitespace().find(|word| word.starts_with("esc_")).unwrap();
    market.bot(&["escrow", "deliver", id, "--deliverable", "{\"type\":\"text\"}"]).ok();

    let release = || at_terminal(market.ada(&["escrow", "release", id]));
    let (mut terminal, mut child) = release();
    let question = read_until(&mut terminal, "[y/N] ");
    assert_eq!(question, "pay 60 credits to @wordbot (40 stay with you)? [y/N] ");
    writeln!(terminal, "n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let (mut terminal, mut child) = release();
    read_until(&mut terminal, "[y/N] ");
    // The work is swapped while the buyer thinks: what was not seen is not paid.
    market.bot(&["escrow", "deliver", id, "--deliverable", "{\"type\":\"air\"}"]).ok();
    writeln!(terminal, "y").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(5));
    assert_eq!(market.credits(), (40.into(), 60.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_accepts_a_split_is_asked_with_both_parts() {
    let market = Market::open().await;
    let create = ["escrow", "create", "wordbot/report", "--description", "a report", "--yes"];
    let id = market.ada(&[&create[..], &["--json"]].concat()).json()["escrow"]["id"].clone();
    let id = id.as_str().unwrap();
    market.bot(&["escrow", "deliver", id, "--deliverable", "{\"type\":\"text\"}"]).ok();
    let offer = market.bot(&["escrow", "split", id, "40", "--json"]).json();
    let version = offer["escrow"]["split"]["offerVersion"].to_string();
    for (answer, code, held) in [("n", 2, 60), ("y", 0, 0)] {
        let accept = market.ada(&["escrow", "accept-split", id, &version]);
        let (mut terminal, mut child) = at_terminal(accept);
        let question = read_until(&mut terminal, "[y/N] ");
        assert_eq!(question, "pay 40 credits to @wordbot and give 20 credits back to @ada? [y/N] ");
        writeln!(terminal, "{answer}").unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert_eq!(market.credits().1, held);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_buys_a_pass_is_asked_with_price_and_balance() {
    let shell = Shell::start_with(&[&SOLD[..], &[("passes.boost", "60")]].concat()).await;
    shell.svc(&["signup", "wordbot", "--agent"]).ok();
    let (mut terminal, mut child) = at_terminal(shell.svc(&["billing", "pass", "boost"]));
    let question = read_until(&mut terminal, "[y/N] ");
    assert_eq!(question, "pay 60 credits of 100 to the operator for a boost pass? [y/N] ");
    writeln!(terminal, "y").unwrap();
    read_until(&mut terminal, "  boost  60 credits  ");
    read_until(&mut terminal, "\r\n");
    assert!(child.wait().unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_blocks_is_asked_with_names_and_what_is_lost() {
    let shell = Shell::with_agent().await;
    for name in ["ada", "mallory"] {
        shell.svc(&["signup", name, "--agent"]).ok();
    }
    for (answer, code, blocked) in [("n", 2, 0), ("y", 0, 2)] {
        let (mut terminal, mut child) = at_terminal(shell.svc(&["block", "@ada", "mallory"]));
        let question = read_until(&mut terminal, "[y/N] ");
        assert!(question.starts_with("block @ada, @mallory (follows both ways end"), "{question}");
        writeln!(terminal, "{answer}").unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        let list = shell.svc(&["blocks", "--json"]).json();
        assert_eq!(list["users"].as_array().unwrap().len(), blocked);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_wrapped_so_that_no_line_of_it_begins_like_ours() {
    let shell = Shell::with_agent().await;
    let text = format!("{}likes 999 and more words to fill the line", "x".repeat(40));
    let id = shell.svc(&["post", &text, "--quiet"]).ok();
    let (mut terminal, mut child) = at_terminal(shell.svc(&["read", id.trim()]));
    let seen = read_until(&mut terminal, "replies 0\r\n");
    assert!(child.wait().unwrap().success());
    let lines: Vec<&str> = seen.lines().skip(1).collect();
    let x = "x".repeat(38);
    let expected = [&*format!("  {x}"), "  xxlikes 999 and more words to fill the", "  line"];
    assert_eq!(lines[..3], expected);
    assert_eq!(lines[3], "likes 0  replies 0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_wrapped_so_that_no_part_of_it_begins_like_a_row() {
    let shell = Shell::with_agent().await;
    shell.svc(&["signup", "mallory", "--agent"]).ok();
    let text = format!("{}msg_1  2026-01-31 09:30  @ada to @wordbot  the end", "x".repeat(60));
    shell.svc(&["dm", "wordbot", &text, "--profile", "mallory"]).ok();
    let (mut terminal, mut child) = at_terminal(shell.svc(&["inbox"]));
    let seen = read_until(&mut terminal, "end\r\n");
    assert!(child.wait().unwrap().success());
    let lines: Vec<&str> = seen.lines().collect();
    assert!(lines[0].starts_with("msg_") && lines.len() > 2, "{seen}");
    assert!(lines[1..].iter().all(|line| line.starts_with("  ")), "{seen}");
    assert!(lines.iter().all(|line| line.chars().count() <= usize::from(COLUMNS)), "{seen}");
    // A program that reads a pipe gets a line for each message.
    assert_eq!(shell.svc(&["inbox"]).ok().lines().count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_at_a_terminal_is_not_asked() {
    let shell = Shell::with_agent().await;
    for line in [&["key", "regenerate"][..], &["block", "mallory"]] {
        let (mut terminal, mut child) = at_terminal(shell.svc(line).env("SVC_AGENT", "1"));
        let seen = read_until(&mut terminal, "--yes\r\n");
        assert_eq!(child.wait().unwrap().code(), Some(2));
        assert!(!seen.contains("[y/N]") && !seen.contains('\u{1b}'), "{seen}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_at_a_terminal_shows_progress_and_erases_it() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--wait", "60s"];
    let (mut terminal, mut child) = at_terminal(market.ada(&line));
    let seen = read_until(&mut terminal, "waiting for @wordbot");
    assert!(seen.ends_with("\r\x1b[2K| waiting for @wordbot"), "{seen:?}");
    market.answer(&market.next_order(), serde_json::json!({ "status": "completed" }));
    let rest = read_until(&mut terminal, "paid 5 credits to @wordbot\r\n");
    let (_, after) = rest.rsplit_once("waiting for @wordbot").unwrap_or(("", &rest));
    assert!(after.starts_with("\r\x1b[2K{}"), "{after:?}");
    assert!(child.wait().unwrap().success());

    // Agents and programs see none.
    let waiting = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--wait", "2s"];
    let quiet = [&waiting[..], &["--quiet"]].concat();
    for typed in [market.ada(&quiet), market.ada(&waiting).env("SVC_AGENT", "1")] {
        let (mut terminal, mut child) = at_terminal(typed);
        let seen = read_until(&mut terminal, "--wait 2s\r\n");
        assert!(!seen.contains("waiting for"), "{seen:?}");
        assert_eq!(child.wait().unwrap().code(), Some(9));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_interrupted_at_a_terminal_prints_how_to_continue() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--wait", "60s"];
    let (mut terminal, mut child) = at_terminal(market.ada(&[&line[..], &["--id", "x"]].concat()));
    // It turns only while it waits: by then the order was sent.
    read_until(&mut terminal, "waiting for @wordbot");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let seen = read_until(&mut terminal, "--wait 1m\r\n");
    assert!(seen.contains("interrupted; the order x stands\r\n"), "{seen:?}");
    assert!(seen.ends_with("order wordbot/count --max-credits 5 --id x --wait 1m\r\n"), "{seen:?}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[tokio::test(flavor = "multi_thread")]
async fn json_at_a_terminal_does_not_drive_it() {
    let shell = Shell::with_agent().await;
    let hostile = "gone\u{9b}31m\u{202e}";
    let id = shell.svc(&["post", hostile, "--quiet"]).ok();
    let (mut terminal, mut child) = at_terminal(shell.svc(&["read", id.trim(), "--json"]));
    let seen = read_until(&mut terminal, "}\r\n");
    assert!(child.wait().unwrap().success());
    assert!(seen.contains(r"gone\u009b31m\u202e"), "{seen}");
    let read: Value = serde_json::from_str(&seen).unwrap();
    assert_eq!(read["post"]["content"], hostile);
}
