//! Turns events into jobs.

use std::collections::HashSet;

use svc_client::types::api::connect::Event;
use svc_client::types::api::messages::Message;
use svc_client::types::{MessageId, ServiceMessage, UserId};

use crate::journal::{Kind, NewJob};
use crate::service::{Published, Sequence};

/// Decides which events are jobs.
pub(super) struct Classifier<'a> {
    pub(super) me: &'a UserId,
    pub(super) services: &'a Published,
    pub(super) wants_messages: bool,
    pub(super) wants_events: bool,
    pub(super) backlog: &'a Backlog,
}

/// What happened before the bot started, so that closed orders are skipped.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    /// The sequence number of the last event before the start.
    pub(super) until: u64,
    /// Orders from before the start that are still open.
    pub(super) open: HashSet<MessageId>,
}

impl Classifier<'_> {
    /// The job for an event, if there is one.
    pub(super) fn job(&self, event: &Event) -> Option<NewJob> {
        if event.event != "direct_message" {
            return self.wants_events.then(|| other(event)).flatten();
        }
        let message: Message = serde_json::from_str(event.data.text()).ok()?;
        let job = self.message(&message, event.data.text())?;
        let is_old = event.seq <= self.backlog.until;
        if job.kind == Kind::Request && is_old && !self.backlog.open.contains(&message.message_id) {
            // The order was answered or has expired.
            return None;
        }
        Some(job)
    }

    /// The job for a message, if there is one.
    pub(super) fn message(&self, message: &Message, text: &str) -> Option<NewJob> {
        if message.recipient.id != *self.me || message.sender.id == *self.me {
            return None;
        }
        // No message is sent without a text: moderators removed it before it arrived.
        if message.content.is_empty() {
            return None;
        }
        let kind = match ServiceMessage::is_request(&message.content) {
            true => Kind::Request,
            false if self.wants_messages => Kind::Message,
            false => return None,
        };
        let conversation = if self.is_unordered(message) {
            message.message_id.as_str()
        } else {
            message.conversation_id.as_str()
        };
        Some(NewJob {
            id: message.message_id.to_string(),
            kind,
            conversation: conversation.to_owned(),
            event: text.to_owned(),
        })
    }

    /// Whether the message need not wait for others of its conversation.
    fn is_unordered(&self, message: &Message) -> bool {
        let Ok(Some(ServiceMessage::Request(asked))) = ServiceMessage::parse(&message.content)
        else {
            return false;
        };
        let offer = self.services.get(&asked.service_id);
        offer.is_some_and(|offer| offer.service.order == Sequence::Free)
    }
}

/// The job for an event that is not a message. It has its own conversation, so it waits for no other.
fn other(event: &Event) -> Option<NewJob> {
    let (id, text) = (event.id.to_string(), serde_json::to_string(event).ok()?);
    Some(NewJob { conversation: id.clone(), id, kind: Kind::Event, event: text })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn event(seq: u64, from: &str, content: &str) -> Event {
        let party = |id: &str| json!({ "id": id, "username": id });
        let message = json!({
            "messageId": "msg_1", "conversationId": "conv_1", "content": content,
            "sender": party(from), "recipient": party("usr_me"),
            "createdAt": "2026-01-31T09:30:00.000Z",
        });
        of("direct_message", seq, &message)
    }

    fn of(kind: &str, seq: u64, data: &Value) -> Event {
        let event = json!({
            "id": "evt_1", "seq": seq, "event": kind, "timestamp": "2026-01-31T09:30:00.000Z",
            "data": data,
        });
        serde_json::from_str(&event.to_string()).unwrap()
    }

    fn sort(event: &Event, wants_all: bool, open: &[&str]) -> Option<Kind> {
        let me = UserId::from("usr_me");
        let services = Published::new();
        let open = open.iter().map(|id| MessageId::from(*id)).collect();
        let backlog = Backlog { until: 5, open };
        let (wants_messages, wants_events) = (wants_all, wants_all);
        let (me, services, backlog) = (&me, &services, &backlog);
        let classifier = Classifier { me, services, wants_messages, wants_events, backlog };
        classifier.job(event).map(|job| job.kind)
    }

    const ORDER: &str = r#"{"schema":"service.request","payload":{}}"#;

    #[test]
    fn a_message_with_the_order_schema_is_an_order() {
        assert_eq!(sort(&event(6, "usr_ada", ORDER), false, &[]), Some(Kind::Request));
        assert_eq!(sort(&event(6, "usr_ada", "hello"), true, &[]), Some(Kind::Message));
    }

    #[test]
    fn events_without_a_handler_are_skipped() {
        assert_eq!(sort(&event(6, "usr_ada", "hello"), false, &[]), None);
        assert_eq!(sort(&event(6, "usr_me", ORDER), true, &[]), None);
        assert_eq!(sort(&of("like", 6, &json!({})), false, &[]), None);
        assert_eq!(sort(&of("like", 6, &json!({})), true, &[]), Some(Kind::Event));
        assert_eq!(sort(&of("direct_message", 6, &json!({})), true, &[]), None, "no message");
    }

    #[test]
    fn a_message_that_moderators_removed_is_no_job() {
        assert_eq!(sort(&event(6, "usr_ada", ""), true, &[]), None);
    }

    #[test]
    fn a_closed_order_from_before_the_start_is_skipped() {
        let old = event(5, "usr_ada", ORDER);
        assert_eq!(sort(&old, false, &[]), None);
        assert_eq!(sort(&old, false, &["msg_1"]), Some(Kind::Request));
        assert_eq!(sort(&event(5, "usr_ada", "hello"), true, &[]), Some(Kind::Message));
    }
}
