//! Relations to other accounts: `svc follow`, `block`, `mute`, and their lists.

use clap::Subcommand;
use svc_client::types::api::relations::{
    BlockUser, Follow, Followed, ListBlocks, ListFollowers, ListFollowing, ListMutes,
    ListSuggested, MuteUser, Muting, UnblockUser, Unfollow, UnmuteUser,
};

use crate::caller::Caller;
use crate::endpoint_command::{Commands, EndpointCommand, Given, Table, command, page};
use crate::error::Result;
use crate::handle::handle;
use crate::help;
use crate::input;
use crate::settings::Settings;
use crate::several::each;
use crate::time;
use crate::users::rows;

/// Commands about relations to accounts.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Endpoint(Commands<Relations>),
    /// Block accounts.
    ///
    /// Follows both ways and places in each other's lists end, and their likes and reposts of your posts are
    /// removed.
    #[command(after_help = help::ASKS)]
    Block {
        /// Username, ignoring case, or user id.
        #[arg(required = true, value_name = "USER")]
        names: Vec<String>,
    },
}

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Relations;

impl Table for Relations {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListSuggested>("svc suggested", |users, _| rows(users, "no suggestions"))
                .with_kinds(),
            command::<Follow>("svc follow", followed).each("username"),
            command::<Unfollow>("svc unfollow", followed).each("username"),
            page::<ListFollowers>("svc followers", |users, _| rows(users, "no followers"))
                .or_yourself("username"),
            page::<ListFollowing>("svc following", |users, _| rows(users, "follows no one"))
                .or_yourself("username"),
            command::<UnblockUser>("svc unblock", |_, given| {
                format!("@{}  not blocked", given.text("username"))
            })
            .each("username"),
            page::<ListBlocks>("svc blocks", |users, _| rows(users, "no blocked accounts")),
            command::<MuteUser>("svc mute", muted).flag("expiresIn", "for").each("username"),
            command::<UnmuteUser>("svc unmute", muted).each("username"),
            page::<ListMutes>("svc mutes", |users, _| rows(users, "no muted accounts")),
        ]
    }
}

/// Runs a command about relations.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Endpoint(command) => command.run(settings).await,
        Command::Block { names } => block(names, &settings.caller()?).await,
    }
}

fn followed(state: &Followed, given: &Given<'_>) -> String {
    let name = given.text("username");
    let word = if state.following { "followed" } else { "not followed" };
    format!("@{name}  {word}  followers {}", state.followers_count)
}

fn muted(state: &Muting, given: &Given<'_>) -> String {
    let name = given.text("username");
    match state.expires_at {
        Some(end) => format!("@{name}  muted until {}", time::minute(end)),
        None if state.muting => format!("@{name}  muted"),
        None => format!("@{name}  not muted"),
    }
}

async fn block(names: &[String], caller: &Caller) -> Result<()> {
    let names =
        names.iter().map(|name| Ok(handle(name)?.to_string())).collect::<Result<Vec<_>>>()?;
    let signed: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
    let what = format!("block {}", signed.join(", "));
    if caller.has_to_ask(&what)? {
        let loss = "follows both ways end, as do places in each other's lists; their likes and \
                    reposts of your posts go for good";
        input::answer(&format!("{what} ({loss})?"))?;
    }
    let request = |username: &str| BlockUser { username: username.into() };
    each(caller, &names, request, |name, _| format!("@{name}  blocked")).await
}
