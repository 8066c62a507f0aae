//! `svc channels`: rooms that accounts join and write in.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::api::channels::{
    AddChannelMembers, Channel, ChannelMessage, ChannelVisibility, CreateChannel, DeleteChannel,
    DeleteChannelMessage, GetChannel, JoinChannel, LeaveChannel, ListChannelMembers,
    ListChannelMessages, ListChannels, PostChannelMessage, PostPolicy, ReadChannel,
    RemoveChannelMember, UpdateChannel,
};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::help;
use crate::input;
use crate::list::{self, Line, Page};
use crate::output::one_line;
use crate::post::payload;
use crate::settings::Settings;
use crate::time;
use crate::users::{self, handle};

/// `svc channels`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// List public channels by name, or those one is in.
    List(ListFlags),
    /// Show a channel.
    Show(One),
    /// Make a channel; it is public by default.
    Create(CreateFlags),
    /// Change your channel; what is left out stays as it is.
    Update(UpdateFlags),
    /// Delete your channel with its messages.
    #[command(after_help = help::ASKS)]
    Delete(One),
    /// Join a public channel.
    Join(One),
    /// Leave a channel.
    Leave(One),
    /// List the members of a channel.
    Members(Of),
    /// Add accounts to your channel, all of them or none.
    Add(Members),
    /// Take accounts out of your channel.
    Remove(Members),
    /// Read what is written in a channel, newest last.
    Messages(MessagesFlags),
    /// Write in a channel.
    Send(SendFlags),
    /// Delete your message, or one in your channel.
    #[command(after_help = help::ASKS)]
    DeleteMessage {
        /// The channel.
        id: String,
        /// The message.
        message: String,
    },
}

/// A channel.
#[derive(Clone, Debug, Args)]
pub(crate) struct One {
    /// The channel.
    id: String,
}

/// A channel, and which part of what it holds.
#[derive(Clone, Debug, Args)]
pub(crate) struct Of {
    /// The channel.
    id: String,
    #[command(flatten)]
    page: Page,
}

/// A channel and accounts.
#[derive(Clone, Debug, Args)]
pub(crate) struct Members {
    /// The channel.
    id: String,
    /// Username or user id, or several of them.
    #[arg(required = true, value_name = "USER")]
    names: Vec<String>,
}

/// Flags of `svc channels list`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ListFlags {
    /// What the name begins with.
    #[arg(value_name = "TEXT")]
    beginning: Option<String>,
    /// Only those one is in, private ones too.
    #[arg(long)]
    mine: bool,
    #[command(flatten)]
    page: Page,
}

/// What a channel may have.
#[derive(Clone, Debug, Args)]
pub(crate) struct Looks {
    /// Its name for people.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// What it is about.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Who may read and join it.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(ChannelVisibility::WORDS))]
    visibility: Option<String>,
    /// Who may write in it.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(PostPolicy::WORDS))]
    posts_by: Option<String>,
}

/// Flags of `svc channels create`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CreateFlags {
    /// What it is called: 3 to 64 of a-z, 0-9 and -.
    name: String,
    #[command(flatten)]
    looks: Looks,
}

/// Flags of `svc channels update`.
#[derive(Clone, Debug, Args)]
pub(crate) struct UpdateFlags {
    /// The channel.
    id: String,
    #[command(flatten)]
    looks: Looks,
}

/// Flags of `svc channels messages`.
#[derive(Clone, Debug, Args)]
pub(crate) struct MessagesFlags {
    #[command(flatten)]
    of: Of,
    /// Mark the channel read up to the newest message shown.
    #[arg(long)]
    mark_read: bool,
}

/// Flags of `svc channels send`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SendFlags {
    /// The channel.
    id: String,
    /// The text, or - for stdin.
    #[arg(value_name = "TEXT|-")]
    text: String,
    /// Answer a message of the same channel.
    #[arg(long, value_name = "MESSAGE")]
    reply_to: Option<String>,
    /// An id of your own: sent twice within 24 hours, the first message is the answer.
    #[arg(long, value_name = "NAME")]
    client_id: Option<String>,
    /// Name of the form of the payload.
    #[arg(long, value_name = "NAME", requires = "payload")]
    schema: Option<String>,
    /// Typed data for programs: JSON, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON", requires = "schema")]
    payload: Option<String>,
}

/// Runs a command about channels.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    match command {
        Command::List(flags) => list_all(flags, &caller).await,
        Command::Show(One { id }) => {
            let request = GetChannel { channel_id: id.as_str().into() };
            caller.show(request, |answer| row(&answer.channel)).await
        }
        Command::Create(flags) => caller.show(flags.request(), |answer| row(&answer.channel)).await,
        Command::Update(flags) => {
            caller.show(flags.request()?, |answer| row(&answer.channel)).await
        }
        Command::Delete(One { id }) => {
            let request = DeleteChannel { channel_id: id.as_str().into() };
            caller.show(request, |_| format!("deleted {id}")).await
        }
        Command::Join(One { id }) => {
            let request = JoinChannel { channel_id: id.as_str().into() };
            caller.show(request, |answer| row(&answer.channel)).await
        }
        Command::Leave(One { id }) => {
            let request = LeaveChannel { channel_id: id.as_str().into() };
            caller.show(request, |answer| row(&answer.channel)).await
        }
        Command::Members(of) => members(of, &caller).await,
        Command::Add(members) => add(members, &caller).await,
        Command::Remove(members) => remove(members, &caller).await,
        Command::Messages(flags) => messages(flags, &caller).await,
        Command::Send(flags) => {
            caller.show(flags.request()?, |sent| sent.message.message_id.to_string()).await
        }
        Command::DeleteMessage { id, message } => {
            let (channel_id, message_id) = (id.as_str().into(), message.as_str().into());
            let request = DeleteChannelMessage { channel_id, message_id };
            caller.show(request, |_| format!("deleted {message}")).await
        }
    }
}

async fn list_all(flags: &ListFlags, caller: &Caller) -> Result<()> {
    let request = ListChannels {
        q: flags.beginning.as_deref().map(Into::into),
        mine: flags.mine.then_some(true),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc channels list").word(flags.beginning.as_deref());
    let line = line.flag("--mine", flags.mine);
    let rows = |channels: &[Channel]| list::rows(channels.iter().map(row), "no channels");
    list::show(caller, request, &line, rows).await
}

async fn members(of: &Of, caller: &Caller) -> Result<()> {
    let (channel_id, page) = (of.id.as_str().into(), &of.page);
    let request = ListChannelMembers { channel_id, limit: page.limit(), cursor: page.cursor() };
    let line = Line::new("svc channels members").word(Some(&of.id));
    list::show(caller, request, &line, |members| users::rows(members, "no members")).await
}

async fn add(members: &Members, caller: &Caller) -> Result<()> {
    let names = members.names.iter().map(|name| handle(name));
    let usernames = names.collect::<Result<_>>()?;
    let request = AddChannelMembers { channel_id: members.id.as_str().into(), usernames };
    caller.show(request, |answer| row(&answer.channel)).await
}

async fn remove(members: &Members, caller: &Caller) -> Result<()> {
    for name in &members.names {
        let (channel_id, username) = (members.id.as_str().into(), handle(name)?);
        let request = RemoveChannelMember { channel_id, username };
        caller.show(request, |answer| row(&answer.channel)).await?;
    }
    Ok(())
}

async fn messages(flags: &MessagesFlags, caller: &Caller) -> Result<()> {
    let MessagesFlags { of, mark_read } = flags;
    let request = ListChannelMessages {
        channel_id: of.id.as_str().into(),
        order: None,
        limit: of.page.limit(),
        cursor: of.page.cursor(),
    };
    let line = Line::new("svc channels messages").word(Some(&of.id));
    let line = line.flag("--mark-read", *mark_read);
    let mut newest = None;
    let rows = |messages: &[ChannelMessage]| {
        newest = messages.first().map(|message| message.message_id.clone());
        list::rows(messages.iter().rev().map(message_row), "no messages")
    };
    list::show(caller, request, &line, rows).await?;
    let Some(last_read_message_id) = newest.filter(|_| *mark_read) else {
        return Ok(());
    };
    let request = ReadChannel { channel_id: of.id.as_str().into(), last_read_message_id };
    if let Some(answer) = caller.send(request).await? {
        let viewer = answer.value.value.channel.viewer;
        let left = viewer.map_or(0, |viewer| viewer.unread_count);
        caller.out.note(&format!("marked read, {left} unread"));
    }
    Ok(())
}

impl CreateFlags {
    fn request(&self) -> CreateChannel {
        CreateChannel {
            name: self.name.as_str().into(),
            title: self.looks.title.as_deref().map(Into::into),
            description: self.looks.description.as_deref().map(Into::into),
            visibility: self.looks.visibility.as_deref().map(Into::into),
            post_policy: self.looks.posts_by.as_deref().map(Into::into),
        }
    }
}

impl UpdateFlags {
    fn request(&self) -> Result<UpdateChannel> {
        let Looks { title, description, visibility, posts_by } = &self.looks;
        if [title, description, visibility, posts_by].iter().all(|text| text.is_none()) {
            return Err(Error::usage("nothing is to be changed")
                .hint(format!("svc channels update {} --title TEXT", self.id)));
        }
        Ok(UpdateChannel {
            channel_id: self.id.as_str().into(),
            title: title.as_deref().map(Into::into),
            description: description.as_deref().map(Into::into),
            visibility: visibility.as_deref().map(Into::into),
            post_policy: posts_by.as_deref().map(Into::into),
        })
    }
}

impl SendFlags {
    fn request(&self) -> Result<PostChannelMessage> {
        Ok(PostChannelMessage {
            channel_id: self.id.as_str().into(),
            content: input::text(&self.text)?.into(),
            schema: self.schema.as_deref().map(Into::into),
            payload: payload(self.payload.as_deref())?,
            reply_to_id: self.reply_to.as_deref().map(Into::into),
            client_message_id: self.client_id.as_deref().map(Into::into),
        })
    }
}

/// A channel on one line; its own words come last.
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
    format!(
        "{}  {}  @{}  {}",
        message.message_id,
        time::minute(message.created_at),
        message.sender.username,
        one_line(&message.content),
    )
}
