//! Direct messages (spec §2.8, §4).

use std::sync::Arc;

use svc_core::app::Cx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::message::list::{self, Filter};
use svc_core::services::message::{self, is_order, look, send_asked};
use svc_core::services::service_request::{Judged, Question};
use svc_core::services::{account, escrow, notice, service_request};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::api::messages::{
    DeleteMessage, GetMessage, GetUnreadCount, ListMessages, MessageEnvelope, MessagePage,
    UnreadEnvelope,
};
use svc_types::{Code, ConversationId, UserId};

use crate::app::ServerApp;
use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write_or_after(is_order, look, judge, send_asked)
        .even_suspended()
        .read(list_all)
        .read(unread)
        .read(read)
        .write(delete)
}

/// Checks an order's input against the schema of its service.
async fn judge(app: Arc<ServerApp>, question: Question) -> Result<Judged> {
    service_request::judge(app.core(), question).await
}

fn list_all(cx: &mut Cx<'_, '_>, caller: &Account, request: &ListMessages) -> Result<MessagePage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let with = match &request.with {
        None => None,
        Some(handle) => {
            let other = account::find_visible(cx, handle.as_str(), Some(caller))?;
            match message::conversation_of(cx, &caller.id, &other.id)? {
                Some(conversation) => Some(conversation),
                None => {
                    return Ok(MessagePage { messages: Vec::new(), next_cursor: None });
                }
            }
        }
    };
    let conversation = match (&with, &request.conversation_id) {
        (Some(with), Some(asked)) if with != asked => {
            return Err(Error::invalid(
                "conversationId",
                "conversationId must be the conversation of `with`",
            ));
        }
        (with, asked) => with.as_ref().or(asked.as_ref()),
    };
    if let Some(conversation) = &request.conversation_id {
        refuse_foreign(cx, conversation, &caller.id)?;
    }
    if request.request_status.is_some() {
        escrow::refuse_overdue(cx, &caller.id)?;
        service_request::refuse_overdue(cx, &caller.id)?;
    }
    let filter = Filter {
        conversation,
        schema: request.schema.as_deref(),
        request_status: request.request_status.as_ref(),
        unread: request.unread == Some(true),
        since: request.since,
        order: request.order.as_ref(),
    };
    list::page(cx, &caller.id, &filter, &page)
}

/// 404 for a conversation of others.
fn refuse_foreign(
    cx: &mut Cx<'_, '_>,
    conversation: &ConversationId,
    reader: &UserId,
) -> Result<()> {
    let sql = sql!("select 1 from conversation_member where conversation = $1 and account = $2");
    let found: Option<i64> = cx.tx.optional(sql, values![conversation, reader])?;
    found.map(|_| ()).ok_or_else(|| Error::not_found("conversation"))
}

fn unread(cx: &mut Cx<'_, '_>, caller: &Account, _: &GetUnreadCount) -> Result<UnreadEnvelope> {
    escrow::refuse_overdue(cx, &caller.id)?;
    service_request::refuse_overdue(cx, &caller.id)?;
    Ok(UnreadEnvelope { unread: list::unread(cx, &caller.id)? })
}

fn read(cx: &mut Cx<'_, '_>, caller: &Account, request: &GetMessage) -> Result<MessageEnvelope> {
    let id = &request.message_id;
    let record = match message::of_party(cx, id, &caller.id) {
        Err(error) if error.code() == Code::NotFound && caller.is_moderator() => {
            message::of_dispute(cx, id)?
        }
        found => found?,
    };
    if let Some(escrow) = &record.escrow {
        escrow::refuse_if_overdue(cx, escrow)?;
    }
    Ok(MessageEnvelope { message: record.wire(cx.now())? })
}

/// Deletes it for the caller alone; an unread one no longer counts.
fn delete(cx: &mut Cx<'_, '_>, caller: &Account, request: &DeleteMessage) -> Result<Deleted> {
    let record = message::of_party(cx, &request.message_id, &caller.id)?;
    if record.sender == caller.id {
        let sql = sql!("update message set deleted_by_sender = true where id = $1");
        cx.tx.execute(sql, values![record.id])?;
        message::empty_if_gone(cx, &record.id)?;
        return Ok(Deleted { deleted: true });
    }
    let rows = cx.tx.execute(
        sql!(
            "update message set deleted_by_recipient = true
             where id = $1 and deleted_by_recipient = false and hidden = false and read_at is null"
        ),
        values![record.id],
    )?;
    if rows == 1 {
        cx.tx.execute(
            sql!(
                "update conversation_member set unread_count = unread_count - 1
                 where conversation = $1 and account = $2"
            ),
            values![record.conversation, caller.id],
        )?;
        notice::read::forget_message(cx, &caller.id, &record.id)?;
    } else {
        let sql = sql!("update message set deleted_by_recipient = true where id = $1");
        cx.tx.execute(sql, values![record.id])?;
    }
    message::empty_if_gone(cx, &record.id)?;
    Ok(Deleted { deleted: true })
}
