//! What happens to a sample: proposed, agreed to or declined, withdrawn or taken back.

use std::borrow::Cow;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::connect::OrderData;
use svc_types::api::messages::RequestStatus;
use svc_types::api::orders::{
    AnswerSample, OrderAction, OrderStatus, ProposeSample, SampleProposal, SampleState,
};
use svc_types::api::services::ServiceSample;
use svc_types::{Code, MessageId, Scope, ServiceId, UserId};

use super::end;
use super::judge::Judged;
use super::record::{Record, by_id};
use super::stored;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::notification::{self, Data, NewNotification};
use crate::services::{deletion, service_request};

/// Most proposals for a service that wait for their buyers.
pub(super) const PROPOSALS_MAX: i64 = 10;

/// The order with this id, locked with its messages and its service; 404 for others than its parties
/// and the owner of its seller. What is overdue is advanced first.
fn take(ctx: &mut Ctx<'_, '_>, id: &MessageId, caller: &Account) -> Result<Record> {
    let missing = || Error::not_found("order");
    lock_parties(ctx, id)?;
    let order = service_request::take(ctx, id)?.ok_or_else(missing)?;
    lock_messages(ctx, id)?;
    let sql = sql!("select id from service where id = $1 for no key update");
    ctx.tx.lock(sql, values![order.service])?;
    let record = by_id(ctx, id)?.ok_or_else(missing)?;
    if !(record.is_of_buyer(caller) || record.is_of_seller(caller)) {
        return Err(missing());
    }
    order.refuse_overdue(ctx)?;
    Ok(record)
}

/// An account that is deleted at this moment ends its samples before or after this, not beside it.
fn lock_parties(ctx: &mut Ctx<'_, '_>, order: &MessageId) -> Result<()> {
    ctx.tx.lock(
        sql!(
            "select id from account
             where id in (
                (select requester from service_request where id = $1),
                (select provider from service_request where id = $1))
             order by id for key share"
        ),
        values![order],
    )
}

/// A moderator hides or removes request or result before or after this, not beside it.
fn lock_messages(ctx: &mut Ctx<'_, '_>, order: &MessageId) -> Result<()> {
    ctx.tx.lock(
        sql!(
            "select id from message
             where id in ($1, (select response_message from service_request where id = $1))
             order by id for share"
        ),
        values![order],
    )
}

/// The same for who may see the order, else 404.
fn take_seen(ctx: &mut Ctx<'_, '_>, id: &MessageId, caller: &Account) -> Result<Record> {
    let record = take(ctx, id, caller)?;
    if record.is_seen_by(caller) { Ok(record) } else { Err(Error::not_found("order")) }
}

/// 409: not in this state, which the hint names.
fn wrong_state(message: impl Into<String>, state: &str) -> Error {
    Refusal::new(Code::WrongState, message).hint(state).into()
}

/// What is shown of an order that may become a sample, else 409.
fn content(record: &Record) -> Result<ServiceSample> {
    if record.order_state != RequestStatus::Completed {
        let state = record.order_state.as_str();
        let message = format!("the order is {state}, and must be completed");
        return Err(wrong_state(message, state));
    }
    if !record.is_offered {
        return Err(wrong_state("the service is no longer offered", "withdrawn"));
    }
    if record.is_buyer_gone {
        let message = "the buyer has deleted the account and cannot agree";
        return Err(wrong_state(message, "deleted"));
    }
    let content = record.content()?;
    content.ok_or_else(|| {
        wrong_state("the order must have a request and a result that are not deleted", "empty")
    })
}

/// Proposes a completed order as a sample of its service, once. A proposal that waits or is agreed to
/// stays.
pub fn propose(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    asked: &ProposeSample,
    judged: &Judged,
) -> Result<SampleProposal> {
    let record = take_seen(ctx, &asked.order_id, caller)?;
    if !record.is_of_seller(caller) {
        let message = "only its seller may propose an order as a sample";
        return Err(Error::refused(Code::Forbidden, message));
    }
    match &record.state {
        None => {}
        Some(SampleState::Proposed | SampleState::Agreed) => return record.proposal(),
        Some(state) => return Err(ended(state)),
    }
    let content = content(&record)?;
    judged.refuse(&record)?;
    stored::with_order(record.samples()?, content, &record.id)?;
    refuse_many(ctx, &record.service)?;
    let proposal = insert(ctx, &record)?;
    notify(ctx, &record, &record.buyer, OrderAction::SampleProposed)?;
    Ok(proposal)
}

/// 409: nobody is asked twice about an order.
fn ended(state: &SampleState) -> Error {
    let message = match state {
        SampleState::Withdrawn => "an order can be proposed once, and this proposal was withdrawn",
        _ => "the buyer does not want the order shown",
    };
    wrong_state(message, state.as_str())
}

fn insert(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<SampleProposal> {
    let (state, now) = (SampleState::Proposed, ctx.now());
    ctx.tx.write(
        sql!(
            "insert into sample_proposal (order_id, service, buyer, seller, state, created_at)
             values ($1, $2, $3, $4, $5, $6)"
        ),
        values![record.id, record.service, record.buyer, record.seller, state, now],
    )?;
    Ok(SampleProposal { state, content: None, proposed_at: now, answered_at: None })
}

/// 409 when enough proposals for a service wait for their buyers.
fn refuse_many(ctx: &mut Ctx<'_, '_>, service: &ServiceId) -> Result<()> {
    let waiting: i64 = ctx.tx.one(
        sql!("select count(*) from sample_proposal where service = $1 and state = 'proposed'"),
        values![service],
    )?;
    if waiting < PROPOSALS_MAX {
        return Ok(());
    }
    let message = format!("at most {PROPOSALS_MAX} proposals for a service wait for their buyers");
    Err(Refusal::new(Code::LimitReached, message).hint("withdraw one first").into())
}

/// Answers a proposal for the buyer. The same answer again changes nothing.
pub fn answer(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    asked: &AnswerSample,
    judged: Option<&Judged>,
) -> Result<SampleProposal> {
    let record = take_seen(ctx, &asked.order_id, caller)?;
    if !record.is_of_buyer(caller) {
        let message = "only its buyer may answer whether an order is shown";
        return Err(Error::refused(Code::Forbidden, message));
    }
    let wanted = if asked.accept { SampleState::Agreed } else { SampleState::Declined };
    let state = record.state.clone().ok_or_else(|| Error::not_found("sample"))?;
    if state == wanted {
        return record.proposal();
    }
    if state != SampleState::Proposed {
        return Err(wrong_state("the proposal is over", state.as_str()));
    }
    if asked.accept {
        add(ctx, &record, judged)?;
    }
    if !end::advance(ctx, &record.id, &state, &wanted)? {
        return Err(Error::internal("a proposal that is locked has changed"));
    }
    let action = if asked.accept { OrderAction::SampleAgreed } else { OrderAction::SampleDeclined };
    notify(ctx, &record, &record.seller, action)?;
    let answered_at = Some(ctx.now());
    Ok(SampleProposal { state: wanted, answered_at, ..record.proposal()? })
}

/// Adds an order to the samples of its service.
fn add(ctx: &mut Ctx<'_, '_>, record: &Record, judged: Option<&Judged>) -> Result<()> {
    if record.is_buyer_gone {
        return Err(deletion::refusal());
    }
    let content = content(record)?;
    let judged = judged.ok_or_else(|| Error::internal("a sample was not judged"))?;
    judged.refuse(record)?;
    let json = stored::with_order(record.samples()?, content, &record.id)?;
    stored::store(ctx, &record.service, Some(&json))
}

/// Withdraws a proposal for the seller, or takes a consent back for the buyer; a sample is taken off
/// its service. Where nothing waits or is shown, nothing happens. A seller may withdraw also what
/// moderators hide.
pub fn withdraw(ctx: &mut Ctx<'_, '_>, caller: &Account, order: &MessageId) -> Result<()> {
    let record = take(ctx, order, caller)?;
    let is_seller = record.is_of_seller(caller);
    caller.require_one(if is_seller { &Scope::ExchangeSell } else { &Scope::ExchangeSpend })?;
    let Some(state @ (SampleState::Proposed | SampleState::Agreed)) = record.state.clone() else {
        return Ok(());
    };
    let was_agreed = state == SampleState::Agreed;
    if was_agreed {
        stored::take_off(ctx, &record.service, &record.id)?;
    }
    if is_seller {
        end::withdraw(ctx, &record.id)?;
        return notify(ctx, &record, &record.buyer, OrderAction::SampleWithdrawn);
    }
    let (ended, action) = if was_agreed {
        (SampleState::Revoked, OrderAction::SampleRevoked)
    } else {
        (SampleState::Declined, OrderAction::SampleDeclined)
    };
    end::advance(ctx, &record.id, &state, &ended)?;
    notify(ctx, &record, &record.seller, action)
}

/// Notifies a party of what the other one did. An owner acts as the seller, because who owns an agent
/// may be hidden.
fn notify(ctx: &mut Ctx<'_, '_>, record: &Record, to: &UserId, action: OrderAction) -> Result<()> {
    let side = if *to == record.buyer { &record.seller } else { &record.buyer };
    let data = OrderData {
        order_id: record.id.clone(),
        action,
        status: OrderStatus::Completed,
        service_id: record.service.clone(),
        buyer_username: record.buyer_name.clone(),
        provider_username: record.seller_name.clone(),
        percent: None,
    };
    let notification = NewNotification::new(to, Data::Order(Cow::Borrowed(&data)));
    notification::notify(ctx, Some(side), vec![notification])
}
