//! Finds an earlier order by its id, so that nothing is paid twice.

use std::ops::ControlFlow;

use rusqlite::Transaction;
use svc_client::types::Timestamp;
use svc_client::types::api::escrow::{Escrow, EscrowRole, EscrowStatus};
use svc_client::types::api::messages::Message;
use svc_client::types::service_message::REQUEST;

use super::ids::{folded, message_id, service_of_escrow};
use super::known_order::KnownOrder;
use super::order::{Order, Target};
use super::payment_method::PaymentMethod;
use super::scan::{PAGE, scan};
use super::spend::{self, Expense};
use crate::error::{Error, Result};

/// An order that was found on the platform, and when it was begun.
type Begun = (KnownOrder, Timestamp);

/// The order with this id, if it was begun before.
///
/// Usually the journal knows it. If the journal was lost, or the program ended between sending and
/// recording, the platform still has the message and the escrow, even after it has forgotten the
/// idempotency keys, which it does after one day.
pub(super) async fn find<T>(order: &Order<T>, id: &str) -> Result<Option<KnownOrder>> {
    let target = order.target()?;
    let key = id.to_owned();
    let known = order.buyer.ledger.write(move |tx| spend::find(tx, &key)).await?;
    if let Some(known) = &known {
        ensure_same_service(order, known, &target, id).await?;
        order.ensure_same_input(known, id)?;
    }
    if known.as_ref().is_some_and(|known| known.request.is_some()) {
        return Ok(known);
    }
    let found = match find_message(order, &target, id).await? {
        Some(message) => Some((KnownOrder::from_message(&message)?, message.created_at)),
        None if may_have_escrow(known.as_ref()) => find_escrow(order, &target, id).await?,
        None => None,
    };
    let Some((found, begun_at)) = found else {
        return Ok(known);
    };
    ensure_same_service(order, &found, &target, id).await?;
    order.ensure_same_input(&found, id)?;
    record(order, id, &found, begun_at).await?;
    Ok(Some(found))
}

/// The message that sent the order.
async fn find_message<T>(order: &Order<T>, target: &Target, id: &str) -> Result<Option<Message>> {
    let id = message_id(id);
    let messages = order.buyer.client.messages();
    let mut found = None;
    let list = || messages.list().with_user(&target.provider).schema(REQUEST).limit(PAGE);
    scan(list, |message: Message| {
        let to = &message.recipient;
        let is_provider =
            folded(&to.username) == folded(&target.provider) || to.id.as_str() == target.provider;
        if is_provider && message.client_message_id.as_ref() == Some(&id) {
            found = Some(message);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })
    .await?;
    Ok(found)
}

/// Whether an escrow may have been opened for an order whose escrow is unknown.
fn may_have_escrow(known: Option<&KnownOrder>) -> bool {
    known.is_none_or(|known| known.escrow.is_none() && known.method != Some(PaymentMethod::Direct))
}

/// The order whose escrow was opened but whose request was not sent.
async fn find_escrow<T>(order: &Order<T>, target: &Target, id: &str) -> Result<Option<Begun>> {
    // Funded escrows first: if there are two, that one holds the credits.
    for status in [EscrowStatus::Funded, EscrowStatus::Created] {
        let mut found = None;
        let list = || {
            order.buyer.client.escrow().list().with(|list| {
                list.role = Some(EscrowRole::Buyer);
                list.counterparty = Some(target.provider.as_str().into());
                list.status = Some(status.clone());
                list.limit = Some(PAGE.into());
            })
        };
        scan(list, |escrow: Escrow| {
            if service_of_escrow(&escrow.description, id).is_some() {
                let begun_at = escrow.created_at;
                found = Some((KnownOrder::from_escrow(escrow, id), begun_at));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
        .await?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Fails if the id belongs to an order of another service.
async fn ensure_same_service<T>(
    order: &Order<T>,
    known: &KnownOrder,
    target: &Target,
    id: &str,
) -> Result<()> {
    if is_same_service(order, known, target).await? {
        return Ok(());
    }
    Err(Error::OrderExists { id: id.to_owned(), service: known.service_name.clone() })
}

/// Whether a known order is for the target service.
pub(super) async fn is_same_service<T>(
    order: &Order<T>,
    known: &KnownOrder,
    target: &Target,
) -> Result<bool> {
    Ok(known.service.as_str() == target.service
        || known.service_name.to_lowercase() == target.service.to_lowercase()
            && is_same_provider(order, known, target).await?)
}

/// Whether a known order is from the target provider, which may be given by username or by id.
async fn is_same_provider<T>(
    order: &Order<T>,
    known: &KnownOrder,
    target: &Target,
) -> Result<bool> {
    if known.provider == folded(&target.provider) {
        return Ok(true);
    }
    let user = order.buyer.client.users().get(&target.provider).await?.user;
    Ok([folded(&user.username).as_str(), user.id.as_str()].contains(&known.provider.as_str()))
}

/// Writes an order found on the platform into the journal. It counts as spent from when it was begun.
async fn record<T>(
    order: &Order<T>,
    id: &str,
    known: &KnownOrder,
    begun_at: Timestamp,
) -> Result<()> {
    let method = known.payment_method().unwrap_or(PaymentMethod::Direct);
    let (expense, known) = (Expense::of_known(id, known, method), known.clone());
    let record = move |tx: &Transaction<'_>| {
        if spend::find(tx, &expense.order)?.is_some_and(|recorded| recorded.request.is_some()) {
            return Ok(());
        }
        expense.insert(tx, begun_at)?;
        if let Some(escrow) = &known.escrow {
            spend::note_escrow(tx, &expense.order, escrow)?;
        }
        known.request.iter().try_for_each(|id| spend::note_request(tx, &expense.order, id))
    };
    order.buyer.ledger.write(record).await
}
