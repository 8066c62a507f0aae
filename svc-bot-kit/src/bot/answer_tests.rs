//! The calls for each verdict.

use serde_json::json;
use svc_client::types::service_message::RESPONSE;

use super::*;

fn order() -> Message {
    let party = |id: &str| json!({ "id": id, "username": id });
    let message = json!({
        "messageId": "msg_1", "conversationId": "conv_1", "content": "", "sender": party("usr_ada"),
        "recipient": party("usr_me"), "createdAt": "2026-01-31T09:30:00.000Z",
    });
    serde_json::from_value(message).unwrap()
}

fn output() -> Map<String, Value> {
    json!({ "words": 3 }).as_object().cloned().unwrap()
}

/// Keys, paths and bodies; for an answer its payload instead of its body.
fn sent(escrow: Option<&str>, verdict: Verdict) -> Vec<(String, String, Value)> {
    let escrow = escrow.map(EscrowId::from);
    let sent = |call: NewCall| {
        let body: Value = serde_json::from_slice(&call.body).unwrap();
        let content =
            body["content"].as_str().map(|content| serde_json::from_str(content).unwrap());
        let payload = content.map(|mut content: Value| {
            assert_eq!(
                (content["schema"].as_str(), &body["recipientUsername"]),
                (Some(RESPONSE), &json!("usr_ada"))
            );
            content["payload"].take()
        });
        (call.key, call.path, payload.unwrap_or(body))
    };
    calls(&order(), escrow.as_ref(), verdict).into_iter().map(sent).collect()
}

fn payload(status: &str, output: &Value) -> Value {
    json!({ "requestId": "msg_1", "status": status, "output": output })
}

fn done() -> Verdict {
    Verdict::Done(Done::Output(output()), 5.into())
}

#[test]
fn a_result_is_completed_and_charged() {
    let mut expected = payload("completed", &json!({ "words": 3 }));
    expected["chargedCredits"] = json!(5);
    assert_eq!(sent(None, done()), [("resp:msg_1".into(), "/messages".into(), expected)]);
}

#[test]
fn under_an_escrow_a_result_is_delivered_and_then_announced() {
    let calls = sent(Some("esc_1"), done());
    let checksum = checksum(&Value::Object(output()));
    let deliverable = json!({ "type": "json", "checksum": checksum, "data": { "words": 3 } });
    let delivery = json!({ "deliverable": deliverable });
    let path = "/v1/escrow/esc_1/deliver".to_owned();
    assert_eq!(calls[0], ("deliver:msg_1:1".to_owned(), path, delivery));
    assert_eq!(calls[1].0, "resp:msg_1");
    assert_eq!(calls[1].2["status"], "delivered");
    assert_eq!(calls[1].2["output"]["escrowId"], "esc_1");
    assert_eq!((calls[1].2.get("chargedCredits"), calls.len()), (None, 2));
}

#[test]
fn a_refusal_and_a_failure_end_the_escrow_too() {
    let decline = "/v1/escrow/esc_1/decline".to_owned();
    let rejected = || Verdict::Rejected(Rejection::new("no"));
    let expected = payload("rejected", &json!({ "reason": "no" }));
    assert_eq!(
        sent(None, rejected()),
        [("resp:msg_1".into(), "/messages".into(), expected.clone())]
    );
    let calls = sent(Some("esc_1"), rejected());
    assert_eq!(calls[0].2, expected);
    assert_eq!((&*calls[1].0, &calls[1].1), ("decline:msg_1", &decline));
    let calls = sent(Some("esc_1"), Verdict::Failed(FAILED));
    assert_eq!(calls[0].2, payload("error", &json!({ "error": FAILED })));
    assert_eq!((calls.len(), &calls[1].1), (2, &decline));
}

#[test]
fn what_is_too_long_for_a_message_becomes_an_error() {
    let long = Map::from_iter([("text".to_owned(), Value::from("x".repeat(40_000)))]);
    let calls = sent(None, Verdict::Done(Done::Output(long), 5.into()));
    assert_eq!(calls[0].2, payload("error", &json!({ "error": UNSENDABLE })));
    assert_eq!((calls.len(), &*calls[0].0), (1, "resp:msg_1:error"));
    assert!(!is_replaceable("msg_1", &calls[0].0), "there is nothing behind the last resort");
    assert!(is_replaceable("msg_1", "resp:msg_1") && is_replaceable("msg_1", "deliver:msg_1:1"));
}

#[test]
fn the_same_result_is_the_same_bytes() {
    assert_eq!(calls(&order(), None, done()), calls(&order(), None, done()));
}
