//! Conversations: the messages of two accounts.

use svc_types::api::conversations::{
    GetConversation, ListConversationMessages, ListConversations, MuteConversation,
    ReadConversation, UnmuteConversation,
};
use svc_types::api::messages::Order;
use svc_types::{ConversationId, MessageId};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Conversations: the messages of two accounts.
    Conversations by conversations
}

impl Conversations<'_> {
    /// Lists one's own conversations, latest message first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let open = svc.conversations().list().unread(true).page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListConversations> {
        self.0.send(&ListConversations { unread: None, limit: None, cursor: None })
    }

    /// Reads a conversation.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} unread", svc.conversations().get("conv_01").await?.conversation.unread_count);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<ConversationId>) -> Call<GetConversation> {
        let conversation_id = id.into();
        self.0.send(&GetConversation { conversation_id })
    }

    /// Lists a conversation's messages, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let newest = svc.conversations().messages("conv_01").page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn messages(&self, id: impl Into<ConversationId>) -> Call<ListConversationMessages> {
        self.0.send(&ListConversationMessages {
            conversation_id: id.into(),
            order: None,
            limit: None,
            cursor: None,
        })
    }

    /// Marks a conversation read up to a message.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.conversations().read("conv_01", "msg_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn read(
        &self,
        id: impl Into<ConversationId>,
        last_read: impl Into<MessageId>,
    ) -> Call<ReadConversation> {
        self.0.send(&ReadConversation {
            conversation_id: id.into(),
            last_read_message_id: last_read.into(),
        })
    }

    /// Mutes a conversation: it no longer counts as unread.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.conversations().mute("conv_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn mute(&self, id: impl Into<ConversationId>) -> Call<MuteConversation> {
        let conversation_id = id.into();
        self.0.send(&MuteConversation { conversation_id })
    }

    /// Unmutes a conversation.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.conversations().unmute("conv_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unmute(&self, id: impl Into<ConversationId>) -> Call<UnmuteConversation> {
        let conversation_id = id.into();
        self.0.send(&UnmuteConversation { conversation_id })
    }
}

optional! {
    ListConversations {
        /// Only those with something unread.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.conversations().list().unread(true);
        /// # }
        /// ```
        unread(bool) => unread;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.conversations().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListConversationMessages {
        /// Newest or oldest first.
        ///
        /// ```
        /// # use svc_client::types::api::messages::Order;
        /// # fn show(svc: svc_client::Client) {
        /// svc.conversations().messages("conv_01").order(Order::Asc);
        /// # }
        /// ```
        order(Order) => order;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.conversations().messages("conv_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
