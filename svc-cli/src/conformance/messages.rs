//! Direct messages, repetitions and events (spec §2.8, §4, §6).

use svc_client::types::Code;

use super::rule::{Rule, Trial, equal, expect, refused, rules};
use super::stage::Stage;

pub(super) fn rules() -> Vec<Rule> {
    rules![
        "a message reaches only its recipient" => private,
        "you cannot message yourself" => yourself,
        "the same Idempotency-Key sends once" => once,
        "an Idempotency-Key is good for only one request" => one_request,
        "a message has an event, and numbers have no gaps" => events,
    ]
}

async fn private(stage: &Stage) -> Trial {
    let text = format!("for your eyes, run {}", stage.mark);
    let name = stage.bob.user.username.as_str();
    let sent = stage.ada.client.messages().send(name, text.as_str()).await?.message;
    let read = stage.bob.client.messages().get(&sent.message_id).await?.message;
    equal("the text", &read.content, &sent.content)?;
    refused(stage.eve.client.messages().get(&sent.message_id).await, 404, &Code::NotFound)
}

async fn yourself(stage: &Stage) -> Trial {
    let name = stage.ada.user.username.as_str();
    refused(stage.ada.client.messages().send(name, "hello me").await, 400, &Code::SelfAction)
}

async fn once(stage: &Stage) -> Trial {
    let (name, key) = (stage.bob.user.username.as_str(), stage.key("once"));
    let send = || stage.ada.client.messages().send(name, "once").idempotency_key(&key);
    let first = send().await?.message.message_id;
    let again = send().raw().await?;
    equal("the second answer's id", &again.value.message.message_id, &first)?;
    expect(again.replayed, || "the second answer is not marked as replayed".to_owned())
}

async fn one_request(stage: &Stage) -> Trial {
    let (name, key) = (stage.bob.user.username.as_str(), stage.key("one-request"));
    let send = |text: &str| stage.ada.client.messages().send(name, text).idempotency_key(&key);
    send("this").await?;
    refused(send("that").await, 409, &Code::IdempotencyConflict)
}

async fn events(stage: &Stage) -> Trial {
    let name = stage.bob.user.username.as_str();
    let sent = stage.ada.client.messages().send(name, "told as an event").await?.message;
    let page = stage.bob.client.events().after(0).await?;
    for (number, event) in (page.oldest_seq..).zip(&page.events) {
        equal("the number of an event", &event.seq, &number)?;
    }
    let id = serde_json::Value::from(sent.message_id.as_str());
    let has_event = page.events.iter().any(|event| event.data.get("messageId") == Some(&id));
    expect(has_event, || "the message has no event".to_owned())
}
