//! An order found again by its id, so that nothing is paid twice.

use rusqlite::Transaction;
use svc_client::types::ServiceMessage;
use svc_client::types::api::messages::Message;
use svc_client::types::service_message::REQUEST;

use super::buyer::folded;
use super::order::{Order, Wanted};
use super::place::message_id;
use super::spend::{self, Expense, Known};
use crate::clock::now;
use crate::error::{Error, Result};

/// Most messages to a provider among which an order is looked for.
const MESSAGES_MAX: u32 = 100;

/// The order of this id, if it was begun before.
///
/// The journal knows it. If that was lost, or the program ended between sending and noting, the
/// platform still has the message, also when it has forgotten the Idempotency-Key after a day.
pub(super) async fn find(order: &Order, name: &str) -> Result<Option<Known>> {
    let wanted = order.wanted()?;
    let own = name.to_owned();
    let known = order.buyer.purse.write(move |tx| spend::find(tx, &own)).await?;
    if let Some(known) = &known {
        refuse_another(order, known, &wanted, name).await?;
    }
    if known.as_ref().is_some_and(|known| known.request.is_some()) {
        return Ok(known);
    }
    let Some(message) = sent(order, &wanted, name).await? else {
        return Ok(known);
    };
    let known = read(&message)?;
    refuse_another(order, &known, &wanted, name).await?;
    note(order, name, &known).await?;
    Ok(Some(known))
}

/// The message by which it was sent.
async fn sent(order: &Order, wanted: &Wanted, name: &str) -> Result<Option<Message>> {
    let id = message_id(name);
    let list = order.buyer.client.messages().list().with_user(&wanted.provider);
    let messages = list.schema(REQUEST).limit(MESSAGES_MAX).await?.messages;
    let is_same = |message: &Message| {
        let to = &message.recipient;
        message.client_message_id.as_ref() == Some(&id)
            && (folded(&to.username) == folded(&wanted.provider)
                || to.id.as_str() == wanted.provider)
    };
    Ok(messages.into_iter().find(is_same))
}

/// An id stands for one order, so it can't stand for one of another service.
async fn refuse_another(order: &Order, known: &Known, wanted: &Wanted, name: &str) -> Result<()> {
    let is_same = known.service.as_str() == wanted.service
        || known.service_name.eq_ignore_ascii_case(&wanted.service)
            && is_provider(order, known, wanted).await?;
    if is_same {
        return Ok(());
    }
    Err(Error::OrderExists { id: name.to_owned(), service: known.service_name.clone() })
}

/// Whether an order was one from the provider that is wanted, who has a username and an id.
async fn is_provider(order: &Order, known: &Known, wanted: &Wanted) -> Result<bool> {
    if known.provider == folded(&wanted.provider) {
        return Ok(true);
    }
    let user = order.buyer.client.users().get(&wanted.provider).await?.user;
    Ok([folded(&user.username).as_str(), user.id.as_str()].contains(&known.provider.as_str()))
}

fn read(message: &Message) -> Result<Known> {
    let Ok(Some(ServiceMessage::Request(request))) = ServiceMessage::parse(&message.content) else {
        return Err(Error::config(format!("{} is no order", message.message_id)));
    };
    Ok(Known {
        provider: folded(&message.recipient.username),
        service: request.service_id,
        service_name: request.service_name.into_string(),
        amount: request.offered_credits,
        is_freed: false,
        escrow: request.escrow_id,
        request: Some(message.message_id.clone()),
    })
}

/// Writes into the journal what the platform remembered.
async fn note(order: &Order, name: &str, known: &Known) -> Result<()> {
    let expense = Expense {
        order: name.to_owned(),
        provider: known.provider.clone(),
        service: known.service.clone(),
        service_name: known.service_name.clone(),
        amount: known.amount,
        max_credits: known.amount,
    };
    let known = known.clone();
    let note = move |tx: &Transaction<'_>| {
        if spend::find(tx, &expense.order)?.is_some_and(|kept| kept.request.is_some()) {
            return Ok(());
        }
        expense.insert(tx, now())?;
        if let Some(escrow) = &known.escrow {
            spend::note_escrow(tx, &expense.order, escrow)?;
        }
        known.request.iter().try_for_each(|id| spend::note_request(tx, &expense.order, id))
    };
    order.buyer.purse.write(note).await
}
