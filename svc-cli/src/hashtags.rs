//! `svc hashtags` and `svc hashtag`: what is talked about.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::api::hashtags::{
    FollowHashtag, GetHashtag, Hashtag, HashtagPostSort, HashtagWindow, ListFollowedHashtags,
    ListHashtagPosts, ListHashtags, UnfollowHashtag,
};

use crate::error::Result;
use crate::list::{self, Line, Page};
use crate::post::Format;
use crate::settings::Settings;
use crate::several::each;

/// Looks at hashtags.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// List what is talked about; with --mine the hashtags one follows.
    Hashtags(HashtagsFlags),
    /// One hashtag: its counts, its posts, and following it.
    #[command(subcommand)]
    Hashtag(One),
}

/// Flags of `svc hashtags`.
#[derive(Clone, Debug, Args)]
pub(crate) struct HashtagsFlags {
    /// Order of the list.
    #[arg(value_name = "ORDER", default_value = "trending", value_parser = ["trending", "name"])]
    sort: String,
    /// Those one follows.
    #[arg(long, conflicts_with_all = ["sort", "query", "window"])]
    mine: bool,
    /// What the name begins with.
    #[arg(long, value_name = "TEXT")]
    query: Option<String>,
    /// What the counts are of; 24h when left out.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(HashtagWindow::WORDS))]
    window: Option<String>,
    #[command(flatten)]
    page: Page,
}

/// `svc hashtag`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum One {
    /// Show how much a hashtag is used.
    Show {
        /// The hashtag, with or without #.
        name: String,
    },
    /// List the posts with a hashtag.
    Posts(PostsFlags),
    /// Follow hashtags: their posts come into your home feed.
    Follow(Names),
    /// Follow hashtags no more.
    Unfollow(Names),
}

/// Flags of `svc hashtag posts`.
#[derive(Clone, Debug, Args)]
pub(crate) struct PostsFlags {
    /// The hashtag, with or without #.
    name: String,
    /// Order of the list; new when left out.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(HashtagPostSort::WORDS))]
    sort: Option<String>,
    /// Show texts behind a warning too.
    #[arg(long)]
    show_warned: bool,
    #[command(flatten)]
    page: Page,
}

/// The hashtags an act is about.
#[derive(Clone, Debug, Args)]
pub(crate) struct Names {
    /// The hashtag, with or without #, or several of them.
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
}

/// Runs a command that looks at hashtags.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    match command {
        Command::Hashtags(flags) if flags.mine => mine(flags, settings).await,
        Command::Hashtags(flags) => all(flags, settings).await,
        Command::Hashtag(One::Show { name }) => {
            let request = GetHashtag { name: name.as_str().into() };
            caller.show(request, |answer| whole(&answer.hashtag)).await
        }
        Command::Hashtag(One::Posts(flags)) => posts(flags, settings).await,
        Command::Hashtag(One::Follow(names)) => {
            let request = |name: &str| FollowHashtag { name: name.into() };
            each(&caller, &names.names, request, |name, _| result_row(name, "following")).await
        }
        Command::Hashtag(One::Unfollow(names)) => {
            let request = |name: &str| UnfollowHashtag { name: name.into() };
            each(&caller, &names.names, request, |name, _| result_row(name, "not following")).await
        }
    }
}

async fn all(flags: &HashtagsFlags, settings: &Settings) -> Result<()> {
    let request = ListHashtags {
        sort: Some(flags.sort.as_str().into()),
        q: flags.query.as_deref().map(Into::into),
        window: flags.window.as_deref().map(Into::into),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc hashtags").word(Some(&flags.sort));
    let line = line.option("--query", flags.query.as_deref());
    let line = line.option("--window", flags.window.as_deref());
    list::show(&settings.caller()?, request, &line, |tags| rows(tags, "no hashtags")).await
}

async fn mine(flags: &HashtagsFlags, settings: &Settings) -> Result<()> {
    let request = ListFollowedHashtags { limit: flags.page.limit(), cursor: flags.page.cursor() };
    let line = Line::new("svc hashtags --mine");
    let none = "none yet: svc hashtag follow NAME";
    list::show(&settings.caller()?, request, &line, |tags| rows(tags, none)).await
}

async fn posts(flags: &PostsFlags, settings: &Settings) -> Result<()> {
    let request = ListHashtagPosts {
        name: flags.name.as_str().into(),
        sort: flags.sort.as_deref().map(Into::into),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc hashtag posts").word(Some(&flags.name));
    let line = line.option("--sort", flags.sort.as_deref());
    let line = line.flag("--show-warned", flags.show_warned);
    let format = Format::in_list(flags.show_warned);
    list::show(&settings.caller()?, request, &line, |posts| format.all(posts, "no posts")).await
}

fn result_row(name: &str, what: &str) -> String {
    format!("#{}  {what}", name.strip_prefix('#').unwrap_or(name))
}

/// Hashtags, each on one line, or a word for none.
pub(crate) fn rows(hashtags: &[Hashtag], none: &str) -> String {
    list::rows(hashtags.iter().map(row), none)
}

fn row(hashtag: &Hashtag) -> String {
    let (posts, accounts) = (hashtag.posts_count, hashtag.accounts_count);
    let mark = match &hashtag.viewer {
        Some(viewer) if viewer.following => "  you follow",
        _ => "",
    };
    format!("#{}  accounts {accounts}  posts {posts}{mark}", hashtag.name)
}

/// A hashtag with the parts of the window in which it was used.
fn whole(hashtag: &Hashtag) -> String {
    let used = hashtag.history.iter().flatten().filter(|part| part.posts > 0);
    let parts = used.map(|part| {
        let when = crate::time::minute(part.start);
        format!("  {when}  accounts {}  posts {}", part.accounts, part.posts)
    });
    [row(hashtag)].into_iter().chain(parts).collect::<Vec<_>>().join("\n")
}
