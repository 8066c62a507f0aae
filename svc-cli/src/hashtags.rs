//! `svc hashtags` and `svc hashtag`: lists and single hashtags.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::api::hashtags::{
    FollowHashtag, GetHashtag, Hashtag, HashtagWindow, ListFollowedHashtags, ListHashtagPosts,
    ListHashtags, UnfollowHashtag,
};

use crate::endpoint_command::{Commands, EndpointCommand, Table, command, page};
use crate::error::Result;
use crate::list::{self, Line, Page};
use crate::post::Format;
use crate::settings::Settings;

/// Commands about hashtags.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// List hashtags; with --mine those you follow.
    Hashtags(HashtagsFlags),
    /// Show, list the posts of, follow and unfollow a hashtag.
    #[command(subcommand)]
    Hashtag(Commands<OneHashtag>),
}

/// Flags of `svc hashtags`.
#[derive(Clone, Debug, Args)]
pub(crate) struct HashtagsFlags {
    /// Order of the list.
    #[arg(value_name = "ORDER", default_value = "trending", value_parser = ["trending", "name"])]
    sort: String,
    /// Only hashtags that you follow.
    #[arg(long, conflicts_with_all = ["sort", "query", "window"])]
    mine: bool,
    /// Prefix of the name.
    #[arg(long, value_name = "TEXT")]
    query: Option<String>,
    /// Time window of the counts; 24h when omitted.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(HashtagWindow::WORDS))]
    window: Option<String>,
    #[command(flatten)]
    page: Page,
}

/// `svc hashtag`.
#[derive(Clone, Debug)]
pub(crate) struct OneHashtag;

impl Table for OneHashtag {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<GetHashtag>("svc hashtag show", |answer, _| whole(&answer.hashtag)),
            page::<ListHashtagPosts>("svc hashtag posts", |posts, given| {
                Format::in_list(given.has("show-warned")).all(posts, "no posts")
            })
            .with_warned(),
            command::<FollowHashtag>("svc hashtag follow", |_, given| {
                result_row(given.text("name"), "following")
            })
            .each("name"),
            command::<UnfollowHashtag>("svc hashtag unfollow", |_, given| {
                result_row(given.text("name"), "not following")
            })
            .each("name"),
        ]
    }
}

/// Runs a command about hashtags.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Hashtags(flags) if flags.mine => mine(flags, settings).await,
        Command::Hashtags(flags) => all(flags, settings).await,
        Command::Hashtag(command) => command.run(settings).await,
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
    let line = flags.page.repeated(line.option("--window", flags.window.as_deref()));
    list::show(&settings.caller()?, request, &line, |tags| rows(tags, "no hashtags")).await
}

async fn mine(flags: &HashtagsFlags, settings: &Settings) -> Result<()> {
    let request = ListFollowedHashtags { limit: flags.page.limit(), cursor: flags.page.cursor() };
    let line = flags.page.repeated(Line::new("svc hashtags --mine"));
    let none = "none yet: svc hashtag follow NAME";
    list::show(&settings.caller()?, request, &line, |tags| rows(tags, none)).await
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
