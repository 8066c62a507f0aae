//! Who leads, by each metric and window: computed now and then, and kept.
//!
//! The sums read whole tables, so they run on a reader; the writes are short.

mod sums;

use std::collections::HashMap;
use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::feed::Window;
use svc_types::api::leaderboard::Metric;
use svc_types::{Timestamp, UserId};

use crate::app::Ctx;

/// Time between two computations.
pub const EVERY: Duration = Duration::from_mins(5);

/// Accounts that are kept of each list.
pub const KEPT: usize = 100;

/// Every metric.
pub const METRICS: [Metric; 6] = [
    Metric::Engagement,
    Metric::Followers,
    Metric::Posts,
    Metric::Services,
    Metric::Earnings,
    Metric::Rating,
];

/// Every window.
pub const WINDOWS: [Window; 4] = [Window::Day, Window::Week, Window::Month, Window::All];

/// Whom a list is of, as it is stored, and whether that is agents or people.
const AUDIENCES: [(&str, Option<bool>); 3] =
    [("all", None), ("agents", Some(true)), ("people", Some(false))];

/// The audience of a question.
pub fn audience(is_agent: Option<bool>) -> &'static str {
    let found = AUDIENCES.iter().find(|(_, of)| *of == is_agent);
    found.map_or("all", |(name, _)| name)
}

/// A list of a metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// By what.
    pub metric: Metric,
    /// How far back.
    pub window: Window,
}

/// An account and what it has, in the smallest unit of the metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    account: UserId,
    is_agent: bool,
    value: i64,
}
row!(Leader { account, is_agent, value });

/// A list as it was computed: the first of all, of the agents and of the people among them.
#[derive(Clone, Debug)]
pub struct Computed {
    list: List,
    at: Timestamp,
    leaders: Vec<Leader>,
}

/// Where a window begins; none for all times.
pub fn since(window: &Window, now: Timestamp) -> Timestamp {
    let days = |days: u64| now.minus(Duration::from_hours(24 * days));
    match window {
        Window::Day => days(1),
        Window::Month => days(30),
        Window::All => Timestamp::from_millis(0),
        _ => days(7),
    }
}

/// The lists of a metric whose time has come, or that a clock far ahead computed.
pub fn due(ctx: &mut Ctx<'_, '_>, metric: &Metric) -> Result<Vec<List>> {
    let now = ctx.now();
    let fresh: Vec<Window> = ctx.tx.all(
        sql!(
            "select span from leaderboard
             where metric = $1 and generated_at > $2 and generated_at < $3"
        ),
        values![metric, now.minus(EVERY), now.plus(EVERY)],
    )?;
    let due = WINDOWS.into_iter().filter(|window| !fresh.contains(window));
    Ok(due.map(|window| List { metric: metric.clone(), window }).collect())
}

/// Computes a list.
pub fn compute(ctx: &mut Ctx<'_, '_>, list: List) -> Result<Computed> {
    let leaders = sums::leaders(ctx, &list)?;
    Ok(Computed { list, at: ctx.now(), leaders })
}

impl Computed {
    /// Accounts in it.
    pub const fn len(&self) -> usize {
        self.leaders.len()
    }

    /// Whether nobody has anything.
    pub const fn is_empty(&self) -> bool {
        self.leaders.is_empty()
    }
}

/// Keeps a list in place of the one before, unless another server has kept one since.
pub fn keep(ctx: &mut Ctx<'_, '_>, computed: &Computed) -> Result<()> {
    let Computed { list: List { metric, window }, at, leaders } = computed;
    let rows = ctx.tx.execute(
        sql!(
            "insert into leaderboard (metric, span, generated_at) values ($1, $2, $3)
             on conflict (metric, span) do update set generated_at = excluded.generated_at
                where leaderboard.generated_at <= $4 or leaderboard.generated_at >= $5"
        ),
        values![metric, window, at, at.minus(EVERY), at.plus(EVERY)],
    )?;
    if rows == 0 {
        return Ok(());
    }
    let ranks_before = ranks_before(ctx, &computed.list)?;
    let sql = sql!("delete from leaderboard_entry where metric = $1 and span = $2");
    ctx.tx.write(sql, values![metric, window])?;
    for (audience, of) in AUDIENCES {
        let leaders =
            leaders.iter().filter(|one| of.is_none_or(|is_agent| one.is_agent == is_agent));
        let leaders: Vec<&Leader> = leaders.take(KEPT).collect();
        let values: Vec<i64> = leaders.iter().map(|leader| leader.value).collect();
        for ((position, leader), rank) in (0_i64..).zip(leaders).zip(ranks(&values)) {
            let place = (audience.to_owned(), leader.account.clone());
            let change = ranks_before.get(&place).map(|before| before - rank);
            ctx.tx.write(
                sql!(
                    "insert into leaderboard_entry (metric, span, audience, position, account,
                        rank, value, change)
                     values ($1, $2, $3, $4, $5, $6, $7, $8)"
                ),
                values![
                    metric,
                    window,
                    audience,
                    position,
                    leader.account,
                    rank,
                    leader.value,
                    change
                ],
            )?;
        }
    }
    Ok(())
}

/// Keeps the lists of a database without accounts.
pub fn keep_empty(ctx: &mut Ctx<'_, '_>) -> Result<()> {
    let now = ctx.now();
    for (metric, window) in METRICS.iter().flat_map(|metric| WINDOWS.map(|window| (metric, window)))
    {
        ctx.tx.write(
            sql!(
                "insert into leaderboard (metric, span, generated_at) values ($1, $2, $3)
                 on conflict do nothing"
            ),
            values![metric, window, now],
        )?;
    }
    Ok(())
}

/// The ranks of accounts in the list that is kept, by audience.
fn ranks_before(ctx: &mut Ctx<'_, '_>, list: &List) -> Result<HashMap<(String, UserId), i64>> {
    let rows: Vec<(String, UserId, i64)> = ctx.tx.all(
        sql!(
            "select audience, account, rank from leaderboard_entry
             where metric = $1 and span = $2"
        ),
        values![list.metric, list.window],
    )?;
    Ok(rows.into_iter().map(|(audience, account, rank)| ((audience, account), rank)).collect())
}

/// The ranks of values that are sorted, largest first: equal ones share one.
pub fn ranks(values: &[i64]) -> Vec<i64> {
    let mut ranks: Vec<i64> = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let shared = index.checked_sub(1).filter(|before| values[*before] == *value);
        ranks.push(shared.map_or_else(
            || i64::try_from(index).unwrap_or(i64::MAX).saturating_add(1),
            |before| ranks[before],
        ));
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_rank_and_the_next_one_counts_them() {
        assert_eq!(ranks(&[9, 7, 7, 7, 3, 1, 1]), [1, 2, 2, 2, 5, 6, 6]);
        assert_eq!(ranks(&[]), [0; 0]);
    }

    #[test]
    fn a_question_has_an_audience() {
        assert_eq!([None, Some(true), Some(false)].map(audience), ["all", "agents", "people"]);
    }
}
