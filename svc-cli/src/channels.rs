//! `svc channels`: rooms for messages that accounts join.

mod follow;

use clap::{Args, Subcommand};
use svc_client::types::api::channels::{
    AddChannelMembers, Channel, ChannelEnvelope, ChannelMessage, CreateChannel, DeleteChannel,
    DeleteChannelMessage, GetChannel, GetChannelMessage, JoinChannel, LeaveChannel,
    ListChannelMembers, ListChannelMessages, ListChannels, PostChannelMessage, ReadChannel,
    RemoveChannelMember, UpdateChannel,
};

use crate::caller::Caller;
use crate::device;
use crate::endpoint_command::{Commands, EndpointCommand, Given, Table, command, page};
use crate::error::Result;
use crate::list::{self, Line, Page};
use crate::output::one_line;
use crate::post::hanging;
use crate::settings::Settings;
use crate::time;
use crate::users;

/// `svc channels`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Endpoint(Commands<Channels>),
    /// List the messages of a channel, newest last.
    Messages(MessagesFlags),
}

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Channels;

impl Table for Channels {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListChannels>("svc channels list", |channels, _| {
                list::rows(channels.iter().map(row), "no channels")
            })
            .positional("q"),
            command::<GetChannel>("svc channels show", show),
            command::<CreateChannel>("svc channels create", show).flag("postPolicy", "posts-by"),
            command::<UpdateChannel>("svc channels update", show).flag("postPolicy", "posts-by"),
            command::<DeleteChannel>("svc channels delete", |_, given| {
                format!("deleted {}", given.text("channelId"))
            }),
            command::<JoinChannel>("svc channels join", show),
            command::<LeaveChannel>("svc channels leave", show),
            page::<ListChannelMembers>("svc channels members", |members, _| {
                users::rows(members, "no members")
            }),
            command::<AddChannelMembers>("svc channels add", show),
            command::<RemoveChannelMember>("svc channels remove", show).each("username"),
            command::<PostChannelMessage>("svc channels send", |sent, _| {
                sent.message.message_id.to_string()
            })
            .flag("replyToId", "reply-to")
            .flag("clientMessageId", "client-id")
            .together(&["schema", "payload"]),
            command::<GetChannelMessage>("svc channels message", |found, _| {
                message_row(&found.message)
            }),
            command::<DeleteChannelMessage>("svc channels delete-message", |_, given| {
                format!("deleted {}", given.text("messageId"))
            }),
        ]
    }
}

/// Flags of `svc channels messages`.
#[derive(Clone, Debug, Args)]
pub(crate) struct MessagesFlags {
    /// Id of the channel: `chan_…`.
    #[arg(value_name = "CHANNEL")]
    id: String,
    /// Print new messages as they arrive, until interrupted.
    #[arg(long, conflicts_with_all = ["cursor", "mark_read"])]
    follow: bool,
    /// Mark the channel as read up to the newest message shown.
    #[arg(long)]
    mark_read: bool,
    #[command(flatten)]
    page: Page,
}

/// Runs a command about channels.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Endpoint(command) => command.run(settings).await,
        Command::Messages(flags) => messages(flags, &settings.caller()?).await,
    }
}

fn show(answer: &ChannelEnvelope, _: &Given<'_>) -> String {
    row(&answer.channel)
}

async fn messages(flags: &MessagesFlags, caller: &Caller) -> Result<()> {
    let MessagesFlags { id, follow, mark_read, page } = flags;
    let request = ListChannelMessages {
        channel_id: id.as_str().into(),
        order: None,
        limit: page.limit(),
        cursor: page.cursor(),
    };
    if *follow {
        device::note_end(caller);
        return follow::run(caller, request).await;
    }
    let line = Line::new("svc channels messages").word(Some(id));
    let line = page.repeated(line.flag("--mark-read", *mark_read));
    let mut newest = None;
    let rows = |messages: &[ChannelMessage]| {
        newest = messages.first().map(|message| message.message_id.clone());
        list::rows(messages.iter().rev().map(message_row), "no messages")
    };
    list::show(caller, request, &line, rows).await?;
    let Some(last_read_message_id) = newest.filter(|_| *mark_read) else {
        return Ok(());
    };
    let request = ReadChannel { channel_id: id.as_str().into(), last_read_message_id };
    if let Some(answer) = caller.send(request).await? {
        let viewer = answer.value.value.channel.viewer;
        let left = viewer.map_or(0, |viewer| viewer.unread_count);
        caller.out.note(&format!("marked read, {left} unread"));
    }
    Ok(())
}

/// A channel on one line; its text comes last, so it cannot pass for other fields.
fn row(channel: &Channel) -> String {
    let (owner, members) = (&channel.owner.username, channel.members_count);
    let seen = match &channel.viewer {
        Some(viewer) if viewer.member => format!("  unread {}", viewer.unread_count),
        _ => String::new(),
    };
    let mut row = format!(
        "{}  #{}  @{owner}  {}  members {members}  posts by {}{seen}",
        channel.id, channel.name, channel.visibility, channel.post_policy,
    );
    for text in [&channel.title, &channel.description].into_iter().flatten() {
        row.push_str("  ");
        row.push_str(&one_line(text));
    }
    row
}

/// A message on one line.
fn message_row(message: &ChannelMessage) -> String {
    hanging(&format!(
        "{}  {}  @{}  {}",
        message.message_id,
        time::minute(message.created_at),
        message.sender.username,
        one_line(&message.content),
    ))
}
