//! The notifications of an account.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::messages::GetMessage;
use svc_types::api::notifications::{
    GetNotification, ListNotifications, Notification, NotificationType, NotificationsRead,
    ReadNotifications,
};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, MessageId};

use super::Frame;
use super::api_text::PageText;
use super::settings::happened;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::language::api_text;

/// Groups of types to filter by, each with the id of its label.
const FILTERS: [(&str, &str); 4] = [
    ("", "notifications-all"),
    ("reply,mention,quote", "notifications-replies"),
    ("follow,like,repost", "notifications-reactions"),
    ("escrow,service_request", "place-order"),
];

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/notifications", show).form_by::<ReadNotifications>(
        "/notifications/read",
        show,
        read_shown,
        |_, _: &NotificationsRead| Done::to("/notifications"),
    )
}

#[derive(Template)]
#[template(path = "notifications.html")]
struct Page<'a> {
    frame: Frame,
    types: &'a str,
    filters: &'static [(&'static str, &'static str)],
    groups: Vec<Group>,
    unread: u32,
    form: Form<'a>,
    /// The newest notification, if the page shows it: later ones are left unread.
    newest: Option<String>,
    next: Option<String>,
}

/// Notifications of one group: the latest, and how many there are.
#[derive(Debug)]
struct Group {
    first: Notification,
    more: usize,
    is_unread: bool,
    target: Option<String>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let page = context.ask(&request.decode::<ListNotifications>()?)?;
    let types = request.field("types").unwrap_or_default();
    let begins = types.is_empty() && request.field("cursor").is_none();
    let newest = page.notifications.first().filter(|_| begins);
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("place-bell"))?,
        form: request.form::<ReadNotifications>(),
        newest: newest.map(|newest| newest.id.to_string()),
        types,
        filters: &FILTERS,
        next: request.next(page.next_cursor.as_ref()),
        unread: page.unread_count,
        groups: grouped(context, page.notifications)?,
    })
}

/// Marks what the page showed as read; everything, if its newest notification is gone by now.
fn read_shown(context: &mut PageContext<'_>, request: &PageRequest) -> Result<ReadNotifications> {
    context.signed_in()?;
    let asked: ReadNotifications = request.decode()?;
    let Some(notification_id) = asked.up_to.clone() else { return Ok(asked) };
    match context.ask(&GetNotification { notification_id }) {
        Ok(_) => Ok(asked),
        Err(error) if error.code() == Code::NotFound => {
            Ok(ReadNotifications { up_to: None, all: Some(true), ..asked })
        }
        Err(error) => Err(error),
    }
}

/// Groups the notifications of a page, at the position of the latest.
fn grouped(context: &mut PageContext<'_>, notifications: Vec<Notification>) -> Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::with_capacity(notifications.len());
    for notification in notifications {
        let found = groups.iter_mut().find(|group| group.first.group_key == notification.group_key);
        if let Some(group) = found {
            group.more += 1;
            group.is_unread |= !notification.read;
        } else {
            let (target, is_unread) = (target(context, &notification)?, !notification.read);
            groups.push(Group { first: notification, more: 0, is_unread, target });
        }
    }
    Ok(groups)
}

impl Group {
    /// The id of how many more there are: of messages by one account, else of accounts.
    fn more_text(&self) -> &'static str {
        match self.first.r#type {
            NotificationType::DirectMessage => "notifications-more-messages",
            _ => "notifications-more",
        }
    }

    /// The event in words: a full sentence, or the rest of one that begins with the actor.
    fn words(&self, frame: &Frame) -> PageText {
        if let Some(text) = &self.first.text {
            return sentence(frame, &self.first.r#type, text);
        }
        let id = match self.first.r#type {
            NotificationType::Follow => "notice-follow",
            NotificationType::Like => "notice-like",
            NotificationType::Reply => "notice-reply",
            NotificationType::Repost => "notice-repost",
            NotificationType::Mention => "notice-mention",
            NotificationType::DirectMessage => "notice-message",
            NotificationType::Quote => "notice-quote",
            _ => "notice-else",
        };
        // Its verb agrees with how many acted.
        PageText::plain(frame.t(id).count(self.more + 1))
    }
}

/// The text of a notification, in the language of the page.
fn sentence(frame: &Frame, kind: &NotificationType, text: &str) -> PageText {
    let group = format!("notice-{}", kind.as_str().replace('_', "-"));
    let found = match kind {
        NotificationType::Security => security(frame, text),
        _ => frame.for_party(&group, text).or_else(|| frame.api_text(&group, text)),
    };
    found.unwrap_or_else(|| {
        let text = api_text::in_english(&group, text);
        let mut letters = text.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        frame.in_english(&first.chain(letters).collect::<String>())
    })
}

/// The text of a notification about credentials, as `SecurityEntry::sentence` makes it: what happened,
/// with whose credentials they are and who did it, if that is somebody else.
fn security(frame: &Frame, text: &str) -> Option<PageText> {
    let (agent, what) = match text.strip_prefix('@').and_then(|text| text.split_once(": ")) {
        Some((agent, what)) => (Some(agent), what),
        None => (None, text),
    };
    let what = what.trim_end_matches('.');
    let by = what.strip_suffix(')').and_then(|what| what.rsplit_once(" (by @"));
    let (what, actor) = by.map_or((what, None), |(what, actor)| (what, Some(actor)));
    let mut actions = SecurityAction::WORDS.iter().map(|word| SecurityAction::from(*word));
    let action = actions.find(|action| action.meaning().trim_end_matches('.') == what)?;
    let mut said = happened(frame.language, &action);
    if let Some(actor) = actor {
        let what = said.trim_end_matches('.');
        said = frame.t("notice-by").with("what", what).with("name", actor).into();
    }
    if let Some(agent) = agent {
        said = frame.t("notice-of").with("name", agent).with("what", said).into();
    }
    Some(PageText::plain(said))
}

/// The path of the notification's subject, if it has a page.
fn target(context: &mut PageContext<'_>, notification: &Notification) -> Result<Option<String>> {
    let Notification { post, escrow_id, order_id, message_id, actor, r#type, .. } = notification;
    if let (Some(order), NotificationType::ServiceRequest) = (order_id, r#type) {
        return Ok(Some(format!("/orders/{order}")));
    }
    if let (Some(message), NotificationType::DirectMessage) = (message_id, r#type) {
        return conversation(context, message);
    }
    Ok(match (post, escrow_id, actor, r#type) {
        (Some(post), ..) => Some(format!("/post/{}", post.id)),
        (_, Some(id), ..) if context.has("/escrow/{escrowId}") => Some(format!("/escrow/{id}")),
        (_, _, _, NotificationType::Security) => Some("/settings/security".to_owned()),
        (_, _, _, NotificationType::Billing) => Some("/credits".to_owned()),
        (_, _, Some(actor), NotificationType::Follow) => Some(format!("/@{}", actor.username)),
        _ => None,
    })
}

/// The path of a message in its conversation, which may be a request; `None` once it is deleted.
fn conversation(context: &mut PageContext<'_>, id: &MessageId) -> Result<Option<String>> {
    match context.ask(&GetMessage { message_id: id.clone() }) {
        Ok(found) => Ok(Some(format!("/messages/{}#{id}", found.message.conversation_id))),
        Err(error) if error.code() == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
