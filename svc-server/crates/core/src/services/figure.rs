//! What services and agents have done: counters that are written in the transaction of an order's end.
//!
//! An order without escrow ends once; one with an escrow ends with it, however many requests named it.
//! Completed are orders that were answered or released so; failed are those that ended in an error,
//! expired, or were refunded. What was declined or cancelled counts as neither.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::escrow::{CloseReason, EscrowStatus};
use svc_types::api::messages::RequestStatus;
use svc_types::{MessageId, ServiceId, UserId};

use super::sale;
use crate::app::Ctx;

/// Orders below which figures say nothing.
pub const ORDERS_MIN: i64 = 5;

/// Whether an order without escrow, `q`, counts as completed: [`of_request`] as SQL.
pub const REQUEST_COMPLETED: &str = "q.escrow is null and q.state = 'completed'";

/// Whether it counts as failed.
pub const REQUEST_FAILED: &str = "q.escrow is null and q.state in ('error', 'expired')";

/// Whether an escrow, `e`, counts as completed: [`of_escrow`] as SQL.
pub const ESCROW_COMPLETED: &str = "e.status = 'released'";

/// Whether it counts as failed.
pub const ESCROW_FAILED: &str =
    "e.status in ('refunded', 'cancelled') and e.funded_at is not null and (
        e.status = 'refunded' or e.close_reason = 'expired' or (
            select q.state from service_request q
            where q.escrow = e.id and q.escrow is not null
            order by q.id desc limit 1
        ) = 'error'
    )";

/// Digits of an answer's time. Ten digits of milliseconds are 115 days; no order lasts so long.
const DIGITS: usize = 10;

/// How an order ended, for the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was answered after this time.
    Completed(Duration),
    /// It ended in an error, expired, or was refunded.
    Failed,
}

/// Counters of a service or an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Completed orders.
    pub completed: i64,
    /// Failed orders.
    pub failed: i64,
    /// Median time to the answer, in milliseconds.
    pub median_ms: Option<i64>,
    /// Time in which 95 of 100 orders were answered, in milliseconds.
    pub p95_ms: Option<i64>,
}

impl Figures {
    fn is_telling(self) -> bool {
        self.completed + self.failed >= ORDERS_MIN
    }

    /// Completed orders of those that count, unless they are too few.
    pub fn success_rate(self) -> Option<f64> {
        let number = |count: i64| u32::try_from(count).map_or(f64::MAX, f64::from);
        let of = self.completed + self.failed;
        self.is_telling().then(|| number(self.completed) / number(of))
    }

    /// The median time to the answer, unless the orders are too few.
    pub fn median_seconds(self) -> Option<f64> {
        self.seconds(self.median_ms)
    }

    /// The time in which 95 of 100 orders were answered, unless the orders are too few.
    pub fn p95_seconds(self) -> Option<f64> {
        self.seconds(self.p95_ms)
    }

    fn seconds(self, millis: Option<i64>) -> Option<f64> {
        let millis = u64::try_from(millis.filter(|_| self.is_telling())?).unwrap_or_default();
        Some(Duration::from_millis(millis).as_secs_f64())
    }
}

/// Begins the counters of a service and its agent.
pub fn begin(ctx: &mut Ctx<'_, '_>, service: &ServiceId, bot: &UserId) -> Result<()> {
    let sql = sql!("insert into figure (id) values ($1), ($2) on conflict do nothing");
    ctx.tx.write(sql, values![service, bot])
}

/// How an order that no escrow pays for ended; none if that counts for nothing.
pub fn of_request(status: &RequestStatus, took: Duration) -> Option<Outcome> {
    match status {
        RequestStatus::Completed => Some(Outcome::Completed(took)),
        RequestStatus::Error | RequestStatus::Expired => Some(Outcome::Failed),
        _ => None,
    }
}

/// An escrow that ended.
#[derive(Clone, Copy, Debug)]
pub struct Closed<'a> {
    /// Its state.
    pub status: &'a EscrowStatus,
    /// Why it ended.
    pub reason: &'a CloseReason,
    /// How long the work took until the latest delivery.
    pub took: Option<Duration>,
    /// Whether it was ever paid for.
    pub was_funded: bool,
    /// The latest order it paid for.
    pub order: Option<&'a MessageId>,
}

/// How an escrow ended; none if that counts for nothing. Work that failed counts although the buyer, not
/// the provider, then ends the escrow.
pub fn of_escrow(ctx: &mut Ctx<'_, '_>, escrow: Closed<'_>) -> Result<Option<Outcome>> {
    Ok(match (escrow.status, escrow.reason) {
        (EscrowStatus::Released, _) => Some(Outcome::Completed(escrow.took.unwrap_or_default())),
        (EscrowStatus::Refunded, _) => Some(Outcome::Failed),
        (_, CloseReason::Expired) => escrow.was_funded.then_some(Outcome::Failed),
        _ => match escrow.order {
            Some(order) => has_failed(ctx, order)?.then_some(Outcome::Failed),
            None => None,
        },
    })
}

fn has_failed(ctx: &mut Ctx<'_, '_>, order: &MessageId) -> Result<bool> {
    let sql = sql!("select state = 'error' from service_request where id = $1");
    Ok(ctx.tx.optional(sql, values![order])?.unwrap_or_default())
}

/// Counts an order that ended, for its service and its agent, with what the agent was paid for it.
pub fn count(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    bot: &UserId,
    outcome: Outcome,
    earned: i64,
) -> Result<()> {
    match outcome {
        Outcome::Completed(took) => count_completed(ctx, service, bot, took)?,
        Outcome::Failed => {
            let sql = sql!("update figure set failed = failed + 1 where id in ($1, $2)");
            ctx.tx.write(sql, values![service, bot])?;
        }
    }
    // The rows above are locked, so those of its sales are not waited for.
    sale::add(ctx, service, bot, outcome, earned)
}

fn count_completed(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    bot: &UserId,
    took: Duration,
) -> Result<()> {
    let millis = i64::try_from(took.as_millis()).unwrap_or(i64::MAX).min(9_999_999_999);
    let answer = format!("{millis:0DIGITS$}");
    // The rows are locked from here on, so the times are those of these answers.
    let rows: Vec<(bool, String)> = ctx.tx.all(
        sql!(
            "update figure
             set completed = completed + 1,
                answers = substr(cast($1 as text) || answers, 1, 1000)
             where id in ($2, $3)
             returning id = $2, answers"
        ),
        values![answer, service, bot],
    )?;
    let times = |of_service: bool| {
        let found = rows.iter().find(|(is_service, _)| *is_service == of_service);
        found.map(|(_, answers)| times(answers)).unwrap_or_default()
    };
    let (own, all) = (times(true), times(false));
    let sql = sql!(
        "update figure
         set median_ms = case when id = $1 then cast($2 as bigint) else cast($3 as bigint) end,
            p95_ms = case when id = $1 then cast($4 as bigint) else cast($5 as bigint) end
         where id in ($1, $6)"
    );
    ctx.tx.write(sql, values![service, median(&own), median(&all), p95(&own), p95(&all), bot])
}

/// Times that are kept one after the other, in order of their length.
fn times(answers: &str) -> Vec<i64> {
    let times = answers.as_bytes().chunks_exact(DIGITS);
    let mut times: Vec<i64> =
        times.filter_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok()).collect();
    times.sort_unstable();
    times
}

/// The median of sorted times.
fn median(times: &[i64]) -> Option<i64> {
    let upper = *times.get(times.len() / 2)?;
    let lower = *times.get((times.len() - 1) / 2)?;
    Some(i64::midpoint(lower, upper))
}

/// The time that 95 of 100 of these do not exceed.
fn p95(times: &[i64]) -> Option<i64> {
    let rank = (times.len() * 95).div_ceil(100);
    times.get(rank.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let of = |given: &[i64]| {
            let kept: Vec<String> = given.iter().map(|time| format!("{time:0DIGITS$}")).collect();
            median(&times(&kept.concat()))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[7]), Some(7));
        assert_eq!(of(&[9_999_999_999, 1, 5]), Some(5));
        assert_eq!(of(&[1, 10, 4, 2]), Some(3));
    }

    #[test]
    fn of_a_hundred_times_five_may_be_longer() {
        let hundred: Vec<i64> = (1..=100).collect();
        assert_eq!(p95(&hundred), Some(95));
        assert_eq!(p95(&[7, 9]), Some(9));
        assert_eq!(p95(&[]), None);
    }

    #[test]
    fn few_orders_say_nothing() {
        let figures = |completed, failed| Figures {
            completed,
            failed,
            median_ms: Some(1500),
            p95_ms: Some(2500),
        };
        assert_eq!(figures(4, 0).success_rate(), None);
        assert_eq!(figures(4, 0).median_seconds(), None);
        assert_eq!(figures(4, 0).p95_seconds(), None);
        assert_eq!(figures(4, 1).success_rate(), Some(0.8));
        assert_eq!(figures(5, 0).median_seconds(), Some(1.5));
        assert_eq!(figures(5, 0).p95_seconds(), Some(2.5));
    }
}
