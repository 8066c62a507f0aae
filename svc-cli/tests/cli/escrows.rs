//! `svc escrow`, and orders paid by one.

use serde_json::{Value, json};

use crate::market::{Market, meanwhile};

const CHECKSUM: &str = "sha256:0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";

const ORDER: &[&str] =
    &["order", "wordbot/report", "--topic", "rust", "--max-credits", "60", "--escrow", "7d"];

/// Opens an escrow as ada, and answers with its id.
fn opened(market: &Market) -> String {
    let line = ["escrow", "create", "wordbot/report", "--description", "a report on rust"];
    let opened = market.ada(&[&line[..], &["--yes", "--json"]].concat()).json();
    assert_eq!(opened["escrow"]["amount"], 60, "the price when no amount is named");
    opened["escrow"]["id"].as_str().unwrap().to_owned()
}

/// Delivers as the bot.
fn delivered(market: &Market, id: &str) {
    let place = ["--repository", "https://git.example.org/report", "--branch", "main"];
    let line = [&["escrow", "deliver", id], &place[..], &["--checksum", CHECKSUM]].concat();
    let row = market.bot(&[&line[..], &["--notes", "see README"]].concat()).ok();
    assert!(row.contains("  delivered  60 credits  @ada to @wordbot  releases itself on"), "{row}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_by_escrow_is_delivered_and_released() {
    let market = Market::open().await;
    let ended = meanwhile(
        || market.ada(&[ORDER, &["--wait", "60s"]].concat()).run().ends_with(0),
        || {
            let order = market.next_order();
            let escrow = order["payload"]["escrowId"].as_str().unwrap();
            assert_eq!(market.credits(), (40.into(), 60.into()));
            delivered(&market, escrow);
        },
    );
    let id = ended.stdout.trim().strip_prefix("delivered  ").unwrap();
    assert!(id.starts_with("esc_"), "{ended:?}");
    let next = format!(
        "look at it: svc --profile ada escrow show {id}  accept it: svc --profile ada escrow release {id}\n"
    );
    assert_eq!(ended.stderr, next);

    let shown = market.ada(&["escrow", "show", id]).ok();
    assert!(shown.contains("\n  delivery 1: {"), "{shown}");
    assert!(shown.contains("\n  notes: see README\n"), "{shown}");
    let line = ["escrow", "release", id, "--rating", "4.5", "--feedback", "as promised", "--yes"];
    assert_eq!(market.ada(&line).ok(), "released 60 credits to @wordbot\n");
    assert_eq!(market.credits(), (40.into(), 0.into()));
    let events = market.ada(&["escrow", "events", id]).ok();
    let actions: Vec<&str> = events.lines().map(|line| line.split("  ").nth(2).unwrap()).collect();
    assert_eq!(actions, ["created", "funded", "delivered", "released"]);
    let found = market.ada(&["discover", "report"]).ok();
    assert_eq!(found, "wordbot/report  60 credits  rated 4.5 by 1  Writes a report.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_payload_of_the_delivery_is_printed_where_there_is_one() {
    let market = Market::open().await;
    let line = [ORDER, &["--wait", "60s", "--json", "--id", "one"]].concat();
    let payload = meanwhile(
        || market.ada(&line).json(),
        || {
            let order = market.next_order();
            let escrow = order["payload"]["escrowId"].as_str().unwrap();
            delivered(&market, escrow);
            market.answer(&order, json!({ "status": "delivered", "output": { "pages": 7 } }));
        },
    );
    assert_eq!(payload["status"], "delivered");
    assert_eq!(market.ada(&line).json()["output"]["pages"], 7, "later it is always there");
    assert_eq!(market.credits(), (40.into(), 60.into()), "and nothing was paid twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_that_can_not_be_paid_is_taken_back() {
    let market = Market::open().await;
    opened(&market);
    let error = market.ada(&[ORDER, &["--json"]].concat()).fails(8);
    assert_eq!(error["code"], "insufficient_credits");
    let message = "the escrow takes 60 credits, 40 are there; nothing was ordered";
    assert_eq!(error["error"], message);
    let list = market.ada(&["escrow", "list", "--json"]).json();
    let states: Vec<&Value> =
        list["escrows"].as_array().unwrap().iter().map(|escrow| &escrow["status"]).collect();
    assert_eq!(states, ["cancelled", "funded"]);
    assert_eq!(market.orders(), Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_the_server_refuses_leaves_nothing_in_escrow() {
    let market = Market::open().await;
    market.bot(&["call", "update-me", "--allow-service-requests", "false"]).ok();
    let error = market.ada(&[ORDER, &["--json"]].concat()).fails(4);
    assert_eq!(error["code"], "dm_not_allowed");
    assert_eq!(market.credits(), (100.into(), 0.into()));
    assert_eq!(market.ada(&["escrow", "list"]).ok(), "no escrows\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_escrow_is_declined_ends_with_8() {
    let market = Market::open().await;
    let error = meanwhile(
        || market.ada(&[ORDER, &["--wait", "60s", "--json"]].concat()).fails(8),
        || {
            let order = market.next_order();
            let escrow = order["payload"]["escrowId"].as_str().unwrap();
            market.bot(&["escrow", "decline", escrow, "--reason", "too much to do"]).ok();
        },
    );
    assert_eq!(error["code"], "cancelled");
    assert!(error["error"].as_str().unwrap().ends_with(" (provider_declined)"), "{error}");
    assert_eq!(market.credits(), (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn too_few_credits_end_with_8_and_more_of_them_pay() {
    let market = Market::open().await;
    let line = ["escrow", "create", "wordbot/report", "--description", "-", "--amount", "120.5"];
    let created = market.ada(&[&line[..], &["--yes"]].concat()).stdin("much\n").run().ends_with(0);
    assert!(created.stdout.contains("  created  120.5 credits  "), "{created:?}");
    let id = created.stdout.split("  ").next().unwrap();
    let next = format!("too few credits to hold  next: svc --profile ada escrow fund {id}\n");
    assert_eq!(created.stderr, next);
    let error = market.ada(&["escrow", "fund", id, "--yes", "--json"]).fails(8);
    assert_eq!((&error["code"], &error["status"]), (&"insufficient_credits".into(), &409.into()));
    assert_eq!(error["hint"], "svc --profile ada credits shows what is available");

    let admin = svc_server::admin::Command::GrantRole {
        username: "wordbot".to_owned(),
        role: "admin".to_owned(),
    };
    market.shell.server.admin(admin).await;
    let line = ["credits", "grant", "ada", "30", "--reason", "for the report", "--yes"];
    let granted = market.bot(&line).ok();
    assert!(granted.ends_with("  granted 30 credits to @ada\n"), "{granted}");
    let funded = market.ada(&["escrow", "fund", id, "--yes"]).ok();
    assert!(funded.contains("  funded  120.5 credits  "), "{funded}");
    assert_eq!(market.credits(), (json!(9.5), json!(120.5)));
    let history = market.ada(&["credits", "history", "--limit", "2"]).run().ends_with(0);
    let rows: Vec<&str> = history.stdout.lines().collect();
    assert!(rows[0].contains("  hold  -120.5  leaves 9.5  ") && rows[0].contains(id), "{rows:?}");
    assert!(rows[1].contains("  topup  +30  leaves 130  "), "{rows:?}");
    assert!(
        history.stderr.starts_with("more: svc --profile ada credits history --limit 2 --cursor "),
        "{history:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dispute_is_answered_and_the_credits_given_back() {
    let market = Market::open().await;
    let id = opened(&market);
    delivered(&market, &id);
    let line = ["escrow", "dispute", &id, "--reason", "late", "--evidence", "{", "--json"];
    let unread = market.ada(&line).fails(2);
    assert!(unread["error"].as_str().unwrap().starts_with("--evidence must be JSON"), "{unread}");
    let log = format!("@{}", market.shell.file("log.json", "{\"failed\":3}"));
    let line = ["escrow", "dispute", &id, "--reason", "the tests fail", "--evidence", &log];
    let disputed = market.ada(&[&line[..], &["--yes"]].concat()).ok();
    assert!(disputed.contains("  disputed  60 credits  "), "{disputed}");
    market.bot(&["escrow", "respond", &id, "--response", "they pass here"]).ok();
    let shown = market.ada(&["escrow", "show", &id]).ok();
    assert!(
        shown.contains("\n  disputed: the tests fail\n  evidence: {\"failed\":3}\n"),
        "{shown}"
    );
    assert!(shown.contains("\n  response: they pass here"), "{shown}");
    market.bot(&["escrow", "refund", &id, "--reason", "my fault", "--yes"]).ok();
    assert_eq!(market.credits(), (100.into(), 0.into()));
    let over = market.ada(&["escrow", "release", &id, "--yes", "--json"]).fails(5);
    assert_eq!(over["code"], "wrong_state");
    assert_eq!(over["error"], "the escrow is refunded");
    assert_eq!(over["hint"], format!("svc --profile ada escrow show {id}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checksum_may_have_digits_in_upper_case() {
    let market = Market::open().await;
    let id = opened(&market);
    let upper = CHECKSUM.to_uppercase();
    market.bot(&["escrow", "deliver", &id, "--checksum", &upper]).ok();
    let shown = market.ada(&["escrow", "show", &id]).ok();
    assert!(shown.contains(CHECKSUM), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_that_is_not_there_names_the_list() {
    let market = Market::open().await;
    let error = market.ada(&["escrow", "show", "esc_nope", "--json"]).fails(3);
    assert_eq!(error["error"], "no such escrow: esc_nope");
    assert_eq!(
        (&error["code"], &error["hint"]),
        (&"not_found".into(), &"svc --profile ada escrow list".into())
    );
    let work = market.bot(&["escrow", "deliver", "esc_nope", "--json"]).fails(2);
    assert_eq!(work["error"], "the work is missing");
    let line = ["escrow", "deliver", "esc_nope", "--checksum", "abc", "--json"];
    let checksum = market.bot(&line).fails(2);
    let message = checksum["error"].as_str().unwrap();
    assert!(
        message.starts_with("--deliverable.checksum ") && message.contains("64 lower-case hex"),
        "{message}"
    );
}
