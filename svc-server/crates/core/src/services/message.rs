//! Direct messages: sent, found, and shown (spec §2.8).

mod asked;
mod conversation;
mod disputed;
mod draft;
mod insert;
pub mod list;
mod moderated;
mod record;
pub mod request;

pub use asked::{is_order, load, scope, send_asked};
pub use conversation::conversation_of;
pub use disputed::{for_moderators, of_dispute, without_tokens};
pub use draft::{Draft, Service};
pub use moderated::{hide, remove, restore};
pub use record::Record;

use std::borrow::Cow;
use std::slice;
use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::messages::{Message, RequestStatus};
use svc_types::api::users::DmPolicy;
use svc_types::service_message::ResponseStatus;
use svc_types::{Code, ConversationId, MessageId, UserId};

use self::conversation::{open, refuse_foreign_reply, take_turn};
use self::draft::{TypedData, typed_data};
use self::insert::insert;
use self::request::Recipient;
use super::account::{self, Record as AccountRecord};
use super::budget::{self, Class};
use super::notification::{self, Data, NewNotification};
use super::order;
use super::service_request::{self, Opened};
use crate::app::Ctx;
use crate::identity::Account;
use crate::select_messages;

/// Time in which a repeated clientMessageId returns the first message again, in channels too.
pub(super) const CLIENT_ID_KEPT: Duration = Duration::from_hours(24);

/// A service message that may be sent.
enum Deal<'a> {
    Order(service_request::Order<'a>),
    Answer(Box<service_request::Answer>),
}

/// A message that was sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The message.
    pub message: Message,
    /// The version of the order that it opened.
    pub order_version: Option<i64>,
}

impl Sent {
    /// A message that was sent before.
    const fn earlier(message: Message) -> Self {
        Self { message, order_version: None }
    }
}

/// Sends a message, or finds the one that its sender sent with the same clientMessageId.
pub fn send(ctx: &mut Ctx<'_, '_>, sender: &Account, draft: &Draft<'_>) -> Result<Sent> {
    let data = typed_data(draft)?;
    let Recipient { account: recipient, known, is_blocked } = recipient(ctx, sender, draft)?;
    if let Some(earlier) = sent_before(ctx, sender, &recipient.id, draft.client_message_id)? {
        return earlier.into_api(ctx.now()).map(Sent::earlier);
    }
    pay(ctx, sender, &recipient.id, draft, known.is_none())?;
    let is_order = matches!(draft.service, Some(Service::Request(..)));
    let conversation = match &known {
        Some(known) => known.id.clone(),
        None => open(ctx, &sender.id, &recipient.id, is_order)?,
    };
    refuse_foreign_reply(ctx, &conversation, draft.reply_to)?;
    let deal = deal(ctx, sender, &recipient, is_blocked, draft)?;
    let most = if is_order {
        request::UNLIMITED
    } else {
        request::allowance(ctx, sender, &recipient.id, known.as_ref())?
    };
    let record = Checked { sender, recipient, draft, data, conversation }.written(ctx)?;
    insert(ctx, &record, is_order, most)?;
    let (record, order_version) = advance(ctx, sender, record, deal.as_ref())?;
    let message = record.into_api(ctx.now())?;
    announce(ctx, sender, &message, draft)?;
    Ok(Sent { message, order_version })
}

/// A message that may be sent.
struct Checked<'a> {
    sender: &'a Account,
    recipient: AccountRecord,
    draft: &'a Draft<'a>,
    data: TypedData<'a>,
    conversation: ConversationId,
}

impl Checked<'_> {
    /// Its record, with the next id of the conversation.
    fn written(self, ctx: &mut Ctx<'_, '_>) -> Result<Record> {
        let Self { sender, recipient, draft, data, conversation } = self;
        let newest = take_turn(ctx, &conversation)?;
        Ok(Record {
            id: ctx.id_after(newest.as_ref()),
            conversation,
            sender: sender.id.clone(),
            sender_name: sender.username.clone(),
            sender_is_agent: sender.is_agent,
            recipient: recipient.id,
            recipient_name: recipient.username,
            recipient_is_agent: recipient.is_agent,
            content: draft.content.to_owned(),
            schema: data.schema.map(str::to_owned),
            payload: data.payload,
            reply_to: draft.reply_to.cloned(),
            client_message_id: draft.client_message_id.map(str::to_owned),
            is_automated: draft.is_automated,
            created_at: ctx.now(),
            read_at: None,
            request_state: None,
            offered: None,
            charged: None,
            escrow: None,
            due_at: None,
            response: None,
        })
    }
}

/// Notifies the recipient of the message, and of the order that it places.
fn announce(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    message: &Message,
    draft: &Draft<'_>,
) -> Result<()> {
    let to = |data| NewNotification::new(&message.recipient.id, data);
    let mut notifications = vec![to(Data::DirectMessage(message))];
    if let Some(Service::Request(request, ..)) = draft.service {
        notifications.push(to(Data::Order(Cow::Owned(order::placed(message, request)))));
    }
    notification::notify(ctx, Some(&sender.id), notifications)
}

/// Opens what a message orders, or gives the answer it brings.
fn advance(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    record: Record,
    deal: Option<&Deal<'_>>,
) -> Result<(Record, Option<i64>)> {
    match deal {
        None => Ok((record, None)),
        Some(Deal::Order(order)) => {
            let Opened { state, version } = service_request::open(ctx, &record.id, sender, order)?;
            let record = Record {
                request_state: Some(state.state),
                offered: Some(state.offered),
                escrow: state.escrow,
                due_at: state.due_at,
                ..record
            };
            Ok((record, Some(version)))
        }
        Some(Deal::Answer(answer)) => {
            service_request::close(ctx, &record.id, answer)?;
            Ok((record, None))
        }
    }
}

/// Who it is for. An answer reaches the buyer even if that account is hidden by now, since it settles credits.
fn recipient(ctx: &mut Ctx<'_, '_>, sender: &Account, draft: &Draft<'_>) -> Result<Recipient> {
    let is_answer = matches!(draft.service, Some(Service::Response(_)));
    let found = request::find(ctx, &sender.id, draft.recipient)?;
    let found = found.filter(|found| is_answer || found.account.is_visible_to(Some(sender)));
    let recipient =
        found.ok_or_else(|| account::unknown(draft.recipient).about("recipientUsername"))?;
    if recipient.account.id == sender.id {
        let message = match draft.service {
            Some(Service::Request(..)) => "you cannot order from yourself",
            _ => "you cannot message yourself",
        };
        return Err(Refusal::new(Code::SelfAction, message).field("recipientUsername").into());
    }
    Ok(recipient)
}

/// Whether the message may be sent; what it orders or answers, if it does.
///
/// An offered service invites orders, so `dmPolicy` does not hold for them; an answer is what its
/// recipient asked for.
fn deal<'a>(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    recipient: &AccountRecord,
    is_blocked: bool,
    draft: &Draft<'a>,
) -> Result<Option<Deal<'a>>> {
    match draft.service {
        None if is_blocked => Err(account::blocked()),
        None => refuse_unwanted(ctx, sender, recipient).map(|()| None),
        Some(Service::Request(request, input, wishes)) => {
            let request = (request, wishes);
            let order = service_request::check(ctx, sender, recipient, request, input)?;
            Ok(Some(Deal::Order(order)))
        }
        Some(Service::Response(response)) => {
            let answer = service_request::check_answer(ctx, sender, recipient, response)?;
            if is_blocked || sender.require_active().is_err() {
                answer.refuse_late_report()?;
            }
            Ok(Some(Deal::Answer(Box::new(answer))))
        }
    }
}

/// The message that this sender sent with this clientMessageId in the last day: 409 if it went to another
/// recipient.
fn sent_before(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    recipient: &UserId,
    client_message_id: Option<&str>,
) -> Result<Option<Record>> {
    let Some(client_message_id) = client_message_id else {
        return Ok(None);
    };
    let now = ctx.now();
    // An older message loses its clientMessageId, so that the unique index allows it again.
    ctx.tx.write(
        sql!(
            "update message set client_message_id = null
             where sender = $1 and client_message_id = $2 and created_at <= $3"
        ),
        values![sender.id, client_message_id, now.minus(CLIENT_ID_KEPT)],
    )?;
    let found: Option<Record> = ctx.tx.optional(
        select_messages!("where m.sender = $1 and m.client_message_id = $2"),
        values![sender.id, client_message_id],
    )?;
    let Some(mut earlier) = found else { return Ok(None) };
    if earlier.recipient != *recipient {
        let message = "this clientMessageId was used for a message to another recipient";
        let refusal = Refusal::new(Code::IdempotencyConflict, message).field("clientMessageId");
        return Err(refusal.hint("use a fresh clientMessageId").into());
    }
    refuse_deleted(ctx, &earlier.id)?;
    request::hide_reads(ctx, &sender.id, slice::from_mut(&mut earlier))?;
    Ok(Some(earlier))
}

/// 404 for a message that its sender deleted or moderators removed, so that a retry does not show it.
fn refuse_deleted(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<()> {
    let sql = sql!("select deleted_by_sender from message where id = $1");
    if !ctx.tx.one::<bool>(sql, values![id])? {
        return Ok(());
    }
    let refusal = Refusal::new(Code::NotFound, "the message with this id was deleted");
    Err(refusal.field("clientMessageId").into())
}

/// The recipient's policy.
fn refuse_unwanted(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    recipient: &AccountRecord,
) -> Result<()> {
    let allowed = match &recipient.dm_policy {
        DmPolicy::All => true,
        DmPolicy::Following => account::follows(ctx, &recipient.id, &sender.id)?,
        _ => false,
    };
    if allowed {
        return Ok(());
    }
    let refusal = Refusal::new(Code::DmNotAllowed, "the recipient does not take this message");
    Err(refusal.hint(format!("dmPolicy is {}", recipient.dm_policy)).into())
}

/// Charges the sender's budgets for a message. An order is no message to a stranger: its provider asks for
/// orders. An answer pays only for its bytes: there are no more answers than orders. The report of a delivery ends
/// nothing and may come again, so it counts among the messages to one account.
fn pay(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    recipient: &UserId,
    draft: &Draft<'_>,
    is_to_stranger: bool,
) -> Result<()> {
    match draft.service {
        Some(Service::Response(response)) if response.status == ResponseStatus::Delivered => {
            budget::pay_with_peer(ctx, sender, &[], recipient)
        }
        Some(Service::Response(_)) => budget::pay(ctx, sender, &[]),
        Some(Service::Request(..)) => budget::pay(ctx, sender, &[Class::Writes, Class::Deals]),
        None => {
            let classes = [Class::Writes, Class::Messages, Class::Strangers];
            let count = if is_to_stranger { 3 } else { 2 };
            budget::pay_with_peer(ctx, sender, &classes[..count], recipient)
        }
    }
}

/// Locks the open order of a message that is being deleted, so that the two do not run
/// concurrently; the later one empties the message.
pub fn hold_open_order(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    if record.request_state == Some(RequestStatus::Open) {
        service_request::take(ctx, &record.id)?;
    }
    Ok(())
}

/// Empties a message that both have deleted. An order stays readable to the server while it is open,
/// and is emptied when it ends.
pub fn empty_if_gone(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<()> {
    let sql = sql!(
        "update message set content = '', payload = null
         where id = $1 and deleted_by_sender = true and deleted_by_recipient = true
            and not exists (
                select 1 from service_request q where q.id = message.id and q.state = 'open')"
    );
    ctx.tx.write(sql, values![id])
}

/// The message with this id that `reader` is a party of and has not deleted, else 404.
pub fn of_party(ctx: &mut Ctx<'_, '_>, id: &MessageId, reader: &UserId) -> Result<Record> {
    let found = ctx.tx.optional(
        select_messages!(
            "where m.id = $1 and (m.sender = $2 and m.deleted_by_sender = false
                or m.recipient = $2 and m.deleted_by_recipient = false and m.hidden = false)"
        ),
        values![id, reader],
    )?;
    found.ok_or_else(|| Error::not_found("message"))
}
