//! Channels: rooms that accounts join and write in.

use svc_types::api::channels::{
    AddChannelMembers, ChannelVisibility, CreateChannel, DeleteChannel, DeleteChannelMessage,
    GetChannel, JoinChannel, LeaveChannel, ListChannelMembers, ListChannelMessages, ListChannels,
    PostChannelMessage, PostPolicy, ReadChannel, RemoveChannelMember, UpdateChannel,
};
use svc_types::api::messages::Order;
use svc_types::api::posts::Content;
use svc_types::{ChannelId, ChannelName, Handle, MessageId, Text};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Channels: rooms that accounts join and write in.
    Channels by channels
}

impl Channels<'_> {
    /// Makes a channel; everybody may read and join it unless said otherwise.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.channels().create("rust-talk").await?.channel.id);
    /// # Ok(()) }
    /// ```
    pub fn create(&self, name: impl Into<ChannelName>) -> Call<CreateChannel> {
        self.0.send(&CreateChannel {
            name: name.into(),
            title: None,
            description: None,
            visibility: None,
            post_policy: None,
        })
    }

    /// Lists public channels by name; with `mine`, those one is in.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let mine = svc.channels().list().mine(true).page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListChannels> {
        self.0.send(&ListChannels { q: None, mine: None, limit: None, cursor: None })
    }

    /// Reads a channel.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.channels().get("chan_01").await?.channel.name);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<ChannelId>) -> Call<GetChannel> {
        self.0.send(&GetChannel { channel_id: id.into() })
    }

    /// Changes one's own channel; members that are not named stay as they are.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().update("chan_01").title("Crab talk").await?;
    /// # Ok(()) }
    /// ```
    pub fn update(&self, id: impl Into<ChannelId>) -> Call<UpdateChannel> {
        self.0.send(&UpdateChannel {
            channel_id: id.into(),
            title: None,
            description: None,
            visibility: None,
            post_policy: None,
        })
    }

    /// Deletes one's own channel with its messages.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().delete("chan_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, id: impl Into<ChannelId>) -> Call<DeleteChannel> {
        self.0.send(&DeleteChannel { channel_id: id.into() })
    }

    /// Joins a public channel.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().join("chan_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn join(&self, id: impl Into<ChannelId>) -> Call<JoinChannel> {
        self.0.send(&JoinChannel { channel_id: id.into() })
    }

    /// Leaves a channel; its owner can't.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().leave("chan_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn leave(&self, id: impl Into<ChannelId>) -> Call<LeaveChannel> {
        self.0.send(&LeaveChannel { channel_id: id.into() })
    }

    /// Marks a channel read up to a message.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().read("chan_01", "msg_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn read(
        &self,
        id: impl Into<ChannelId>,
        last_read: impl Into<MessageId>,
    ) -> Call<ReadChannel> {
        self.0.send(&ReadChannel { channel_id: id.into(), last_read_message_id: last_read.into() })
    }

    /// Lists the members of a channel.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let members = svc.channels().members("chan_01").page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn members(&self, id: impl Into<ChannelId>) -> Call<ListChannelMembers> {
        self.0.send(&ListChannelMembers { channel_id: id.into(), limit: None, cursor: None })
    }

    /// Adds accounts to one's own channel, all of them or none.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().add("chan_01", ["ada", "bob"]).await?;
    /// # Ok(()) }
    /// ```
    pub fn add(
        &self,
        id: impl Into<ChannelId>,
        usernames: impl IntoIterator<Item = impl Into<Handle>>,
    ) -> Call<AddChannelMembers> {
        let usernames = usernames.into_iter().map(Into::into).collect();
        self.0.send(&AddChannelMembers { channel_id: id.into(), usernames })
    }

    /// Takes an account out of one's own channel.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().remove("chan_01", "bob").await?;
    /// # Ok(()) }
    /// ```
    pub fn remove(
        &self,
        id: impl Into<ChannelId>,
        username: impl Into<Handle>,
    ) -> Call<RemoveChannelMember> {
        self.0.send(&RemoveChannelMember { channel_id: id.into(), username: username.into() })
    }

    /// Lists the messages of a channel, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let newest = svc.channels().messages("chan_01").page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn messages(&self, id: impl Into<ChannelId>) -> Call<ListChannelMessages> {
        self.0.send(&ListChannelMessages {
            channel_id: id.into(),
            order: None,
            limit: None,
            cursor: None,
        })
    }

    /// Writes in a channel one is in.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().post("chan_01", "it compiles").await?;
    /// # Ok(()) }
    /// ```
    pub fn post(
        &self,
        id: impl Into<ChannelId>,
        content: impl Into<Content>,
    ) -> Call<PostChannelMessage> {
        self.0.send(&PostChannelMessage {
            channel_id: id.into(),
            content: content.into(),
            schema: None,
            payload: None,
            reply_to_id: None,
            client_message_id: None,
        })
    }

    /// Deletes one's own message, or one in one's own channel.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.channels().delete_message("chan_01", "msg_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete_message(
        &self,
        id: impl Into<ChannelId>,
        message: impl Into<MessageId>,
    ) -> Call<DeleteChannelMessage> {
        self.0.send(&DeleteChannelMessage { channel_id: id.into(), message_id: message.into() })
    }
}

optional! {
    CreateChannel {
        /// Its name for people.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().create("rust-talk").title("Rust talk");
        /// # }
        /// ```
        title(impl Into<Text<0, 100>>) => title;
        /// What it is about.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().create("rust-talk").description("what the compiler said");
        /// # }
        /// ```
        description(impl Into<Text<0, 1000>>) => description;
        /// Who may read and join it.
        ///
        /// ```
        /// # use svc_client::types::api::channels::ChannelVisibility;
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().create("rust-talk").visibility(ChannelVisibility::Private);
        /// # }
        /// ```
        visibility(ChannelVisibility) => visibility;
        /// Who may write in it.
        ///
        /// ```
        /// # use svc_client::types::api::channels::PostPolicy;
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().create("rust-talk").post_policy(PostPolicy::Owner);
        /// # }
        /// ```
        post_policy(PostPolicy) => post_policy;
    }
    UpdateChannel {
        /// Its name for people; empty for none.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().update("chan_01").title("Rust talk");
        /// # }
        /// ```
        title(impl Into<Text<0, 100>>) => title;
        /// What it is about; empty for nothing.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().update("chan_01").description("what the compiler said");
        /// # }
        /// ```
        description(impl Into<Text<0, 1000>>) => description;
        /// Who may read and join it.
        ///
        /// ```
        /// # use svc_client::types::api::channels::ChannelVisibility;
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().update("chan_01").visibility(ChannelVisibility::Private);
        /// # }
        /// ```
        visibility(ChannelVisibility) => visibility;
        /// Who may write in it.
        ///
        /// ```
        /// # use svc_client::types::api::channels::PostPolicy;
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().update("chan_01").post_policy(PostPolicy::Owner);
        /// # }
        /// ```
        post_policy(PostPolicy) => post_policy;
    }
    ListChannels {
        /// Only those whose name begins with this.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().list().beginning("rust");
        /// # }
        /// ```
        beginning(impl Into<Text<1, 64>>) => q;
        /// Only those one is in, private ones too.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().list().mine(true);
        /// # }
        /// ```
        mine(bool) => mine;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListChannelMembers {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().members("chan_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListChannelMessages {
        /// Newest or oldest first.
        ///
        /// ```
        /// # use svc_client::types::api::messages::Order;
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().messages("chan_01").order(Order::Asc);
        /// # }
        /// ```
        order(Order) => order;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().messages("chan_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    PostChannelMessage {
        /// The message this one answers, of the same channel.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().post("chan_01", "so does mine").reply_to("msg_01");
        /// # }
        /// ```
        reply_to(impl Into<MessageId>) => reply_to_id;
        /// An id of one's own: sent twice within 24 hours, the first message is the answer.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.channels().post("chan_01", "it compiles").client_message_id("build-1");
        /// # }
        /// ```
        client_message_id(impl Into<Text<1, 64>>) => client_message_id;
    }
}

impl Call<PostChannelMessage> {
    /// Adds typed data for programs, and the name of its form.
    ///
    /// ```
    /// # use serde_json::{Map, Value};
    /// # fn show(svc: svc_client::Client) {
    /// let payload = Map::from_iter([("warnings".to_owned(), Value::from(0))]);
    /// svc.channels().post("chan_01", "it compiles").payload("example.build", payload);
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
