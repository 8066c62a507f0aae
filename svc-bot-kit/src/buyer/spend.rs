//! The spend guard: what orders may cost, and what they did.
//!
//! An order is one row, by the buyer's own id of it. What it may cost is reserved before anything
//! is sent, in the transaction that judges the limits, so that orders that run at once can't pass
//! them together.

use std::collections::BTreeSet;
use std::time::Duration;

use rusqlite::{OptionalExtension, Row, Transaction, params};
use svc_client::types::{Checksum, Credits, EscrowId, MessageId, ServiceId, Timestamp};

use super::payment_method::PaymentMethod;
use crate::error::Error;

/// What a limit per day looks back on.
pub(super) const DAY: Duration = Duration::from_secs(24 * 3_600);
/// How long a finished order is remembered.
const RETENTION: Duration = Duration::from_secs(7 * 24 * 3_600);

/// How much may be spent, and with whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Caps {
    pub(super) per_order: Option<Credits>,
    pub(super) per_day: Option<Credits>,
    pub(super) per_provider: Option<Credits>,
    /// Usernames in lower case.
    pub(super) only: Option<BTreeSet<String>>,
}

/// An order that is about to be paid for.
#[derive(Clone, Debug)]
pub(super) struct Expense {
    /// The buyer's own id of it.
    pub(super) order: String,
    /// The provider's username in lower case.
    pub(super) provider: String,
    pub(super) service: ServiceId,
    pub(super) service_name: String,
    pub(super) amount: Credits,
    /// The most this order may cost.
    pub(super) max_credits: Credits,
    pub(super) way: PaymentMethod,
    /// Of provider, service and input; none where the input is not known.
    pub(super) hash: Option<Checksum>,
}

/// An order that was begun before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownOrder {
    pub(super) provider: String,
    pub(super) service: ServiceId,
    pub(super) service_name: String,
    pub(super) amount: Credits,
    pub(super) is_freed: bool,
    /// How it is paid, if that was written down.
    pub(super) way: Option<PaymentMethod>,
    /// Of provider, service and input, if that was written down.
    pub(super) hash: Option<Checksum>,
    pub(super) escrow: Option<EscrowId>,
    pub(super) request: Option<MessageId>,
}

impl KnownOrder {
    /// Whether its credits have left: with the request, or into the escrow.
    fn is_paid(&self) -> bool {
        self.request.is_some() || self.escrow.is_some()
    }

    /// Whether nothing came of it, so that its id stands for nothing yet.
    pub(super) fn is_void(&self) -> bool {
        self.is_freed && !self.is_paid()
    }

    /// How it is paid, if that is known.
    pub(super) fn way(&self) -> Option<PaymentMethod> {
        self.way.or_else(|| self.escrow.as_ref().map(|_| PaymentMethod::ESCROW))
    }
}

/// A limit that an order would pass.
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
    /// The id stands for an order of another hash.
    Differs {
        begun: Checksum,
        asked: Checksum,
    },
}

impl Refusal {
    /// The error for an order of this id.
    pub(super) fn of(self, order: &str) -> Error {
        match self {
            Self::Limit(breach) => breach.into(),
            Self::Differs { begun, asked } => {
                Error::OrderDiffers { id: order.to_owned(), begun, asked }
            }
        }
    }
}

impl Caps {
    /// Whether it has to be known which account a provider's name means.
    pub(super) fn name_providers(&self) -> bool {
        self.per_provider.is_some() || self.only.is_some()
    }

    /// The limit an order would pass, if there is one. What the order itself has reserved counts
    /// for nothing.
    pub(super) fn breach(
        &self,
        tx: &Transaction<'_>,
        expense: &Expense,
        now: Timestamp,
    ) -> rusqlite::Result<Option<Breach>> {
        match self.breach_of_order(expense) {
            None => self.breach_of_day(tx, expense, now),
            breach => Ok(breach),
        }
    }

    /// The limit that the order would pass by itself.
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

    /// The limit that it would pass together with the others of the day.
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
            let spent = expense.others_since(tx, now.minus(DAY), provider)?;
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

    /// Reserves what the order costs, unless it would pass a limit; whether that was not done before.
    ///
    /// An order that was begun is judged anew, but not by the limits of the day once an escrow holds
    /// its credits: they were spent then.
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
        {
            // Another run of the same id was quicker.
            return Ok(Err(Refusal::Differs { begun, asked: asked.clone() }));
        }
        let is_paid = begun.as_ref().is_some_and(KnownOrder::is_paid);
        let breach = if is_paid { caps.breach_of_order(self) } else { caps.breach(tx, self, now)? };
        if let Some(breach) = breach {
            return Ok(Err(Refusal::Limit(breach)));
        }
        if !is_paid {
            forget(tx, now)?;
            self.insert(tx, now)?;
        }
        Ok(Ok(begun.is_none()))
    }

    /// What other orders have reserved or spent after an instant, with one provider or all.
    fn others_since(
        &self,
        tx: &Transaction<'_>,
        since: Timestamp,
        provider: Option<&String>,
    ) -> rusqlite::Result<Credits> {
        let sum = "select coalesce(sum(amount), 0)
            from spend
            where state <> 'freed' and created_at > ?1 and (?2 is null or provider = ?2)
                and order_id <> ?3";
        let of = params![since.as_millis(), provider, self.order];
        Ok(Credits::from_micros(tx.query_row(sum, of, |row| row.get(0))?))
    }

    /// Notes what the order costs, whatever the limits: it was sent already.
    pub(super) fn insert(&self, tx: &Transaction<'_>, now: Timestamp) -> rusqlite::Result<()> {
        let insert = "insert into spend
                (order_id, provider, service, service_name, amount, state, created_at, delivery, hash)
            values (?1, ?2, ?3, ?4, ?5, 'reserved', ?6, ?7, ?8)
            on conflict (order_id) do update set
                provider = excluded.provider, service = excluded.service,
                service_name = excluded.service_name, amount = excluded.amount,
                state = 'reserved', created_at = excluded.created_at, settled_at = null,
                delivery = excluded.delivery, hash = excluded.hash, status = null, seen_at = null";
        let Self { order, provider, service, service_name, amount, way, hash, .. } = self;
        let (amount, now) = (amount.micros(), now.as_millis());
        let (service, hash) = (service.as_str(), hash.as_ref().map(Checksum::as_str));
        let row = params![order, provider, service, service_name, amount, now, way, hash];
        tx.execute(insert, row).map(|_| ())
    }
}

/// An order by its id.
pub(super) fn find(tx: &Transaction<'_>, order: &str) -> rusqlite::Result<Option<KnownOrder>> {
    let select = "select provider, service, service_name, amount, state, escrow, request, delivery,
            hash
        from spend
        where order_id = ?1";
    tx.query_row(select, [order], known).optional()
}

/// The order that an escrow pays, and its id.
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
        way: row.get(7)?,
        hash: row.get::<_, Option<String>>(8)?.map(Into::into),
    })
}

/// Notes the escrow that pays an order.
pub(super) fn note_escrow(
    tx: &Transaction<'_>,
    order: &str,
    escrow: &EscrowId,
) -> rusqlite::Result<()> {
    let update = "update spend set escrow = ?2 where order_id = ?1";
    tx.execute(update, [order, escrow.as_str()]).map(|_| ())
}

/// Notes the message by which an order was sent.
pub(super) fn note_request(
    tx: &Transaction<'_>,
    order: &str,
    request: &MessageId,
) -> rusqlite::Result<()> {
    let update = "update spend set request = ?2 where order_id = ?1";
    tx.execute(update, [order, request.as_str()]).map(|_| ())
}

/// Notes what an order cost in the end.
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

/// Notes that an order costs nothing.
pub(super) fn free(tx: &Transaction<'_>, order: &str, now: Timestamp) -> rusqlite::Result<()> {
    let update = "update spend set state = 'freed', settled_at = ?2
        where order_id = ?1 and state = 'reserved'";
    tx.execute(update, params![order, now.as_millis()]).map(|_| ())
}

fn forget(tx: &Transaction<'_>, now: Timestamp) -> rusqlite::Result<()> {
    let delete = "delete from spend where settled_at < ?1";
    tx.execute(delete, [now.minus(RETENTION).as_millis()]).map(|_| ())
}

#[cfg(test)]
#[path = "spend_tests.rs"]
mod tests;
