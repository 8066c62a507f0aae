//! Placing an order: the message that orders the service, sent once per id of the buyer's.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_types::api::messages::Message;
use svc_types::api::orders::{CreateOrder, OrderStatus, ServiceOrder};
use svc_types::{Code, Scope, ServiceMessage, ServiceRequest};

use super::client_id::{self, Claim};
use super::record::load_for;
use super::refuse_long;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;
use crate::services::message::{self, Draft, Sent, Service};
use crate::services::service_request::{self, Judged, Question, Wishes};

/// Shortest time for an answer.
const WITHIN_MIN: Duration = Duration::from_mins(1);

/// Longest time for an answer, from when the order was placed.
pub(super) const WITHIN_MAX: Duration = Duration::from_hours(24 * 30);

/// An order that was placed by this request, or by an equal one before.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The order.
    pub order: ServiceOrder,
    /// Whether this request placed it.
    pub is_new: bool,
}

/// What is needed to judge the input.
pub fn load(ctx: &mut Ctx<'_, '_>, caller: &Account, asked: &CreateOrder) -> Result<Question> {
    caller.require_one(&Scope::ExchangeSpend)?;
    caller.require_active()?;
    refuse_self(caller, asked)?;
    refuse_terms(asked)?;
    let escrow = asked.escrow_id.as_ref();
    service_request::question(ctx, &asked.service_id, &asked.input, escrow)
}

/// Places an order, or finds the one that an equal request placed.
pub fn place(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    asked: &CreateOrder,
    judged: &Judged,
) -> Result<Placed> {
    refuse_self(buyer, asked)?;
    refuse_terms(asked)?;
    if let Claim::Earlier(id) = client_id::claim(ctx, &buyer.id, asked)? {
        return Ok(Placed { order: load_for(ctx, &id, &buyer.id)?, is_new: false });
    }
    let request = request(ctx, buyer, asked, judged)?;
    let content = ServiceMessage::Request(request.clone()).content();
    refuse_long(&content, "order", "input")?;
    let wishes = Wishes {
        max_credits: asked.max_credits,
        answer_within: asked.answer_within.map(svc_types::Span::duration),
        client_order_id: asked.client_order_id.as_deref(),
    };
    let draft = Draft {
        service: Some(Service::Request(&request, judged, wishes)),
        recipient: asked.provider_username.as_str(),
        content: &content,
        schema: None,
        payload: None,
        reply_to: None,
        client_message_id: None,
        is_automated: false,
    };
    let sent = message::send(ctx, buyer, &draft).map_err(as_order)?;
    client_id::note(ctx, &buyer.id, asked, &sent.message.message_id)?;
    Ok(Placed { order: opened(sent, request, asked)?, is_new: true })
}

/// 400 for an order from oneself, whichever service it names.
fn refuse_self(buyer: &Account, asked: &CreateOrder) -> Result<()> {
    let provider = asked.provider_username.as_str();
    if provider != buyer.id.as_str() && !buyer.username.as_str().eq_ignore_ascii_case(provider) {
        return Ok(());
    }
    let refusal = Refusal::new(Code::SelfAction, "you cannot order from yourself");
    Err(refusal.field("providerUsername").into())
}

/// 400 for terms that contradict each other.
fn refuse_terms(asked: &CreateOrder) -> Result<()> {
    let bounds =
        [asked.max_credits.is_some(), asked.offered_credits.is_some(), asked.escrow_id.is_some()];
    if bounds.into_iter().filter(|given| *given).count() != 1 {
        let message = "send one of maxCredits, offeredCredits and escrowId";
        return Err(Error::invalid("maxCredits", message));
    }
    let Some(within) = asked.answer_within else { return Ok(()) };
    if asked.escrow_id.is_some() {
        let message = "answerWithin must be omitted with escrowId, whose deadlines hold";
        return Err(Error::invalid("answerWithin", message));
    }
    refuse_within(within.duration())
}

/// 400 for a time that no answer may have.
pub(super) fn refuse_within(within: Duration) -> Result<()> {
    if (WITHIN_MIN..=WITHIN_MAX).contains(&within) {
        return Ok(());
    }
    Err(Error::invalid("answerWithin", "answerWithin must be 1m to 30d"))
}

/// The request that the message carries.
fn request(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    asked: &CreateOrder,
    judged: &Judged,
) -> Result<ServiceRequest> {
    let Some(terms) = &judged.terms else {
        // A provider that the buyer does not see is refused first.
        account::find_visible(ctx, asked.provider_username.as_str(), Some(buyer))
            .map_err(|error| error.about("providerUsername"))?;
        let refusal = Refusal::new(Code::ServiceNotFound, "the account offers no such service");
        return Err(refusal.field("serviceId").into());
    };
    // An unknown escrow is refused later, together with foreign ones.
    let offered = match asked.escrow_id {
        Some(_) => terms.amount.unwrap_or_default(),
        None => asked.offered_credits.unwrap_or(terms.price),
    };
    Ok(ServiceRequest {
        service_id: asked.service_id.clone(),
        service_name: terms.name.as_str().into(),
        input: asked.input.clone(),
        offered_credits: offered,
        escrow_id: asked.escrow_id.clone(),
    })
}

/// The order that a message has just opened, without reading it back.
fn opened(sent: Sent, request: ServiceRequest, asked: &CreateOrder) -> Result<ServiceOrder> {
    let Sent { message, order_version } = sent;
    let Message {
        message_id, conversation_id, sender, recipient, created_at, request: state, ..
    } = message;
    let version = order_version.ok_or_else(|| Error::internal("a message opened no order"))?;
    Ok(ServiceOrder {
        id: message_id,
        status: OrderStatus::Open,
        version,
        buyer: sender,
        provider: recipient,
        conversation_id,
        service_id: request.service_id,
        service_name: request.service_name.to_string(),
        input: request.input,
        offered_credits: request.offered_credits,
        charged_credits: None,
        escrow_id: request.escrow_id,
        client_order_id: asked.client_order_id.as_deref().map(str::to_owned),
        output: None,
        reason: None,
        error: None,
        review: None,
        sample: None,
        progress: None,
        prompt: None,
        partials_count: 0,
        wants_until: None,
        response_message_id: None,
        created_at,
        expires_at: state.and_then(|state| state.expires_at),
        closed_at: None,
    })
}

/// A refusal of the message with the names that members have in an order.
fn as_order(error: Error) -> Error {
    let Error::Refused(mut refusal) = error else { return error };
    refusal.field = refusal.field.map(|field| member_of_order(&field));
    refusal.hint = refusal.hint.map(|hint| hint.replace("/payload/input", "/input"));
    for wrong in &mut refusal.errors {
        wrong.field = member_of_order(&wrong.field);
    }
    refusal.into()
}

/// The name that a member of the message has in an order.
fn member_of_order(member: &str) -> String {
    match member {
        "recipientUsername" => "providerUsername".to_owned(),
        "/payload/input" => "input".to_owned(),
        input if input.starts_with("/payload/input/") => input.replacen("/payload", "", 1),
        other => other.strip_prefix("/payload/").unwrap_or(other).to_owned(),
    }
}
