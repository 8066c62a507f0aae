//! Orders: how they are stored and shown, and the notifications of their end.

use std::borrow::Cow;

use svc_store::error::{Error, Overdue, Result};
use svc_store::{row, sql, values};
use svc_types::api::connect::ServiceData;
use svc_types::api::messages::{RequestState, RequestStatus};
use svc_types::api::orders::ProgressState;
use svc_types::api::services::Acceptance;
use svc_types::{Credits, EscrowId, MessageId, ServiceId, Timestamp, UserId};

use crate::app::Ctx;
use crate::services::escrow;
use crate::services::notification::{Data, NewNotification};

/// An order's row with the names of both parties.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id, which is that of its message.
    pub id: MessageId,
    /// Who ordered.
    pub requester: UserId,
    requester_name: String,
    /// Who answers.
    pub provider: UserId,
    provider_name: String,
    /// What was ordered.
    pub service: ServiceId,
    pub(super) offered: Credits,
    /// The escrow that pays.
    pub escrow: Option<EscrowId>,
    pub(super) state: RequestStatus,
    /// When it expires by itself.
    pub due_at: Option<Timestamp>,
    /// The answer that closed it.
    pub(super) response: Option<MessageId>,
    /// What its provider reported, beside open.
    pub stage: Option<ProgressState>,
    /// How it is accepted.
    pub acceptance: Acceptance,
    /// Partial results so far.
    pub partials: i64,
    /// When it was placed.
    pub created_at: Timestamp,
}
row!(Record {
    id: "q.id",
    requester: "q.requester",
    requester_name: "r.username",
    provider: "q.provider",
    provider_name: "p.username",
    service: "q.service",
    offered: "q.offered",
    escrow: "q.escrow",
    state: "q.state",
    due_at: "q.due_at",
    response: "q.response_message",
    stage: "q.stage",
    acceptance: "q.acceptance",
    partials: "q.partials",
    created_at: "q.created_at",
});

impl Record {
    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.state == RequestStatus::Open
    }

    /// Its stored state.
    pub const fn state(&self) -> &RequestStatus {
        &self.state
    }

    /// What a refusal reports as its state: the stage of an open one.
    pub fn state_word(&self) -> &str {
        match &self.stage {
            Some(stage) if self.is_open() => stage.as_str(),
            _ => self.state.as_str(),
        }
    }

    /// Whether it is overdue to expire.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.due_at.is_some_and(|due| due <= now)
    }

    /// Fails if the order is overdue, or the escrow that pays for it while it is open, so that both are advanced
    /// before somebody acts.
    pub fn refuse_overdue(&self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        if self.is_overdue(ctx.now()) {
            return Err(Error::Overdue(Overdue::Request(self.id.clone())));
        }
        match self.escrow.as_ref().filter(|_| self.is_open()) {
            Some(escrow) => escrow::refuse_if_overdue(ctx, escrow),
            None => Ok(()),
        }
    }
}

/// The order with this id.
pub(super) fn by_id(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<Option<Record>> {
    ctx.tx.optional(
        sql!(
            "select ",
            Record::COLUMNS,
            " from service_request q
             join account r on r.id = q.requester
             join account p on p.id = q.provider
             where q.id = $1"
        ),
        values![id],
    )
}

/// The order with this id, locked together with its escrow.
pub fn take(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<Option<Record>> {
    ctx.tx.lock(
        sql!(
            "select id from escrow
             where id = (select escrow from service_request where id = $1) for update"
        ),
        values![id],
    )?;
    ctx.tx.lock(sql!("select id from service_request where id = $1 for update"), values![id])?;
    by_id(ctx, id)
}

/// The state of an order, as it is selected with its message.
#[derive(Clone, Debug)]
pub struct State {
    /// Its state.
    pub state: RequestStatus,
    /// The price that was offered.
    pub offered: Credits,
    /// The price that was charged.
    pub charged: Option<Credits>,
    /// The escrow that pays.
    pub escrow: Option<EscrowId>,
    /// When it expires.
    pub due_at: Option<Timestamp>,
    /// The answer that closed it.
    pub response: Option<MessageId>,
}

impl State {
    /// The same as the API returns it. An overdue order counts as expired before it is stored so.
    pub fn into_api(self, now: Timestamp) -> RequestState {
        let overdue = self.due_at.is_some_and(|due| due <= now);
        RequestState {
            status: if overdue { RequestStatus::Expired } else { self.state },
            offered_credits: self.offered,
            charged_credits: self.charged,
            escrow_id: self.escrow,
            expires_at: self.due_at.filter(|due| *due > now),
            response_message_id: self.response,
        }
    }
}

/// An order that ended, for the notifications of both parties.
#[derive(Clone, Debug)]
pub struct Ended {
    order: Record,
    data: ServiceData,
}

impl Ended {
    pub(super) fn new(order: Record, outcome: &RequestStatus, charged: Option<Credits>) -> Self {
        let data = ServiceData {
            request_id: order.id.clone(),
            status: outcome.clone(),
            service_id: order.service.clone(),
            offered_credits: order.offered,
            charged_credits: charged,
            escrow_id: order.escrow.clone(),
            requester_username: order.requester_name.clone(),
            provider_username: order.provider_name.clone(),
        };
        Self { order, data }
    }

    /// The notification of each party.
    pub fn notifications(&self) -> [NewNotification<'_>; 2] {
        let to = |party| {
            NewNotification::new(party, Data::Service(Cow::Borrowed(&self.data)))
                .of(self.order.id.as_str())
        };
        [to(&self.order.requester), to(&self.order.provider)]
    }
}

/// Fails if orders of an account are overdue, so that they expire before its credits are read.
pub fn refuse_overdue(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    if overdue(ctx, account, 1)?.is_empty() {
        Ok(())
    } else {
        Err(Error::Overdue(Overdue::Account(account.clone())))
    }
}

/// Overdue orders of an account.
pub fn overdue(ctx: &mut Ctx<'_, '_>, account: &UserId, limit: i64) -> Result<Vec<MessageId>> {
    let now = ctx.due_by_now();
    ctx.tx.all(
        sql!(
            "select id from service_request
             where due_at is not null and due_at <= $1 and $2 in (requester, provider)
             order by due_at, id limit $3"
        ),
        values![now, account, limit],
    )
}
