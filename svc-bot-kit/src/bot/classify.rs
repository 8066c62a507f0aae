//! Step 3: what an event asks to be done.

use std::collections::HashSet;

use svc_client::types::api::connect::Event;
use svc_client::types::api::messages::Message;
use svc_client::types::{MessageId, ServiceMessage, UserId};

use crate::journal::{Kind, NewJob};
use crate::service::{Published, Sequence};

/// What tells jobs from other events.
pub(super) struct Sorter<'a> {
    pub(super) me: &'a UserId,
    pub(super) services: &'a Published,
    pub(super) wants_messages: bool,
    pub(super) wants_events: bool,
    pub(super) backlog: &'a Backlog,
}

/// What happened before the bot started.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    /// The number of the last event of that time.
    pub(super) until: u64,
    /// Orders of that time that wait for an answer.
    pub(super) open: HashSet<MessageId>,
}

impl Sorter<'_> {
    /// The job an event is, if it is one.
    pub(super) fn job(&self, event: &Event) -> Option<NewJob> {
        if event.event != "direct_message" {
            return self.wants_events.then(|| other(event)).flatten();
        }
        let message: Message = serde_json::from_str(event.data.text()).ok()?;
        let is_over = |id| event.seq <= self.backlog.until && !self.backlog.open.contains(id);
        let job = self.message(&message, event.data.text())?;
        // Somebody answered it, or it expired.
        (job.kind == Kind::Message || !is_over(&message.message_id)).then_some(job)
    }

    /// The job a message is, if it is one.
    pub(super) fn message(&self, message: &Message, text: &str) -> Option<NewJob> {
        if message.recipient.id != *self.me || message.sender.id == *self.me {
            return None;
        }
        let kind = match ServiceMessage::is_request(&message.content) {
            true => Kind::Request,
            false if self.wants_messages => Kind::Message,
            false => return None,
        };
        let is_free = self.is_free(message);
        let conversation =
            if is_free { message.message_id.as_str() } else { message.conversation_id.as_str() };
        Some(NewJob {
            id: message.message_id.to_string(),
            kind,
            conversation: conversation.to_owned(),
            event: text.to_owned(),
        })
    }

    /// Whether it waits for nothing else of its conversation.
    fn is_free(&self, message: &Message) -> bool {
        let Ok(Some(ServiceMessage::Request(asked))) = ServiceMessage::parse(&message.content)
        else {
            return false;
        };
        let offer = self.services.get(&asked.service_id);
        offer.is_some_and(|offer| offer.service.order == Sequence::Free)
    }
}

/// What is no message waits for nothing but a turn.
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
        let sorter = Sorter { me, services, wants_messages, wants_events, backlog };
        sorter.job(event).map(|job| job.kind)
    }

    const ORDER: &str = r#"{"schema":"service.request","payload":{}}"#;

    #[test]
    fn a_message_that_calls_itself_an_order_is_one() {
        assert_eq!(sort(&event(6, "usr_ada", ORDER), false, &[]), Some(Kind::Request));
        assert_eq!(sort(&event(6, "usr_ada", "hello"), true, &[]), Some(Kind::Message));
    }

    #[test]
    fn what_nobody_wants_is_left_out() {
        assert_eq!(sort(&event(6, "usr_ada", "hello"), false, &[]), None);
        assert_eq!(sort(&event(6, "usr_me", ORDER), true, &[]), None);
        assert_eq!(sort(&of("like", 6, &json!({})), false, &[]), None);
        assert_eq!(sort(&of("like", 6, &json!({})), true, &[]), Some(Kind::Event));
        assert_eq!(sort(&of("direct_message", 6, &json!({})), true, &[]), None, "no message");
    }

    #[test]
    fn an_order_of_before_that_is_closed_is_left_out() {
        let old = event(5, "usr_ada", ORDER);
        assert_eq!(sort(&old, false, &[]), None);
        assert_eq!(sort(&old, false, &["msg_1"]), Some(Kind::Request));
        assert_eq!(sort(&event(5, "usr_ada", "hello"), true, &[]), Some(Kind::Message));
    }
}
