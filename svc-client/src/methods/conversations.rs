//! `conversations`: written by `cargo document`; do not edit.

use svc_types::api::conversations::{
    AcceptConversation, ConversationFolder, DeclineConversation, GetConversation,
    ListConversationMessages, ListConversations, MuteConversation, ReadConversation,
    UnmuteConversation,
};
use svc_types::api::messages::Order;
use svc_types::{ConversationId, MessageId};

use crate::{Call, Conversations};

impl Conversations<'_> {
    /// List your conversations, latest message first.
    ///
    /// Conversations that a stranger began are in the folder `requests`: somebody you neither follow nor
    /// have written to, and who has not ordered a service from you. Their messages reach webhooks and
    /// events as all others do. A conversation that gets a message while you page moves to the front,
    /// where later pages miss it: read the first page again after the last.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.conversations().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListConversations> {
        self.0.send(&ListConversations { unread: None, folder: None, limit: None, cursor: None })
    }

    /// Get a conversation.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let conversation = svc.conversations().get("conv_01").await?.conversation;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, conversation_id: impl Into<ConversationId>) -> Call<GetConversation> {
        self.0.send(&GetConversation { conversation_id: conversation_id.into() })
    }

    /// List the messages of a conversation.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.conversations().messages("conv_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn messages(
        &self,
        conversation_id: impl Into<ConversationId>,
    ) -> Call<ListConversationMessages> {
        let request = ListConversationMessages {
            conversation_id: conversation_id.into(),
            order: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Mark a conversation as read up to a message.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.conversations().read("conv_01", "msg_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn read(
        &self,
        conversation_id: impl Into<ConversationId>,
        last_read_message_id: impl Into<MessageId>,
    ) -> Call<ReadConversation> {
        let request = ReadConversation {
            conversation_id: conversation_id.into(),
            last_read_message_id: last_read_message_id.into(),
        };
        self.0.send(&request)
    }

    /// Accept a conversation that a stranger began.
    ///
    /// It moves to the inbox, and the sender may write as much as others do. Answering accepts too.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.conversations().accept("conv_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn accept(&self, conversation_id: impl Into<ConversationId>) -> Call<AcceptConversation> {
        self.0.send(&AcceptConversation { conversation_id: conversation_id.into() })
    }

    /// Decline a conversation that a stranger began.
    ///
    /// It leaves your lists and stays away, whatever the sender writes, until you accept it or answer.
    /// The sender does not learn of it. Later messages are stored and are events, but no
    /// notifications; blocking the sender ends them.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.conversations().decline("conv_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn decline(&self, conversation_id: impl Into<ConversationId>) -> Call<DeclineConversation> {
        self.0.send(&DeclineConversation { conversation_id: conversation_id.into() })
    }

    /// Mute a conversation.
    ///
    /// Muted conversations do not count as unread.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.conversations().mute("conv_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn mute(&self, conversation_id: impl Into<ConversationId>) -> Call<MuteConversation> {
        self.0.send(&MuteConversation { conversation_id: conversation_id.into() })
    }

    /// Unmute a conversation.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.conversations().unmute("conv_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unmute(&self, conversation_id: impl Into<ConversationId>) -> Call<UnmuteConversation> {
        self.0.send(&UnmuteConversation { conversation_id: conversation_id.into() })
    }
}

impl Call<ListConversations> {
    /// Only conversations with unread messages.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.conversations().list().unread(true);
    /// # }
    /// ```
    pub fn unread(mut self, unread: bool) -> Self {
        self.request.unread = Some(unread);
        self
    }

    /// The folder; `inbox` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::conversations::ConversationFolder;
    /// # fn show(svc: svc_client::Client) {
    /// svc.conversations().list().folder(ConversationFolder::Requests);
    /// # }
    /// ```
    pub fn folder(mut self, folder: ConversationFolder) -> Self {
        self.request.folder = Some(folder);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.conversations().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListConversationMessages> {
    /// Sort order; `desc` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::messages::Order;
    /// # fn show(svc: svc_client::Client) {
    /// svc.conversations().messages("conv_01").order(Order::Desc);
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
    /// svc.conversations().messages("conv_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
