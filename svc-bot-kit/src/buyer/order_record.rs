//! Orders in the journal, and their status.

use rusqlite::{OptionalExtension, Row, Transaction, params};
use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::api::messages::{RequestState, RequestStatus};
use svc_client::types::{Credits, EscrowId, MessageId, Timestamp};

use super::buyer::Buyer;
use super::known_order::KnownOrder;
use super::spend;
use crate::clock::now;
use crate::error::Result;

/// Orders to search for an unfinished one at most, newest first.
const UNSEEN_MAX: u32 = 1_000;

/// The final statuses of orders and escrows on the platform, and `refused` of this crate.
const ENDED: [&str; 8] =
    ["completed", "rejected", "error", "expired", "released", "refunded", "cancelled", "refused"];

/// An order in the journal; from [`Buyer::orders`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OrderRecord {
    /// The order's id, which resumes it.
    pub id: String,
    /// The provider's username in lower case.
    pub provider: String,
    /// The name of the service.
    pub service: String,
    /// The credits offered, or charged once that is known.
    pub amount: Credits,
    /// The status: `begun` if the order may not have been sent, `refused` if it was not accepted;
    /// otherwise the last known status of its escrow or, without an escrow, of the order.
    pub status: String,
    /// The message that sent the order.
    pub request: Option<MessageId>,
    /// The escrow that pays.
    pub escrow: Option<EscrowId>,
    /// When the order was begun.
    pub created_at: Timestamp,
}

impl OrderRecord {
    /// Whether the status is final.
    ///
    /// ```
    /// # fn show(order: svc_bot_kit::OrderRecord) {
    /// if !order.is_ended() {
    ///     println!("{} is {}", order.id, order.status);
    /// }
    /// # }
    /// ```
    pub fn is_ended(&self) -> bool {
        ENDED.contains(&&*self.status)
    }
}

/// The status of an order on the platform.
#[derive(Clone, Debug)]
pub(super) struct PlatformStatus {
    status: String,
    credits: Funds,
}

/// What happened to the credits.
#[derive(Clone, Copy, Debug)]
enum Funds {
    Held,
    Paid(Credits),
    Returned,
}

impl PlatformStatus {
    /// Reads the status of an order without an escrow from its request, which holds the credits.
    pub(super) fn of_request(state: &RequestState) -> Self {
        let credits = match state.status {
            RequestStatus::Completed => {
                Funds::Paid(state.charged_credits.unwrap_or(state.offered_credits))
            }
            RequestStatus::Rejected
            | RequestStatus::Error
            | RequestStatus::Expired
            | RequestStatus::Cancelled => Funds::Returned,
            _ => Funds::Held,
        };
        Self { status: state.status.to_string(), credits }
    }

    /// Reads the status from the escrow that pays.
    pub(super) fn of_escrow(escrow: &Escrow) -> Self {
        let credits = match escrow.status {
            EscrowStatus::Released => Funds::Paid(escrow.amount_paid()),
            EscrowStatus::Created | EscrowStatus::Cancelled | EscrowStatus::Refunded => {
                Funds::Returned
            }
            _ => Funds::Held,
        };
        Self { status: escrow.status.to_string(), credits }
    }

    /// Whether the order holds or has cost credits.
    pub(super) fn costs(&self) -> bool {
        !matches!(self.credits, Funds::Returned)
    }

    /// Writes the status to the journal, replacing what was recorded before.
    pub(super) fn record(
        &self,
        tx: &Transaction<'_>,
        order: &str,
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        let (state, charged) = match self.credits {
            Funds::Held => ("reserved", None),
            Funds::Paid(charged) => ("spent", Some(charged.micros())),
            Funds::Returned => ("freed", None),
        };
        let settled = (state != "reserved").then_some(now.as_millis());
        let update = "update spend set status = ?2, state = ?3, amount = coalesce(?4, amount),
                settled_at = case when ?5 is null then null else coalesce(settled_at, ?5) end
            where order_id = ?1";
        tx.execute(update, params![order, self.status, state, charged, settled]).map(|_| ())
    }
}

impl Buyer {
    /// The newest orders in the journal, at most `most`, with their current status on the platform.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// for order in buyer.orders(20).await? {
    ///     println!("{}  {}/{}  {}", order.id, order.provider, order.service, order.status);
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn orders(&self, most: u32) -> Result<Vec<OrderRecord>> {
        for record in self.ledger.write(move |tx| newest(tx, most)).await? {
            if !record.is_ended()
                && let Some(status) = self.platform_status(&record).await?
            {
                self.ledger.write(move |tx| status.record(tx, &record.id, now())).await?;
            }
        }
        self.ledger.write(move |tx| newest(tx, most)).await
    }

    /// The order with this id as last recorded in the journal, without a request to the platform.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// if let Some(order) = buyer.placed("night-42").await? {
    ///     println!("begun at {}", order.created_at);
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn placed(&self, id: impl Into<String>) -> Result<Option<OrderRecord>> {
        let id = id.into();
        self.ledger.write(move |tx| by_id(tx, &id)).await
    }

    /// The current status of an order; `None` if the platform does not know it.
    async fn platform_status(&self, record: &OrderRecord) -> Result<Option<PlatformStatus>> {
        let status = match (&record.escrow, &record.request) {
            (Some(escrow), _) => {
                let escrow = self.client.escrow().get(escrow).await;
                escrow.map(|found| Some(PlatformStatus::of_escrow(&found.escrow)))
            }
            (None, Some(request)) => {
                let message = self.client.messages().get(request).await;
                message.map(|found| found.message.request.as_ref().map(PlatformStatus::of_request))
            }
            (None, None) => Ok(None),
        };
        match status {
            // The sender deleted the message.
            Err(svc_client::Error::NotFound { .. }) => Ok(None),
            status => Ok(status?),
        }
    }
}

const COLUMNS: &str = "provider, service, service_name, amount, state, escrow, request, delivery, \
                       hash, order_id, created_at, status";

fn row(row: &Row<'_>) -> rusqlite::Result<(OrderRecord, KnownOrder)> {
    let known = spend::known(row)?;
    let status: Option<String> = row.get(11)?;
    let state: String = row.get(4)?;
    let derived = match (state.as_str(), known.request.is_some() || known.escrow.is_some()) {
        ("spent", _) => "completed",
        ("freed", false) => "refused",
        (_, false) => "begun",
        _ => "open",
    };
    let record = OrderRecord {
        id: row.get(9)?,
        provider: known.provider.clone(),
        service: known.service_name.clone(),
        amount: known.amount,
        status: status.unwrap_or_else(|| derived.to_owned()),
        request: known.request.clone(),
        escrow: known.escrow.clone(),
        created_at: Timestamp::from_millis(row.get(10)?),
    };
    Ok((record, known))
}

fn newest(tx: &Transaction<'_>, most: u32) -> rusqlite::Result<Vec<OrderRecord>> {
    let select = format!(
        "select {COLUMNS} from spend
        where instr(order_id, ':') = 0
        order by created_at desc, order_id
        limit ?1"
    );
    let mut select = tx.prepare(&select)?;
    select.query_map([most], |found| Ok(row(found)?.0))?.collect()
}

fn by_id(tx: &Transaction<'_>, id: &str) -> rusqlite::Result<Option<OrderRecord>> {
    let select = format!("select {COLUMNS} from spend where order_id = ?1");
    tx.query_row(&select, [id], |found| Ok(row(found)?.0)).optional()
}

/// The orders whose outcome was not seen yet, newest first.
pub(super) fn unseen(tx: &Transaction<'_>) -> rusqlite::Result<Vec<(OrderRecord, KnownOrder)>> {
    let select = format!(
        "select {COLUMNS} from spend
        where hash is not null and seen_at is null and instr(order_id, ':') = 0
            and not (state = 'freed' and request is null and escrow is null)
        order by created_at desc, order_id
        limit ?1"
    );
    let mut select = tx.prepare(&select)?;
    select.query_map([UNSEEN_MAX], row)?.collect()
}

/// Records that the outcome of an order was seen.
pub(super) fn mark_seen(tx: &Transaction<'_>, order: &str, now: Timestamp) -> rusqlite::Result<()> {
    let update = "update spend set seen_at = ?2 where order_id = ?1 and seen_at is null";
    tx.execute(update, params![order, now.as_millis()]).map(|_| ())
}
