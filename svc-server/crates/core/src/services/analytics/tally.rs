//! Counts by hours and days, put together before they are written.

use std::collections::BTreeMap;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Timestamp;

use crate::app::Ctx;
use crate::utc::{DAY_MS, HOUR_MS};

/// What is counted; the number is its place among the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Views,
    Viewers,
    Impressions,
    EmbedViews,
    ProfileClicks,
    Likes,
    Replies,
    Reposts,
    Quotes,
    Bookmarks,
}

pub(super) const COUNTS: usize = 10;

/// The start of the total of all days that no series shows any more: before any day.
const TOTAL: i64 = 0;

/// Where is counted: a post or account, the length of the step, when it begins.
type Place = (String, i64, i64);

/// What is to be added.
#[derive(Debug, Default)]
pub(super) struct Tallies(BTreeMap<Place, [i64; COUNTS]>);

impl Tallies {
    /// Adds to the hour and its day of each subject.
    pub(super) fn add<const N: usize>(
        &mut self,
        subjects: [&str; N],
        hour: Timestamp,
        count: Count,
        by: i64,
    ) {
        for subject in subjects {
            for step in [HOUR_MS, DAY_MS] {
                let start = hour.as_millis() / step * step;
                let counts = self.0.entry((subject.to_owned(), step, start)).or_default();
                counts[count as usize] += by;
            }
        }
    }

    /// Adds the counts of a day to the total of its subject.
    pub(super) fn add_to_total(&mut self, subject: &str, counts: [i64; COUNTS]) {
        let total = self.0.entry((subject.to_owned(), DAY_MS, TOTAL)).or_default();
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum += count;
        }
    }

    /// Writes all of it, in one order.
    pub(super) fn write(self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        for ((subject, step, start), counts) in self.0 {
            if counts == [0; COUNTS] {
                continue;
            }
            let [views, viewers, impressions, embed_views, profile_clicks, rest @ ..] = counts;
            let [likes, replies, reposts, quotes, bookmarks] = rest;
            ctx.tx.write(
                sql!(
                    "insert into tally (subject, step, start, views, viewers, impressions,
                        embed_views, profile_clicks, likes, replies, reposts, quotes, bookmarks)
                     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                     on conflict (subject, step, start) do update set
                        views = tally.views + excluded.views,
                        viewers = tally.viewers + excluded.viewers,
                        impressions = tally.impressions + excluded.impressions,
                        embed_views = tally.embed_views + excluded.embed_views,
                        profile_clicks = tally.profile_clicks + excluded.profile_clicks,
                        likes = tally.likes + excluded.likes,
                        replies = tally.replies + excluded.replies,
                        reposts = tally.reposts + excluded.reposts,
                        quotes = tally.quotes + excluded.quotes,
                        bookmarks = tally.bookmarks + excluded.bookmarks"
                ),
                values![
                    subject,
                    step,
                    start,
                    views,
                    viewers,
                    impressions,
                    embed_views,
                    profile_clicks,
                    likes,
                    replies,
                    reposts,
                    quotes,
                    bookmarks
                ],
            )?;
        }
        Ok(())
    }
}
