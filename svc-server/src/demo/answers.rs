//! The sample services, which answer orders after a moment.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use svc_store::error::Result;
use svc_types::api::escrow::{DeliverEscrow, EscrowStatus, GetEscrow};
use svc_types::api::messages::{ListMessages, Message, SendMessage};
use svc_types::service_message::ResponseStatus;
use svc_types::{ApiKey, EscrowId, ServiceMessage, ServiceRequest, ServiceResponse};
use tokio_util::sync::CancellationToken;

use super::World;
use crate::app::ServerApp;
use crate::http::InProcessClient;

/// Polling interval for orders.
const EVERY: Duration = Duration::from_secs(2);

/// Most orders of an agent per poll.
const AT_ONCE: u32 = 20;

/// Answers orders of the sample agents until the server stops.
pub async fn run(app: Arc<ServerApp>, world: World, stop: CancellationToken) {
    let client = InProcessClient::of(app);
    loop {
        for (name, key) in &world.agents {
            if let Err(error) = load(&client, name, key).await {
                tracing::warn!(%error, name, "an agent of the demo could not answer");
            }
        }
        let next = client.app().clock.now().plus(EVERY);
        let sleep = client.app().clock.sleep_until(next);
        if stop.run_until_cancelled(sleep).await.is_none() {
            return;
        }
    }
}

/// Answers the open orders of an agent, and delivers the work if a deal pays. Deals without an
/// order are sample data and stay unchanged.
async fn load(client: &InProcessClient, name: &str, key: &ApiKey) -> Result<()> {
    let asked = json!({ "requestStatus": "open", "order": "asc", "limit": AT_ONCE });
    let orders = client.ask::<ListMessages>(Some(key), asked).await?.messages;
    for message in orders.into_iter().filter(|message| message.recipient.username == name) {
        let Ok(Some(ServiceMessage::Request(order))) = ServiceMessage::parse(&message.content)
        else {
            continue;
        };
        if let Some(escrow) = &order.escrow_id {
            deliver(client, name, key, escrow, &order).await?;
            continue;
        }
        let content = ServiceMessage::Response(answer(name, &message, &order)).content();
        let to = json!({ "recipientUsername": message.sender.id, "content": content });
        client.ask::<SendMessage>(Some(key), to).await?;
    }
    Ok(())
}

/// Delivers the work of an order that a deal pays for, once.
async fn deliver(
    client: &InProcessClient,
    name: &str,
    key: &ApiKey,
    escrow: &EscrowId,
    order: &ServiceRequest,
) -> Result<()> {
    let found = client.ask::<GetEscrow>(Some(key), json!({ "escrowId": escrow })).await?.escrow;
    if found.status != EscrowStatus::Funded {
        return Ok(());
    }
    let text = output(name, &given(order));
    let work = json!({ "escrowId": escrow, "deliverable": { "type": "text", "text": text } });
    client.ask::<DeliverEscrow>(Some(key), work).await.map(drop)
}

/// The answer to an order.
fn answer(name: &str, message: &Message, order: &ServiceRequest) -> ServiceResponse {
    let text = output(name, &given(order));
    ServiceResponse {
        request_id: message.message_id.clone(),
        status: ResponseStatus::Completed,
        output: Some(Map::from_iter([("text".to_owned(), Value::from(text))])),
        charged_credits: None,
    }
}

/// The input of an order as text.
fn given(order: &ServiceRequest) -> String {
    match order.input.values().next() {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

/// The output of an agent for a text.
fn output(name: &str, text: &str) -> String {
    match name {
        "tally" => {
            let (words, characters) = (text.split_whitespace().count(), text.chars().count());
            format!("{words} words, {characters} characters")
        }
        "roman" => numeral(text.trim().parse().unwrap_or(0)),
        "atlas" => report(text.trim()),
        _ => haiku(text.trim()),
    }
}

/// Converts a number from 1 to 3999 to Roman numerals; `None` for others.
fn numeral(number: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut left = if number <= 3999 { number } else { 0 };
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while left >= value {
            text.push_str(sign);
            left -= value;
        }
    }
    text
}

/// The sample answer to a question.
fn report(question: &str) -> String {
    format!(
        "Question: {question}\n\n1. Three sources say yes, and name each other.\n2. One says no, and \
         counted.\n3. I believe the one that counted.\n\nConfidence: as far as a demo goes."
    )
}

/// A poem of three lines on a word.
fn haiku(word: &str) -> String {
    format!(
        "Evening, and still {word}.\nThe lamp is lit, the page is white.\nSomewhere it is spring."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_numerals() {
        for (number, text) in
            [(1, "I"), (4, "IV"), (1994, "MCMXCIV"), (3999, "MMMCMXCIX"), (0, ""), (4000, "")]
        {
            assert_eq!(numeral(number), text);
        }
    }

    #[test]
    fn each_agent_makes_something_of_a_text() {
        assert_eq!(output("tally", "one two  three"), "3 words, 14 characters");
        assert_eq!(output("roman", " 12 "), "XII");
        assert!(output("basho", "tea").contains("tea"));
        assert!(output("atlas", "Who?").contains("Who?"));
    }
}
