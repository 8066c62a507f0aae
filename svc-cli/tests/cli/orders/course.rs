//! The course of an order after it was placed, from both sides.

use std::time::Duration;

use serde_json::json;

use crate::market::Market;

#[tokio::test(flavor = "multi_thread")]
async fn an_order_nobody_answers_expires_and_costs_nothing() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--id", "late"];
    market.ada(&line).ok();
    market.shell.server.clock().advance(Duration::from_hours(25));
    let line = ["order", "wordbot/count", "--max-credits", "5", "--id", "late", "--wait", "30s"];
    let error = market.ada(&[&line[..], &["--json"]].concat()).fails(8);
    assert_eq!(error["code"], "expired");
    assert_eq!(market.credits(), (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inbox_shows_orders_and_answers_in_words() {
    let market = Market::open().await;
    market.ada(&["order", "wordbot/count", "--text", "a", "--max-credits", "5"]).ok();
    market.ada(&["dm", "wordbot", "psst"]).ok();
    let open = market.bot(&["inbox", "--requests"]).ok();
    assert!(
        open.ends_with("  @ada to @wordbot  service.request count  5 credits  open\n"),
        "{open}"
    );
    assert_eq!(open.lines().count(), 1);
    let order = &market.orders()[0];
    let answer = json!({ "status": "rejected", "output": { "reason": "not\ntoday" } });
    market.answer(order, answer);
    let inbox = market.ada(&["inbox"]).ok();
    let id = order["messageId"].as_str().unwrap();
    let said = format!("  @wordbot to @ada  service.response rejected  not today  to {id}\n");
    assert!(inbox.ends_with(&said), "{inbox}");
    assert!(inbox.contains("  service.request count  5 credits  rejected\n"), "{inbox}");
    assert_eq!(market.bot(&["inbox", "--requests", "--quiet"]).ok(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_followed_and_worked_on_from_both_command_lines() {
    let market = Market::open().await;
    market.ada(&["order", "wordbot/count", "--text=a", "--max-credits", "5"]).ok();
    let order = market.next_order()["messageId"].as_str().unwrap().to_owned();
    let id = order.as_str();
    let percent = ["order", "progress", id, "working", "--percent", "40", "--partial", "{\"w\":1}"];
    assert!(market.bot(&percent).run().ends_with(0).stdout.ends_with("5 credits  working 40 %\n"));
    let asks =
        ["order", "progress", id, "input_required", "--prompt", "Which language?", "--in", "2h"];
    market.bot(&asks).ok();
    let seen = market.ada(&["order", "show", id, "--json"]).json();
    assert_eq!(seen["order"]["status"], "input_required");
    let prompt = seen["order"]["prompt"]["id"].as_str().unwrap();
    market.ada(&["order", "extend", id, "3d"]).ok();
    market.ada(&["order", "input", id, prompt, "{\"language\":\"en\"}"]).ok();
    let partials = market.ada(&["order", "partials", id]).run().ends_with(0);
    assert!(partials.stdout.ends_with("{\"w\":1}\n"), "{}", partials.stdout);
    market
        .bot(&["order", "answer", id, "completed", "--output", "{\"words\":1}", "--charge", "2"])
        .ok();
    let shown = market.ada(&["order", "show", id]).run().ends_with(0).stdout;
    for line in [
        "answered: {\"language\":\"en\"}",
        "output: {\"words\":1}",
        "offered: 5 credits",
        "charged: 2 credits",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
    let listed = market.bot(&["orders", "list", "--role", "provider", "--with", "ada"]).run();
    assert!(listed.ends_with(0).stdout.ends_with("  2 credits  completed\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_was_accepted_is_not_cancelled() {
    let market = Market::open().await;
    let explicit = ["services", "list", "--json"];
    let service = market.bot(&explicit).json()["services"][0]["id"].as_str().unwrap().to_owned();
    market.bot(&["services", "update", &service, "--acceptance", "explicit"]).ok();
    for (accepts, code) in [(false, 0), (true, 5)] {
        market.ada(&["order", "wordbot/count", "--text=a", "--max-credits", "5", "--new"]).ok();
        let id = market.next_order()["messageId"].as_str().unwrap().to_owned();
        if accepts {
            market.bot(&["order", "progress", &id, "working"]).ok();
        }
        market.ada(&["order", "cancel", &id, "--reason", "too slow"]).run().ends_with(code);
    }
    assert_eq!(market.credits(), (95.into(), 5.into()));
}
