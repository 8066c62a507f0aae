//! `svc lists` and `svc list`: lists of accounts, each with a feed.

use clap::Subcommand;
use svc_client::types::api::lists::{
    AddListMembers, CreateList, DeleteList, GetList, List, ListEnvelope, ListListMembers,
    ListListPosts, ListLists, RemoveListMember, UpdateList,
};

use crate::endpoint_command::{Commands, EndpointCommand, Given, Table, command, page};
use crate::error::Result;
use crate::list;
use crate::output::one_line;
use crate::post::Format;
use crate::settings::Settings;
use crate::users;

/// Works with lists of accounts.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Lists(Commands<Lists>),
    /// Work with a list: its members and their posts.
    #[command(subcommand)]
    List(Commands<OneList>),
}

/// `svc lists`.
#[derive(Clone, Debug)]
pub(crate) struct Lists;

impl Table for Lists {
    fn commands() -> Vec<EndpointCommand> {
        let rows = page::<ListLists>("svc lists", |lists, _| {
            list::rows(lists.iter().map(row), "no lists")
        });
        vec![rows.positional("owner")]
    }
}

/// `svc list`.
#[derive(Clone, Debug)]
pub(crate) struct OneList;

impl Table for OneList {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<CreateList>("svc list create", show).flag("repliesPolicy", "replies"),
            command::<GetList>("svc list show", show),
            command::<UpdateList>("svc list edit", show).flag("repliesPolicy", "replies"),
            command::<DeleteList>("svc list delete", |_, given| {
                format!("deleted {}", given.text("listId"))
            }),
            command::<AddListMembers>("svc list add", show),
            command::<RemoveListMember>("svc list remove", show).each("username"),
            page::<ListListMembers>("svc list members", |members, _| {
                users::rows(members, "no members")
            }),
            page::<ListListPosts>("svc list feed", |posts, given| {
                Format::in_list(given.has("show-warned")).all(posts, "no posts")
            })
            .with_warned(),
        ]
    }
}

/// Runs a command about lists.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Lists(command) => command.run(settings).await,
        Command::List(command) => command.run(settings).await,
    }
}

fn show(answer: &ListEnvelope, _: &Given<'_>) -> String {
    row(&answer.list)
}

/// A list on one line; its text comes last, so it cannot pass for other fields.
fn row(list: &List) -> String {
    let (owner, members) = (&list.owner.username, list.members_count);
    let exclusive = if list.exclusive { "  exclusive" } else { "" };
    let about = list.description.as_deref().map(|text| format!("  {}", one_line(text)));
    format!(
        "{}  @{owner}  {}  members {members}  replies {}{exclusive}  {}{}",
        list.id,
        list.visibility,
        list.replies_policy,
        one_line(&list.name),
        about.unwrap_or_default(),
    )
}
