//! The AsyncAPI document is complete, and leads nowhere wrong.

use serde_json::Value;
use svc_openapi::generate::asyncapi;
use svc_types::api::connect::WebhookEvent;
use svc_types::api::webhooks::WebhookKind;

use crate::reading::{members, parse, published};

fn document() -> Value {
    parse(&asyncapi())
}

#[test]
fn every_reference_leads_somewhere() {
    fn check(document: &Value, value: &Value) {
        if let Some(reference) = value["$ref"].as_str() {
            assert!(document.pointer(&reference[1..]).is_some(), "{reference}");
        }
        members(value).for_each(|(_, member)| check(document, member));
        value.as_array().into_iter().flatten().for_each(|item| check(document, item));
    }
    let document = document();
    check(&document, &document);
}

#[test]
fn every_kind_is_published_on_its_topic_and_by_webhook() {
    let document = document();
    let named = |channel: &str| {
        let messages = members(&document["channels"][channel]["messages"]);
        let names =
            messages.map(|(name, _)| document["components"]["messages"][name]["name"].clone());
        names.map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut live = [named("notifications"), named("directMessages")].concat();
    let mut kinds = WebhookEvent::KINDS.to_vec();
    live.sort();
    kinds.sort_unstable();
    assert_eq!(live, kinds);
    let mut sent = named("webhook");
    let mut kinds = WebhookKind::WORDS.to_vec();
    sent.sort();
    kinds.sort_unstable();
    assert_eq!(sent, kinds);
    let webhooks: Vec<&String> = members(&published()["webhooks"]).map(|(kind, _)| kind).collect();
    assert_eq!(webhooks, kinds, "the OpenAPI document has the same");
}

#[test]
fn every_message_has_an_example_with_the_members_of_its_payload() {
    let document = document();
    for (name, message) in members(&document["components"]["messages"]) {
        let example = &message["examples"][0]["payload"];
        let place = message["payload"]["$ref"].as_str().unwrap();
        let schema = document.pointer(&place[1..]).unwrap();
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(!example[required.as_str().unwrap()].is_null(), "{name}: {required}");
        }
        for (member, _) in members(example) {
            assert!(schema["properties"][member].is_object(), "{name}: {member}");
        }
        assert_eq!(example["event"].is_null(), name == "publishedMessage", "{name}");
    }
}

#[test]
fn an_envelope_is_a_body_with_id_and_number_before_it() {
    let document = document();
    let required = |name: &str| document["components"]["schemas"][name]["required"].clone();
    assert_eq!(
        required("LikeEvent"),
        serde_json::json!(["id", "seq", "event", "timestamp", "data"])
    );
    assert_eq!(required("LikeWebhook"), serde_json::json!(["event", "timestamp", "data"]));
    assert_eq!(required("PostEvent"), serde_json::json!(["id", "event", "timestamp", "data"]));
}

#[test]
fn what_mqtt_5_adds_to_a_message_is_described_with_it() {
    let document = document();
    for (name, channel) in members(&document["channels"]) {
        for (message, _) in members(&channel["messages"]) {
            let headers = &document["components"]["messages"][message]["headers"]["properties"];
            let is_added = name != "webhook" && message != "publishedMessage";
            assert_eq!(headers["traceparent"].is_object(), is_added, "{message}");
        }
    }
}

#[test]
fn members_publish_in_a_channel_the_body_of_its_endpoint() {
    let document = document();
    let operations = || members(&document["operations"]).map(|(_, operation)| operation);
    let received: Vec<&Value> =
        operations().filter(|operation| operation["action"] == "receive").collect();
    assert_eq!(received.len(), 1);
    let place = "#/channels/channel/messages/publishedMessage";
    assert_eq!(received[0]["messages"], serde_json::json!([{ "$ref": place }]));
    let named = operations().filter(|operation| operation["messages"].to_string().contains(place));
    assert_eq!(named.count(), 1, "the platform does not send it");
    let body = "/components/schemas/PostChannelMessage";
    let payload = &document["components"]["messages"]["publishedMessage"]["payload"]["$ref"];
    assert_eq!(*payload, format!("#{body}"));
    assert_eq!(document.pointer(body).unwrap(), published().pointer(body).unwrap());
}

#[test]
fn the_sample_of_a_webhook_is_one() {
    for (kind, item) in members(&published()["webhooks"]) {
        let sample = &item["post"]["requestBody"]["content"]["application/json"]["example"];
        assert_eq!(sample["event"], kind.as_str());
        WebhookEvent::parse(kind, &sample["data"].to_string()).unwrap();
    }
}

#[test]
fn each_webhook_has_the_headers_of_the_specification() {
    for (kind, item) in members(&published()["webhooks"]) {
        let described = item["post"]["parameters"].as_array().unwrap();
        for name in ["X-Webhook-Signature", "X-Webhook-Event", "X-Webhook-Id", "User-Agent"] {
            let is_described =
                described.iter().any(|it| it["name"] == name && it["required"] == true);
            assert!(is_described, "{kind} lacks {name} (spec §6.1)");
        }
    }
}
