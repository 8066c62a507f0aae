//! Spending limits, and the rows of the ledger.
//!
//! An order is one row under its id. Its cost is reserved before anything is sent, in the transaction
//! that checks the limits, so that concurrent orders can't exceed a limit together.

use std::collections::BTreeSet;
use std::time::Duration;

use rusqlite::{OptionalExtension, Row, Transaction, params};
use svc_client::types::{Checksum, Credits, EscrowId, MessageId, ServiceId, Timestamp};

use super::known_order::KnownOrder;
use super::payment_method::PaymentMethod;
use crate::error::Error;

/// The sliding window of the limits per day.
pub(super) const DAY: Duration = Duration::from_secs(24 * 3_600);
/// How long a finished order is kept.
const RETENTION: Duration = Duration::from_secs(7 * 24 * 3_600);

/// How much may be spent, and with which providers.
#[derive(Clone, Debug, Default)]
pub(super) struct Caps {
    pub(super) per_order: Option<Credits>,
    pub(super) per_day: Option<Credits>,
    pub(super) per_provider: Option<Credits>,
    /// Usernames in lower case.
    pub(super) only: Option<BTreeSet<String>>,
}

/// The cost of an order.
#[derive(Clone, Debug)]
pub(super) struct Expense {
    /// The order's id.
    pub(super) order: String,
    /// The provider's username in lower case.
    pub(super) provider: String,
    pub(super) service: ServiceId,
    pub(super) service_name: String,
    pub(super) amount: Credits,
    /// The most this order may cost.
    pub(super) max_credits: Credits,
    pub(super) method: PaymentMethod,
    /// Of provider, service and input; `None` if the input is unknown.
    pub(super) hash: Option<Checksum>,
    /// The same with the provider as an earlier run named it: by username or user id.
    pub(super) begun_hash: Option<Checksum>,
}

/// A limit that an order would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Breach {
    limit: &'static str,
    asked: Credits,
    left: Credits,
}

impl From<Breach> for Error {
    fn from(Breach { limit, asked, left }: Breach) -> Self {
        Self::SpendLimit { limit, asked, left }
    }
}

/// Why nothing was reserved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Limit(Breach),
    /// The id belongs to an order with another hash.
    Differs {
        begun: Checksum,
        asked: Checksum,
    },
}

impl Refusal {
    /// The error for the order with this id.
    pub(super) fn into_error(self, order: &str) -> Error {
        match self {
            Self::Limit(breach) => breach.into(),
            Self::Differs { begun, asked } => {
                Error::OrderDiffers { id: order.to_owned(), begun, asked }
            }
        }
    }
}

impl Caps {
    /// Whether a limit depends on the provider, so that its username must be resolved.
    pub(super) fn depend_on_provider(&self) -> bool {
        self.per_provider.is_some() || self.only.is_some()
    }

    /// The limit that an order would exceed, if any. The order's own reservation does not count.
    ///
    /// An order that was begun is not checked against the limits per day once its credits have left
    /// the account: they count as spent since then.
    pub(super) fn breach(
        &self,
        tx: &Transaction<'_>,
        expense: &Expense,
        begun: Option<&KnownOrder>,
        now: Timestamp,
    ) -> rusqlite::Result<Option<Breach>> {
        match self.breach_of_order(expense) {
            None if !begun.is_some_and(KnownOrder::is_paid) => self.breach_of_day(tx, expense, now),
            breach => Ok(breach),
        }
    }

    /// The limit that the order exceeds by itself.
    fn breach_of_order(&self, expense: &Expense) -> Option<Breach> {
        if let Some(only) = &self.only
            && !only.contains(&expense.provider)
        {
            return Some(expense.breach("only", Credits::from(0)));
        }
        let of_order = [("max_credits", Some(expense.max_credits)), ("per_order", self.per_order)];
        let mut limits = of_order.into_iter().filter_map(|(limit, most)| Some((limit, most?)));
        let (limit, most) = limits.find(|(_, most)| expense.amount > *most)?;
        Some(expense.breach(limit, most))
    }

    /// The limit that the order exceeds together with the others of the day.
    fn breach_of_day(
        &self,
        tx: &Transaction<'_>,
        expense: &Expense,
        now: Timestamp,
    ) -> rusqlite::Result<Option<Breach>> {
        let of_day = [
            ("per_provider", self.per_provider, Some(&expense.provider)),
            ("per_day", self.per_day, None),
        ];
        for (limit, most, provider) in of_day {
            let Some(most) = most else { continue };
            let spent = expense.others_around(tx, now, provider)?;
            let left = most.checked_sub(spent).unwrap_or_default();
            if expense.amount > left {
                return Ok(Some(expense.breach(limit, left)));
            }
        }
        Ok(None)
    }
}

impl Expense {
    fn breach(&self, limit: &'static str, left: Credits) -> Breach {
        Breach { limit, asked: self.amount, left }
    }

    /// The expense of a known order, whose limit is its amount.
    pub(super) fn of_known(id: &str, known: &KnownOrder, method: PaymentMethod) -> Self {
        Self {
            order: id.to_owned(),
            provider: known.provider.clone(),
            service: known.service.clone(),
            service_name: known.service_name.clone(),
            amount: known.amount,
            max_credits: known.amount,
            method,
            hash: known.hash.clone(),
            begun_hash: None,
        }
    }

    /// Reserves the cost of the order unless it would exceed a limit. Returns whether the order is
    /// new.
    ///
    /// A resumed order is checked again, as far as [`Caps::breach`] says.
    pub(super) fn reserve(
        &self,
        tx: &Transaction<'_>,
        caps: &Caps,
        now: Timestamp,
    ) -> rusqlite::Result<Result<bool, Refusal>> {
        let begun = find(tx, &self.order)?.filter(|known| !known.is_freed);
        let before = begun.as_ref().and_then(|known| known.hash.clone());
        if let (Some(begun), Some(asked)) = (before, &self.hash)
            && begun != *asked
            && Some(&begun) != self.begun_hash.as_ref()
        {
            // A concurrent run with the same id was faster.
            return Ok(Err(Refusal::Differs { begun, asked: asked.clone() }));
        }
        if let Some(breach) = caps.breach(tx, self, begun.as_ref(), now)? {
            return Ok(Err(Refusal::Limit(breach)));
        }
        if !begun.as_ref().is_some_and(KnownOrder::is_paid) {
            prune(tx, now)?;
            self.insert(tx, now)?;
        }
        Ok(Ok(begun.is_none()))
    }

    /// What other orders reserved or spent within a day before now, with one provider or all. Those of a clock that
    /// was far ahead are left out: they would count until then.
    fn others_around(
        &self,
        tx: &Transaction<'_>,
        now: Timestamp,
        provider: Option<&String>,
    ) -> rusqlite::Result<Credits> {
        let (since, far) = (now.minus(DAY).as_millis(), now.plus(DAY).as_millis());
        let sum = "select coalesce(sum(amount), 0)
            from spend
            where state <> 'freed' and created_at > ?1 and created_at < ?4
                and (?2 is null or provider = ?2) and order_id <> ?3";
        let of = params![since, provider, self.order, far];
        Ok(Credits::from_micros(tx.query_row(sum, of, |row| row.get(0))?))
    }

    /// Writes the row of the order without checking limits.
    pub(super) fn insert(&self, tx: &Transaction<'_>, now: Timestamp) -> rusqlite::Result<()> {
        let insert = "insert into spend
                (order_id, provider, service, service_name, amount, state, created_at, delivery, hash)
            values (?1, ?2, ?3, ?4, ?5, 'reserved', ?6, ?7, ?8)
            on conflict (order_id) do update set
                provider = excluded.provider, service = excluded.service,
                service_name = excluded.service_name, amount = excluded.amount,
                state = 'reserved', created_at = excluded.created_at, settled_at = null,
                delivery = excluded.delivery, hash = excluded.hash, status = null, seen_at = null";
        let Self { order, provider, service, service_name, amount, method, hash, .. } = self;
        let (amount, now) = (amount.micros(), now.as_millis());
        let (service, hash) = (service.as_str(), hash.as_ref().map(Checksum::as_str));
        let row = params![order, provider, service, service_name, amount, now, method, hash];
        tx.execute(insert, row).map(|_| ())
    }
}

/// Finds an order by its id.
pub(super) fn find(tx: &Transaction<'_>, order: &str) -> rusqlite::Result<Option<KnownOrder>> {
    let select = "select provider, service, service_name, amount, state, escrow, request, delivery,
            hash
        from spend
        where order_id = ?1";
    tx.query_row(select, [order], known).optional()
}

/// The id of the order that an escrow pays, and the order.
pub(super) fn by_escrow(
    tx: &Transaction<'_>,
    escrow: &EscrowId,
) -> rusqlite::Result<Option<(String, KnownOrder)>> {
    let select = "select order_id from spend where escrow = ?1";
    let order = tx.query_row(select, [escrow.as_str()], |row| row.get::<_, String>(0));
    let Some(order) = order.optional()? else {
        return Ok(None);
    };
    Ok(find(tx, &order)?.map(|known| (order, known)))
}

pub(super) fn known(row: &Row<'_>) -> rusqlite::Result<KnownOrder> {
    Ok(KnownOrder {
        provider: row.get(0)?,
        service: row.get::<_, String>(1)?.into(),
        service_name: row.get(2)?,
        amount: Credits::from_micros(row.get(3)?),
        is_freed: row.get::<_, String>(4)? == "freed",
        escrow: row.get::<_, Option<String>>(5)?.map(Into::into),
        request: row.get::<_, Option<String>>(6)?.map(Into::into),
        method: row.get(7)?,
        hash: row.get::<_, Option<String>>(8)?.map(Into::into),
    })
}

/// Records the escrow that pays an order.
pub(super) fn note_escrow(
    tx: &Transaction<'_>,
    order: &str,
    escrow: &EscrowId,
) -> rusqlite::Result<()> {
    let update = "update spend set escrow = ?2 where order_id = ?1";
    tx.execute(update, [order, escrow.as_str()]).map(|_| ())
}

/// Records the message that sent an order.
pub(super) fn note_request(
    tx: &Transaction<'_>,
    order: &str,
    request: &MessageId,
) -> rusqlite::Result<()> {
    let update = "update spend set request = ?2 where order_id = ?1";
    tx.execute(update, [order, request.as_str()]).map(|_| ())
}

/// Records what an order finally cost.
pub(super) fn settle(
    tx: &Transaction<'_>,
    order: &str,
    charged: Credits,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let update = "update spend set state = 'spent', amount = ?2, settled_at = ?3
        where order_id = ?1 and state = 'reserved'";
    tx.execute(update, params![order, charged.micros(), now.as_millis()]).map(|_| ())
}

/// Records that an order costs nothing.
pub(super) fn free(tx: &Transaction<'_>, order: &str, now: Timestamp) -> rusqlite::Result<()> {
    let update = "update spend set state = 'freed', settled_at = ?2
        where order_id = ?1 and state = 'reserved'";
    tx.execute(update, params![order, now.as_millis()]).map(|_| ())
}

fn prune(tx: &Transaction<'_>, now: Timestamp) -> rusqlite::Result<()> {
    let delete = "delete from spend where settled_at < ?1";
    tx.execute(delete, [now.minus(RETENTION).as_millis()]).map(|_| ())
}

#[cfg(test)]
#[path = "spend_tests.rs"]
mod tests;
