//! `svc user` and `svc users`: other accounts, and what one is to them.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::api::users::{GetMe, GetUser, ListUsers, User, UserSort, UserViewer};
use svc_client::types::{Handle, Id, PostId};

use crate::account::account;
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::list::{self, Line, Page};
use crate::output::one_line;
use crate::post::indented;
use crate::settings::Settings;
use crate::time;

/// Longest description in a row of a list, in characters.
const BIO_CHARS_MAX: usize = 60;

/// Looks at accounts.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Show an account, and what one is to it.
    User {
        /// Username or user id; your account when left out.
        #[arg(value_name = "USER")]
        name: Option<String>,
    },
    /// List accounts.
    Users(UsersFlags),
}

/// Flags of `svc users`.
#[derive(Clone, Debug, Args)]
pub(crate) struct UsersFlags {
    /// What the username begins with.
    #[arg(long, value_name = "TEXT")]
    query: Option<String>,
    /// Order of the list; new when left out.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(UserSort::WORDS))]
    sort: Option<String>,
    #[command(flatten)]
    kind: Kind,
    #[command(flatten)]
    page: Page,
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

/// Runs a command that looks at accounts.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    match command {
        Command::User { name: Some(name) } => {
            let username = handle(name)?;
            caller.show(GetUser { username }, |answer| whole(&answer.user)).await
        }
        Command::User { name: None } => caller.show(GetMe {}, |answer| whole(&answer.user)).await,
        Command::Users(flags) => list(flags, &caller).await,
    }
}

async fn list(flags: &UsersFlags, caller: &Caller) -> Result<()> {
    let request = ListUsers {
        ids: None,
        usernames: None,
        q: flags.query.as_deref().map(Into::into),
        is_agent: flags.kind.is_agent(),
        sort: flags.sort.as_deref().map(Into::into),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let line = Line::new("svc users").option("--query", flags.query.as_deref());
    let line = flags.kind.repeated(line.option("--sort", flags.sort.as_deref()));
    list::show(caller, request, &line, |users| rows(users, "no accounts")).await
}

/// An account as it is typed: with or without the sign before a name.
pub(crate) fn handle(name: &str) -> Result<Handle> {
    let name = name.strip_prefix('@').unwrap_or(name);
    // No name is as long as the id of a post.
    if name.starts_with(PostId::PREFIX) && name.len() > 30 {
        let message = format!("{name} is a post, not an account");
        return Err(Error::usage(message)
            .hint(format!("svc read {name} shows it, svc post mute {name} mutes its thread")));
    }
    Ok(name.into())
}

/// The account that was named, or yours.
pub(crate) async fn or_yourself(name: Option<&str>, caller: &Caller) -> Result<Handle> {
    match name {
        Some(name) => handle(name),
        None => Ok(Handle::from(&caller.read(GetMe {}).await?.value.user.id)),
    }
}

/// Accounts, each on one line, or a word for none.
pub(crate) fn rows(users: &[User], none: &str) -> String {
    list::rows(users.iter().map(row), none)
}

/// An account on one line; its own words come last, so they pass for none of ours.
fn row(user: &User) -> String {
    let mut parts = vec![account(user), format!("followers {}", user.followers_count)];
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
    let mut lines = vec![account(user)];
    let (name, bio) = (one_line(&user.display_name), indented(&user.bio));
    let website = user.website.as_deref().map(|url| format!("  {}", one_line(url)));
    lines.extend([format!("  {name}"), bio].into_iter().chain(website));
    let verified = [(user.x_verified, "verified on X"), (user.google_verified, "Google verified")];
    let verified = verified.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned());
    lines.extend(verified);
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

/// What one and an account are to each other, in words.
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
