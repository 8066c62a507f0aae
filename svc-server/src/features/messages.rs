//! Direct messages (spec §2.8, §4).

use std::slice;
use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::message::list::{self, Filter};
use svc_core::services::message::{self, is_order, load, send_asked};
use svc_core::services::service_request::{Judged, Question};
use svc_core::services::{account, escrow, notification, overdue, service_request};
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
        .write_prepared_if(is_order, load, judge, send_asked)
        .allow_suspended()
        .read(list_all)
        .read(unread)
        .read(read)
        .write(delete)
}

/// Checks an order's input against the schema of its service.
async fn judge(app: Arc<ServerApp>, question: Question) -> Result<Judged> {
    service_request::judge(app.core(), question).await
}

fn list_all(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListMessages,
) -> Result<MessagePage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let with = match &request.with {
        None => None,
        Some(handle) => match conversation_with(ctx, caller, handle.as_str())? {
            Some(conversation) => Some(conversation),
            None => return Ok(MessagePage { messages: Vec::new(), next_cursor: None }),
        },
    };
    let conversation = match (&with, &request.conversation_id) {
        (Some(with), Some(asked)) if with != asked => {
            let message = "conversationId must be the conversation of `with`";
            return Err(Error::invalid("conversationId", message));
        }
        (with, asked) => with.as_ref().or(asked.as_ref()),
    };
    if let Some(conversation) = &request.conversation_id {
        refuse_foreign(ctx, conversation, &caller.id)?;
    }
    if request.request_status.is_some() {
        overdue::refuse(ctx, &caller.id)?;
    }
    let filter = Filter {
        conversation,
        schema: request.schema.as_deref(),
        request_status: request.request_status.as_ref(),
        unread: request.unread == Some(true),
        since: request.since,
        order: request.order.as_ref(),
    };
    list::page(ctx, &caller.id, &filter, &page)
}

/// The conversation of the caller with another account, if there is one.
fn conversation_with(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    handle: &str,
) -> Result<Option<ConversationId>> {
    let other = account::find_known(ctx, handle, caller, |ctx, other| {
        Ok(message::conversation_of(ctx, &caller.id, other)?.is_some())
    });
    let other = other.map_err(|error| error.about("with"))?;
    message::conversation_of(ctx, &caller.id, &other)
}

/// 404 for a conversation that the caller is not in.
fn refuse_foreign(
    ctx: &mut Ctx<'_, '_>,
    conversation: &ConversationId,
    reader: &UserId,
) -> Result<()> {
    let sql = sql!("select 1 from conversation_member where conversation = $1 and account = $2");
    let found: Option<i64> = ctx.tx.optional(sql, values![conversation, reader])?;
    found.map(|_| ()).ok_or_else(|| Error::not_found("conversation").about("conversationId"))
}

fn unread(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetUnreadCount) -> Result<UnreadEnvelope> {
    overdue::refuse(ctx, &caller.id)?;
    Ok(UnreadEnvelope { unread: list::unread(ctx, &caller.id)? })
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &GetMessage) -> Result<MessageEnvelope> {
    let id = &request.message_id;
    let mut record = match message::of_party(ctx, id, &caller.id) {
        Err(error) if error.code() == Code::NotFound && caller.is_moderator() => {
            message::of_dispute(ctx, id, caller)?
        }
        found => found?,
    };
    if let Some(escrow) = &record.escrow {
        escrow::refuse_if_overdue(ctx, escrow)?;
    }
    message::request::hide_reads(ctx, &caller.id, slice::from_mut(&mut record))?;
    Ok(MessageEnvelope { message: record.into_api(ctx.now())? })
}

/// Deletes a message for the caller only. An unread one no longer counts as unread.
fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteMessage) -> Result<Deleted> {
    let record = message::of_party(ctx, &request.message_id, &caller.id)?;
    message::hold_open_order(ctx, &record)?;
    if record.sender == caller.id {
        let sql = sql!("update message set deleted_by_sender = true where id = $1");
        ctx.tx.write(sql, values![record.id])?;
        message::empty_if_gone(ctx, &record.id)?;
        return Ok(Deleted { deleted: true });
    }
    let rows = ctx.tx.execute(
        sql!(
            "update message set deleted_by_recipient = true
             where id = $1 and deleted_by_recipient = false and hidden = false and read_at is null"
        ),
        values![record.id],
    )?;
    if rows == 1 {
        ctx.tx.write(
            sql!(
                "update conversation_member set unread_count = unread_count - 1
                 where conversation = $1 and account = $2"
            ),
            values![record.conversation, caller.id],
        )?;
        notification::read::forget_message(ctx, &caller.id, &record.id)?;
    } else {
        let sql = sql!("update message set deleted_by_recipient = true where id = $1");
        ctx.tx.write(sql, values![record.id])?;
    }
    message::empty_if_gone(ctx, &record.id)?;
    Ok(Deleted { deleted: true })
}
