//! Samples of channels.

use super::{SampleVisitor, limit, message, payload};
use crate::api::channels::{
    AddChannelMembers, ChannelVisibility, CreateChannel, DeleteChannel, DeleteChannelMessage,
    GetChannel, GetChannelMessage, JoinChannel, LeaveChannel, ListChannelMembers,
    ListChannelMessages, ListChannels, PostChannelMessage, PostPolicy, ReadChannel,
    RemoveChannelMember, UpdateChannel,
};
use crate::api::messages::Order;
use crate::{ChannelId, Id};

fn channel() -> ChannelId {
    ChannelId::from_number(0x3240_0000_0000_0009)
}

pub(super) fn visit(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateChannel {
        name: "rust-talk".into(),
        title: Some("Rust talk".into()),
        description: Some("what the compiler said".into()),
        visibility: Some(ChannelVisibility::Private),
        post_policy: Some(PostPolicy::Owner),
    });
    visitor.visit(ListChannels {
        q: Some("ru".into()),
        mine: Some(true),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetChannel { channel_id: channel() });
    visitor.visit(UpdateChannel {
        channel_id: channel(),
        title: Some("Crab talk".into()),
        description: Some("".into()),
        visibility: Some(ChannelVisibility::Private),
        post_policy: Some(PostPolicy::Members),
    });
    visitor.visit(DeleteChannel { channel_id: channel() });
    visitor.visit(JoinChannel { channel_id: channel() });
    visitor.visit(LeaveChannel { channel_id: channel() });
    visitor.visit(ReadChannel { channel_id: channel(), last_read_message_id: message() });
    visitor.visit(ListChannelMembers { channel_id: channel(), limit: Some(limit()), cursor: None });
    visitor.visit(AddChannelMembers { channel_id: channel(), usernames: vec!["bob".into()] });
    visitor.visit(RemoveChannelMember { channel_id: channel(), username: "bob".into() });
    visitor.visit(ListChannelMessages {
        channel_id: channel(),
        order: Some(Order::Asc),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetChannelMessage { channel_id: channel(), message_id: message() });
    visitor.visit(PostChannelMessage {
        channel_id: channel(),
        content: "it compiles".into(),
        schema: Some("build.v1".into()),
        payload: Some(payload()),
        reply_to_id: Some(message()),
        client_message_id: Some("build-1".into()),
    });
    visitor.visit(DeleteChannelMessage { channel_id: channel(), message_id: message() });
}
