//! `svc services`, `discover`, `capabilities` and `credits`.

use serde_json::json;

use crate::market::{Market, meanwhile};
use crate::shell::Shell;

#[tokio::test(flavor = "multi_thread")]
async fn services_are_published_changed_and_retired() {
    let market = Market::open().await;
    let list = market.bot(&["services", "list"]).ok();
    let rows: Vec<&str> = list.lines().collect();
    assert!(rows[0].ends_with("  count  5 credits  Counts words."), "{list}");
    assert!(rows[1].ends_with("  report  60 credits  Writes a report."), "{list}");
    let id = rows[0].split("  ").next().unwrap();
    let line = ["services", "update", id, "--price", "0.5", "--tags", "text, words", "--active"];
    let row = market.bot(&[&line[..], &["false"]].concat()).ok();
    assert_eq!(row, format!("{id}  count  0.5 credits  not active  Counts words.\n"));
    let file = market.shell.file("more.json", "{\"active\":true,\"inputSchema\":{}}");
    let changed = market.bot(&["services", "update", id, "--input", &file, "--json"]).json();
    let service = &changed["service"];
    assert_eq!((&service["active"], &service["tags"]), (&true.into(), &json!(["text", "words"])));
    assert_eq!(service["inputSchema"], json!(null), "an empty schema removes it");
    market.bot(&["services", "retire", id, "--yes"]).ok();
    assert_eq!(market.bot(&["services", "list"]).ok().lines().count(), 1);
    let nothing = market.bot(&["services", "update", id, "--json"]).fails(2);
    assert_eq!(nothing["error"], "there is nothing to change");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_a_misspelt_or_wrong_member_is_refused() {
    let shell = Shell::with_agent().await;
    let refused = |text: &str| {
        let line = ["services", "publish", "-", "--json"];
        shell.svc(&line).stdin(text).fails(2)["error"].as_str().unwrap().to_owned()
    };
    let base = "\"name\":\"count\",\"description\":\"counts\",\"priceCredits\":";
    let misspelt = refused(&format!("{{{base}5,\"inputShema\":{{}}}}"));
    assert_eq!(misspelt, "a service has no member inputShema");
    assert!(
        refused(&format!("{{{base}-1}}"))
            .starts_with("priceCredits is required and must be a number")
    );
    assert!(refused("[]").starts_with("stdin must hold a JSON object: "));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_file_of_a_service_is_checked_as_it_is_published() {
    let shell = Shell::with_agent().await;
    let service = r#"{"name":"count","description":"Counts.","priceCredits":5}"#;
    let file = shell.file("service.json", service);
    assert_eq!(shell.svc(&["services", "check", &file]).ok(), "count can be offered\n");
    assert_eq!(shell.svc(&["services", "list"]).ok(), "no services\n");
    shell.svc(&["services", "publish", &file]).ok();
    let taken = shell.svc(&["services", "check", &file, "--json"]).fails(5);
    assert_eq!(taken["error"], "there is a service of this name already");
    let help = shell.svc(&["help", "services", "check"]).ok();
    assert!(help.contains("Needed: description, name, priceCredits. "), "{help}");
    // An owner checks a service of an agent, whom the file names.
    let other = service.replacen('{', r#"{"username":"wordbot","#, 1).replace("count", "other");
    let other = shell.file("other.json", &other);
    assert_eq!(shell.svc(&["services", "check", &other]).ok(), "other can be offered\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn services_are_found_by_term_price_and_order() {
    let market = Market::open().await;
    let found = market.ada(&["discover", "word"]).ok();
    assert_eq!(found, "wordbot/count  5 credits  not rated  Counts words.\n");
    let cheap = market.ada(&["discover", "--max-price", "5.5", "--sort", "price"]).ok();
    assert_eq!(cheap, found);
    let rated = market.ada(&["discover", "--min-rating", "4.5", "--json"]).json();
    assert_eq!(rated["bots"], json!([]));
    let wrong = market.ada(&["discover", "--min-rating", "4.2", "--json"]).fails(2);
    assert!(wrong["error"].as_str().unwrap().contains("in half steps"), "{wrong}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_types_of_services_are_printed_for_programs() {
    let market = Market::open().await;
    let print = |language: &str| market.ada(&["codegen", "@wordbot", "--lang", language]).ok();
    let typescript = print("ts");
    let interface = "export interface CountInput {\n  \"deep\"?: boolean;\n  \"maxWords\"?: number;\n  \
                     /** What is counted. */\n  \"text\": string;\n}\n";
    assert!(typescript.contains(interface), "{typescript}");
    assert!(typescript.contains("export const REPORT = \"wordbot/report\";\n"), "{typescript}");
    assert!(print("rust").contains("    pub max_words: Option<i64>,\n"));
    assert!(print("python").contains("        \"maxWords\": NotRequired[int],\n"));
    let json = market.ada(&["codegen", "wordbot", "--lang", "ts", "--json"]).json();
    assert_eq!(json["source"], typescript);
    let nobody = market.ada(&["codegen", "nobody", "--lang", "rust", "--json"]).fails(3);
    assert_eq!(nobody["code"], "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn services_have_a_category_languages_and_samples() {
    let market = Market::open().await;
    let id = market.bot(&["services", "list"]).ok().split("  ").next().unwrap().to_owned();
    let sample = "{\"input\":{\"text\":\"a bb\"},\"output\":{\"words\":2}}";
    let line = ["services", "update", &id, "--category", "writing", "--languages", "en, de"];
    let changed = market.bot(&[&line[..], &["--samples", sample, "--json"]].concat()).json();
    let service = &changed["service"];
    assert_eq!(
        (&service["category"], &service["languages"]),
        (&json!("writing"), &json!(["en", "de"]))
    );
    assert_eq!(service["samples"][0]["output"], json!({ "words": 2 }));
    let found = market.ada(&["discover", "--category", "writing", "--language", "de"]).ok();
    assert_eq!(found, "wordbot/count  5 credits  not rated  Counts words.\n");
    let none = market.ada(&["discover", "--sort", "speed", "--max-answer-seconds", "9"]).ok();
    assert_eq!(none, "no services found\n");
    market.ada(&["discover", "--category", "cooking"]).run().ends_with(2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_reviewed_and_a_reputation_shown() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a b", "--max-credits", "5", "--wait", "60s"];
    let mut order = String::new();
    meanwhile(
        || market.ada(&line).ok(),
        || {
            let next = market.next_order();
            order = next["messageId"].as_str().unwrap().to_owned();
            market.answer(&next, json!({ "status": "completed", "output": { "words": 2 } }));
        },
    );
    let row = market.ada(&["orders", "review", &order, "4.5", "--text", "quick work"]).ok();
    assert!(row.starts_with("rvw_") && row.ends_with("  rated 4.5  quick work\n"), "{row}");
    assert_eq!(market.ada(&["reviews", "wordbot"]).ok(), row);
    let id = market.bot(&["services", "list"]).ok().split("  ").next().unwrap().to_owned();
    assert_eq!(market.ada(&["services", "reviews", &id]).ok(), row);
    let shown = market.ada(&["reputation", "@wordbot"]).ok();
    assert!(shown.starts_with("1 order  rated 4.5 by 1 buyer\ney"), "{shown}");
    let again = market.ada(&["orders", "review", &order, "1", "--json"]).fails(5);
    assert_eq!(again["code"], "already_exists");
    let taken = market.ada(&["orders", "delete-review", &order, "--yes"]).ok();
    assert_eq!(taken, format!("took back the review of {order}\n"));
    assert_eq!(market.ada(&["reviews", "wordbot"]).ok(), "no reviews\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_a_sample_from_the_consent_of_its_buyer_until_it_is_taken_back() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a b", "--max-credits", "5"];
    market.ada(&line).ok();
    let order = market.next_order()["messageId"].as_str().unwrap().to_owned();
    market.bot(&["answer", &order, "completed", "--output", "{\"words\":2}"]).ok();
    let id = market.bot(&["services", "list"]).ok().split("  ").next().unwrap().to_owned();
    let candidates = || market.bot(&["services", "sample-orders", "wordbot", &id]).ok();
    let row = |state: &str| format!("{order}  2026-01-31 09:30  @ada  {state}\n");
    let samples = || {
        let found = market.ada(&["capabilities", "wordbot", "--json"]).json();
        found["capabilities"][0]["samples"].clone()
    };
    assert_eq!(candidates(), row("not proposed"));
    market.ada(&["orders", "sample", &order]).run().ends_with(4);
    let proposed = market.bot(&["orders", "sample", &order]).ok();
    assert_eq!(proposed, format!("{order}  proposed\n"));
    assert_eq!(samples(), json!([]));
    let asked = market.ada(&["orders", "list", "--sample", "proposed"]).ok();
    assert!(asked.starts_with(&order) && asked.lines().count() == 1, "{asked}");
    let agreed = market.ada(&["orders", "answer-sample", &order, "true"]).ok();
    assert_eq!(agreed, format!("{order}  agreed\n"));
    assert_eq!(samples(), json!([{ "input": { "text": "a b" }, "output": { "words": 2 } }]));
    assert_eq!(candidates(), row("agreed"));
    let ended = market.ada(&["orders", "withdraw-sample", &order, "--yes"]).ok();
    assert_eq!(ended, format!("{order}  not a sample\n"));
    assert_eq!(samples(), json!([]));
    let again = market.bot(&["orders", "sample", &order, "--json"]).fails(5);
    assert_eq!(again["code"], "wrong_state");
}

#[tokio::test(flavor = "multi_thread")]
async fn capabilities_show_the_flags_of_an_order() {
    let market = Market::open().await;
    let shown = market.ada(&["capabilities", "@wordbot"]).ok();
    let head = "wordbot/count  5 credits  not rated  srv_";
    assert!(shown.starts_with(head), "{shown}");
    for line in [
        "\n  Counts words.\n",
        "\n    --text  string  required  What is counted.\n",
        "\n    --maxWords  integer\n",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_balance_is_what_can_be_spent_and_what_is_held() {
    let market = Market::open().await;
    assert_eq!(market.ada(&["credits"]).ok(), "100 credits to spend  0 held\n");
    assert_eq!(market.ada(&["credits", "balance"]).ok(), "100 credits to spend  0 held\n");
    let history = market.ada(&["credits", "history", "--kind", "grant"]).ok();
    assert!(history.starts_with("2026-01-31 09:30  grant  +100  leaves 100"), "{history}");
    let line = ["credits", "grant", "ada", "5", "--reason", "x", "--yes", "--json"];
    assert_eq!(market.ada(&line).fails(4)["status"], 403);
}
