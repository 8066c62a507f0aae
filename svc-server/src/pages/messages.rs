//! Direct messages: the list of conversations, and a single one.

use askama::Template;
use svc_store::error::Result;
use svc_types::UserId;
use svc_types::api::Deleted;
use svc_types::api::conversations::{
    AcceptConversation, Conversation, ConversationFolder, DeclineConversation, GetConversation,
    ListConversationMessages, ListConversations, MuteConversation, ReadConversation,
    UnmuteConversation,
};
use svc_types::api::messages::{
    DeleteMessage, GetMessage, GetUnreadCount, Message, MessageEnvelope, SendMessage,
};
use svc_types::api::users::{ListUsers, User, UserRef};

use super::letter::Letter;
use super::{Flash, Frame};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/messages", list)
        .get("/messages/requests", requests)
        .form::<SendMessage>("/messages", list, sent)
        .get("/messages/{conversationId}", show)
        .form_with::<ReadConversation, SendMessage>("/messages/{conversationId}", show, seen, sent)
        .get("/messages/{conversationId}/delete/{messageId}", ask_delete)
        .form::<DeleteMessage>("/messages/{conversationId}/delete/{messageId}", ask_delete, deleted)
        .button::<ReadConversation>("/messages/{conversationId}/read", |request, _| there(request))
        .button::<AcceptConversation>("/messages/{conversationId}/accept", |request, _| {
            there(request)
        })
        .button::<DeclineConversation>("/messages/{conversationId}/decline", |_, _| {
            Done::to("/messages/requests").say(Flash::Declined)
        })
        .button::<MuteConversation>("/messages/{conversationId}/mute", |request, _| there(request))
        .button::<UnmuteConversation>("/messages/{conversationId}/unmute", |request, _| {
            there(request)
        })
}

/// Redirects back to the conversation.
fn there(request: &PageRequest) -> Done {
    Done::to(format!("/messages/{}", request.field("conversationId").unwrap_or_default()))
}

/// What the page of the form showed, which its sender has read.
fn seen(request: &PageRequest) -> Option<ReadConversation> {
    request.field("lastReadMessageId")?;
    request.decode().ok()
}

/// A conversation in a list.
struct Line {
    conversation: Conversation,
    other: Option<UserRef>,
    /// The latest message.
    last: Option<Letter>,
}

impl Line {
    fn of(reader: &UserId, mut conversation: Conversation) -> Self {
        let other = other(reader, &conversation);
        let last = conversation.last_message.take().map(Letter::of);
        Self { conversation, other, last }
    }
}

/// The account that the reader writes with.
fn other(reader: &UserId, conversation: &Conversation) -> Option<UserRef> {
    conversation.participants.iter().find(|one| one.id != *reader).cloned()
}

#[derive(Template)]
#[template(path = "messages.html")]
struct List<'a> {
    frame: Frame,
    form: Form<'a>,
    to: &'a str,
    unread: bool,
    /// Whether it lists what strangers began.
    is_requests: bool,
    /// How many of those have unread messages.
    requests: i64,
    lines: Vec<Line>,
    next: Option<String>,
}

fn list(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let asked = ListConversations { folder: None, ..request.decode()? };
    listed(context, request, &asked)
}

fn requests(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let folder = Some(ConversationFolder::Requests);
    let asked = ListConversations { folder, unread: None, ..request.decode()? };
    listed(context, request, &asked)
}

fn listed(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    asked: &ListConversations,
) -> Result<Html> {
    let own = context.signed_in()?.id.clone();
    let page = context.ask(asked)?;
    let requests = context.ask(&GetUnreadCount {})?.unread.requests;
    Html::of(&List {
        frame: Frame::of(context, request, request.t("place-mail"))?,
        form: request.form::<SendMessage>(),
        to: request.field("recipientUsername").unwrap_or_default(),
        unread: asked.unread.is_some(),
        is_requests: asked.folder.is_some(),
        requests,
        lines: page.conversations.into_iter().map(|one| Line::of(&own, one)).collect(),
        next: request.next(page.next_cursor.as_ref()),
    })
}

fn sent(_: &PageRequest, answer: &MessageEnvelope) -> Done {
    let Message { conversation_id, message_id, .. } = &answer.message;
    Done::to(format!("/messages/{conversation_id}#{message_id}")).say(Flash::Sent)
}

#[derive(Template)]
#[template(path = "conversation.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    conversation: Conversation,
    other: Option<UserRef>,
    /// Messages, oldest first.
    letters: Vec<Letter>,
    earlier: Option<String>,
    /// The latest message, if any are unread.
    unread: Option<String>,
    /// The latest message that the page shows.
    newest: Option<String>,
    /// The first conversations of the list, which a wide window shows beside this one.
    lines: Vec<Line>,
    /// Whether a stranger began it, and the visitor has not accepted it.
    is_request: bool,
    /// The other account, if it is neither deleted nor suspended.
    found: Option<User>,
    has_orders: bool,
}

impl Page<'_> {
    fn is_there(&self) -> bool {
        self.found.is_some()
    }

    /// Whether the visitor blocks the other account.
    fn blocks(&self) -> bool {
        let viewer = self.found.as_ref().and_then(|user| user.viewer.as_ref());
        viewer.is_some_and(|viewer| viewer.blocking)
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let own = context.signed_in()?.id.clone();
    let conversation = context.ask(&request.decode::<GetConversation>()?)?.conversation;
    let page = context.ask(&request.decode::<ListConversationMessages>()?)?;
    let other = other(&own, &conversation);
    let found = match &other {
        Some(other) => found(context, &other.id)?,
        None => None,
    };
    let title = other
        .as_ref()
        .map_or_else(|| request.t("place-mail").to_string(), |other| other.display_name.clone());
    let latest = conversation.last_message.as_ref().map(|last| last.message_id.to_string());
    let mut letters: Vec<Letter> = page.messages.into_iter().map(Letter::of).collect();
    letters.reverse();
    Html::of(&Page {
        frame: Frame::of(context, request, title)?,
        form: request.form::<SendMessage>(),
        other,
        newest: letters.last().map(|letter| letter.message.message_id.to_string()),
        letters,
        earlier: request.next(page.next_cursor.as_ref()),
        unread: latest.filter(|_| conversation.unread_count > 0),
        lines: beside(context, &own, &conversation.folder)?,
        is_request: conversation.folder != ConversationFolder::Inbox,
        found,
        conversation,
        has_orders: context.has("/orders/{orderId}"),
    })
}

/// An account that the visitor may know of: it is not deleted, nor suspended.
fn found(context: &mut PageContext<'_>, id: &UserId) -> Result<Option<User>> {
    let asked = ListUsers {
        ids: Some(vec![id.to_string()].into()),
        usernames: None,
        q: None,
        is_agent: None,
        sort: None,
        window: None,
        limit: None,
        cursor: None,
    };
    Ok(context.ask(&asked)?.users.pop())
}

/// The first conversations of the list that a conversation of this folder is in.
fn beside(
    context: &mut PageContext<'_>,
    own: &UserId,
    folder: &ConversationFolder,
) -> Result<Vec<Line>> {
    let folder = Some(folder).filter(|folder| **folder == ConversationFolder::Requests).cloned();
    let asked = ListConversations { unread: None, folder, limit: None, cursor: None };
    let found = context.ask(&asked)?.conversations.into_iter();
    Ok(found.map(|one| Line::of(own, one)).collect())
}

#[derive(Template)]
#[template(path = "message_delete.html")]
struct Delete {
    frame: Frame,
    letter: Letter,
    has_orders: bool,
}

fn ask_delete(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let letter = Letter::of(context.ask(&request.decode::<GetMessage>()?)?.message);
    Html::of(&Delete {
        frame: Frame::of(context, request, request.t("message-delete-title"))?,
        letter,
        has_orders: context.has("/orders/{orderId}"),
    })
}

fn deleted(request: &PageRequest, _: &Deleted) -> Done {
    there(request).say(Flash::MessageDeleted)
}
