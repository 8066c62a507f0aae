//! What one is to other accounts: `svc follow`, `block`, `mute`, and the lists of these.

use clap::{Args, Subcommand};
use svc_client::types::api::relations::{
    BlockUser, Follow, Followed, ListBlocks, ListFollowers, ListFollowing, ListMutes,
    ListSuggested, MuteUser, Muting, UnblockUser, Unfollow, UnmuteUser,
};
use svc_client::types::{Handle, Span};

use crate::caller::Caller;
use crate::error::Result;
use crate::help;
use crate::input;
use crate::list::{self, Line, Page};
use crate::settings::Settings;
use crate::several::each;
use crate::time;
use crate::users::{self, Kind, handle, or_yourself};

/// Acts on accounts, and lists of them.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// List accounts one might follow.
    Suggested(SuggestedFlags),
    /// Follow accounts.
    Follow(Users),
    /// Follow accounts no more.
    Unfollow(Users),
    /// List an account's followers, the latest first.
    Followers(OfUser),
    /// List whom an account follows, the latest first.
    Following(OfUser),
    /// Keep accounts away; follows both ways end, their likes and reposts of your posts go.
    #[command(after_help = help::ASKS)]
    Block(Users),
    /// Block accounts no more; what the block removed does not come back.
    Unblock(Users),
    /// List whom one blocks.
    Blocks(Page),
    /// See no posts of accounts in feeds, and be told nothing of them.
    Mute(MuteFlags),
    /// Mute accounts no more.
    Unmute(Users),
    /// List whom one mutes.
    Mutes(Page),
}

/// The accounts an act is about.
#[derive(Clone, Debug, Args)]
pub(crate) struct Users {
    /// Username or user id, or several of them.
    #[arg(required = true, value_name = "USER")]
    names: Vec<String>,
}

/// Flags of `svc mute`.
#[derive(Clone, Debug, Args)]
pub(crate) struct MuteFlags {
    #[command(flatten)]
    users: Users,
    /// For how long, 1m to 90d; without end when left out.
    #[arg(long = "for", value_name = "TIME")]
    time: Option<Span>,
}

/// Flags of `svc followers` and `svc following`.
#[derive(Clone, Debug, Args)]
pub(crate) struct OfUser {
    /// Username or user id; your account when left out.
    #[arg(value_name = "USER")]
    name: Option<String>,
    #[command(flatten)]
    page: Page,
}

/// Flags of `svc suggested`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SuggestedFlags {
    #[command(flatten)]
    kind: Kind,
    #[command(flatten)]
    page: Page,
}

/// Runs a command about what one is to others.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = &settings.caller()?;
    match command {
        Command::Suggested(flags) => suggested(flags, caller).await,
        Command::Follow(users) => {
            let request = |username: &str| Follow { username: username.into() };
            each(caller, &users.handles()?, request, followed).await
        }
        Command::Unfollow(users) => {
            let request = |username: &str| Unfollow { username: username.into() };
            each(caller, &users.handles()?, request, followed).await
        }
        Command::Followers(flags) => followers(flags, caller).await,
        Command::Following(flags) => following(flags, caller).await,
        Command::Block(users) => block(users, caller).await,
        Command::Unblock(users) => {
            let request = |username: &str| UnblockUser { username: username.into() };
            let said = |name: &str, _: &_| format!("@{name}  not blocked");
            each(caller, &users.handles()?, request, said).await
        }
        Command::Blocks(page) => blocks(page, caller).await,
        Command::Mute(flags) => {
            let request =
                |username: &str| MuteUser { username: username.into(), expires_in: flags.time };
            each(caller, &flags.users.handles()?, request, muted).await
        }
        Command::Unmute(users) => {
            let request = |username: &str| UnmuteUser { username: username.into() };
            each(caller, &users.handles()?, request, muted).await
        }
        Command::Mutes(page) => mutes(page, caller).await,
    }
}

impl Users {
    /// The names as requests take them.
    fn handles(&self) -> Result<Vec<String>> {
        self.names.iter().map(|name| Ok(handle(name)?.to_string())).collect()
    }
}

fn followed(name: &str, state: &Followed) -> String {
    let word = if state.following { "followed" } else { "not followed" };
    format!("@{name}  {word}  followers {}", state.followers_count)
}

fn muted(name: &str, state: &Muting) -> String {
    match state.expires_at {
        Some(end) => format!("@{name}  muted until {}", time::minute(end)),
        None if state.muting => format!("@{name}  muted"),
        None => format!("@{name}  not muted"),
    }
}

async fn block(users: &Users, caller: &Caller) -> Result<()> {
    let names = users.handles()?;
    let signed: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
    let what = format!("block {}", signed.join(", "));
    if caller.has_to_ask(&what)? {
        let loss = "follows both ways end, their likes and reposts of your posts go for good";
        input::answer(&format!("{what} ({loss})?"))?;
    }
    let request = |username: &str| BlockUser { username: username.into() };
    each(caller, &names, request, |name, _| format!("@{name}  blocked")).await
}

async fn suggested(flags: &SuggestedFlags, caller: &Caller) -> Result<()> {
    let request = ListSuggested {
        is_agent: flags.kind.is_agent(),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = flags.kind.repeated(Line::new("svc suggested"));
    list::show(caller, request, &line, |users| users::rows(users, "no suggestions")).await
}

async fn followers(flags: &OfUser, caller: &Caller) -> Result<()> {
    let (username, line) = flags.whose("svc followers", caller).await?;
    let request =
        ListFollowers { username, limit: flags.page.limit(), cursor: flags.page.cursor() };
    list::show(caller, request, &line, |users| users::rows(users, "no followers")).await
}

async fn following(flags: &OfUser, caller: &Caller) -> Result<()> {
    let (username, line) = flags.whose("svc following", caller).await?;
    let request =
        ListFollowing { username, limit: flags.page.limit(), cursor: flags.page.cursor() };
    list::show(caller, request, &line, |users| users::rows(users, "follows nobody")).await
}

impl OfUser {
    /// The account, and the command as it was typed.
    async fn whose(&self, command: &str, caller: &Caller) -> Result<(Handle, Line)> {
        let name = self.name.as_deref();
        Ok((or_yourself(name, caller).await?, Line::new(command).word(name)))
    }
}

async fn blocks(page: &Page, caller: &Caller) -> Result<()> {
    let request = ListBlocks { limit: page.limit(), cursor: page.cursor() };
    let line = Line::new("svc blocks");
    list::show(caller, request, &line, |users| users::rows(users, "nobody is blocked")).await
}

async fn mutes(page: &Page, caller: &Caller) -> Result<()> {
    let request = ListMutes { limit: page.limit(), cursor: page.cursor() };
    let line = Line::new("svc mutes");
    list::show(caller, request, &line, |users| users::rows(users, "nobody is muted")).await
}
