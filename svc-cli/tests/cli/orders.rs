//! `svc order`: paid once, never more than was agreed to, and waited for.

use std::time::Duration;

use serde_json::{Value, json};
use svc_bot_kit::testing::{Fault, FaultProxy};

use crate::market::{Market, meanwhile};
use crate::shell::PASSWORD;

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
            let output = json!({ "reason": "the service requires an escrow" });
            market.answer(&market.next_order(), json!({ "status": "rejected", "output": output }));
        },
    );
    assert!(advised["hint"].as_str().unwrap().starts_with("--escrow 7d "), "{advised}");
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
async fn a_dry_run_reads_and_sends_nothing() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--dry-run"];
    let said = "would pay 5 of 100 credits, no escrow (below 50); input fits the schema\n";
    assert_eq!(market.ada(&line).ok(), said);
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
async fn the_same_id_goes_on_instead_of_paying_again() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--id", "weekly"];
    let placed = market.ada(&line).run().ends_with(0);
    assert!(placed.stdout.ends_with("  service.request count  5 credits  open\n"), "{placed:?}");
    let again = "svc --profile ada order wordbot/count --max-credits 5 --id weekly --wait 1m";
    assert_eq!(placed.stderr, format!("next: {again}\n"));

    let waiting = [&line[..], &["--wait", "1s", "--json"]].concat();
    let over = market.ada(&waiting).fails(9);
    assert_eq!(over["code"], "waiting");
    assert_eq!(over["hint"], again.replace("1m", "1s"));
    let orders = market.orders();
    assert_eq!((orders.len(), market.credits()), (1, (95.into(), 5.into())));

    market.answer(&orders[0], json!({ "status": "completed", "output": { "words": 1 } }));
    // Two days later the server has forgotten every key, but not the message.
    market.shell.server.clock().advance(Duration::from_hours(48));
    let words: Vec<&str> = again.split(' ').skip(1).collect();
    assert_eq!(
        market.shell.svc(&words).ok(),
        "{\n  \"words\": 1\n}\n",
        "the hint is a whole command"
    );
    assert_eq!(market.credits(), (95.into(), 0.into()));
    let differs = [&["order", "wordbot/count", "--text", "b"], &line[4..], &["--json"]].concat();
    let on = "svc --profile ada order wordbot/count --max-credits 5 --id weekly";
    assert_eq!(
        market.ada(&differs).fails(5)["hint"],
        format!("{on} goes on with it, without input")
    );
    let other = ["order", "wordbot/report", "--max-credits", "60", "--id", "weekly", "--json"];
    assert_eq!(market.ada(&other).fails(5)["code"], "order_exists");
}

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
async fn a_lost_answer_names_the_command_that_goes_on_and_nothing_is_paid_twice() {
    let market = Market::open().await;
    for lost in ["POST /api/v1/escrow", "POST /api/messages"] {
        let proxy = FaultProxy::start(market.shell.server.url()).await.unwrap();
        proxy.always(lost, Fault::LoseAnswer);
        let line = ["order", "wordbot/report", "--topic", "it's rust", "--max-credits", "60"];
        let line = [&line[..], &["--escrow", "7d", "--id", "one", "--json"]].concat();
        let key = market.shell.key("ada");
        let order = market.shell.svc(&line).env("SVC_URL", proxy.url()).env("SVC_API_KEY", &key);
        let error = order.fails(7);
        assert_eq!(error["idempotencyKey"], Value::Null, "the name of the order is enough");
        let again = "svc order wordbot/report --max-credits 60 --id one --wait 1m --field \
                     'topic=it'\\''s rust' --escrow 7d";
        assert_eq!(error["hint"], again, "{lost}");
    }
    let line = ["order", "wordbot/report", "--max-credits", "60", "--id", "one", "--wait", "1s"];
    market.ada(&[&line[..], &["--json"]].concat()).fails(9);
    assert_eq!((market.orders().len(), market.credits()), (1, (40.into(), 60.into())));
    let escrows = market.ada(&["escrow", "list", "--json"]).json();
    assert_eq!(escrows["escrows"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_by_a_session_is_sent_again_when_its_answer_is_lost() {
    let market = Market::open().await;
    let proxy = FaultProxy::start(market.shell.server.url()).await.unwrap();
    let login = ["login", "ada@example.org", "--password-stdin", "--profile", "session"];
    let login = market.shell.svc(&[&login[..], &["--url", proxy.url()]].concat());
    login.stdin(PASSWORD).ok();
    proxy.next("POST /api/messages", Fault::LoseAnswer);
    let line = ["order", "wordbot/count", "--text=a", "--max-credits", "5"];
    market.shell.svc(&[&line[..], &["--profile", "session"]].concat()).ok();
    assert_eq!(proxy.seen("POST /api/messages"), 2);
    assert_eq!((market.orders().len(), market.credits()), (1, (95.into(), 5.into())));
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

#[tokio::test(flavor = "multi_thread")]
async fn an_order_with_a_name_goes_on_as_it_was_begun_also_in_a_new_process() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "9", "--id", "n1"];
    // The request gets no further than the escrow would.
    let nowhere = FaultProxy::start(market.shell.server.url()).await.unwrap();
    nowhere.always("POST /api/messages", Fault::LoseRequest);
    let key = market.shell.key("ada");
    let order = market.shell.svc(&[&line[..], &["--json"]].concat());
    order.env("SVC_URL", nowhere.url()).env("SVC_API_KEY", &key).fails(7);
    assert_eq!(market.orders(), Vec::<Value>::new());
    let services = market.bot(&["services", "list"]).ok();
    let id = services.split_whitespace().next().unwrap();
    market.bot(&["services", "update", id, "--price", "8"]).ok();
    let dry = market.ada(&[&line[..], &["--dry-run"]].concat()).ok();
    assert!(dry.starts_with("would pay 5 of 100 credits"), "{dry}");
    market.ada(&line).ok();
    assert_eq!(market.credits(), (95.into(), 5.into()), "a higher price is no higher bill");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_without_a_name_or_a_limit_is_written_down_too() {
    let market = Market::open().await;
    // Those who sign in with a password order by their session.
    market.ada(&["login", "ada", "--password-stdin"]).stdin(PASSWORD).ok();
    market.ada(&["order", "wordbot/count", "--text", "a", "--max-credits", "5"]).ok();
    let files = std::fs::read_dir(market.shell.folder.path()).unwrap();
    let mut names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(names.any(|name| name.starts_with("spend-")));
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
    for line in ["answered: {\"language\":\"en\"}", "output: {\"words\":1}", "charged: 2 credits"] {
        assert!(shown.contains(line), "{shown}");
    }
    let listed = market.bot(&["orders", "list", "--role", "provider", "--with", "ada"]).run();
    assert!(listed.ends_with(0).stdout.ends_with("5 credits  completed\n"));
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
