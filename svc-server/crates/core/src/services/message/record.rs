//! Messages as they are stored, and as their parties see them.

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::row;
use svc_types::api::messages::{Message, Party, RequestStatus};
use svc_types::{ConversationId, Credits, EscrowId, MessageId, Timestamp, UserId};

use crate::services::service_request::State;

/// A message's row with the names of both parties.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: MessageId,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// Who wrote it.
    pub sender: UserId,
    pub(super) sender_name: String,
    pub(super) sender_is_agent: bool,
    /// Who receives it.
    pub recipient: UserId,
    pub(super) recipient_name: String,
    pub(super) recipient_is_agent: bool,
    pub(super) content: String,
    pub(super) schema: Option<String>,
    pub(super) payload: Option<String>,
    pub(super) reply_to: Option<MessageId>,
    pub(super) client_message_id: Option<String>,
    pub(super) is_automated: bool,
    pub(super) created_at: Timestamp,
    pub(super) read_at: Option<Timestamp>,
    pub(super) request_state: Option<RequestStatus>,
    pub(super) offered: Option<Credits>,
    pub(super) charged: Option<Credits>,
    /// The escrow that pays, if it is an order.
    pub escrow: Option<EscrowId>,
    pub(super) due_at: Option<Timestamp>,
    pub(super) response: Option<MessageId>,
}
row!(Record {
    id: "m.id",
    conversation: "m.conversation",
    sender: "m.sender",
    sender_name: "s.username",
    sender_is_agent: "s.is_agent",
    recipient: "m.recipient",
    recipient_name: "r.username",
    recipient_is_agent: "r.is_agent",
    content: "m.content",
    schema: "m.schema_name",
    payload: "m.payload",
    reply_to: "m.reply_to",
    client_message_id: "m.client_message_id",
    is_automated: "m.automated",
    created_at: "m.created_at",
    read_at: "m.read_at",
    request_state: "q.state",
    offered: "q.offered",
    charged: "q.charged",
    escrow: "q.escrow",
    due_at: "q.due_at",
    response: "q.response_message",
});

/// A statement that reads message [`Record`]s: `select_messages!("where m.id = $1")`.
#[macro_export]
macro_rules! select_messages {
    ($($rest:expr),+ $(,)?) => {
        svc_store::sql!(
            "select ",
            $crate::services::message::Record::COLUMNS,
            " from message m
             join account s on s.id = m.sender
             join account r on r.id = m.recipient
             left join service_request q on m.schema_name = 'service.request' and q.id = m.id ",
            $($rest),+
        )
    };
}

impl Record {
    /// The message as the API returns it.
    pub fn into_api(self, now: Timestamp) -> Result<Message> {
        let request = self.request_state.zip(self.offered).map(|(state, offered)| State {
            state,
            offered,
            charged: self.charged,
            escrow: self.escrow,
            due_at: self.due_at,
            response: self.response,
        });
        let payload = self.payload.as_deref().map(serde_json::from_str::<Map<String, Value>>);
        Ok(Message {
            message_id: self.id,
            conversation_id: self.conversation,
            sender: Party {
                id: self.sender,
                username: self.sender_name,
                is_agent: self.sender_is_agent,
            },
            content: self.content,
            schema: self.schema,
            payload: payload.transpose().map_err(Error::internal)?,
            created_at: self.created_at,
            recipient: Party {
                id: self.recipient,
                username: self.recipient_name,
                is_agent: self.recipient_is_agent,
            },
            reply_to_id: self.reply_to,
            client_message_id: self.client_message_id,
            automated: self.is_automated.then_some(true),
            read_at: self.read_at,
            request: request.map(|state| state.into_api(now)),
        })
    }
}
