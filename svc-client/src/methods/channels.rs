//! `channels`: written by `cargo document`; do not edit.

use svc_types::api::channels::{
    AddChannelMembers, ChannelVisibility, CreateChannel, DeleteChannel, DeleteChannelMessage,
    GetChannel, GetChannelMessage, JoinChannel, LeaveChannel, ListChannelMembers,
    ListChannelMessages, ListChannels, PostChannelMessage, PostPolicy, ReadChannel,
    RemoveChannelMember, UpdateChannel,
};
use svc_types::api::messages::Order;
use svc_types::api::posts::Content;
use svc_types::{ChannelId, ChannelName, Handle, MessageId, Text};

use crate::{Call, Channels};

impl Channels<'_> {
    /// Create a channel.
    ///
    /// You own at most 100 channels and are the first member of each.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().create("rust-talk").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `AlreadyExists`, `LimitReached`.
    pub fn create(&self, name: impl Into<ChannelName>) -> Call<CreateChannel> {
        let request = CreateChannel {
            name: name.into(),
            title: None,
            description: None,
            visibility: None,
            post_policy: None,
        };
        self.0.send(&request)
    }

    /// List public channels, or the channels you are in, by name.
    ///
    /// Public channels of suspended and deleted accounts are listed only among those you are in.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.channels().list().page().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Unauthorized`, `InsufficientScope`.
    pub fn list(&self) -> Call<ListChannels> {
        self.0.send(&ListChannels { q: None, mine: None, limit: None, cursor: None })
    }

    /// Get a channel.
    ///
    /// Only members can see a private channel, and only members and moderators one whose owner is
    /// suspended or deleted. Of such an owner, members see only the username.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let channel = svc.channels().get("chan_01").await?.channel;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, channel_id: impl Into<ChannelId>) -> Call<GetChannel> {
        self.0.send(&GetChannel { channel_id: channel_id.into() })
    }

    /// Update your channel.
    ///
    /// Omitted values do not change; an empty `title` or `description` removes it. Members of a
    /// channel that becomes private stay. What was written before a channel becomes public is shown
    /// only to those who are members then.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().update("chan_01").title("Crab talk").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `Forbidden`.
    pub fn update(&self, channel_id: impl Into<ChannelId>) -> Call<UpdateChannel> {
        let request = UpdateChannel {
            channel_id: channel_id.into(),
            title: None,
            description: None,
            visibility: None,
            post_policy: None,
        };
        self.0.send(&request)
    }

    /// Delete your channel with its messages.
    ///
    /// The name becomes available again.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().delete("chan_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn delete(&self, channel_id: impl Into<ChannelId>) -> Call<DeleteChannel> {
        self.0.send(&DeleteChannel { channel_id: channel_id.into() })
    }

    /// Join a public channel.
    ///
    /// A channel has at most 10000 members. Private channels are joined when the owner adds you.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().join("chan_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Blocked`, `LimitReached`.
    pub fn join(&self, channel_id: impl Into<ChannelId>) -> Call<JoinChannel> {
        self.0.send(&JoinChannel { channel_id: channel_id.into() })
    }

    /// Leave a channel.
    ///
    /// Owners cannot leave, but can delete the channel.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().leave("chan_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn leave(&self, channel_id: impl Into<ChannelId>) -> Call<LeaveChannel> {
        self.0.send(&LeaveChannel { channel_id: channel_id.into() })
    }

    /// Mark a channel as read up to a message.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().read("chan_01", "msg_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn read(
        &self,
        channel_id: impl Into<ChannelId>,
        last_read_message_id: impl Into<MessageId>,
    ) -> Call<ReadChannel> {
        let request = ReadChannel {
            channel_id: channel_id.into(),
            last_read_message_id: last_read_message_id.into(),
        };
        self.0.send(&request)
    }

    /// List the members of a channel.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.channels().members("chan_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn members(&self, channel_id: impl Into<ChannelId>) -> Call<ListChannelMembers> {
        let request =
            ListChannelMembers { channel_id: channel_id.into(), limit: None, cursor: None };
        self.0.send(&request)
    }

    /// Add accounts to your channel.
    ///
    /// Either all are added or none. Existing members stay. A channel has at most 10000 members.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().add("chan_01", ["bob"]).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `Blocked`, `LimitReached`.
    pub fn add(
        &self,
        channel_id: impl Into<ChannelId>,
        usernames: impl IntoIterator<Item = impl Into<Handle>>,
    ) -> Call<AddChannelMembers> {
        let request = AddChannelMembers {
            channel_id: channel_id.into(),
            usernames: usernames.into_iter().map(Into::into).collect(),
        };
        self.0.send(&request)
    }

    /// Remove an account from your channel.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().remove("chan_01", "bob").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `WrongState`.
    pub fn remove(
        &self,
        channel_id: impl Into<ChannelId>,
        username: impl Into<Handle>,
    ) -> Call<RemoveChannelMember> {
        let request =
            RemoveChannelMember { channel_id: channel_id.into(), username: username.into() };
        self.0.send(&request)
    }

    /// List the messages of a channel.
    ///
    /// Messages of suspended and deleted accounts are not included.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.channels().messages("chan_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn messages(&self, channel_id: impl Into<ChannelId>) -> Call<ListChannelMessages> {
        let request = ListChannelMessages {
            channel_id: channel_id.into(),
            order: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Get a message of a channel.
    ///
    /// Messages of suspended and deleted accounts are shown only to moderators and their sender.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let message = svc.channels().get_message("chan_01", "msg_01").await?.message;
    /// # Ok(()) }
    /// ```
    pub fn get_message(
        &self,
        channel_id: impl Into<ChannelId>,
        message_id: impl Into<MessageId>,
    ) -> Call<GetChannelMessage> {
        let request =
            GetChannelMessage { channel_id: channel_id.into(), message_id: message_id.into() };
        self.0.send(&request)
    }

    /// Send a message to a channel that you are in.
    ///
    /// The same `clientMessageId` within 24 hours returns the first message. Services are ordered
    /// and answered only by direct messages.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().post("chan_01", "it compiles").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `InvalidServiceMessage`,
    /// `Forbidden`.
    pub fn post(
        &self,
        channel_id: impl Into<ChannelId>,
        content: impl Into<Content>,
    ) -> Call<PostChannelMessage> {
        let request = PostChannelMessage {
            channel_id: channel_id.into(),
            content: content.into(),
            schema: None,
            payload: None,
            reply_to_id: None,
            client_message_id: None,
        };
        self.0.send(&request)
    }

    /// Delete your message, or any message in your channel.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().delete_message("chan_01", "msg_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn delete_message(
        &self,
        channel_id: impl Into<ChannelId>,
        message_id: impl Into<MessageId>,
    ) -> Call<DeleteChannelMessage> {
        let request =
            DeleteChannelMessage { channel_id: channel_id.into(), message_id: message_id.into() };
        self.0.send(&request)
    }
}

impl Call<CreateChannel> {
    /// Display name.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().create("rust-talk").title("Rust talk");
    /// # }
    /// ```
    pub fn title(mut self, title: impl Into<Text<0, 100>>) -> Self {
        self.request.title = Some(title.into());
        self
    }

    /// What the channel is about.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().create("rust-talk").description("what the compiler said");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<0, 1000>>) -> Self {
        self.request.description = Some(description.into());
        self
    }

    /// Who may read and join it; `public` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::channels::ChannelVisibility;
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().create("rust-talk").visibility(ChannelVisibility::Private);
    /// # }
    /// ```
    pub fn visibility(mut self, visibility: ChannelVisibility) -> Self {
        self.request.visibility = Some(visibility);
        self
    }

    /// Who may write to it; `members` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::channels::PostPolicy;
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().create("rust-talk").post_policy(PostPolicy::Owner);
    /// # }
    /// ```
    pub fn post_policy(mut self, post_policy: PostPolicy) -> Self {
        self.request.post_policy = Some(post_policy);
        self
    }
}

impl Call<ListChannels> {
    /// Prefix of the name.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().list().beginning("ru");
    /// # }
    /// ```
    pub fn beginning(mut self, q: impl Into<Text<1, 64>>) -> Self {
        self.request.q = Some(q.into());
        self
    }

    /// Only channels that you are a member of, including private ones.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().list().mine(true);
    /// # }
    /// ```
    pub fn mine(mut self, mine: bool) -> Self {
        self.request.mine = Some(mine);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<UpdateChannel> {
    /// Display name.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().update("chan_01").title("Crab talk");
    /// # }
    /// ```
    pub fn title(mut self, title: impl Into<Text<0, 100>>) -> Self {
        self.request.title = Some(title.into());
        self
    }

    /// What the channel is about.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().update("chan_01").description("");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<0, 1000>>) -> Self {
        self.request.description = Some(description.into());
        self
    }

    /// Who may read and join it.
    ///
    /// ```
    /// # use svc_client::types::api::channels::ChannelVisibility;
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().update("chan_01").visibility(ChannelVisibility::Private);
    /// # }
    /// ```
    pub fn visibility(mut self, visibility: ChannelVisibility) -> Self {
        self.request.visibility = Some(visibility);
        self
    }

    /// Who may write to it.
    ///
    /// ```
    /// # use svc_client::types::api::channels::PostPolicy;
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().update("chan_01").post_policy(PostPolicy::Members);
    /// # }
    /// ```
    pub fn post_policy(mut self, post_policy: PostPolicy) -> Self {
        self.request.post_policy = Some(post_policy);
        self
    }
}

impl Call<ListChannelMembers> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().members("chan_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListChannelMessages> {
    /// Sort order; `desc` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::messages::Order;
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().messages("chan_01").order(Order::Asc);
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
    /// svc.channels().messages("chan_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<PostChannelMessage> {
    /// Id of the message that this one replies to, in the same channel.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.channels().post("chan_01", "it compiles").reply_to("msg_01");
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
    /// svc.channels().post("chan_01", "it compiles").client_message_id("build-1");
    /// # }
    /// ```
    pub fn client_message_id(mut self, client_message_id: impl Into<Text<1, 64>>) -> Self {
        self.request.client_message_id = Some(client_message_id.into());
        self
    }
}
