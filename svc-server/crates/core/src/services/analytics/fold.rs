//! Adds up days that no series shows any more, and deletes counts that nobody can read any more.

use svc_store::db::{FromRow, Row};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};

use super::tally::{COUNTS, Tallies};
use crate::app::Ctx;
use crate::utc::DAY_MS;

/// Days of the longest series.
pub const SERIES_DAYS: usize = 366;

/// Rows that one job looks at.
const LOOKED_AT: i64 = 1_000;

/// Most rows of a subject that are deleted in one round; the rest waits for the next one.
const DELETED: i64 = 1_000;

/// What there is to do for a range of subjects.
#[derive(Debug)]
pub struct Found {
    /// The last subject of the range.
    pub last: String,
    /// Subjects with days that no series shows.
    pub old: Vec<String>,
    /// Subjects whose counts nobody can read: deleted posts, erased accounts and the posts of these.
    pub gone: Vec<String>,
}

/// Looks at the subjects after this one; `None` at the end. It reads the whole table bit by bit, because an index of
/// days would cost each row about as much as the row itself.
pub fn find(ctx: &mut Ctx<'_, '_>, after: &str) -> Result<Option<Found>> {
    let last: Option<String> = ctx.tx.one(
        sql!(
            "select max(subject) from (
                select subject from tally where subject > $1 order by subject limit $2) batch"
        ),
        values![after, LOOKED_AT],
    )?;
    let Some(last) = last else { return Ok(None) };
    let old = old_within(ctx, after, &last)?;
    let gone = gone_within(ctx, after, &last)?;
    Ok(Some(Found { last, old, gone }))
}

fn old_within(ctx: &mut Ctx<'_, '_>, after: &str, last: &str) -> Result<Vec<String>> {
    let kept = first_kept(ctx)?;
    ctx.tx.all(
        sql!(
            "select distinct subject from tally
             where subject > $1 and subject <= $2
                and step = 86400000 and start > 0 and start < $3
             order by subject"
        ),
        values![after, last, kept],
    )
}

fn gone_within(ctx: &mut Ctx<'_, '_>, after: &str, last: &str) -> Result<Vec<String>> {
    ctx.tx.all(
        sql!(
            "select distinct t.subject from tally t
             left join post p on p.id = t.subject
             join account a on a.id = coalesce(p.author, t.subject)
             where t.subject > $1 and t.subject <= $2
                and (p.deleted_at is not null or a.erased_at is not null)
             order by t.subject"
        ),
        values![after, last],
    )
}

/// The first day that keeps its row: one day before the longest series begins, because the clocks of nodes differ.
fn first_kept(ctx: &Ctx<'_, '_>) -> Result<i64> {
    let days = i64::try_from(SERIES_DAYS).map_err(Error::internal)?;
    Ok((ctx.now().as_millis() / DAY_MS - days) * DAY_MS)
}

/// Deletes the counts of these subjects.
pub fn forget(ctx: &mut Ctx<'_, '_>, subjects: &[String]) -> Result<()> {
    for subject in subjects {
        ctx.tx.write(
            sql!(
                "delete from tally where (subject, step, start) in
                 (select subject, step, start from tally where subject = $1
                  order by step, start limit $2)"
            ),
            values![subject, DELETED],
        )?;
    }
    Ok(())
}

/// What was counted on a day, in the order of the columns.
struct Day([i64; COUNTS]);

impl FromRow for Day {
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        let mut counts = [0_i64; COUNTS];
        for count in &mut counts {
            *count = row.read()?;
        }
        Ok(Self(counts))
    }
}

/// Replaces the old days of these subjects by their totals. Nodes that do so at once count no day twice, because only
/// one of them deletes its row.
pub fn fold(ctx: &mut Ctx<'_, '_>, subjects: &[String]) -> Result<()> {
    let kept = first_kept(ctx)?;
    let mut totals = Tallies::default();
    for subject in subjects {
        let days: Vec<Day> = ctx.tx.all(
            sql!(
                "delete from tally where (subject, step, start) in
                 (select subject, step, start from tally
                  where subject = $1 and step = 86400000 and start > 0 and start < $2
                  order by start limit $3)
                 returning views, viewers, impressions, embed_views, profile_clicks, likes,
                    replies, reposts, quotes, bookmarks"
            ),
            values![subject, kept, DELETED],
        )?;
        for Day(counts) in days {
            totals.add_to_total(subject, counts);
        }
    }
    totals.write(ctx)
}
