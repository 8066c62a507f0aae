//! An order is written down before it is sent: interrupted or repeated, it is paid once.

use std::process::{Child, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use svc_bot_kit::testing::{Fault, FaultProxy};
use svc_server::testing::found_by_thread;

use crate::market::{Market, meanwhile};
use crate::shell::Typed;

const LINE: [&str; 5] = ["order", "wordbot/count", "--text=a", "--max-credits", "5"];
const WAITING: [&str; 7] =
    ["order", "wordbot/count", "--text=a", "--max-credits", "5", "--wait", "60s"];

fn started(typed: Typed) -> Child {
    let mut command = typed.command;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Ends a command by a signal, and answers with how it ended.
fn interrupted(child: Child, signal: Signal) -> Output {
    kill_process(Pid::from_child(&child), signal).unwrap();
    child.wait_with_output().unwrap()
}

/// Ada's orders, newest first.
fn listed(market: &Market) -> Vec<Value> {
    market.ada(&["orders", "--json"]).json()["orders"].as_array().unwrap().clone()
}

/// Waits until an order is written down as far as `is_there` wants it.
fn noted(market: &Market, is_there: impl Fn(&Value) -> bool) -> Value {
    found_by_thread("an order is written down", || {
        listed(market).into_iter().find(|order| is_there(order))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_typed_several_times_at_once_is_placed_once() {
    let market = Market::open().await;
    let commands: Vec<Child> = (0..3).map(|_| started(market.ada(&LINE))).collect();
    let mut rows = Vec::new();
    for command in commands {
        let ended = command.wait_with_output().unwrap();
        assert!(ended.status.success(), "{ended:?}");
        rows.push(String::from_utf8(ended.stdout).unwrap());
    }
    assert!(rows.iter().all(|row| *row == rows[0]), "{rows:?}");
    assert_eq!((market.orders().len(), market.credits()), (1, (95.into(), 5.into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_order_prints_its_id_and_is_paid_once() {
    for signal in [Signal::INT, Signal::TERM] {
        let market = Market::open().await;
        let child = started(market.ada(&[&WAITING[..], &["--json"]].concat()));
        let order = noted(&market, |order| order["requestId"].is_string());
        let ended = interrupted(child, signal);
        assert_eq!(ended.status.code(), Some(130));
        let error: Value = serde_json::from_slice(&ended.stderr).unwrap();
        assert_eq!((&error["code"], &error["exitCode"]), (&"interrupted".into(), &130.into()));
        assert_eq!((&error["id"], &error["requestId"]), (&order["id"], &order["requestId"]));
        let id = order["id"].as_str().unwrap();
        let hint =
            format!("svc --profile ada order wordbot/count --max-credits 5 --id {id} --wait 1m");
        assert_eq!(
            (error["error"].as_str(), error["hint"].as_str()),
            (Some(format!("interrupted; the order {id} stands").as_str()), Some(hint.as_str()),)
        );

        // The same command continues it, and so does the hint.
        let ended = market.ada(&LINE).run().ends_with(0);
        assert!(ended.stderr.starts_with(&format!("continuing the order {id} of ")), "{ended:?}");
        assert_eq!((market.orders().len(), market.credits()), (1, (95.into(), 5.into())));
        let answer = json!({ "status": "completed", "output": { "words": 1 } });
        market.answer(&market.next_order(), answer);
        let words: Vec<&str> = hint.split(' ').skip(1).collect();
        assert_eq!(market.shell.svc(&words).ok(), "{\n  \"words\": 1\n}\n");
        assert_eq!(market.credits(), (95.into(), 0.into()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_interrupted_on_its_way_is_sent_once() {
    let market = Market::open().await;
    let proxy = FaultProxy::start(market.shell.server.url()).await.unwrap();
    proxy.always("POST /api/messages", Fault::Delay(Duration::from_hours(1)));
    let line = [&WAITING[..], &["--json"]].concat();
    let key = market.shell.key("ada");
    let cut = market.shell.svc(&line).env("SVC_URL", proxy.url()).env("SVC_API_KEY", &key);
    let child = started(cut);
    let order = noted(&market, |order| order["status"] == "begun");
    let ended = interrupted(child, Signal::INT);
    assert_eq!(ended.status.code(), Some(130));
    let error: Value = serde_json::from_slice(&ended.stderr).unwrap();
    assert_eq!((&error["id"], &error["requestId"]), (&order["id"], &Value::Null));
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.contains(order["id"].as_str().unwrap()) && hint.ends_with("--field text=a"));
    let said = meanwhile(
        || market.ada(&line).json(),
        || market.answer(&market.next_order(), json!({ "status": "completed" })),
    );
    assert_eq!(said["status"], "completed");
    assert_eq!((listed(&market).len(), market.credits()), (1, (95.into(), 0.into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_command_orders_again_only_when_the_end_was_seen_or_with_new() {
    let market = Market::open().await;
    let ids = |market: &Market| -> Vec<String> {
        listed(market).iter().map(|order| order["id"].as_str().unwrap().to_owned()).collect()
    };
    market.ada(&LINE).ok();
    market.ada(&LINE).ok();
    assert_eq!(ids(&market).len(), 1);
    let dry = market.ada(&[&LINE[..], &["--dry-run"]].concat()).ok();
    assert!(dry.starts_with("would continue the order "), "{dry}");
    let other = ["order", "wordbot/count", "--text=b", "--max-credits", "5"];
    market.ada(&other).ok();
    market.ada(&[&LINE[..], &["--new"]].concat()).ok();
    assert_eq!((ids(&market).len(), market.orders().len()), (3, 3));
    market.ada(&[&LINE[..], &["--new", "--id", "x", "--json"]].concat()).fails(2);

    // What was answered meanwhile is shown to who waits, and then it is over.
    for order in market.orders() {
        let output = json!({ "words": 7 });
        market.answer(&order, json!({ "status": "completed", "output": output }));
    }
    assert_eq!(market.ada(&WAITING).ok(), "{\n  \"words\": 7\n}\n");
    let quiet = market.ada(&[&LINE[..], &["--json"]].concat()).json();
    assert_eq!(quiet["message"]["request"]["status"], "open", "who does not wait orders again");
    assert_eq!(ids(&market).len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_id_with_other_input_is_refused_with_both_hashes() {
    let market = Market::open().await;
    let line = |text: &'static str| {
        ["order", "wordbot/count", text, "--max-credits", "5", "--id", "same", "--json"]
    };
    market.ada(&line("--text=a")).json();
    let refused = market.ada(&line("--text=b")).fails(5);
    assert_eq!(refused["code"], "order_differs");
    assert_eq!(refused["error"].as_str().unwrap().matches("sha256:").count(), 2, "{refused}");
    market.ada(&line("--text=a")).json();
    let without = ["order", "wordbot/count", "--max-credits", "5", "--id", "same", "--json"];
    market.ada(&without).json();
    assert_eq!((market.orders().len(), market.credits()), (1, (95.into(), 5.into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_was_not_sent_asks_for_the_input_that_it_was_begun_with() {
    let market = Market::open().await;
    let nowhere = FaultProxy::start(market.shell.server.url()).await.unwrap();
    nowhere.always("POST /api/messages", Fault::LoseRequest);
    let key = market.shell.key("ada");
    let line = ["order", "wordbot/count", "--text", "how svc  works", "--max-credits", "5"];
    let line = [&line[..], &["--id", "one"]].concat();
    let order = market.shell.svc(&line).env("SVC_URL", nowhere.url()).env("SVC_API_KEY", &key);
    let lost = order.run().ends_with(7);
    assert!(lost.stderr.contains("--field 'text=how svc  works'"), "as it was typed: {lost:?}");

    let listed = market.ada(&["orders"]).run().ends_with(0);
    let next = "next: svc --profile ada order wordbot/count --max-credits 5 --id one --wait 1m \
                --input FILE, with the input that it was begun with\n";
    assert_eq!(listed.stderr, next);
    let bare = ["order", "wordbot/count", "--max-credits", "5", "--id", "one", "--json"];
    let refused = market.ada(&bare).fails(5);
    assert_eq!(refused["code"], "order_differs");
    let hint = "it was not sent: give it the input that it was begun with, or order under another \
                --id";
    assert_eq!(refused["hint"], hint);
    market.ada(&line).ok();
    assert_eq!((market.orders().len(), market.credits()), (1, (95.into(), 5.into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_listed_with_their_state() {
    let market = Market::open().await;
    assert_eq!(market.ada(&["orders"]).ok(), "no orders\n");
    market.ada(&[&LINE[..], &["--id", "one"]].concat()).ok();
    let report = ["order", "wordbot/report", "--topic", "rust", "--max-credits", "60"];
    let report = [&report[..], &["--escrow", "7d", "--id", "two", "--json"]].concat();
    market.ada(&report).json();
    let rows = market.ada(&["orders"]).run().ends_with(0);
    let lines: Vec<&str> = rows.stdout.lines().collect();
    assert!(lines[0].starts_with("two  "), "{rows:?}");
    assert!(lines[0].contains("  wordbot/report  60 credits  funded  esc_"), "{rows:?}");
    let (row, id) = lines[1].rsplit_once("  ").unwrap();
    assert!(row.ends_with("  wordbot/count  5 credits  open"), "{rows:?}");
    assert!(market.ada(&["order", "show", id]).ok().starts_with(id), "{rows:?}");
    let next = "next: svc --profile ada order wordbot/report --max-credits 60 --id two --wait 1m\n";
    assert_eq!(rows.stderr, next);

    let escrow = listed(&market)[0]["escrowId"].as_str().unwrap().to_owned();
    market.ada(&["escrow", "cancel", &escrow]).ok();
    let states = || -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        listed(&market).iter().map(|one| (text(&one["id"]), text(&one["status"]))).collect()
    };
    let expected = [("two", "cancelled"), ("one", "open")].map(|(a, b)| (a.into(), b.into()));
    assert_eq!(states(), expected);
    assert_eq!(market.ada(&["orders", "--open", "--quiet"]).ok().lines().count(), 1);
    assert_eq!(market.ada(&["orders", "--limit", "1", "--quiet"]).ok().lines().count(), 1);
    market.ada(&["orders", "--limit", "0", "--json"]).fails(2);
    // An escrow that was taken back is an end, too: the same command orders again.
    let again = ["order", "wordbot/report", "--topic", "rust", "--max-credits", "60"];
    market.ada(&[&again[..], &["--escrow", "7d", "--json"]].concat()).json();
    assert_eq!(listed(&market).len(), 3);
}
