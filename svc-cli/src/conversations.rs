//! `svc conversations`: with whom you exchange messages, and who asks to.

use svc_client::types::api::conversations::{
    AcceptConversation, Conversation, ConversationEnvelope, DeclineConversation, ListConversations,
};

use crate::endpoint_command::{EndpointCommand, Given, Table, command, page};
use crate::list;
use crate::time;

/// The commands of `svc conversations`.
#[derive(Clone, Debug)]
pub(crate) struct Conversations;

impl Table for Conversations {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListConversations>("svc conversations list", |conversations, _| {
                list::rows(conversations.iter().map(row), "no conversations")
            }),
            command::<AcceptConversation>("svc conversations accept", one),
            command::<DeclineConversation>("svc conversations decline", one),
        ]
    }
}

fn one(answer: &ConversationEnvelope, _: &Given<'_>) -> String {
    row(&answer.conversation)
}

/// A conversation on a line.
fn row(conversation: &Conversation) -> String {
    let names: Vec<String> =
        conversation.participants.iter().map(|one| format!("@{}", one.username)).collect();
    let (id, at) = (&conversation.id, time::minute(conversation.updated_at));
    let mut row = format!("{id}  {at}  {}  {}", names.join(" "), conversation.folder);
    if conversation.unread_count > 0 {
        row = format!("{row}  {} unread", conversation.unread_count);
    }
    if conversation.muted { format!("{row}  muted") } else { row }
}
