//! Channels that accounts join and write in.

use askama::Template;
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::api::Deleted;
use svc_types::api::channels::{
    AddChannelMembers, Channel, ChannelEnvelope, ChannelMessage, ChannelMessageEnvelope,
    ChannelViewer, ChannelVisibility, CreateChannel, DeleteChannel, DeleteChannelMessage,
    GetChannel, GetChannelMessage, JoinChannel, LeaveChannel, ListChannelMembers,
    ListChannelMessages, ListChannels, PostChannelMessage, PostPolicy, ReadChannel,
    RemoveChannelMember, UpdateChannel,
};
use svc_types::api::users::User;

use super::{Flash, Frame};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// Options of a channel: who may read and join it, and who may write to it, each with the id of its label.
const VISIBILITIES: [(ChannelVisibility, &str); 2] = [
    (ChannelVisibility::Public, "channels-public"),
    (ChannelVisibility::Private, "channels-private"),
];
const POLICIES: [(PostPolicy, &str); 2] =
    [(PostPolicy::Members, "channels-members-write"), (PostPolicy::Owner, "channels-owner-writes")];

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/channels", list)
        .form::<CreateChannel>("/channels", list, made)
        .get("/channels/{channelId}", show)
        .form::<PostChannelMessage>("/channels/{channelId}", show, written)
        .button::<JoinChannel>("/channels/{channelId}/join", |request, _| {
            there(request).say(Flash::ChannelJoined)
        })
        .get("/channels/{channelId}/leave", ask_leave)
        .form::<LeaveChannel>("/channels/{channelId}/leave", ask_leave, |_, _| {
            Done::to("/channels").say(Flash::ChannelLeft)
        })
        .get("/channels/{channelId}/delete", ask_delete)
        .form::<DeleteChannel>("/channels/{channelId}/delete", ask_delete, |_, _: &Deleted| {
            Done::to("/channels").say(Flash::ChannelDeleted)
        })
        .get("/channels/{channelId}/members", members)
        .form::<AddChannelMembers>("/channels/{channelId}/members", members, at_members)
        .and(editing())
        .button::<RemoveChannelMember>(
            "/channels/{channelId}/members/{username}/remove",
            at_members,
        )
        .button::<ReadChannel>("/channels/{channelId}/read", |request, _| there(request))
        .and(deleting())
}

/// The form that deletes a message for all members.
fn deleting() -> Pages {
    let path = "/channels/{channelId}/messages/{messageId}/delete";
    Pages::new().get(path, ask_delete_message).form::<DeleteChannelMessage>(
        path,
        ask_delete_message,
        |request, _: &Deleted| there(request).say(Flash::ChannelMessageDeleted),
    )
}

/// The form with which its owner changes a channel.
fn editing() -> Pages {
    let path = "/channels/{channelId}/edit";
    Pages::new().get(path, edit).form::<UpdateChannel>(
        path,
        edit,
        |request, _: &ChannelEnvelope| there(request).say(Flash::Saved),
    )
}

/// Redirects back to the channel.
fn there(request: &PageRequest) -> Done {
    Done::to(format!("/channels/{}", request.field("channelId").unwrap_or_default()))
}

#[derive(Template)]
#[template(path = "channels.html")]
struct List<'a> {
    frame: Frame,
    form: Form<'a>,
    mine: bool,
    q: &'a str,
    channels: Vec<Channel>,
    next: Option<String>,
}

fn list(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let page = context.ask(&request.decode::<ListChannels>()?)?;
    Html::of(&List {
        frame: Frame::of(context, request, request.t("place-hash"))?,
        form: request.form::<CreateChannel>(),
        mine: request.field("mine").is_some(),
        q: request.field("q").unwrap_or_default(),
        next: request.next(page.next_cursor.as_ref()),
        channels: page.channels,
    })
}

fn made(_: &PageRequest, answer: &ChannelEnvelope) -> Done {
    Done::to(format!("/channels/{}", answer.channel.id)).say(Flash::ChannelMade)
}

#[derive(Template)]
#[template(path = "channel.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    channel: Channel,
    /// Messages, oldest first.
    messages: Vec<ChannelMessage>,
    earlier: Option<String>,
    is_member: bool,
    is_owner: bool,
    writes: bool,
    /// The latest message, if any are unread.
    unread: Option<String>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let channel = context.ask(&request.decode::<GetChannel>()?)?.channel;
    let page = context.ask(&request.decode::<ListChannelMessages>()?)?;
    let is_member = is(&channel, |viewer| viewer.member);
    let is_owner = is(&channel, |viewer| viewer.owner);
    let has_unread = is_member && is(&channel, |viewer| viewer.unread_count > 0);
    let is_newest = request.field("cursor").is_none();
    let newest = page.messages.first().map(|message| message.message_id.to_string());
    let mut messages = page.messages;
    messages.reverse();
    let title = channel.title.clone().unwrap_or_else(|| channel.name.clone());
    Html::of(&Page {
        frame: Frame::of(context, request, title)?,
        form: request.form::<PostChannelMessage>(),
        messages,
        earlier: request.next(page.next_cursor.as_ref()),
        is_member,
        is_owner,
        writes: is_owner || is_member && channel.post_policy == PostPolicy::Members,
        unread: newest.filter(|_| has_unread && is_newest),
        channel,
    })
}

fn written(request: &PageRequest, answer: &ChannelMessageEnvelope) -> Done {
    let id = request.field("channelId").unwrap_or_default();
    Done::to(format!("/channels/{id}#{}", answer.message.message_id))
}

fn at_members(_: &PageRequest, answer: &ChannelEnvelope) -> Done {
    Done::to(format!("/channels/{}/members", answer.channel.id)).say(Flash::Saved)
}

#[derive(Template)]
#[template(path = "channel_members.html")]
struct Members<'a> {
    frame: Frame,
    form: Form<'a>,
    channel: Channel,
    users: Vec<User>,
    is_owner: bool,
    next: Option<String>,
}

/// Who is in a channel; its owner adds and removes accounts there.
fn members(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let channel = context.ask(&request.decode::<GetChannel>()?)?.channel;
    let asked = ListChannelMembers {
        channel_id: channel.id.clone(),
        limit: None,
        cursor: request.field("cursor").map(Into::into),
    };
    let page = context.ask(&asked)?;
    let title = request.t("channel-members-title").with("name", &channel.name);
    Html::of(&Members {
        frame: Frame::of(context, request, title)?,
        form: request.form::<AddChannelMembers>(),
        is_owner: is(&channel, |viewer| viewer.owner),
        channel,
        users: page.users,
        next: request.next(page.next_cursor.as_ref()),
    })
}

#[derive(Template)]
#[template(path = "channel_end.html")]
struct End<'a> {
    frame: Frame,
    form: Form<'a>,
    channel: Channel,
    /// Whether to delete the channel rather than leave it.
    deletes: bool,
}

fn ask_leave(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let channel = context.ask(&request.decode::<GetChannel>()?)?.channel;
    if is(&channel, |viewer| viewer.owner) {
        let refusal = Refusal::new(Code::WrongState, "the owner of a channel stays in it");
        return Err(refusal.hint("delete the channel instead").into());
    }
    if !is(&channel, |viewer| viewer.member) {
        return Ok(Html::moved(format!("/channels/{}", channel.id)));
    }
    let frame = Frame::of(context, request, request.t("channel-leave-title"))?;
    Html::of(&End { frame, form: request.form::<LeaveChannel>(), channel, deletes: false })
}

#[derive(Template)]
#[template(path = "channel_edit.html")]
struct Edit<'a> {
    frame: Frame,
    form: Form<'a>,
    channel: Channel,
}

impl Edit<'_> {
    /// What the form shows, for its field `shown`.
    fn shown(&self) -> String {
        self.form.shown([
            ("title", self.channel.title.as_deref().unwrap_or_default()),
            ("description", self.channel.description.as_deref().unwrap_or_default()),
            ("visibility", self.channel.visibility.as_str()),
            ("postPolicy", self.channel.post_policy.as_str()),
        ])
    }
}

fn edit(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let channel = own(context, request)?;
    let title = request.t("channel-edit-title").with("name", &channel.name);
    let frame = Frame::of(context, request, title)?;
    Html::of(&Edit { frame, form: request.form::<UpdateChannel>(), channel })
}

/// The channel of the path, which only its owner changes.
fn own(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Channel> {
    context.signed_in()?;
    let channel_id = request.field("channelId").unwrap_or_default().into();
    let channel = context.ask(&GetChannel { channel_id })?.channel;
    if is(&channel, |viewer| viewer.owner) {
        Ok(channel)
    } else {
        Err(Error::refused(Code::Forbidden, "only its owner may do this to a channel"))
    }
}

fn ask_delete(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let channel = own(context, request)?;
    let frame = Frame::of(context, request, request.t("channel-delete-title"))?;
    Html::of(&End { frame, form: request.form::<DeleteChannel>(), channel, deletes: true })
}

#[derive(Template)]
#[template(path = "channel_message_delete.html")]
struct DeleteMessage<'a> {
    frame: Frame,
    form: Form<'a>,
    message: ChannelMessage,
}

/// Asks its sender, or the owner of the channel, before a message is deleted.
fn ask_delete_message(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let own = context.signed_in()?.id.clone();
    let message = context.ask(&request.decode::<GetChannelMessage>()?)?.message;
    let channel = context.ask(&GetChannel { channel_id: message.channel_id.clone() })?.channel;
    if message.sender.id != own && channel.owner.id != own {
        let message = "only its sender and the owner of the channel delete a message";
        return Err(Error::refused(Code::Forbidden, message));
    }
    let frame = Frame::of(context, request, request.t("message-delete-title"))?;
    Html::of(&DeleteMessage { frame, form: request.form::<DeleteChannelMessage>(), message })
}

/// Whether something holds for the visitor of a channel.
fn is(channel: &Channel, holds: fn(&ChannelViewer) -> bool) -> bool {
    channel.viewer.as_ref().is_some_and(holds)
}
