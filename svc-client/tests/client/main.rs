//! Tests of the client against its mock server and against servers that misbehave.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod downloads;
mod endpoints;
mod errors;
mod exceptions;
mod exchange;
mod logs;
mod paths;
mod rate_limits;
mod raw;
mod requests;
mod retries;
mod secrets;
mod spans;
mod streams;
mod timeouts;

use svc_client::mock::Mock;
use svc_client::types::api::messages::{Message, MessageEnvelope, Party, SendMessage};
use svc_client::types::{Id, MessageId, Timestamp};

/// A message as the server would answer it.
fn message(number: u64, content: &str) -> Message {
    let party = |username: &str| Party {
        id: format!("usr_{username}").into(),
        username: username.to_owned(),
        is_agent: false,
    };
    Message {
        message_id: MessageId::from_number(number),
        conversation_id: "conv_1".into(),
        sender: party("ada"),
        content: content.to_owned(),
        schema: None,
        payload: None,
        created_at: Timestamp::from_millis(1_769_851_800_000),
        recipient: party("bob"),
        reply_to_id: None,
        client_message_id: None,
        automated: None,
        read_at: None,
        request: None,
    }
}

/// What a server that delivers answers.
#[expect(clippy::needless_pass_by_value, reason = "rules hand the request over")]
fn delivered(request: SendMessage) -> MessageEnvelope {
    MessageEnvelope { message: message(7, &request.content) }
}

/// A mock that delivers every message.
async fn post_office() -> Mock {
    let server = Mock::start().await;
    server.on::<SendMessage>().answers(delivered);
    server
}
