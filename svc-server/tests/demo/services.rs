//! Each service answers the order of its form, with what it promises.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use svc_client::types::schema::Schema;
use svc_server::testing::in_time;

use crate::world::{Caller, Demo, text};

/// Services, categories and most fields of a form.
const SERVICES: usize = 12;
const CATEGORIES: usize = 6;
const FIELDS_MAX: usize = 4;

#[tokio::test]
async fn each_service_answers_the_order_of_its_form_with_what_it_promises() {
    let demo = Demo::start().await;
    let ada = demo.person("ada").await;
    let (mut count, mut categories) = (0, BTreeSet::new());
    for agent in demo.agents() {
        for service in ada.services(&agent).await {
            let sample = service["samples"][0].clone();
            suits_people(&ada, &agent, &service).await;
            let escrow = count % 2 == 1 && service["priceCredits"] != 0;
            let output = answered(&ada, &agent, &service, &sample["input"], escrow).await;
            promised(&service, &output);
            if agent != "atlas" {
                assert_eq!(output, sample["output"], "the sample shows what comes");
            }
            count += 1;
            categories.insert(text(&service, "category").to_owned());
        }
    }
    assert_eq!((count, categories.len()), (SERVICES, CATEGORIES), "{categories:?}");
}

/// The form has a labelled field for each member and asks nobody for JSON.
async fn suits_people(ada: &Caller, agent: &str, service: &Value) {
    let members = service["inputSchema"]["properties"].as_object().unwrap();
    assert!((1..=FIELDS_MAX).contains(&members.len()), "{service}");
    let path = format!("/@{agent}/services/{}", text(service, "id"));
    let (status, page) = ada.page(&path).await;
    assert_eq!(status, 200);
    for (name, member) in members {
        assert!(member["title"].is_string(), "{name} of {service}");
        let is_simple = member["enum"].is_array()
            || member["type"].as_str().is_some_and(|kind| ["string", "integer"].contains(&kind));
        assert!(is_simple, "{name} of {service}");
        assert!(page.contains(&format!("name=\"input.{name}\"")), "{name} on {path}");
    }
}

/// Orders a service and waits for its result.
async fn answered(
    ada: &Caller,
    agent: &str,
    service: &Value,
    input: &Value,
    with_escrow: bool,
) -> Value {
    let mut order =
        json!({ "providerUsername": agent, "serviceId": service["id"], "input": input });
    if with_escrow {
        let escrow = json!({
            "providerUsername": agent, "serviceId": service["id"],
            "amount": service["priceCredits"], "description": service["name"],
        });
        order["escrowId"] = ada.post("/v1/escrow", escrow).await["escrow"]["id"].clone();
    } else {
        order["maxCredits"] = service["priceCredits"].clone();
    }
    let placed = ada.post("/orders", order).await["order"].clone();
    let path = format!("/orders/{}?waitSeconds=30", text(&placed, "id"));
    let mut seen = placed;
    let ends = async {
        while ["open", "working"].contains(&text(&seen, "status")) {
            let after = format!("{path}&afterVersion={}", seen["version"]);
            seen = ada.get(&after).await["order"].clone();
        }
    };
    in_time(&format!("{agent} answers"), ends).await;
    let expected = if with_escrow { "delivered" } else { "completed" };
    assert_eq!(seen["status"], expected, "{seen}");
    if !with_escrow {
        return seen["output"].clone();
    }
    let escrow = ada.get(&format!("/v1/escrow/{}", text(&seen, "escrowId"))).await;
    let mut work = escrow["escrow"]["deliverable"].as_object().unwrap().clone();
    work.remove("type");
    Value::Object(work)
}

/// The result fits the output schema, and each part is of the type that the schema names.
fn promised(service: &Value, output: &Value) {
    let schema: &Map<String, Value> = service["outputSchema"].as_object().unwrap();
    let faults = Schema::new(schema).unwrap().faults(output);
    assert!(faults.is_empty(), "{faults:?} in {output}");
    for (name, member) in schema["properties"].as_object().unwrap() {
        let Some(kind) = member["contentMediaType"].as_str() else { continue };
        let part = text(output, name);
        assert!(is_of(kind, part), "{name} of {} is no {kind}: {part}", service["name"]);
    }
}

fn is_of(kind: &str, part: &str) -> bool {
    match kind {
        "image/svg+xml" => part.starts_with("<svg") && part.ends_with("</svg>"),
        "text/csv" => {
            let mut reader = csv::Reader::from_reader(part.as_bytes());
            let rows: Vec<_> = reader.records().collect();
            !rows.is_empty() && rows.iter().all(Result::is_ok)
        }
        "text/markdown" => ["**", "> ", "- "].iter().any(|sign| part.contains(sign)),
        "text/x-json" => part.contains('\n') && serde_json::from_str::<Value>(part).is_ok(),
        "text/x-sql" => part.starts_with("select") && part.contains('\n'),
        "text/plain" => !part.trim().is_empty(),
        _ => false,
    }
}

#[tokio::test]
async fn an_agent_that_asked_goes_on_when_its_buyer_answers() {
    let demo = Demo::start().await;
    let ada = demo.person("ada").await;
    let asked = ada.all("/orders?role=buyer&status=input_required", "orders").await.remove(0);
    let path = format!("/orders/{}", text(&asked, "id"));
    let input = json!({ "promptId": asked["prompt"]["id"], "input": { "kind": "bar" } });
    let mut seen = ada.post(&format!("{path}/input"), input).await["order"].clone();
    let ends = async {
        while seen["closedAt"].is_null() {
            let after = format!("{path}?waitSeconds=30&afterVersion={}", seen["version"]);
            seen = ada.get(&after).await["order"].clone();
        }
    };
    in_time("the agent that asked goes on", ends).await;
    assert_eq!(seen["status"], "completed");
    assert!(text(&seen["output"], "chart").contains("<rect"), "{seen}");
}
