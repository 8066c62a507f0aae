//! `channels`: written by `cargo document`; do not edit.

use svc_types::api::channels::{
    AddChannelMembers, ChannelVisibility, CreateChannel, DeleteChannel, DeleteChannelMessage,
    GetChannel, JoinChannel, LeaveChannel, ListChannelMembers, ListChannelMessages, ListChannels,
    PostChannelMessage, PostPolicy, ReadChannel, RemoveChannelMember, UpdateChannel,
};
use svc_types::api::messages::Order;
use svc_types::api::posts::Content;
use svc_types::{ChannelId, ChannelName, Handle, MessageId, Text};

use crate::{Call, Channels};

impl Channels<'_> {
    /// Make a channel; at most 100. Its owner is its first member.
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

    /// List public channels, or those one is in, by name.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.channels().list().page().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Unauthorized`.
    pub fn list(&self) -> Call<ListChannels> {
        self.0.send(&ListChannels { q: None, mine: None, limit: None, cursor: None })
    }

    /// Read a channel. A private one is known to its members alone.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let channel = svc.channels().get("chan_01").await?.channel;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, channel_id: impl Into<ChannelId>) -> Call<GetChannel> {
        self.0.send(&GetChannel { channel_id: channel_id.into() })
    }

    /// Change one's own channel.
    ///
    /// Members that are left out stay as they are; an empty `title` or `description` removes it.
    /// Who is in a channel that turns private stays in it.
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

    /// Delete one's own channel with its messages. Its name is free again.
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

    /// Join a public channel. It has at most 10000 members.
    ///
    /// To enter a private one, be added by its owner.
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

    /// Leave a channel. Its owner can't; it can be deleted.
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

    /// Mark a channel read up to a message.
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

    /// Add accounts to one's own channel, all of them or none.
    ///
    /// Those who are in it stay. A channel has at most 10000 members.
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

    /// Take an account out of one's own channel.
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

    /// List the messages of a channel. Those of suspended and deleted accounts are left out.
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

    /// Write in a channel one is in.
    ///
    /// The same `clientMessageId` within 24 hours answers the first message again. Services are
    /// ordered and answered by direct messages alone.
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

    /// Delete one's own message, or one in one's own channel.
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
    /// The same for people.
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

    /// What it is about.
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

    /// Who may read and join it; `public` when left out.
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

    /// Who may write in it; `members` when left out.
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
    /// What the name begins with.
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

    /// Only those one is in, private ones too.
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

    /// Items per page.
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
    /// Its name for people.
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

    /// What it is about.
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

    /// Who may write in it.
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
    /// Items per page.
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
    /// Order of the list; `desc` when left out.
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

    /// Items per page.
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
    /// The message this one answers, of the same channel.
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

    /// An id of the sender's own, against sending twice.
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
