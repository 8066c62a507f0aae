//! Orders that do not go straight from the request to the output.

use serde_json::{Value, json};
use svc_server::clock::Clock;

use super::{Agent, limited};
use crate::market::Market;

/// An order that does not wait for its answer.
fn wanted(id: &str) -> Value {
    json!({
        "service": "wordbot/count", "input": { "text": "a b" }, "maxCredits": 5, "id": id,
        "waitSeconds": 0,
    })
}

/// Places it; what the platform calls it.
fn placed(agent: &mut Agent, wanted: &Value) -> String {
    let open = agent.done("order", wanted.clone());
    assert_eq!(open["status"], "open");
    open["orderId"].as_str().unwrap().to_owned()
}

/// The same order, waited for.
fn waiting(mut wanted: Value) -> Value {
    wanted["waitSeconds"] = 30.into();
    wanted
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_shown_the_question_of_the_provider_and_answers_it() {
    let market = Market::open().await;
    let (mut agent, _) = limited(&market);
    let order = wanted("one");
    let id = placed(&mut agent, &order);
    let asks =
        ["order", "progress", &id, "input_required", "--prompt", "Which language?", "--in", "2h"];
    market.bot(&asks).ok();
    let asked = agent.done("order", waiting(order.clone()));
    assert_eq!((&asked["status"], &asked["orderId"]), (&json!("input_required"), &json!(id)));
    let prompt = &asked["untrusted"]["prompt"];
    assert_eq!(prompt["text"], "Which language?");
    let hint = asked["hint"].as_str().unwrap();
    assert!(hint.contains("order_input") && !hint.contains("language"), "{hint}");
    let input = json!({ "language": "en" });
    let answer = json!({ "orderId": id, "promptId": prompt["id"], "input": input });
    agent.seen("order_input", answer);
    let output =
        ["order", "answer", &id, "completed", "--output", "{\"words\":2}", "--charge", "2"];
    market.bot(&output).ok();
    let done = agent.done("order", waiting(order));
    assert_eq!((&done["status"], &done["chargedCredits"]), (&json!("completed"), &json!(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_was_cancelled_is_not_waited_for() {
    let market = Market::open().await;
    // A buyer may cancel what the provider has yet to accept.
    for service in
        market.bot(&["services", "list", "--json"]).json()["services"].as_array().unwrap()
    {
        let id = service["id"].as_str().unwrap();
        market.bot(&["services", "update", id, "--acceptance", "explicit"]).ok();
    }
    let (mut agent, _) = limited(&market);
    let order = wanted("one");
    let id = placed(&mut agent, &order);
    agent.seen("order_cancel", json!({ "orderId": id }));
    for _ in 0..2 {
        let ended = agent.refused("order", waiting(order.clone()));
        assert_eq!(
            (&ended["code"], &ended["error"]),
            (&json!("cancelled"), &json!("the order was cancelled"))
        );
        assert!(ended["hint"].as_str().unwrap().starts_with("it cost nothing"), "{ended:#}");
    }
    assert_eq!(market.credits(), (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_spent_elsewhere_meanwhile_counts_against_the_limit() {
    let market = Market::open().await;
    // Limits look back by the time of this machine.
    let clock = market.shell.server.clock();
    clock.advance(Clock::system().now().since(clock.now()));
    market.ada(&["profile", "limit", "--per-day", "7"]).ok();
    let (mut agent, _) = Agent::start(market.ada(&["mcp"]));
    // Another folder, as on another machine.
    let elsewhere = tempfile::tempdir().unwrap();
    let line = ["order", "wordbot/count", "--text=a", "--max-credits", "5", "--json"];
    let typed = market.shell.svc(&line).env("SVC_API_KEY", &market.shell.key("ada"));
    typed.env("SVC_CONFIG_DIR", elsewhere.path().to_str().unwrap()).json();
    assert_eq!(agent.refused("order", wanted("one"))["code"], "spend_limit");
    assert_eq!(market.credits(), (95.into(), 5.into()));
}
