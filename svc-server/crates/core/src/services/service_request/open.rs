//! Opening an order: its credits are held before the work starts.

use std::time::Duration;

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::credits::TransferKind;
use svc_types::api::escrow::EscrowStatus;
use svc_types::api::messages::RequestStatus;
use svc_types::api::services::Acceptance;
use svc_types::{Code, Credits, MessageId, ServiceRequest, UserId};

use super::input::Judged;
use super::record::State;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account::{self, Record as AccountRecord};
use crate::services::billing::debt;
use crate::services::escrow::{self, Side};
use crate::services::ledger::{self, Cause, Holder};
use crate::services::{overdue, service, spend};

/// What a buyer wants beside what the message says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes<'a> {
    /// Most that the service may cost.
    pub max_credits: Option<Credits>,
    /// Time for the answer.
    pub answer_within: Option<Duration>,
    /// The buyer's own id of the order.
    pub client_order_id: Option<&'a str>,
}

/// An order that may be opened.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    request: &'a ServiceRequest,
    wishes: Wishes<'a>,
    provider: UserId,
    acceptance: Acceptance,
    /// Version of the escrow that pays.
    escrow_version: i64,
}

/// An order that was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its state.
    pub state: State,
    /// Its version.
    pub version: i64,
}

/// Checks an order against what is stored: 404, 403, 400, 409 in this order.
pub fn check<'a>(
    ctx: &mut Ctx<'_, '_>,
    requester: &Account,
    provider: &AccountRecord,
    (request, wishes): (&'a ServiceRequest, Wishes<'a>),
    input: &Judged,
) -> Result<Order<'a>> {
    account::keep(ctx, &requester.id, &provider.id)?;
    let service = service::offered(ctx, &request.service_id, provider)
        .map_err(|error| error.about("/payload/serviceId"))?;
    let escrow = match &request.escrow_id {
        None => None,
        Some(id) => {
            let taken = escrow::take(ctx, id, requester);
            Some(taken.map_err(|error| error.about("/payload/escrowId"))?)
        }
    };
    if !matches!(escrow, None | Some((_, Side::Buyer))) {
        let refusal = Refusal::new(Code::Forbidden, "only its buyer may order with an escrow");
        return Err(refusal.field("/payload/escrowId").into());
    }
    account::refuse_blocked(ctx, &requester.id, &provider.id)?;
    account::refuse_closed(provider)?;
    input.refuse(&service)?;
    if let Some((escrow, _)) = &escrow {
        refuse_escrow(ctx, escrow, &service, request)?;
    }
    if wishes.max_credits.is_some_and(|most| service.price > most) {
        let message = format!("the service costs {}", service.price.in_words());
        return Err(Refusal::new(Code::PriceAboveMax, message)
            .field("maxCredits")
            .hint(service.price.to_string())
            .into());
    }
    Ok(Order {
        request,
        wishes,
        provider: provider.id.clone(),
        acceptance: service.acceptance,
        escrow_version: escrow.map_or(0, |(escrow, _)| escrow.version),
    })
}

/// The escrow is for this service and amount, is paid for, and serves no other order.
fn refuse_escrow(
    ctx: &mut Ctx<'_, '_>,
    escrow: &escrow::Record,
    service: &service::Record,
    request: &ServiceRequest,
) -> Result<()> {
    let differs = if escrow.provider != service.bot {
        Some("recipient")
    } else if escrow.service != service.id {
        Some("service")
    } else if escrow.amount != request.offered_credits {
        Some("amount")
    } else {
        None
    };
    if let Some(what) = differs {
        let message = format!("the escrow is for another {what}");
        return Err(Refusal::new(Code::EscrowMismatch, message).field("/payload/escrowId").into());
    }
    if escrow.status != EscrowStatus::Funded {
        let message = format!("the escrow is {}, and must be funded", escrow.status);
        let refusal = Refusal::new(Code::WrongState, message).field("/payload/escrowId");
        return Err(refusal.hint(escrow.status.as_str()).into());
    }
    let other: Option<MessageId> = ctx.tx.optional(
        sql!(
            "select id from service_request
             where escrow = $1 and escrow is not null and state = 'open'"
        ),
        values![escrow.id],
    )?;
    match other {
        None => Ok(()),
        Some(other) => {
            let refusal = Refusal::new(Code::EscrowInUse, "another open order uses this escrow");
            Err(refusal.field("/payload/escrowId").hint(other.to_string()).into())
        }
    }
}

/// Opens an order with the message that carried it, and holds what it offers.
pub fn open(
    ctx: &mut Ctx<'_, '_>,
    id: &MessageId,
    requester: &Account,
    order: &Order<'_>,
) -> Result<Opened> {
    let now = ctx.now();
    let Order { request, wishes, provider, acceptance, escrow_version } = order;
    let direct = request.escrow_id.is_none();
    let life = wishes.answer_within.unwrap_or(ctx.app.config.exchange.request_life);
    let due_at = direct.then(|| now.plus(life));
    ctx.tx.write(
        sql!(
            "insert into service_request (id, requester, provider, service, offered, escrow, state,
                due_at, created_at, acceptance, client_order_id)
             values ($1, $2, $3, $4, $5, $6, 'open', $7, $8, $9, $10)"
        ),
        values![
            id,
            requester.id,
            provider,
            request.service_id,
            request.offered_credits,
            request.escrow_id,
            due_at,
            now,
            acceptance,
            wishes.client_order_id
        ],
    )?;
    if direct {
        debt::refuse(ctx, &requester.id)?;
        hold(ctx, id, requester, request.offered_credits.micros())?;
    }
    let state = State {
        state: RequestStatus::Open,
        offered: request.offered_credits,
        charged: None,
        escrow: request.escrow_id.clone(),
        due_at,
        response: None,
    };
    Ok(Opened { state, version: 1 + escrow_version })
}

fn hold(ctx: &mut Ctx<'_, '_>, id: &MessageId, requester: &Account, micros: i64) -> Result<()> {
    if micros == 0 {
        return Ok(());
    }
    spend::charge(ctx, requester, id.as_str(), micros)?;
    let kind = TransferKind::Hold;
    let cause = Cause { kind, reference: id.as_str(), reason: None, actor: Some(&requester.id) };
    let (from, to) = (Holder::User(&requester.id), Holder::Hold(id.as_str()));
    let held = ledger::post(ctx, &cause, &[(from, -micros), (to, micros)]);
    overdue::before_refusal(ctx, &requester.id, held).map(|_| ())
}
