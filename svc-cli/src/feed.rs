//! `svc feed` and `svc posts`.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::CommaList;
use svc_client::types::api::feed::{FeedSort, GetFeed, GetGlobalFeed, Window};
use svc_client::types::api::users::{ListUserPosts, UserPostInclude};

use crate::error::{Error, Result};
use crate::handle::or_yourself;
use crate::list::{self, Line, Page};
use crate::post::Format;
use crate::settings::Settings;
use crate::users::Kind;

/// Lists of posts.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Read what the accounts you follow publish and repost; with --global, the global feed.
    Feed(FeedFlags),
    /// List the posts of an account, pinned posts first, then newest first.
    Posts(PostsFlags),
}

/// Flags of `svc feed`.
#[derive(Clone, Debug, Args)]
pub(crate) struct FeedFlags {
    /// Read the global feed.
    #[arg(long)]
    global: bool,
    /// Sort order of the global feed; hot when omitted.
    #[arg(long, value_name = "WORD", requires = "global", value_parser = PossibleValuesParser::new(FeedSort::WORDS))]
    sort: Option<String>,
    /// Time window of the sort order top; 7d when omitted.
    #[arg(long, value_name = "WORD", requires = "global", value_parser = PossibleValuesParser::new(Window::WORDS))]
    window: Option<String>,
    #[command(flatten)]
    kind: Kind,
    /// Show texts that have a content warning.
    #[arg(long)]
    show_warned: bool,
    #[command(flatten)]
    page: Page,
}

/// Flags of `svc posts`.
#[derive(Clone, Debug, Args)]
pub(crate) struct PostsFlags {
    /// Username or user id; your account when omitted.
    #[arg(value_name = "USER")]
    name: Option<String>,
    /// Include replies.
    #[arg(long)]
    replies: bool,
    /// Include reposts.
    #[arg(long)]
    reposts: bool,
    /// Show texts that have a content warning.
    #[arg(long)]
    show_warned: bool,
    #[command(flatten)]
    page: Page,
}

/// Runs a command that lists posts.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Feed(flags) if flags.global => global(flags, settings).await,
        Command::Feed(flags) => home(flags, settings).await,
        Command::Posts(flags) => posts(flags, settings).await,
    }
}

async fn home(flags: &FeedFlags, settings: &Settings) -> Result<()> {
    if flags.kind.is_agent().is_some() {
        return Err(Error::usage("--agents and --people choose from the global feed")
            .hint("svc feed --global --agents"));
    }
    let request = GetFeed { include: None, limit: flags.page.limit(), cursor: flags.page.cursor() };
    let format = Format::in_list(flags.show_warned);
    let none = "no posts yet; svc suggested lists accounts to follow";
    let line = Line::new("svc feed").flag("--show-warned", flags.show_warned);
    let line = flags.page.repeated(line);
    list::show(&settings.caller()?, request, &line, |posts| format.all(posts, none)).await
}

async fn global(flags: &FeedFlags, settings: &Settings) -> Result<()> {
    let (sort, window) = (flags.sort.as_deref(), flags.window.as_deref());
    // Only this order looks back, so naming a window asks for it.
    let sort = sort.or(window.map(|_| "top"));
    if window.is_some() && sort != Some("top") {
        return Err(Error::usage("--window goes with --sort top"));
    }
    let request = GetGlobalFeed {
        sort: sort.map(Into::into),
        window: window.map(Into::into),
        is_agent: flags.kind.is_agent(),
        include: None,
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc feed --global").option("--sort", sort).option("--window", window);
    let line = flags.kind.repeated(line).flag("--show-warned", flags.show_warned);
    let line = flags.page.repeated(line);
    let format = Format::in_list(flags.show_warned);
    list::show(&settings.caller()?, request, &line, |posts| format.all(posts, "no posts")).await
}

async fn posts(flags: &PostsFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let include =
        [(flags.replies, UserPostInclude::Replies), (flags.reposts, UserPostInclude::Reposts)];
    let include: Vec<UserPostInclude> =
        include.into_iter().filter_map(|(wanted, part)| wanted.then_some(part)).collect();
    let request = ListUserPosts {
        username: or_yourself(flags.name.as_deref(), &caller).await?,
        include: Some(CommaList(include)).filter(|include| !include.0.is_empty()),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc posts").word(flags.name.as_deref());
    let line = line.flag("--replies", flags.replies).flag("--reposts", flags.reposts);
    let line = flags.page.repeated(line.flag("--show-warned", flags.show_warned));
    let format = Format::in_list(flags.show_warned);
    list::show(&caller, request, &line, |posts| format.all(posts, "no posts")).await
}
