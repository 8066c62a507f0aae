//! What one does to posts: `svc like`, `repost`, `bookmark`, the same below `svc post`, and who
//! did it.

use clap::{Args, Subcommand};
use svc_client::types::api::posts::ListQuotes;
use svc_client::types::api::reactions::{
    BookmarkPost, LikePost, Liked, ListBookmarks, ListLikes, ListReposts, MuteThread, PinPost,
    RepostPost, Reposted, UnbookmarkPost, UnlikePost, UnmuteThread, UnpinPost, UnrepostPost,
};

use crate::error::Result;
use crate::list::{self, Line, Page};
use crate::post::Format;
use crate::settings::Settings;
use crate::several::each;
use crate::users;

/// The posts an act is about.
#[derive(Clone, Debug, Args)]
pub(crate) struct Posts {
    /// The post, or several of them.
    #[arg(required = true, value_name = "POST")]
    ids: Vec<String>,
}

/// Acts that have a short form without `post`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Act {
    /// Like posts.
    Like(Posts),
    /// Take likes back.
    Unlike(Posts),
    /// Show posts to your followers.
    Repost(Posts),
    /// Take reposts back.
    Unrepost(Posts),
    /// Keep posts to find them again; nobody else learns of it.
    Bookmark(Posts),
    /// Remove bookmarks.
    Unbookmark(Posts),
}

/// Acts on posts: `svc post like POST`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Verb {
    #[command(flatten)]
    Act(Act),
    /// Pin your posts to the top of your profile; at most 5.
    Pin(Posts),
    /// Unpin your posts.
    Unpin(Posts),
    /// Be told no more of what happens in the threads of posts.
    Mute(Posts),
    /// Be told of the threads of posts again.
    Unmute(Posts),
}

/// Acts on posts in short, and lists of what was done.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Act(Act),
    /// List your bookmarks, latest first.
    Bookmarks(BookmarksFlags),
    /// List who likes a post, latest first.
    Likes(OfPost),
    /// List who reposts a post, latest first.
    Reposts(OfPost),
    /// List the posts that quote a post, newest first.
    Quotes(QuotesFlags),
}

/// Flags of `svc bookmarks`.
#[derive(Clone, Debug, Args)]
pub(crate) struct BookmarksFlags {
    /// Show texts behind a warning too.
    #[arg(long)]
    show_warned: bool,
    #[command(flatten)]
    page: Page,
}

/// Flags of `svc likes` and `svc reposts`.
#[derive(Clone, Debug, Args)]
pub(crate) struct OfPost {
    /// The post.
    #[arg(value_name = "POST")]
    id: String,
    #[command(flatten)]
    page: Page,
}

/// Flags of `svc quotes`.
#[derive(Clone, Debug, Args)]
pub(crate) struct QuotesFlags {
    /// The post.
    #[arg(value_name = "POST")]
    id: String,
    /// Show texts behind a warning too.
    #[arg(long)]
    show_warned: bool,
    #[command(flatten)]
    page: Page,
}

/// Runs a command about posts.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Act(act) => self::act(act, settings).await,
        Command::Bookmarks(flags) => bookmarks(flags, settings).await,
        Command::Likes(flags) => likes(flags, settings).await,
        Command::Reposts(flags) => reposts(flags, settings).await,
        Command::Quotes(flags) => quotes(flags, settings).await,
    }
}

/// Does something to posts.
pub(crate) async fn verb(verb: &Verb, settings: &Settings) -> Result<()> {
    let caller = &settings.caller()?;
    match verb {
        Verb::Act(act) => self::act(act, settings).await,
        Verb::Pin(posts) => {
            let request = |id: &str| PinPost { post_id: id.into() };
            each(caller, &posts.ids, request, |id, _| format!("{id}  pinned")).await
        }
        Verb::Unpin(posts) => {
            let request = |id: &str| UnpinPost { post_id: id.into() };
            each(caller, &posts.ids, request, |id, _| format!("{id}  not pinned")).await
        }
        Verb::Mute(posts) => {
            let request = |id: &str| MuteThread { post_id: id.into() };
            each(caller, &posts.ids, request, |id, _| format!("{id}  thread muted")).await
        }
        Verb::Unmute(posts) => {
            let request = |id: &str| UnmuteThread { post_id: id.into() };
            each(caller, &posts.ids, request, |id, _| format!("{id}  thread not muted")).await
        }
    }
}

async fn act(act: &Act, settings: &Settings) -> Result<()> {
    let caller = &settings.caller()?;
    match act {
        Act::Like(posts) => {
            let request = |id: &str| LikePost { post_id: id.into() };
            each(caller, &posts.ids, request, liked).await
        }
        Act::Unlike(posts) => {
            let request = |id: &str| UnlikePost { post_id: id.into() };
            each(caller, &posts.ids, request, liked).await
        }
        Act::Repost(posts) => {
            let request = |id: &str| RepostPost { post_id: id.into() };
            each(caller, &posts.ids, request, reposted).await
        }
        Act::Unrepost(posts) => {
            let request = |id: &str| UnrepostPost { post_id: id.into() };
            each(caller, &posts.ids, request, reposted).await
        }
        Act::Bookmark(posts) => {
            let request = |id: &str| BookmarkPost { post_id: id.into() };
            each(caller, &posts.ids, request, |id, _| format!("{id}  bookmarked")).await
        }
        Act::Unbookmark(posts) => {
            let request = |id: &str| UnbookmarkPost { post_id: id.into() };
            each(caller, &posts.ids, request, |id, _| format!("{id}  not bookmarked")).await
        }
    }
}

fn liked(id: &str, state: &Liked) -> String {
    let word = if state.liked { "liked" } else { "not liked" };
    format!("{id}  {word}  likes {}", state.likes_count)
}

fn reposted(id: &str, state: &Reposted) -> String {
    let word = if state.reposted { "reposted" } else { "not reposted" };
    format!("{id}  {word}  reposts {}", state.reposts_count)
}

async fn bookmarks(flags: &BookmarksFlags, settings: &Settings) -> Result<()> {
    let request = ListBookmarks { limit: flags.page.limit(), cursor: flags.page.cursor() };
    let format = Format::in_list(flags.show_warned);
    let line = Line::new("svc bookmarks").flag("--show-warned", flags.show_warned);
    list::show(&settings.caller()?, request, &line, |posts| format.all(posts, "no bookmarks")).await
}

async fn likes(flags: &OfPost, settings: &Settings) -> Result<()> {
    let request = ListLikes {
        post_id: flags.id.as_str().into(),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc likes").word(Some(&flags.id));
    list::show(&settings.caller()?, request, &line, |users| users::rows(users, "no likes")).await
}

async fn reposts(flags: &OfPost, settings: &Settings) -> Result<()> {
    let request = ListReposts {
        post_id: flags.id.as_str().into(),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc reposts").word(Some(&flags.id));
    list::show(&settings.caller()?, request, &line, |users| users::rows(users, "no reposts")).await
}

async fn quotes(flags: &QuotesFlags, settings: &Settings) -> Result<()> {
    let request = ListQuotes {
        post_id: flags.id.as_str().into(),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let format = Format::in_list(flags.show_warned);
    let line = Line::new("svc quotes").word(Some(&flags.id));
    let line = line.flag("--show-warned", flags.show_warned);
    list::show(&settings.caller()?, request, &line, |posts| format.all(posts, "no quotes")).await
}
