//! Counts that are stored beside the rows that they count: which of them are wrong, and how they are mended.
//!
//! Counts are read a page at a time, each on a snapshot of its own, so that no transaction takes long on a large
//! database. What is wrong is read again under the lock of the count before it is set: a transaction that changes the
//! rows changes the count, too, so that it either waits for the lock or has ended.

mod table;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use svc_store::db::Sql;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Timestamp;
use svc_types::api::users::Tier;

use self::table::COUNTS;
use super::Finding;
use crate::app::{App, Ctx};
use crate::services::post::rank;

/// Wrong counts that a finding names.
const NAMED: usize = 10;

/// Wrong counts that are read at once.
const WRONG_AT_ONCE: i64 = 1_000;

/// A count, and the statements that compare it with its rows.
#[derive(Debug)]
struct Count {
    /// Its number, such as `C1`.
    id: &'static str,
    /// What must hold.
    rule: &'static str,
    /// The first and the last id of a page: up to `$2` rows after `$1`.
    page: Sql,
    /// Rows in a page.
    rows: i64,
    /// Which are wrong from the id `$1` to the id `$2`, at most `$3`.
    find: Sql,
    /// Lock the counts of the id `$1`.
    lock: &'static [Sql],
    /// Set the counts of the id `$1`.
    set: &'static [Sql],
    /// Whether the rank of a post follows from it.
    is_rank: bool,
}

/// A wrong count: the id at which it is found, its name, what is stored, and what its rows give.
type Wrong = (String, String, i64, i64);

/// Wrong counts up to an id.
struct Page {
    upto: String,
    wrong: Vec<Wrong>,
}

/// A count that was set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mended {
    /// The number of its rule, such as `C1`.
    pub id: &'static str,
    /// What has the count: the id of an account, post, list or channel, or that of a conversation
    /// and its member, or that of an account with a type of notifications.
    pub row: String,
    /// What was stored.
    pub from: i64,
    /// What its rows gave.
    pub to: i64,
}

impl fmt::Display for Mended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, row, from, to } = self;
        write!(f, "mended  {id}  {row}: from {from} to {to}")
    }
}

/// Compares every count with its rows: a finding for each rule.
pub async fn compare(app: &Arc<App>) -> Result<Vec<Finding>> {
    let mut findings = Vec::with_capacity(COUNTS.len());
    for count in &COUNTS {
        let (mut broken, mut after) = (Vec::new(), String::new());
        while let Some(page) = read(app, count, after).await? {
            let names = page.wrong.into_iter().map(|(_, name, stored, counted)| {
                format!("{name} ({stored} instead of {counted})")
            });
            broken.extend(names);
            if broken.len() >= NAMED {
                break;
            }
            after = page.upto;
        }
        broken.truncate(NAMED);
        findings.push(Finding { id: count.id, rule: count.rule, broken });
    }
    Ok(findings)
}

/// Sets every wrong count to what its rows give, each in a transaction of its own, and reports it. One that can't be set,
/// such as one whose rows take longer to count than a write may last, holds up no other; the first such failure is the
/// result.
pub async fn repair(app: &Arc<App>, mut report: impl FnMut(Mended) -> Result<()>) -> Result<()> {
    let mut done = Ok(());
    for count in &COUNTS {
        let mut after = String::new();
        while let Some(page) = read(app, count, after).await? {
            let mut ids: Vec<String> = page.wrong.into_iter().map(|(id, ..)| id).collect();
            ids.dedup();
            for id in ids {
                match app.write(move |ctx| mend(ctx, count, &id)).await {
                    Ok(mended) => {
                        for (_, row, from, to) in mended {
                            report(Mended { id: count.id, row, from, to })?;
                        }
                    }
                    Err(error) => done = done.and(Err(error)),
                }
            }
            after = page.upto;
        }
    }
    done
}

/// The wrong counts of the page after an id; none after the last page.
async fn read(app: &Arc<App>, count: &'static Count, after: String) -> Result<Option<Page>> {
    app.snapshot(move |ctx| find(ctx, count, &after)).await
}

fn find(ctx: &mut Ctx<'_, '_>, count: &Count, after: &str) -> Result<Option<Page>> {
    let ends: (Option<String>, Option<String>) =
        ctx.tx.one(count.page, values![after, count.rows])?;
    let (Some(first), Some(last)) = ends else { return Ok(None) };
    let wrong: Vec<Wrong> = ctx.tx.all(count.find, values![first, last, WRONG_AT_ONCE])?;
    let is_cut = wrong.len() as u64 == WRONG_AT_ONCE.unsigned_abs();
    let upto = match wrong.last() {
        Some((id, ..)) if is_cut => id.clone(),
        _ => last,
    };
    Ok(Some(Page { upto, wrong }))
}

/// Sets the counts of an id that are still wrong, and returns them.
fn mend(ctx: &mut Ctx<'_, '_>, count: &Count, id: &str) -> Result<Vec<Wrong>> {
    count.lock.iter().try_for_each(|sql| ctx.tx.lock(*sql, values![id]))?;
    let wrong: Vec<Wrong> = ctx.tx.all(count.find, values![id, id, WRONG_AT_ONCE])?;
    if wrong.is_empty() {
        return Ok(wrong);
    }
    count.set.iter().try_for_each(|sql| ctx.tx.write(*sql, values![id]))?;
    if count.is_rank {
        wrong.iter().try_for_each(|(post, _, _, points)| rerank(ctx, post, *points))?;
    }
    Ok(wrong)
}

/// Moves a post, whose row is locked, to where its points belong in the `hot` order, if it is there. A change of its
/// author's tier at the same time moves it afterwards.
fn rerank(ctx: &mut Ctx<'_, '_>, post: &str, points: i64) -> Result<()> {
    let ranked: Option<(Timestamp, Tier)> = ctx.tx.optional(
        sql!(
            "select p.created_at, a.tier from post p join account a on a.id = p.author
             where p.id = $1 and p.hot is not null"
        ),
        values![post],
    )?;
    let Some((created_at, tier)) = ranked else { return Ok(()) };
    let hot = rank::hot(points, created_at, &tier);
    ctx.tx.write(sql!("update post set hot = $1 where id = $2"), values![hot, post])
}
