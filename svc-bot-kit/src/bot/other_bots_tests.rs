//! Two bots on one account.

use svc_client::mock::Mock;
use svc_client::types::api::messages::ListMessages;

use super::*;
use crate::journal::{Kind, NewJob, Position};

const NOW: Timestamp = Timestamp::from_millis(1_769_851_800_000);

/// An answer from `from` to an order, `age` before now.
fn answer(from: &str, order: &str, age: Duration) -> Message {
    let party = |id: &str| serde_json::json!({ "id": id, "username": id });
    let message = serde_json::json!({
        "messageId": format!("msg_to_{order}"), "conversationId": "conv_1", "content": "",
        "schema": RESPONSE, "payload": { "requestId": order, "status": "completed" },
        "sender": party(from), "recipient": party("usr_ada"), "createdAt": NOW.minus(age),
    });
    serde_json::from_value(message).unwrap()
}

#[tokio::test]
async fn recent_answers_to_orders_unknown_to_the_journal_come_from_another_bot() {
    let server = Mock::start().await;
    let hour = Duration::from_secs(60 * 60);
    server.on::<ListMessages>().answers(move |request| {
        assert_eq!(request.schema.as_deref(), Some(RESPONSE));
        let messages = vec![
            answer("usr_me", "msg_theirs", hour),
            answer("usr_ada", "msg_to_us", hour),
            answer("usr_me", "msg_ours", 2 * hour),
            answer("usr_me", "msg_of_old", AGE_MAX + hour),
        ];
        svc_client::types::api::messages::MessagePage { messages, next_cursor: None }
    });
    let journal = Journal::memory().unwrap();
    let ours = NewJob {
        id: "msg_ours".to_owned(),
        kind: Kind::Request,
        conversation: "conv_1".to_owned(),
        event: "{}".to_owned(),
    };
    let upto = Position { seq: 1, occurred_at: None };
    journal.ingest("usr_me", upto, vec![ours], NOW).await.unwrap();
    let me = UserId::from("usr_me");
    let theirs = unknown_answers(&server.client(), &journal, &me, NOW).await.unwrap();
    assert_eq!(theirs, ["msg_theirs"]);
}
