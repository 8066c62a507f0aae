//! An order found again by its id, so that nothing is paid twice.

use rusqlite::Transaction;
use svc_client::Call;
use svc_client::types::api::escrow::{Escrow, EscrowRole, EscrowStatus};
use svc_client::types::api::messages::Message;
use svc_client::types::service_message::REQUEST;
use svc_client::types::{Paged, ServiceMessage, Span};

use super::buyer::folded;
use super::hash::hash;
use super::order::{Order, Target};
use super::payment_method::PaymentMethod;
use super::place::{message_id, service_of_escrow};
use super::spend::{self, Expense, KnownOrder};
use crate::clock::now;
use crate::error::{Error, Result};

/// Most orders of a provider, or escrows with it, among which one is looked for, newest first.
pub(super) const SCAN_MAX: usize = 10_000;

/// How many of them are read at once.
pub(super) const PAGE: u32 = 100;

/// The order of this id, if it was begun before.
///
/// The journal knows it. If that was lost, or the program ended between sending and noting, the
/// platform still has the message, and the escrow that was opened for it, also when it has forgotten
/// the Idempotency-Keys after a day.
pub(super) async fn find(order: &Order, name: &str) -> Result<Option<KnownOrder>> {
    let target = order.target()?;
    let own = name.to_owned();
    let known = order.buyer.ledger.write(move |tx| spend::find(tx, &own)).await?;
    if let Some(known) = &known {
        ensure_same_service(order, known, &target, name).await?;
        order.ensure_same_input(known, name)?;
    }
    if known.as_ref().is_some_and(|known| known.request.is_some()) {
        return Ok(known);
    }
    let found = match sent(order, &target, name).await? {
        Some(message) => Some(read(&message)?),
        None if is_by_escrow(known.as_ref()) => opened(order, &target, name).await?,
        None => None,
    };
    let Some(known) = found else {
        return Ok(known);
    };
    ensure_same_service(order, &known, &target, name).await?;
    order.ensure_same_input(&known, name)?;
    note(order, name, &known).await?;
    Ok(Some(known))
}

/// The message by which it was sent.
async fn sent(order: &Order, target: &Target, name: &str) -> Result<Option<Message>> {
    let id = message_id(name);
    let messages = order.buyer.client.messages();
    let list = || messages.list().with_user(&target.provider).schema(REQUEST).limit(PAGE);
    let is_same = |message: &Message| {
        let to = &message.recipient;
        message.client_message_id.as_ref() == Some(&id)
            && (folded(&to.username) == folded(&target.provider)
                || to.id.as_str() == target.provider)
    };
    search(list, is_same).await
}

/// Whether an escrow may have been opened for an order of which no escrow is known.
fn is_by_escrow(known: Option<&KnownOrder>) -> bool {
    known.is_none_or(|known| known.escrow.is_none() && known.way != Some(PaymentMethod::Direct))
}

/// The order whose escrow was opened, and whose request was not sent.
async fn opened(order: &Order, target: &Target, name: &str) -> Result<Option<KnownOrder>> {
    // Paid ones first: of two, that is where the credits are.
    for status in [EscrowStatus::Funded, EscrowStatus::Created] {
        let list = || {
            order.buyer.client.escrow().list().with(|list| {
                list.role = Some(EscrowRole::Buyer);
                list.counterparty = Some(target.provider.as_str().into());
                list.status = Some(status.clone());
                list.limit = Some(PAGE.into());
            })
        };
        let is_same = |escrow: &Escrow| service_of_escrow(&escrow.description, name).is_some();
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
    let (mut page, mut scanned) = (list().page().await?, 0);
    loop {
        // A page may be empty though more follows.
        scanned += page.items.len().max(1);
        if let Some(found) = page.items.into_iter().find(&is_it) {
            return Ok(Some(found));
        }
        match page.next_cursor {
            Some(next) if scanned < SCAN_MAX => page = list().after(next).page().await?,
            _ => return Ok(None),
        }
    }
}

/// What is known of an order by its escrow alone.
pub(super) fn begun(escrow: Escrow, name: &str) -> KnownOrder {
    let service_name = service_of_escrow(&escrow.description, name).unwrap_or_default().to_owned();
    let delivery = escrow.expires_at.since(escrow.created_at);
    KnownOrder {
        provider: folded(&escrow.provider_username),
        service: escrow.service_id,
        service_name,
        amount: escrow.amount,
        is_freed: false,
        way: Some(PaymentMethod::Escrow(Span::from_secs(delivery.as_secs()))),
        hash: None,
        escrow: Some(escrow.id),
        request: None,
    }
}

/// An id stands for one order, so it can't stand for one of another service.
async fn ensure_same_service(
    order: &Order,
    known: &KnownOrder,
    target: &Target,
    name: &str,
) -> Result<()> {
    if is_same_service(order, known, target).await? {
        return Ok(());
    }
    Err(Error::OrderExists { id: name.to_owned(), service: known.service_name.clone() })
}

/// Whether an order was one of the service that is target.
pub(super) async fn is_same_service(
    order: &Order,
    known: &KnownOrder,
    target: &Target,
) -> Result<bool> {
    Ok(known.service.as_str() == target.service
        || known.service_name.eq_ignore_ascii_case(&target.service)
            && is_provider(order, known, target).await?)
}

/// Whether an order was one from the provider that is target, who has a username and an id.
async fn is_provider(order: &Order, known: &KnownOrder, target: &Target) -> Result<bool> {
    if known.provider == folded(&target.provider) {
        return Ok(true);
    }
    let user = order.buyer.client.users().get(&target.provider).await?.user;
    Ok([folded(&user.username).as_str(), user.id.as_str()].contains(&known.provider.as_str()))
}

pub(super) fn read(message: &Message) -> Result<KnownOrder> {
    let Ok(Some(ServiceMessage::Request(request))) = ServiceMessage::parse(&message.content) else {
        return Err(Error::config(format!("{} is no order", message.message_id)));
    };
    let way = request.escrow_id.as_ref().map_or(PaymentMethod::Direct, |_| PaymentMethod::ESCROW);
    let provider = folded(&message.recipient.username);
    Ok(KnownOrder {
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
async fn note(order: &Order, name: &str, known: &KnownOrder) -> Result<()> {
    let expense = Expense {
        order: name.to_owned(),
        provider: known.provider.clone(),
        service: known.service.clone(),
        service_name: known.service_name.clone(),
        amount: known.amount,
        max_credits: known.amount,
        way: known.way().unwrap_or(PaymentMethod::Direct),
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
    order.buyer.ledger.write(note).await
}
