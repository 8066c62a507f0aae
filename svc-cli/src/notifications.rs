//! `svc notifications`: lists, counts and preferences.

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use svc_client::types::api::notifications::{
    ChannelsUpdate, CountUnreadNotifications, GetPreferences, ListNotifications, Notification,
    NotificationType, NotifyFrom, Preferences, PreferencesUpdate, ReadNotifications,
    UnreadNotifications, UpdatePreferences,
};
use svc_client::types::api::posts::PostRef;
use svc_client::types::{CommaList, NotificationId};

use crate::caller::Caller;
use crate::endpoint_command::{Commands, EndpointCommand, Table, command};
use crate::error::{Error, Result};
use crate::list::{self, Line, Page};
use crate::output::{one_line, warning};
use crate::post::hanging;
use crate::settings::Settings;
use crate::time;

/// Flags of `svc notifications`, which without a command lists them.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct NotificationsFlags {
    /// Only unread notifications.
    #[arg(long)]
    unread: bool,
    /// Only these types, separated by commas.
    #[arg(long, value_name = "TYPES")]
    types: Option<String>,
    /// All but these types, separated by commas.
    #[arg(long, value_name = "TYPES")]
    exclude_types: Option<String>,
    #[command(flatten)]
    page: Page,
    #[command(subcommand)]
    command: Option<Command>,
}

/// `svc notifications`.
#[derive(Clone, Debug, Subcommand)]
enum Command {
    /// Mark notifications as read.
    Read(ReadFlags),
    #[command(flatten)]
    Endpoint(Commands<Notifications>),
    /// Show your preferences, or set them.
    Preferences {
        #[command(subcommand)]
        command: Option<Choice>,
    },
}

/// Flags of `svc notifications read`.
#[derive(Clone, Debug, Args)]
#[group(id = "which", required = true, multiple = false)]
struct ReadFlags {
    /// Ids of the notifications, at most 100.
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// All notifications.
    #[arg(long)]
    all: bool,
    /// This notification and all before it.
    #[arg(long, value_name = "ID")]
    up_to: Option<String>,
    /// All notifications about this post.
    #[arg(long, value_name = "POST")]
    post: Option<String>,
}

/// `svc notifications preferences`.
#[derive(Clone, Debug, Subcommand)]
enum Choice {
    /// Set preferences; omitted ones keep their value.
    Set {
        /// `like=off`, `like.webhook=on` (or inApp, mqtt), `from=following` or `from=everyone`.
        #[arg(required = true, value_name = "NAME=VALUE")]
        choices: Vec<String>,
    },
}

/// Commands of one request.
#[derive(Clone, Debug)]
struct Notifications;

impl Table for Notifications {
    fn commands() -> Vec<EndpointCommand> {
        vec![command::<CountUnreadNotifications>("svc notifications count", |unread, _| {
            counted(unread)
        })]
    }
}

/// Runs `svc notifications`.
pub(crate) async fn run(flags: &NotificationsFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    match &flags.command {
        None => list(flags, &caller).await,
        Some(Command::Read(flags)) => {
            caller
                .show(flags.request(), |read| {
                    format!("marked {} as read, {} unread", read.marked, read.unread_count)
                })
                .await
        }
        Some(Command::Endpoint(command)) => command.run(settings).await,
        Some(Command::Preferences { command: None }) => {
            caller.show(GetPreferences {}, |answer| chosen(&answer.preferences)).await
        }
        Some(Command::Preferences { command: Some(Choice::Set { choices }) }) => {
            let request = UpdatePreferences { preferences: update(choices)? };
            caller.show(request, |answer| chosen(&answer.preferences)).await
        }
    }
}

async fn list(flags: &NotificationsFlags, caller: &Caller) -> Result<()> {
    let request = ListNotifications {
        types: types(flags.types.as_deref()),
        exclude_types: types(flags.exclude_types.as_deref()),
        unread: flags.unread.then_some(true),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |page| {
        list::text(&page.notifications, page.next_cursor.as_ref(), |all| {
            list::rows(all.iter().map(row), "no notifications")
        })
    })?;
    let line = Line::new("svc notifications").flag("--unread", flags.unread);
    let line = line.option("--types", flags.types.as_deref());
    let line = line.option("--exclude-types", flags.exclude_types.as_deref());
    let more = flags.page.repeated(line);
    list::more(caller.out, more.as_str(), answer.value.value.next_cursor.as_ref());
    Ok(())
}

fn types(words: Option<&str>) -> Option<CommaList<NotificationType>> {
    let words = words?.split(',').map(|word| NotificationType::from(word.trim()));
    Some(CommaList(words.collect()))
}

impl ReadFlags {
    fn request(&self) -> ReadNotifications {
        let ids: Vec<NotificationId> = self.ids.iter().map(|id| id.as_str().into()).collect();
        ReadNotifications {
            ids: Some(ids).filter(|ids| !ids.is_empty()),
            up_to: self.up_to.as_deref().map(Into::into),
            post_id: self.post.as_deref().map(Into::into),
            all: self.all.then_some(true),
        }
    }
}

/// A notification on one line; a star marks an unread one.
fn row(notification: &Notification) -> String {
    let star = if notification.read { ' ' } else { '*' };
    let when = time::minute(notification.created_at);
    let mut row = format!("{}  {when}  {star} {}", notification.id, notification.r#type);
    let actor = notification.actor.as_ref().map(|actor| format!("@{}", actor.username));
    let post = notification.post.as_ref();
    let about = post.map(|post| post.id.to_string());
    let about = about.or_else(|| notification.post_id.as_ref().map(ToString::to_string));
    let about = about.or_else(|| notification.message_id.as_ref().map(ToString::to_string));
    let about = about.or_else(|| notification.escrow_id.as_ref().map(ToString::to_string));
    let words = notification.text.as_deref().map(one_line).or_else(|| post.map(excerpt));
    let service = notification.service_name.as_deref().map(one_line);
    for part in [actor, about, words, service].into_iter().flatten() {
        row = format!("{row}  {part}");
    }
    hanging(&row)
}

/// The text of a post on one line; a warning stands for it.
fn excerpt(post: &PostRef) -> String {
    match &post.content_warning {
        Some(text) => warning(text),
        None => one_line(&post.content),
    }
}

fn counted(unread: &UnreadNotifications) -> String {
    let more = if unread.capped == Some(true) { " or more" } else { "" };
    let by_type = unread.by_type.iter().map(|(kind, count)| format!("{kind}  {count}"));
    let all = format!("{}{more} unread", unread.unread_count);
    std::iter::once(all).chain(by_type).collect::<Vec<_>>().join("\n")
}

fn chosen(preferences: &Preferences) -> String {
    let word = |on: bool| if on { "on" } else { "off" };
    let rows = preferences.types.iter().map(|(kind, ways)| {
        let (app, webhook, mqtt) = (word(ways.in_app), word(ways.webhook), word(ways.mqtt));
        format!("{kind:<16} inApp {app:<3}  webhook {webhook:<3}  mqtt {mqtt}")
    });
    let from = format!("from {}", preferences.from);
    rows.chain(std::iter::once(from)).collect::<Vec<_>>().join("\n")
}

/// Parses the preferences of the command line.
fn update(choices: &[String]) -> Result<PreferencesUpdate> {
    let mut update = PreferencesUpdate::default();
    for choice in choices {
        let (name, value) = choice.split_once('=').ok_or_else(|| misspelt(choice))?;
        if name == "from" {
            if !NotifyFrom::WORDS.contains(&value) {
                return Err(misspelt(choice));
            }
            update.from = Some(value.into());
        } else {
            let types = update.types.get_or_insert_default();
            switch(types, name, value).ok_or_else(|| misspelt(choice))?;
        }
    }
    Ok(update)
}

/// Turns all channels of a type, or one of them, on or off.
fn switch(types: &mut BTreeMap<String, ChannelsUpdate>, name: &str, value: &str) -> Option<()> {
    let on = match value {
        "on" => true,
        "off" => false,
        _ => return None,
    };
    let (kind, way) = name.split_once('.').map_or((name, None), |(kind, way)| (kind, Some(way)));
    if !NotificationType::WORDS.contains(&kind) {
        return None;
    }
    let ways = types.entry(kind.to_owned()).or_default();
    let slots = match way {
        None => vec![&mut ways.in_app, &mut ways.webhook, &mut ways.mqtt],
        Some("inApp") => vec![&mut ways.in_app],
        Some("webhook") => vec![&mut ways.webhook],
        Some("mqtt") => vec![&mut ways.mqtt],
        Some(_) => return None,
    };
    for slot in slots {
        *slot = Some(on);
    }
    Some(())
}

fn misspelt(choice: &str) -> Box<Error> {
    let rule = "must be like=off, like.webhook=on or from=following, or the same of another type";
    let hint = format!("types: {}", NotificationType::WORDS.join(", "));
    Error::usage(format!("{choice} {rule}")).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(choices: &[&str]) -> Result<PreferencesUpdate> {
        let owned: Vec<String> = choices.iter().map(|choice| (*choice).to_owned()).collect();
        update(&owned)
    }

    #[test]
    fn choices_are_put_together() {
        let update = read(&["like=off", "like.mqtt=on", "reply.webhook=off", "from=following"]);
        let update = update.unwrap();
        let types = update.types.unwrap();
        let off = Some(false);
        assert_eq!(types["like"], ChannelsUpdate { in_app: off, webhook: off, mqtt: Some(true) });
        assert_eq!(types["reply"], ChannelsUpdate { webhook: off, ..Default::default() });
        assert_eq!(update.from, Some(NotifyFrom::Following));
    }

    #[test]
    fn a_misspelt_choice_is_refused() {
        for choice in ["like", "like=maybe", "lik=off", "like.mail=on", "from=me", "=on"] {
            assert!(read(&[choice]).is_err(), "{choice}");
        }
    }
}
