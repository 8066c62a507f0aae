//! Orders as the journal knows them, and how they stand.

use rusqlite::{OptionalExtension, Row, Transaction, params};
use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::api::messages::{RequestState, RequestStatus};
use svc_client::types::{Credits, EscrowId, MessageId, Timestamp};

use super::buyer::Buyer;
use super::spend::{self, KnownOrder};
use crate::clock::now;
use crate::error::Result;

/// Most orders among which one that is unfinished is looked for, newest first.
const UNSEEN_MAX: u32 = 1_000;

/// What the platform says of an order or an escrow that has ended, and we of one that was refused.
const ENDED: [&str; 8] =
    ["completed", "rejected", "error", "expired", "released", "refunded", "cancelled", "refused"];

/// An order that the journal knows; from [`Buyer::orders`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OrderRecord {
    /// The order's id, which goes on with it.
    pub id: String,
    /// Whose service it is: username in lower case.
    pub provider: String,
    /// The service, in its provider's words.
    pub service: String,
    /// What was offered, or what was charged once that is known.
    pub amount: Credits,
    /// How it stands. `begun`: it is not known to be sent; `refused`: nothing came of it; else what
    /// the platform last said of its escrow, or without one of the order.
    pub status: String,
    /// The message by which it was sent.
    pub request: Option<MessageId>,
    /// The escrow that pays.
    pub escrow: Option<EscrowId>,
    /// When it was begun.
    pub created_at: Timestamp,
}

impl OrderRecord {
    /// Whether nothing can become of it any more.
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

/// What the platform says of an order.
#[derive(Clone, Debug)]
pub(super) struct PlatformStatus {
    /// Its word for it.
    status: String,
    credits: Funds,
}

/// What became of the credits.
#[derive(Clone, Copy, Debug)]
enum Funds {
    Held,
    Paid(Credits),
    Returned,
}

impl PlatformStatus {
    /// By its request, which holds the credits where no escrow does.
    pub(super) fn of_request(state: &RequestState) -> Self {
        let credits = match state.status {
            RequestStatus::Completed => {
                Funds::Paid(state.charged_credits.unwrap_or(state.offered_credits))
            }
            RequestStatus::Rejected | RequestStatus::Error | RequestStatus::Expired => {
                Funds::Returned
            }
            _ => Funds::Held,
        };
        Self { status: state.status.to_string(), credits }
    }

    /// By its escrow.
    pub(super) fn of_escrow(escrow: &Escrow) -> Self {
        let credits = match escrow.status {
            EscrowStatus::Released => Funds::Paid(escrow.amount),
            EscrowStatus::Created | EscrowStatus::Cancelled | EscrowStatus::Refunded => {
                Funds::Returned
            }
            _ => Funds::Held,
        };
        Self { status: escrow.status.to_string(), credits }
    }

    /// Whether it holds or has cost credits.
    pub(super) fn costs(&self) -> bool {
        !matches!(self.credits, Funds::Returned)
    }

    /// Notes it, whatever was noted before: the platform knows best.
    pub(super) fn note(
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
    /// The newest orders that the journal knows, as the platform says they stand now.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// for order in buyer.orders(20).await? {
    ///     println!("{}  {}/{}  {}", order.id, order.provider, order.service, order.status);
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn orders(&self, most: u32) -> Result<Vec<OrderRecord>> {
        for placed in self.ledger.write(move |tx| newest(tx, most)).await? {
            if !placed.is_ended()
                && let Some(standing) = self.standing(&placed).await?
            {
                let note = move |tx: &Transaction<'_>| standing.note(tx, &placed.id, now());
                self.ledger.write(note).await?;
            }
        }
        self.ledger.write(move |tx| newest(tx, most)).await
    }

    /// The order of an id as the journal knows it; nothing is asked.
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

    /// How an order stands; none when the platform knows nothing of it.
    async fn standing(&self, placed: &OrderRecord) -> Result<Option<PlatformStatus>> {
        let asked = match (&placed.escrow, &placed.request) {
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
        match asked {
            // The message was deleted by who sent it.
            Err(svc_client::Error::NotFound { .. }) => Ok(None),
            asked => Ok(asked?),
        }
    }
}

const COLUMNS: &str = "provider, service, service_name, amount, state, escrow, request, delivery, \
                       hash, order_id, created_at, status";

fn row(row: &Row<'_>) -> rusqlite::Result<(OrderRecord, KnownOrder)> {
    let known = spend::known(row)?;
    let status: Option<String> = row.get(11)?;
    let state: String = row.get(4)?;
    let otherwise = match (state.as_str(), known.request.is_some() || known.escrow.is_some()) {
        ("spent", _) => "completed",
        ("freed", false) => "refused",
        (_, false) => "begun",
        _ => "open",
    };
    let placed = OrderRecord {
        id: row.get(9)?,
        provider: known.provider.clone(),
        service: known.service_name.clone(),
        amount: known.amount,
        status: status.unwrap_or_else(|| otherwise.to_owned()),
        request: known.request.clone(),
        escrow: known.escrow.clone(),
        created_at: Timestamp::from_millis(row.get(10)?),
    };
    Ok((placed, known))
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

/// The orders whose end nobody has seen, newest first.
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

/// Notes that the end of an order was seen.
pub(super) fn see(tx: &Transaction<'_>, order: &str, now: Timestamp) -> rusqlite::Result<()> {
    let update = "update spend set seen_at = ?2 where order_id = ?1 and seen_at is null";
    tx.execute(update, params![order, now.as_millis()]).map(|_| ())
}
