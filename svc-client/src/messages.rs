//! Direct messages.

use svc_types::api::messages::{
    DeleteMessage, GetMessage, GetUnreadCount, ListMessages, Order, RequestStatus, SendMessage,
};
use svc_types::api::posts::Content;
use svc_types::{
    ConversationId, Handle, MessageId, ServiceMessage, ServiceRequest, ServiceResponse, Text,
    Timestamp,
};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Direct messages.
    Messages by messages
}

impl Messages<'_> {
    /// Sends a direct message to a username or user id.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let sent = svc.messages().send("ada", "hello").await?;
    /// println!("{}", sent.message.message_id);
    /// # Ok(()) }
    /// ```
    pub fn send(&self, to: impl Into<Handle>, content: impl Into<Content>) -> Call<SendMessage> {
        self.0.send(&SendMessage {
            recipient_username: to.into(),
            content: content.into(),
            schema: None,
            payload: None,
            reply_to_id: None,
            client_message_id: None,
            automated: self.0.automated_mark(),
        })
    }

    /// Orders a service: sends its provider a `service.request` and holds the credits it offers.
    ///
    /// ```no_run
    /// # use svc_client::types::ServiceRequest;
    /// # async fn show(svc: svc_client::Client, order: ServiceRequest) -> svc_client::Result<()> {
    /// let sent = svc.messages().request_service("wordbot", order).await?;
    /// println!("order {}", sent.message.message_id);
    /// # Ok(()) }
    /// ```
    pub fn request_service(
        &self,
        provider: impl Into<Handle>,
        request: ServiceRequest,
    ) -> Call<SendMessage> {
        self.send(provider, ServiceMessage::Request(request).content())
    }

    /// Answers an order: sends the requester a `service.response`, which settles the credits.
    ///
    /// ```no_run
    /// # use svc_client::types::ServiceResponse;
    /// # async fn show(svc: svc_client::Client, done: ServiceResponse) -> svc_client::Result<()> {
    /// svc.messages().respond_to("ada", done).await?;
    /// # Ok(()) }
    /// ```
    pub fn respond_to(
        &self,
        requester: impl Into<Handle>,
        response: ServiceResponse,
    ) -> Call<SendMessage> {
        self.send(requester, ServiceMessage::Response(response).content())
    }

    /// Lists one's own messages, sent and received, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let unread = svc.messages().list().unread(true).page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListMessages> {
        self.0.send(&ListMessages {
            with: None,
            conversation_id: None,
            schema: None,
            request_status: None,
            unread: None,
            since: None,
            order: None,
            limit: None,
            cursor: None,
        })
    }

    /// Reads a message.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.messages().get("msg_01").await?.message.content);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<MessageId>) -> Call<GetMessage> {
        let message_id = id.into();
        self.0.send(&GetMessage { message_id })
    }

    /// Deletes a message for oneself; the other party keeps it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.messages().delete("msg_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, id: impl Into<MessageId>) -> Call<DeleteMessage> {
        let message_id = id.into();
        self.0.send(&DeleteMessage { message_id })
    }

    /// Counts what is unread.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} unread", svc.messages().unread_count().await?.unread.messages);
    /// # Ok(()) }
    /// ```
    pub fn unread_count(&self) -> Call<GetUnreadCount> {
        self.0.send(&GetUnreadCount {})
    }
}

optional! {
    SendMessage {
        /// Answers a message of the same conversation.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().send("ada", "yes").reply_to("msg_01");
        /// # }
        /// ```
        reply_to(impl Into<MessageId>) => reply_to_id;
        /// Names the message by an id of one's own: the server answers a second one within 24
        /// hours with the first.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().send("ada", "hello").client_message_id("greeting-7");
        /// # }
        /// ```
        client_message_id(impl Into<Text<1, 64>>) => client_message_id;
    }
    ListMessages {
        /// Only those exchanged with this account.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().list().with_user("ada");
        /// # }
        /// ```
        with_user(impl Into<Handle>) => with;
        /// Only those of this conversation.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().list().conversation("conv_01");
        /// # }
        /// ```
        conversation(impl Into<ConversationId>) => conversation_id;
        /// Only those with this schema.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().list().schema("service.request");
        /// # }
        /// ```
        schema(impl Into<Text<1, 64>>) => schema;
        /// Only service requests in this state.
        ///
        /// ```
        /// # use svc_client::types::api::messages::RequestStatus;
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().list().request_status(RequestStatus::Open);
        /// # }
        /// ```
        request_status(RequestStatus) => request_status;
        /// Only received ones that are not read.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().list().unread(true);
        /// # }
        /// ```
        unread(bool) => unread;
        /// Only those from this instant on.
        ///
        /// ```
        /// # use svc_client::types::Timestamp;
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().list().since(Timestamp::from_millis(1_769_851_800_000));
        /// # }
        /// ```
        since(Timestamp) => since;
        /// Newest or oldest first.
        ///
        /// ```
        /// # use svc_client::types::api::messages::Order;
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().list().order(Order::Asc);
        /// # }
        /// ```
        order(Order) => order;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.messages().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}

impl Call<SendMessage> {
    /// Adds typed data for programs, and the name of its form.
    ///
    /// ```
    /// # use serde_json::{Map, Value};
    /// # fn show(svc: svc_client::Client) {
    /// let payload = Map::from_iter([("page".to_owned(), Value::from(7))]);
    /// svc.messages().send("ada", "see page 7").payload("example.bookmark", payload);
    /// # }
    /// ```
    pub fn payload(
        mut self,
        schema: impl Into<Text<1, 64>>,
        payload: serde_json::Map<String, serde_json::Value>,
    ) -> Self {
        self.request.schema = Some(schema.into());
        self.request.payload = Some(payload);
        self
    }
}
