//! An order found again by its id, so that nothing is paid twice.

use rusqlite::Transaction;
use svc_client::Call;
use svc_client::types::api::escrow::{Escrow, EscrowRole, EscrowStatus};
use svc_client::types::api::messages::Message;
use svc_client::types::service_message::REQUEST;
use svc_client::types::{Paged, ServiceMessage, Span};

use super::buyer::folded;
use super::hash::hash;
use super::order::{Order, Wanted};
use super::payment_method::Way;
use super::place::{described, message_id};
use super::spend::{self, Expense, Known};
use crate::clock::now;
use crate::error::{Error, Result};

/// Most orders of a provider, or escrows with it, among which one is looked for, newest first.
pub(super) const LOOKED_AT_MAX: usize = 10_000;

/// How many of them are read at once.
pub(super) const PAGE: u32 = 100;

/// The order of this id, if it was begun before.
///
/// The journal knows it. If that was lost, or the program ended between sending and noting, the
/// platform still has the message, and the escrow that was opened for it, also when it has forgotten
/// the Idempotency-Keys after a day.
pub(super) async fn find(order: &Order, name: &str) -> Result<Option<Known>> {
    let wanted = order.wanted()?;
    let own = name.to_owned();
    let known = order.buyer.purse.write(move |tx| spend::find(tx, &own)).await?;
    if let Some(known) = &known {
        refuse_another(order, known, &wanted, name).await?;
        order.refuse_other_input(known, name)?;
    }
    if known.as_ref().is_some_and(|known| known.request.is_some()) {
        return Ok(known);
    }
    let found = match sent(order, &wanted, name).await? {
        Some(message) => Some(read(&message)?),
        None if is_by_escrow(known.as_ref()) => opened(order, &wanted, name).await?,
        None => None,
    };
    let Some(known) = found else {
        return Ok(known);
    };
    refuse_another(order, &known, &wanted, name).await?;
    order.refuse_other_input(&known, name)?;
    note(order, name, &known).await?;
    Ok(Some(known))
}

/// The message by which it was sent.
async fn sent(order: &Order, wanted: &Wanted, name: &str) -> Result<Option<Message>> {
    let id = message_id(name);
    let messages = order.buyer.client.messages();
    let list = || messages.list().with_user(&wanted.provider).schema(REQUEST).limit(PAGE);
    let is_same = |message: &Message| {
        let to = &message.recipient;
        message.client_message_id.as_ref() == Some(&id)
            && (folded(&to.username) == folded(&wanted.provider)
                || to.id.as_str() == wanted.provider)
    };
    search(list, is_same).await
}

/// Whether an escrow may have been opened for an order of which no escrow is known.
fn is_by_escrow(known: Option<&Known>) -> bool {
    known.is_none_or(|known| known.escrow.is_none() && known.way != Some(Way::Direct))
}

/// The order whose escrow was opened, and whose request was not sent.
async fn opened(order: &Order, wanted: &Wanted, name: &str) -> Result<Option<Known>> {
    // Paid ones first: of two, that is where the credits are.
    for status in [EscrowStatus::Funded, EscrowStatus::Created] {
        let list = || {
            order.buyer.client.escrow().list().with(|list| {
                list.role = Some(EscrowRole::Buyer);
                list.counterparty = Some(wanted.provider.as_str().into());
                list.status = Some(status.clone());
                list.limit = Some(PAGE.into());
            })
        };
        let is_same = |escrow: &Escrow| described(&escrow.description, name).is_some();
        if let Some(escrow) = search(list, is_same).await? {
            return Ok(Some(begun(escrow, name)));
        }
    }
    Ok(None)
}

/// The first of a list, page after page.
async fn search<E: Paged>(
    list: impl Fn() -> Call<E>,
    is_it: impl Fn(&E::Item) -> bool,
) -> Result<Option<E::Item>> {
    let (mut page, mut looked_at) = (list().page().await?, 0);
    loop {
        // A page may be empty though more follows.
        looked_at += page.items.len().max(1);
        if let Some(found) = page.items.into_iter().find(&is_it) {
            return Ok(Some(found));
        }
        match page.next_cursor {
            Some(next) if looked_at < LOOKED_AT_MAX => page = list().after(next).page().await?,
            _ => return Ok(None),
        }
    }
}

/// What is known of an order by its escrow alone.
pub(super) fn begun(escrow: Escrow, name: &str) -> Known {
    let service_name = described(&escrow.description, name).unwrap_or_default().to_owned();
    let delivery = escrow.expires_at.since(escrow.created_at);
    Known {
        provider: folded(&escrow.provider_username),
        service: escrow.service_id,
        service_name,
        amount: escrow.amount,
        is_freed: false,
        way: Some(Way::Escrow(Span::from_secs(delivery.as_secs()))),
        hash: None,
        escrow: Some(escrow.id),
        request: None,
    }
}

/// An id stands for one order, so it can't stand for one of another service.
async fn refuse_another(order: &Order, known: &Known, wanted: &Wanted, name: &str) -> Result<()> {
    if is_of(order, known, wanted).await? {
        return Ok(());
    }
    Err(Error::OrderExists { id: name.to_owned(), service: known.service_name.clone() })
}

/// Whether an order was one of the service that is wanted.
pub(super) async fn is_of(order: &Order, known: &Known, wanted: &Wanted) -> Result<bool> {
    Ok(known.service.as_str() == wanted.service
        || known.service_name.eq_ignore_ascii_case(&wanted.service)
            && is_provider(order, known, wanted).await?)
}

/// Whether an order was one from the provider that is wanted, who has a username and an id.
async fn is_provider(order: &Order, known: &Known, wanted: &Wanted) -> Result<bool> {
    if known.provider == folded(&wanted.provider) {
        return Ok(true);
    }
    let user = order.buyer.client.users().get(&wanted.provider).await?.user;
    Ok([folded(&user.username).as_str(), user.id.as_str()].contains(&known.provider.as_str()))
}

pub(super) fn read(message: &Message) -> Result<Known> {
    let Ok(Some(ServiceMessage::Request(request))) = ServiceMessage::parse(&message.content) else {
        return Err(Error::config(format!("{} is no order", message.message_id)));
    };
    let way = request.escrow_id.as_ref().map_or(Way::Direct, |_| Way::ESCROW);
    let provider = folded(&message.recipient.username);
    Ok(Known {
        hash: Some(hash(&provider, &request.service_name, &request.input)),
        provider,
        service: request.service_id,
        service_name: request.service_name.into_string(),
        amount: request.offered_credits,
        is_freed: false,
        way: Some(way),
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
        way: known.way().unwrap_or(Way::Direct),
        hash: known.hash.clone(),
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
