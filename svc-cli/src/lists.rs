//! `svc lists` and `svc list`: lists of accounts, each with a feed.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::api::lists::{
    AddListMembers, CreateList, DeleteList, GetList, List, ListListMembers, ListListPosts,
    ListLists, ListVisibility, RemoveListMember, RepliesPolicy, UpdateList,
};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::help;
use crate::list::{self, Line, Page};
use crate::output::one_line;
use crate::post::Format;
use crate::settings::Settings;
use crate::users::{self, handle};

/// Works with lists of accounts.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// List your lists, or the public ones of an account.
    Lists(ListsFlags),
    /// One list: its members and their posts.
    #[command(subcommand)]
    List(One),
}

/// Flags of `svc lists`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ListsFlags {
    /// Whose public lists: username or user id; your lists when left out.
    #[arg(value_name = "USER")]
    owner: Option<String>,
    #[command(flatten)]
    page: Page,
}

/// `svc list`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum One {
    /// Make a list; it is private unless said otherwise.
    Create(CreateFlags),
    /// Show a list.
    Show {
        /// The list.
        id: String,
    },
    /// Change your list; what is left out stays as it is.
    Edit(EditFlags),
    /// Delete your list.
    #[command(after_help = help::ASKS)]
    Delete {
        /// The list.
        id: String,
    },
    /// Add accounts to your list, all of them or none.
    Add(Members),
    /// Take accounts off your list.
    Remove(Members),
    /// List the members of a list.
    Members(OfList),
    /// Read what the members of a list write.
    Feed(FeedFlags),
}

/// What a list may have.
#[derive(Clone, Debug, Args)]
pub(crate) struct Looks {
    /// What it is about.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Who may read it.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(ListVisibility::WORDS))]
    visibility: Option<String>,
    /// Whether its members leave the home feed.
    #[arg(long, value_name = "true|false")]
    exclusive: Option<bool>,
    /// Which replies its feed holds.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(RepliesPolicy::WORDS))]
    replies: Option<String>,
}

/// Flags of `svc list create`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CreateFlags {
    /// What it is called.
    name: String,
    #[command(flatten)]
    looks: Looks,
}

/// Flags of `svc list edit`.
#[derive(Clone, Debug, Args)]
pub(crate) struct EditFlags {
    /// The list.
    id: String,
    /// What it is called from now on.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    looks: Looks,
}

/// A list and accounts.
#[derive(Clone, Debug, Args)]
pub(crate) struct Members {
    /// The list.
    id: String,
    /// Username or user id, or several of them.
    #[arg(required = true, value_name = "USER")]
    names: Vec<String>,
}

/// A list, and which part of what it holds.
#[derive(Clone, Debug, Args)]
pub(crate) struct OfList {
    /// The list.
    id: String,
    #[command(flatten)]
    page: Page,
}

/// Flags of `svc list feed`.
#[derive(Clone, Debug, Args)]
pub(crate) struct FeedFlags {
    #[command(flatten)]
    of: OfList,
    /// Show texts behind a warning too.
    #[arg(long)]
    show_warned: bool,
}

/// Runs a command about lists.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    match command {
        Command::Lists(flags) => lists(flags, &caller).await,
        Command::List(One::Create(flags)) => {
            caller.show(flags.request(), |answer| row(&answer.list)).await
        }
        Command::List(One::Show { id }) => {
            let request = GetList { list_id: id.as_str().into() };
            caller.show(request, |answer| row(&answer.list)).await
        }
        Command::List(One::Edit(flags)) => {
            caller.show(flags.request()?, |answer| row(&answer.list)).await
        }
        Command::List(One::Delete { id }) => {
            let request = DeleteList { list_id: id.as_str().into() };
            caller.show(request, |_| format!("deleted {id}")).await
        }
        Command::List(One::Add(members)) => {
            let names = members.names.iter().map(|name| handle(name));
            let usernames = names.collect::<Result<_>>()?;
            let request = AddListMembers { list_id: members.id.as_str().into(), usernames };
            caller.show(request, |answer| row(&answer.list)).await
        }
        Command::List(One::Remove(members)) => remove(members, &caller).await,
        Command::List(One::Members(of)) => {
            let (list_id, page) = (of.id.as_str().into(), &of.page);
            let request = ListListMembers { list_id, limit: page.limit(), cursor: page.cursor() };
            let line = Line::new("svc list members").word(Some(&of.id));
            list::show(&caller, request, &line, |members| users::rows(members, "no members")).await
        }
        Command::List(One::Feed(flags)) => feed(flags, &caller).await,
    }
}

async fn lists(flags: &ListsFlags, caller: &Caller) -> Result<()> {
    let request = ListLists {
        owner: flags.owner.as_deref().map(handle).transpose()?,
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc lists").word(flags.owner.as_deref());
    let rows = |lists: &[List]| list::rows(lists.iter().map(row), "no lists");
    list::show(caller, request, &line, rows).await
}

async fn remove(members: &Members, caller: &Caller) -> Result<()> {
    for name in &members.names {
        let (list_id, username) = (members.id.as_str().into(), handle(name)?);
        let request = RemoveListMember { list_id, username };
        caller.show(request, |answer| row(&answer.list)).await?;
    }
    Ok(())
}

async fn feed(flags: &FeedFlags, caller: &Caller) -> Result<()> {
    let FeedFlags { of, show_warned } = flags;
    let list_id = of.id.as_str().into();
    let request = ListListPosts { list_id, limit: of.page.limit(), cursor: of.page.cursor() };
    let line = Line::new("svc list feed").word(Some(&of.id));
    let line = line.flag("--show-warned", *show_warned);
    let format = Format::in_list(*show_warned);
    list::show(caller, request, &line, |posts| format.all(posts, "no posts")).await
}

impl CreateFlags {
    fn request(&self) -> CreateList {
        CreateList {
            name: self.name.as_str().into(),
            description: self.looks.description.as_deref().map(Into::into),
            visibility: self.looks.visibility.as_deref().map(Into::into),
            exclusive: self.looks.exclusive,
            replies_policy: self.looks.replies.as_deref().map(Into::into),
        }
    }
}

impl EditFlags {
    fn request(&self) -> Result<UpdateList> {
        let Looks { description, visibility, exclusive, replies } = &self.looks;
        let texts = [&self.name, description, visibility, replies];
        if exclusive.is_none() && texts.iter().all(|text| text.is_none()) {
            return Err(Error::usage("nothing is to be changed")
                .hint(format!("svc list edit {} --name NAME", self.id)));
        }
        Ok(UpdateList {
            list_id: self.id.as_str().into(),
            name: self.name.as_deref().map(Into::into),
            description: description.as_deref().map(Into::into),
            visibility: visibility.as_deref().map(Into::into),
            exclusive: *exclusive,
            replies_policy: replies.as_deref().map(Into::into),
        })
    }
}

/// A list on one line; its own words come last.
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
