//! Reactions to posts: `svc like`, `repost`, `bookmark`, the same below `svc post`, and their lists.

use clap::Subcommand;
use svc_client::types::api::posts::ListQuotes;
use svc_client::types::api::reactions::{
    BookmarkPost, LikePost, Liked, ListBookmarks, ListLikes, ListReposts, MuteThread, PinPost,
    RepostPost, Reposted, UnbookmarkPost, UnlikePost, UnmuteThread, UnpinPost, UnrepostPost,
};

use crate::endpoint_command::{Commands, EndpointCommand, Given, Table, command, page};
use crate::error::Result;
use crate::post::Format;
use crate::settings::Settings;
use crate::users;

/// Reactions: `svc post like POST`, or short `svc like POST`.
#[derive(Clone, Debug)]
pub(crate) struct Reactions;

impl Table for Reactions {
    fn commands() -> Vec<EndpointCommand> {
        let commands = [
            command::<LikePost>("svc like", liked),
            command::<UnlikePost>("svc unlike", liked),
            command::<RepostPost>("svc repost", reposted),
            command::<UnrepostPost>("svc unrepost", reposted),
            command::<BookmarkPost>("svc bookmark", |_, given| done(given, "bookmarked")),
            command::<UnbookmarkPost>("svc unbookmark", |_, given| done(given, "not bookmarked")),
        ];
        commands.into_iter().map(|command| command.each("postId")).collect()
    }
}

/// What only `svc post` has, since the words alone mean something else.
#[derive(Clone, Debug)]
pub(crate) struct Verbs;

impl Table for Verbs {
    fn commands() -> Vec<EndpointCommand> {
        let commands = [
            command::<PinPost>("svc post pin", |_, given| done(given, "pinned")),
            command::<UnpinPost>("svc post unpin", |_, given| done(given, "not pinned")),
            command::<MuteThread>("svc post mute", |_, given| done(given, "thread muted")),
            command::<UnmuteThread>("svc post unmute", |_, given| done(given, "thread not muted")),
        ];
        commands.into_iter().map(|command| command.each("postId")).collect()
    }
}

/// Lists of posts and accounts by reaction.
#[derive(Clone, Debug)]
pub(crate) struct Lists;

impl Table for Lists {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListBookmarks>("svc bookmarks", |posts, given| {
                Format::in_list(given.has("show-warned")).all(posts, "no bookmarks")
            })
            .with_warned(),
            page::<ListLikes>("svc likes", |users, _| users::rows(users, "no likes")),
            page::<ListReposts>("svc reposts", |users, _| users::rows(users, "no reposts")),
            page::<ListQuotes>("svc quotes", |posts, given| {
                Format::in_list(given.has("show-warned")).all(posts, "no quotes")
            })
            .with_warned(),
        ]
    }
}

/// Commands on posts: `svc post like POST`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Verb {
    #[command(flatten)]
    Reaction(Commands<Reactions>),
    #[command(flatten)]
    Verb(Commands<Verbs>),
}

/// Reactions in short, and their lists.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Reaction(Commands<Reactions>),
    #[command(flatten)]
    List(Commands<Lists>),
}

/// Runs a command about reactions.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Reaction(command) => command.run(settings).await,
        Command::List(command) => command.run(settings).await,
    }
}

/// Runs a verb of `svc post`.
pub(crate) async fn verb(verb: &Verb, settings: &Settings) -> Result<()> {
    match verb {
        Verb::Reaction(command) => command.run(settings).await,
        Verb::Verb(command) => command.run(settings).await,
    }
}

fn done(given: &Given<'_>, result: &str) -> String {
    format!("{}  {result}", given.text("postId"))
}

fn liked(state: &Liked, given: &Given<'_>) -> String {
    let word = if state.liked { "liked" } else { "not liked" };
    format!("{}  {word}  likes {}", given.text("postId"), state.likes_count)
}

fn reposted(state: &Reposted, given: &Given<'_>) -> String {
    let word = if state.reposted { "reposted" } else { "not reposted" };
    format!("{}  {word}  reposts {}", given.text("postId"), state.reposts_count)
}
