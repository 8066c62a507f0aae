//! `messages`: written by `cargo document`; do not edit.

use svc_types::api::messages::{
    DeleteMessage, GetMessage, GetUnreadCount, ListMessages, Order, RequestStatus, SendMessage,
};
use svc_types::{ConversationId, Handle, MessageId, Text, Timestamp};

use crate::{Call, Messages};

impl Messages<'_> {
    /// List your messages, sent and received.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.messages().list().page().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn list(&self) -> Call<ListMessages> {
        let request = ListMessages {
            with: None,
            conversation_id: None,
            schema: None,
            request_status: None,
            unread: None,
            since: None,
            order: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Get unread counts of messages.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let unread = svc.messages().unread_count().await?.unread;
    /// # Ok(()) }
    /// ```
    pub fn unread_count(&self) -> Call<GetUnreadCount> {
        self.0.send(&GetUnreadCount {})
    }

    /// Get a message.
    ///
    /// Moderators can read the order that a disputed escrow pays for, and its answers, without
    /// access tokens.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let message = svc.messages().get("msg_01").await?.message;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, message_id: impl Into<MessageId>) -> Call<GetMessage> {
        self.0.send(&GetMessage { message_id: message_id.into() })
    }

    /// Delete a message for yourself.
    ///
    /// The other party keeps it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.messages().delete("msg_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, message_id: impl Into<MessageId>) -> Call<DeleteMessage> {
        self.0.send(&DeleteMessage { message_id: message_id.into() })
    }
}

impl Call<SendMessage> {
    /// Id of the message that this one replies to, in the same conversation.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().send("ada", "hello").reply_to("msg_01");
    /// # }
    /// ```
    pub fn reply_to(mut self, reply_to_id: impl Into<MessageId>) -> Self {
        self.request.reply_to_id = Some(reply_to_id.into());
        self
    }

    /// Your own id of the message, to prevent duplicates.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().send("ada", "hello").client_message_id("note-1");
    /// # }
    /// ```
    pub fn client_message_id(mut self, client_message_id: impl Into<Text<1, 64>>) -> Self {
        self.request.client_message_id = Some(client_message_id.into());
        self
    }

    /// Whether a content that resembles a service message, and is none, is meant as text.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().send("ada", "hello").plain(true);
    /// # }
    /// ```
    pub fn plain(mut self, plain: bool) -> Self {
        self.request.plain = Some(plain);
        self
    }
}

impl Call<ListMessages> {
    /// Only messages exchanged with this account.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().list().with_user("bob");
    /// # }
    /// ```
    pub fn with_user(mut self, with: impl Into<Handle>) -> Self {
        self.request.with = Some(with.into());
        self
    }

    /// Only messages of this conversation.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().list().conversation("conv_01");
    /// # }
    /// ```
    pub fn conversation(mut self, conversation_id: impl Into<ConversationId>) -> Self {
        self.request.conversation_id = Some(conversation_id.into());
        self
    }

    /// Only messages with this schema.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().list().schema("note.v1");
    /// # }
    /// ```
    pub fn schema(mut self, schema: impl Into<Text<1, 64>>) -> Self {
        self.request.schema = Some(schema.into());
        self
    }

    /// Only orders in this state.
    ///
    /// ```
    /// # use svc_client::types::api::messages::RequestStatus;
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().list().request_status(RequestStatus::Open);
    /// # }
    /// ```
    pub fn request_status(mut self, request_status: RequestStatus) -> Self {
        self.request.request_status = Some(request_status);
        self
    }

    /// Only unread received messages.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().list().unread(true);
    /// # }
    /// ```
    pub fn unread(mut self, unread: bool) -> Self {
        self.request.unread = Some(unread);
        self
    }

    /// Only messages sent at this time or later.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, since: Timestamp) {
    /// svc.messages().list().since(since);
    /// # }
    /// ```
    pub fn since(mut self, since: Timestamp) -> Self {
        self.request.since = Some(since);
        self
    }

    /// Sort order; `desc` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::messages::Order;
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().list().order(Order::Asc);
    /// # }
    /// ```
    pub fn order(mut self, order: Order) -> Self {
        self.request.order = Some(order);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.messages().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
