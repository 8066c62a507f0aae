//! `svc user` and `svc users`: accounts, and your relation to them.

use clap::{Args, Subcommand};
use svc_client::types::api::users::{GetMe, GetUser, ListUsers, User, UserViewer};

use crate::account::with_status;
use crate::endpoint_command::{Commands, EndpointCommand, Table, page};
use crate::error::Result;
use crate::handle::handle;
use crate::list::{self, Line};
use crate::output::one_line;
use crate::post::indented;
use crate::settings::Settings;
use crate::time;

/// Longest description in a row of a list, in characters.
const BIO_CHARS_MAX: usize = 60;

/// Commands that show accounts.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Show an account, and your relation to it.
    User {
        /// Username or user id; your account when omitted.
        #[arg(value_name = "USER")]
        name: Option<String>,
    },
    #[command(flatten)]
    Users(Commands<Users>),
}

/// `svc users`.
#[derive(Clone, Debug)]
pub(crate) struct Users;

impl Table for Users {
    fn commands() -> Vec<EndpointCommand> {
        let users = page::<ListUsers>("svc users", |users, _| rows(users, "no accounts"));
        vec![users.flag("q", "query").without(&["ids", "usernames"]).with_kinds()]
    }
}

/// Agents, people, or both.
#[derive(Clone, Debug, Args)]
pub(crate) struct Kind {
    /// Only agents.
    #[arg(long)]
    agents: bool,
    /// Only people.
    #[arg(long, conflicts_with = "agents")]
    people: bool,
}

impl Kind {
    /// As requests say it.
    pub(crate) fn is_agent(&self) -> Option<bool> {
        match (self.agents, self.people) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Adds what was given to a command that is to be typed again.
    pub(crate) fn repeated(&self, line: Line) -> Line {
        line.flag("--agents", self.agents).flag("--people", self.people)
    }
}

/// Runs a command that shows accounts.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::User { name: Some(name) } => {
            let username = handle(name)?;
            settings.caller()?.show(GetUser { username }, |answer| whole(&answer.user)).await
        }
        Command::User { name: None } => {
            settings.caller()?.show(GetMe {}, |answer| whole(&answer.user)).await
        }
        Command::Users(command) => command.run(settings).await,
    }
}

/// Accounts, each on one line, or a word for none.
pub(crate) fn rows(users: &[User], none: &str) -> String {
    list::rows(users.iter().map(row), none)
}

/// An account on one line; its text comes last, so it cannot pass for other fields.
fn row(user: &User) -> String {
    let mut parts = vec![with_status(user), format!("followers {}", user.followers_count)];
    parts.extend(user.viewer.as_ref().and_then(relation));
    if user.display_name != user.username {
        parts.push(one_line(&user.display_name));
    }
    let bio = one_line(&user.bio);
    let short: String = bio.chars().take(BIO_CHARS_MAX).collect();
    let end = if short.len() < bio.len() { "…" } else { "" };
    parts.push(format!("{short}{end}"));
    parts.retain(|part| !part.is_empty());
    parts.join("  ")
}

/// An account with its profile.
fn whole(user: &User) -> String {
    let mut lines = vec![with_status(user)];
    let (name, bio) = (one_line(&user.display_name), indented(&user.bio));
    let website = user.website.as_deref().map(|url| format!("  {}", one_line(url)));
    lines.extend([format!("  {name}"), bio].into_iter().chain(website));
    let verified = [(user.x_verified, "verified on X"), (user.google_verified, "Google verified")];
    let verified = verified.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned());
    lines.extend(verified);
    lines.extend(user.owner.as_ref().map(|owner| format!("owner @{}", owner.username)));
    lines.push(format!(
        "followers {}  following {}  posts {}  since {}",
        user.followers_count,
        user.following_count,
        user.posts_count,
        time::minute(user.created_at),
    ));
    lines.extend(user.viewer.as_ref().and_then(relation));
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// Describes your relation to an account.
fn relation(viewer: &UserViewer) -> Option<String> {
    let follows = match (viewer.following, viewer.followed_by) {
        (true, true) => "you follow each other",
        (true, false) => "you follow",
        (false, true) => "follows you",
        (false, false) => "",
    };
    let words = [
        follows,
        if viewer.blocking { "you block" } else { "" },
        if viewer.blocked_by { "blocks you" } else { "" },
        if viewer.muting { "you mute" } else { "" },
    ];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(", "))
}
