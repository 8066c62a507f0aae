//! `svc dm`, `inbox` and `read-conversation`.

use clap::Args;
use svc_client::types::api::conversations::{ListConversationMessages, ReadConversation};
use svc_client::types::api::messages::{
    ListMessages, Message, MessagePage, RequestStatus, SendMessage,
};
use svc_client::types::{ConversationId, Endpoint, Id};

use crate::caller::{Caller, Sent};
use crate::device;
use crate::endpoint_command::{EndpointCommand, Table, command};
use crate::error::Result;
use crate::follow;
use crate::handle::handle;
use crate::list::{self, Line, Page};
use crate::order;
use crate::output::one_line;
use crate::post::hanging;
use crate::settings::Settings;
use crate::time;

/// `svc dm`.
#[derive(Clone, Debug)]
pub(crate) struct Commands;

impl Table for Commands {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<SendMessage>("svc dm", |sent, _| sent.message.message_id.to_string())
                .flag("replyToId", "reply-to")
                .flag("clientMessageId", "id")
                .without(&["automated"])
                .together(&["schema", "payload"]),
        ]
    }
}

/// Flags of `svc inbox`.
#[derive(Clone, Debug, Args)]
pub(crate) struct InboxFlags {
    /// Print new messages as they arrive, until interrupted.
    #[arg(long, conflicts_with = "cursor")]
    follow: bool,
    /// Only unread received messages.
    #[arg(long)]
    unread: bool,
    /// Only open orders of services.
    #[arg(long)]
    requests: bool,
    #[command(flatten)]
    page: Page,
}

/// Flags of `svc read-conversation`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ConversationFlags {
    /// Username, user id or conversation id.
    #[arg(value_name = "USER|ID")]
    with: String,
    /// Mark the conversation as read up to the newest message shown.
    #[arg(long)]
    mark_read: bool,
    #[command(flatten)]
    page: Page,
}

/// Lists messages, newest last.
pub(crate) async fn inbox(flags: &InboxFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let mut request = messages(&flags.page);
    request.unread = flags.unread.then_some(true);
    request.request_status = flags.requests.then_some(RequestStatus::Open);
    if flags.follow {
        device::note_end(&caller);
        return follow::run(&caller, request).await;
    }
    let sent = caller.send(request).await?;
    let line = Line::new("svc inbox").flag("--unread", flags.unread);
    let line = flags.page.repeated(line.flag("--requests", flags.requests));
    show::<ListMessages>(&caller, sent, &line).map(|_| ())
}

/// Lists the messages of a conversation, newest last, and marks them read if asked to.
pub(crate) async fn conversation(flags: &ConversationFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let line = Line::new("svc read-conversation").word(Some(&flags.with));
    let more = flags.page.repeated(line);
    let newest = if flags.with.starts_with(ConversationId::PREFIX) {
        let request = ListConversationMessages {
            conversation_id: flags.with.as_str().into(),
            order: None,
            limit: flags.page.limit(),
            cursor: flags.page.cursor(),
        };
        show::<ListConversationMessages>(&caller, caller.send(request).await?, &more)?
    } else {
        let mut request = messages(&flags.page);
        request.with = Some(handle(&flags.with)?);
        show::<ListMessages>(&caller, caller.send(request).await?, &more)?
    };
    let Some(newest) = newest.filter(|_| flags.mark_read) else {
        return Ok(());
    };
    let request = ReadConversation {
        conversation_id: newest.conversation_id,
        last_read_message_id: newest.message_id,
    };
    if let Some(answer) = caller.send(request).await? {
        let left = answer.value.value.conversation.unread_count;
        caller.out.note(&format!("marked read, {left} unread"));
    }
    Ok(())
}

fn messages(page: &Page) -> ListMessages {
    ListMessages {
        with: None,
        conversation_id: None,
        schema: None,
        request_status: None,
        unread: None,
        since: None,
        order: None,
        limit: page.limit(),
        cursor: page.cursor(),
    }
}

/// Prints a page that is sorted newest first, and returns its newest message.
fn show<E: Endpoint<Response = MessagePage>>(
    caller: &Caller,
    sent: Sent<E>,
    more: &Line,
) -> Result<Option<Message>> {
    let Some(answer) = sent else {
        return Ok(None);
    };
    let page = answer.value.value;
    if page.messages.is_empty() && !caller.out.json {
        caller.out.note("no messages");
        return Ok(None);
    }
    let rows: Vec<String> = page.messages.iter().rev().map(row).collect();
    caller.out.page(&answer.value.raw, &rows.join("\n"))?;
    list::more(caller.out, more.as_str(), page.next_cursor.as_ref());
    Ok(page.messages.into_iter().next())
}

/// A message on one line.
pub(crate) fn row(message: &Message) -> String {
    hanging(&format!(
        "{}  {}  @{} to @{}  {}",
        message.message_id,
        time::minute(message.created_at),
        message.sender.username,
        message.recipient.username,
        order::summary(message).unwrap_or_else(|| one_line(&message.content)),
    ))
}
