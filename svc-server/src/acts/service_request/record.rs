//! Orders as they are stored, shown, and told of.

use std::borrow::Cow;

use svc_types::api::connect::ServiceData;
use svc_types::api::messages::{RequestState, RequestStatus};
use svc_types::{Credits, EscrowId, MessageId, ServiceId, Timestamp, UserId};

use crate::acts::notice::{self, Data, Notice};
use crate::app::Cx;
use crate::error::{Error, Overdue, Result};
use crate::{row, sql, values};

/// An order's row with the names of both parties.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id: that of the message that carried it.
    pub id: MessageId,
    /// Who ordered.
    pub requester: UserId,
    requester_name: String,
    /// Who answers.
    pub provider: UserId,
    provider_name: String,
    pub(super) service: ServiceId,
    pub(super) offered: Credits,
    /// The escrow that pays.
    pub escrow: Option<EscrowId>,
    pub(super) state: RequestStatus,
    due_at: Option<Timestamp>,
}
row!(Record {
    id,
    requester,
    requester_name,
    provider,
    provider_name,
    service,
    offered,
    escrow,
    state,
    due_at,
});

impl Record {
    /// Whether the clock should have ended it.
    pub(super) fn is_overdue(&self, now: Timestamp) -> bool {
        self.due_at.is_some_and(|due| due <= now)
    }
}

/// The order with this id.
pub(super) fn by_id(cx: &mut Cx<'_, '_>, id: &MessageId) -> Result<Option<Record>> {
    cx.tx.optional(
        sql!(
            "select q.id, q.requester, r.username, q.provider, p.username, q.service, q.offered,
                q.escrow, q.state, q.due_at
             from service_request q
             join account r on r.id = q.requester
             join account p on p.id = q.provider
             where q.id = $1"
        ),
        values![id],
    )
}

/// How an order stands, as the columns beside its message tell it.
#[derive(Clone, Debug)]
pub struct State {
    /// Its state.
    pub state: RequestStatus,
    /// What was offered.
    pub offered: Credits,
    /// What was charged.
    pub charged: Option<Credits>,
    /// The escrow that pays.
    pub escrow: Option<EscrowId>,
    /// When it expires by itself.
    pub due_at: Option<Timestamp>,
    /// The answer that closed it.
    pub response: Option<MessageId>,
}

impl State {
    /// The same as the wire has it: what is due has happened, even if nobody wrote it down yet.
    pub fn wire(self, now: Timestamp) -> RequestState {
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

/// Tells both parties but who did it how an order ended.
pub(super) fn tell(
    cx: &mut Cx<'_, '_>,
    order: &Record,
    outcome: &RequestStatus,
    charged: Option<Credits>,
    by: Option<&UserId>,
) -> Result<()> {
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
    let told =
        |party| Notice::new(party, Data::Service(Cow::Borrowed(&data))).of(order.id.as_str());
    notice::tell(cx, by, [&order.requester, &order.provider].into_iter().map(told).collect())
}

/// Starts the clock of the order that an escrow paid for, now that the escrow is over.
pub fn start_clock(cx: &mut Cx<'_, '_>, escrow: &EscrowId) -> Result<()> {
    let due_at = cx.now().plus(cx.app.config.exchange.request_life);
    cx.tx.execute(
        sql!(
            "update service_request set due_at = $1
             where escrow = $2 and escrow is not null and state = 'open'"
        ),
        values![due_at, escrow],
    )?;
    Ok(())
}

/// Asks for the clock's moves of an account's orders before its credits are read.
pub fn refuse_overdue(cx: &mut Cx<'_, '_>, account: &UserId) -> Result<()> {
    if overdue(cx, account, 1)?.is_empty() {
        Ok(())
    } else {
        Err(Error::Overdue(Overdue::Account(account.clone())))
    }
}

/// An account's orders that the clock should have ended.
pub fn overdue(cx: &mut Cx<'_, '_>, account: &UserId, limit: i64) -> Result<Vec<MessageId>> {
    let now = cx.settled_by();
    cx.tx.all(
        sql!(
            "select id from service_request
             where due_at is not null and due_at <= $1 and $2 in (requester, provider)
             order by due_at, id limit $3"
        ),
        values![now, account, limit],
    )
}
