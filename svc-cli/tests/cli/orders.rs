//! `svc order`: paid once, never more than was agreed to, and waited for.

mod again;
mod course;

use serde_json::{Value, json};

use crate::market::{Market, meanwhile};

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_answered_paid_and_its_output_printed() {
    let market = Market::open().await;
    let notes = format!("@{}", market.shell.file("notes.txt", "a b\n"));
    let line = ["order", "wordbot/count", "--text", &notes, "--max-words", "7", "--deep"];
    let line = [&line[..], &["--max-credits", "5", "--wait", "60s", "--json"]].concat();
    let payload = meanwhile(
        || market.ada(&line).json(),
        || {
            let order = market.next_order();
            let input = json!({ "text": "a b", "maxWords": 7, "deep": true });
            assert_eq!(order["payload"]["input"], input, "typed by the schema: {order:#}");
            assert_eq!(market.credits(), (95.into(), 5.into()));
            let output = json!({ "words": 2, "wörter": 2.50 });
            market.answer(&order, json!({ "status": "completed", "output": output }));
        },
    );
    assert_eq!(payload["status"], "completed");
    assert_eq!(payload["output"]["words"], 2);
    assert_eq!(market.credits(), (95.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_answers_from_the_command_line() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text=a", "--max-credits", "5"];
    market.ada(&line).ok();
    let first = market.next_order()["messageId"].as_str().unwrap().to_owned();
    let done = ["answer", &first, "completed", "--output", "{\"words\":1}", "--charge", "2.5"];
    market.bot(&done).ok();
    assert_eq!(market.credits(), (json!(97.5), 0.into()));
    let again = market.bot(&done).run().ends_with(5);
    assert!(again.stderr.starts_with("error: the order is completed\nhint: svc "), "{again:?}");
    assert!(again.stderr.ends_with(&format!("order show {first}\n")), "{again:?}");
    let unasked = market.ada(&["order", "input", &first, "1", "\"red\""]).run().ends_with(5);
    assert!(unasked.stderr.contains(": the order is completed\nhint: svc "), "{unasked:?}");
    let bare = market.ada(&["order", "input", &first, "1", "red", "--json"]).fails(2);
    assert!(bare["error"].as_str().unwrap().starts_with("input must be JSON: "), "{bare}");
    assert!(bare["hint"].as_str().unwrap().ends_with("or '\"red\"' for a string"), "{bare}");

    market.ada(&line).ok();
    let second = market.next_order()["messageId"].as_str().unwrap().to_owned();
    market.bot(&["answer", &second, "rejected"]).run().ends_with(2);
    market.bot(&["answer", &second, "rejected", "--reason", "too short"]).ok();
    assert_eq!(market.credits(), (json!(97.5), 0.into()));
    // Nobody answers an order of their own.
    market.ada(&["answer", &second, "completed"]).run().ends_with(4);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_see_the_output_and_what_was_paid() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text=a", "--max-credits", "9", "--wait", "60s"];
    let ended = meanwhile(
        || market.ada(&line).run().ends_with(0),
        || {
            let answer =
                json!({ "status": "completed", "output": { "words": 1 }, "chargedCredits": 2.5 });
            market.answer(&market.next_order(), answer);
        },
    );
    assert_eq!(ended.stdout, "{\n  \"words\": 1\n}\n");
    assert_eq!(ended.stderr, "paid 2.5 credits to @wordbot\n");
    assert_eq!(market.credits(), (json!(97.5), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_provider_rejects_or_fails_at_costs_nothing_and_ends_with_8() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--wait", "60s"];
    let line = [&line[..], &["--json"]].concat();
    let answers = [
        (
            json!({ "status": "rejected", "output": { "reason": "too busy" } }),
            "rejected",
            json!({ "reason": "too busy" }),
        ),
        (
            json!({ "status": "error", "output": { "error": "out of ink" } }),
            "failed",
            json!({ "error": "out of ink" }),
        ),
    ];
    for (answer, code, why) in answers {
        let error = meanwhile(
            || market.ada(&line).fails(8),
            || market.answer(&market.next_order(), answer),
        );
        assert_eq!(error["code"], code);
        assert_eq!(error["untrusted"], why);
        assert!(!error["error"].as_str().unwrap().contains("busy"), "{error}");
        assert_eq!(market.credits(), (100.into(), 0.into()));
    }
    let people = meanwhile(
        || market.ada(&line[..line.len() - 1]).run().ends_with(8),
        || {
            let output = json!({ "reason": "not\nnow" });
            market.answer(&market.next_order(), json!({ "status": "rejected", "output": output }));
        },
    );
    assert!(
        people.stderr.starts_with("error: @wordbot rejected the order: not now\n"),
        "{people:?}"
    );
    let advised = meanwhile(
        || market.ada(&line).fails(8),
        || {
            let fault = json!({ "pointer": "/escrowId", "message": "must name a funded escrow" });
            let output = json!({ "reason": "not like this", "faults": [fault] });
            market.answer(&market.next_order(), json!({ "status": "rejected", "output": output }));
        },
    );
    assert!(advised["hint"].as_str().unwrap().starts_with("--escrow 7d "), "{advised}");
    let unadvised = meanwhile(
        || market.ada(&line).fails(8),
        || {
            let output = json!({ "reason": "I take no escrow, and have no time" });
            market.answer(&market.next_order(), json!({ "status": "rejected", "output": output }));
        },
    );
    assert!(!unadvised["hint"].to_string().contains("--escrow"), "its words decide nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_above_the_consent_sends_nothing() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "4.99", "--json"];
    let error = market.ada(&line).fails(8);
    assert_eq!(error["code"], "spend_limit");
    assert_eq!(error["error"], "it costs 5 credits, more than --max-credits 4.99");
    let missing = market.ada(&["order", "wordbot/count", "--text", "a", "--json"]).fails(2);
    assert!(missing["error"].as_str().unwrap().contains("--max-credits"), "{missing}");
    assert_eq!(market.orders(), Vec::<Value>::new());
    assert_eq!(market.credits(), (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_input_that_does_not_fit_is_refused_before_anything_is_sent() {
    let market = Market::open().await;
    let refused = |line: &[&str]| {
        let line = [&["order", "wordbot/count", "--max-credits", "5", "--json"], line].concat();
        let refused = market.ada(&line).fails(2);
        (refused["error"].as_str().unwrap().to_owned(), refused["untrusted"].clone())
    };
    let faults = json!({ "faults": ["\"text\" is a required property"] });
    assert_eq!(refused(&[]), ("the input does not fit".to_owned(), faults));
    let words = refused(&["--text", "a", "--max-words", "many"]);
    assert_eq!(words, ("maxWords must be an integer".to_owned(), Value::Null));
    let (text, mut others) = refused(&["--txet", "a"]);
    assert_eq!(text, "the input has no member txet, but others");
    let others = others["members"].as_array_mut().unwrap();
    others.sort_by_key(ToString::to_string);
    assert_eq!(*others, ["deep", "maxWords", "text"]);
    let bare = ["order", "wordbot/count", "--max-credits", "5", "--json"];
    let takes = "svc --profile ada capabilities wordbot shows what the service takes";
    assert_eq!(market.ada(&bare).fails(2)["hint"], takes);
    let empty = refused(&["--text"]);
    assert_eq!(empty.0, "--text needs a value", "what an empty variable leaves is no text");
    let dryrun = refused(&["--text", "a", "--dryrun"]);
    assert_eq!(dryrun.0, "the input has no member dryrun, but others");
    let file = market.shell.file("input.json", "{\"text\":7,\"deep\":\"yes\"}");
    let both = refused(&["--input", &file]).1.to_string();
    assert!(both.contains("/text: ") && both.contains("/deep: "), "{both}");
    assert!(!both.contains("yes"), "the value itself is not repeated: {both}");
    assert_eq!(market.orders(), Vec::<Value>::new());
    let nobody = ["order", "nobody/count", "--max-credits", "5", "--json"];
    market.ada(&nobody).fails(3);
    let nothing = market.ada(&["order", "wordbot/paint", "--max-credits", "5", "--json"]).fails(3);
    assert_eq!(nothing["untrusted"], json!({ "offers": ["count", "report"] }));
    assert_eq!(nothing["hint"], "svc --profile ada capabilities wordbot");
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_name_a_bot_as_it_was_typed() {
    let market = Market::open().await;
    market.shell.svc(&["signup", "userbot", "--agent"]).ok();
    let service = json!({ "name": "paint", "description": "Paints.", "priceCredits": 1 });
    let publish = ["services", "publish", "-", "--profile", "userbot"];
    market.shell.svc(&publish).stdin(&service.to_string()).ok();
    let line = ["order", "USERbot/draw", "--max-credits", "5", "--json"];
    let hint = "svc --profile ada capabilities USERbot";
    assert_eq!(market.ada(&line).fails(3)["hint"], hint);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_reads_and_sends_nothing() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--dry-run"];
    let message = "would pay 5 of 100 credits, no escrow (below 50); input fits the schema\n";
    assert_eq!(market.ada(&line).ok(), message);
    let dear = json!({ "name": "dear", "description": "Costs 50.", "priceCredits": 50 });
    market.bot(&["services", "publish", "-"]).stdin(&dear.to_string()).ok();
    let line = ["order", "wordbot/dear", "--max-credits", "50", "--dry-run"];
    let message = "would pay 50 of 100 credits, no escrow (advised from 50 on: --escrow 7d)";
    assert!(market.ada(&line).ok().starts_with(message));
    let line = ["order", "wordbot/report", "--topic", "rust", "--max-credits", "60"];
    let line = [&line[..], &["--escrow", "7d", "--dry-run", "--json"]].concat();
    let shown = market.ada(&line).json();
    let would = "would pay 60 of 100 credits, by an escrow of 7d; input fits the schema";
    assert_eq!(shown["would"], would);
    assert_eq!(shown["request"]["input"]["topic"], "rust");
    assert_eq!(market.orders(), Vec::<Value>::new());
    assert_eq!(market.credits(), (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_of_a_profile_hold_over_commands_until_they_are_lifted() {
    let market = Market::open().await;
    assert_eq!(market.ada(&["profile", "limit"]).ok(), "no limit per order  no limit per day\n");
    let set = ["profile", "limit", "--per-day", "7", "--per-order", "6", "--json"];
    let limits = market.ada(&set).json();
    assert_eq!(limits, json!({ "name": "ada", "spend": { "per_day": 7, "per_order": 6 } }));
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5"];
    let first = [&line[..], &["--id", "one"]].concat();
    let line = [&line[..], &["--new"]].concat();
    market.ada(&first).ok();
    let error = market.ada(&[&line[..], &["--json"]].concat()).fails(8);
    assert_eq!(
        (&error["code"], &error["hint"]),
        (&"spend_limit".into(), &"svc --profile ada profile limit".into())
    );
    assert_eq!(error["error"], "the order costs 5 credits, and per_day leaves 2");
    let dry = market.ada(&[&line[..], &["--dry-run", "--json"]].concat()).fails(8);
    assert_eq!(dry["code"], "spend_limit");
    let raised =
        market.ada(&[&line[..], &["--json"]].concat()).env("SVC_MAX_CREDITS_PER_DAY", "9.5");
    assert_eq!(raised.fails(8)["error"], "the order costs 5 credits, and per_day leaves 4.5");
    let report = ["order", "wordbot/report", "--topic", "ab", "--max-credits", "60", "--json"];
    let error = market.ada(&report).fails(8);
    assert_eq!(error["error"], "the order costs 60 credits, and per_order leaves 6");
    // What the bot rejects may be spent again, once that is known.
    let rejected = json!({ "status": "rejected", "output": { "reason": "busy" } });
    market.answer(&market.orders()[0], rejected);
    market.ada(&[&first[..], &["--wait", "30s"]].concat()).run().ends_with(8);
    market.ada(&line).ok();
    market.ada(&[&line[..], &["--json"]].concat()).fails(8);
    market.ada(&["profile", "limit", "--lift"]).ok();
    market.ada(&line).ok();
}
