//! Analytics of your posts and profile.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::analytics::fold::SERIES_DAYS;
use svc_core::services::post;
use svc_core::utc::{DAY_MS, HOUR_MS};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::analytics::{
    Analytics, AnalyticsEnvelope, AnalyticsStep, Bucket, GetMyAnalytics, GetPostAnalytics,
};
use svc_types::api::feed::Window;
use svc_types::{Code, PostId, Timestamp};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(of_post).read(of_account)
}

fn of_post(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetPostAnalytics,
) -> Result<AnalyticsEnvelope> {
    let record = post::visible(ctx, &request.post_id, Some(caller))?;
    if record.author != caller.id {
        return Err(Error::refused(Code::Forbidden, "only its author may see how a post is read"));
    }
    let view = View::of(ctx.now(), request.window.as_ref(), request.bucket.as_ref())?;
    let tallies = view.tallies(ctx, record.id.as_str())?;
    let mut sum = sum(&tallies);
    if view.window == Window::All {
        sum = counted(ctx, &record.id, &sum)?;
    }
    Ok(AnalyticsEnvelope { analytics: view.together(&tallies, &sum, Some(record.id)) })
}

fn of_account(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetMyAnalytics,
) -> Result<AnalyticsEnvelope> {
    let view = View::of(ctx.now(), request.window.as_ref(), request.bucket.as_ref())?;
    let tallies = view.tallies(ctx, caller.id.as_str())?;
    Ok(AnalyticsEnvelope { analytics: view.together(&tallies, &sum(&tallies), None) })
}

/// Takes totals from the post's counters: tallies may be a second behind and may miss counts lost
/// in a crash.
fn counted(ctx: &mut Ctx<'_, '_>, post: &PostId, sum: &Tally) -> Result<Tally> {
    let sql = sql!("select ", Counters::COLUMNS, " from post where id = $1");
    let Counters { likes, replies, reposts, quotes, bookmarks } = ctx.tx.one(sql, values![post])?;
    Ok(Tally { likes, replies, reposts, quotes, bookmarks, ..*sum })
}

/// The counters of a post.
struct Counters {
    likes: i64,
    replies: i64,
    reposts: i64,
    quotes: i64,
    bookmarks: i64,
}
row!(Counters {
    likes: "likes_count",
    replies: "replies_count",
    reposts: "reposts_count",
    quotes: "quotes_count",
    bookmarks: "bookmarks_count",
});

/// Which tallies are combined, and how.
#[derive(Debug, PartialEq, Eq)]
struct View {
    window: Window,
    /// Length of a tally.
    tally_ms: i64,
    /// Length of a step of the series.
    step_ms: i64,
    /// Start of the first tally; `None` for all.
    from: Option<i64>,
    now: i64,
}

/// The counts of an hour or a day.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    start: i64,
    views: i64,
    viewers: i64,
    impressions: i64,
    embed_views: i64,
    profile_clicks: i64,
    likes: i64,
    replies: i64,
    reposts: i64,
    quotes: i64,
    bookmarks: i64,
}
row!(Tally {
    start: "start",
    views: "views",
    viewers: "viewers",
    impressions: "impressions",
    embed_views: "embed_views",
    profile_clicks: "profile_clicks",
    likes: "likes",
    replies: "replies",
    reposts: "reposts",
    quotes: "quotes",
    bookmarks: "bookmarks",
});

impl View {
    fn of(now: Timestamp, window: Option<&Window>, bucket: Option<&Bucket>) -> Result<Self> {
        let window = window.cloned().unwrap_or(Window::Week);
        let now = now.as_millis();
        let by_hours = matches!(bucket, Some(Bucket::Hour));
        if by_hours && matches!(window, Window::Month | Window::All) {
            let message = "bucket must be day for the windows 30d and all";
            return Err(Error::invalid("bucket", message));
        }
        let days = |days: i64| Some((now / DAY_MS - days + 1) * DAY_MS);
        let (tally_ms, from) = match window {
            Window::Day => (HOUR_MS, Some((now / HOUR_MS - 23) * HOUR_MS)),
            Window::Month => (DAY_MS, days(30)),
            Window::All => (DAY_MS, None),
            _ => (if by_hours { HOUR_MS } else { DAY_MS }, days(7)),
        };
        let step_ms = if matches!(bucket, Some(Bucket::Day)) { DAY_MS } else { tally_ms };
        Ok(Self { window, tally_ms, step_ms, from, now })
    }

    fn tallies(&self, ctx: &mut Ctx<'_, '_>, subject: &str) -> Result<Vec<Tally>> {
        ctx.tx.all(
            sql!(
                "select ",
                Tally::COLUMNS,
                " from tally where subject = $1 and step = $2 and start >= $3 order by start"
            ),
            values![subject, self.tally_ms, self.from.unwrap_or(0)],
        )
    }

    /// Analytics of the whole window.
    fn together(self, tallies: &[Tally], sum: &Tally, post_id: Option<PostId>) -> Analytics {
        let series = self.series(tallies);
        together(sum, post_id, self.window, series)
    }

    /// Every step of the window, including empty ones.
    fn series(&self, tallies: &[Tally]) -> Vec<AnalyticsStep> {
        let first = self.from.or_else(|| tallies.first().map(|tally| tally.start));
        let first = first.unwrap_or(self.now) / self.step_ms;
        let last = self.now / self.step_ms;
        let shown = i64::try_from(SERIES_DAYS).unwrap_or(i64::MAX);
        let first = first.max(last - shown + 1);
        let steps = (first..=last).map(|step| {
            let of_step = tallies.iter().filter(|tally| tally.start / self.step_ms == step);
            let sum = sum(of_step);
            AnalyticsStep {
                start: Timestamp::from_millis(step * self.step_ms),
                views: sum.views,
                likes: sum.likes,
                replies: sum.replies,
                reposts: sum.reposts,
            }
        });
        steps.collect()
    }
}

fn sum<'a>(tallies: impl IntoIterator<Item = &'a Tally>) -> Tally {
    tallies.into_iter().fold(Tally::default(), |sum, one| Tally {
        start: sum.start,
        views: sum.views + one.views,
        viewers: sum.viewers + one.viewers,
        impressions: sum.impressions + one.impressions,
        embed_views: sum.embed_views + one.embed_views,
        profile_clicks: sum.profile_clicks + one.profile_clicks,
        likes: sum.likes + one.likes,
        replies: sum.replies + one.replies,
        reposts: sum.reposts + one.reposts,
        quotes: sum.quotes + one.quotes,
        bookmarks: sum.bookmarks + one.bookmarks,
    })
}

/// Analytics of the whole window. Negative counts, after removals, become zero.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn together(
    sum: &Tally,
    post_id: Option<PostId>,
    window: Window,
    series: Vec<AnalyticsStep>,
) -> Analytics {
    let [likes, replies, reposts, quotes] =
        [sum.likes, sum.replies, sum.reposts, sum.quotes].map(|count| count.max(0));
    let engaged = likes + replies + reposts + quotes;
    Analytics {
        post_id,
        window,
        views: sum.views,
        unique_viewers: sum.viewers.max(0),
        feed_impressions: sum.impressions,
        likes,
        replies,
        reposts,
        quotes,
        bookmarks: sum.bookmarks.max(0),
        profile_clicks: sum.profile_clicks,
        embed_views: sum.embed_views,
        engagement_rate: engaged as f64 / sum.views.max(1) as f64,
        series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 09:30 of the twentieth day.
    const NOW: i64 = 20 * DAY_MS + 9 * HOUR_MS + HOUR_MS / 2;

    fn view(window: &Window, bucket: Option<&Bucket>) -> View {
        View::of(Timestamp::from_millis(NOW), Some(window), bucket).unwrap()
    }

    #[test]
    fn a_window_has_every_step() {
        let steps = |window: Window, bucket: Option<Bucket>| {
            view(&window, bucket.as_ref()).series(&[]).len()
        };
        assert_eq!(steps(Window::Day, None), 24);
        assert_eq!(steps(Window::Day, Some(Bucket::Day)), 2);
        assert_eq!(steps(Window::Week, None), 7);
        assert_eq!(steps(Window::Week, Some(Bucket::Hour)), 6 * 24 + 10);
        assert_eq!(steps(Window::Month, None), 30);
        assert_eq!(steps(Window::All, None), 1);
    }

    #[test]
    fn hours_are_put_together_to_days() {
        let hour = |hours, likes| Tally { start: NOW - hours * HOUR_MS, likes, ..Tally::default() };
        let tallies = [hour(20, 1), hour(10, 2), hour(9, 4), hour(0, 8)];
        let days = view(&Window::Day, Some(&Bucket::Day)).series(&tallies);
        let likes: Vec<i64> = days.iter().map(|step| step.likes).collect();
        assert_eq!(likes, [3, 12]);
    }

    #[test]
    fn all_begins_with_the_first_tally_and_is_bounded() {
        let at = |start| [Tally { start, views: 1, ..Tally::default() }];
        assert_eq!(view(&Window::All, None).series(&at(15 * DAY_MS)).len(), 6);
        let late = View { now: NOW + 1_000 * DAY_MS, ..view(&Window::All, None) };
        assert_eq!(late.series(&at(15 * DAY_MS)).len(), SERIES_DAYS);
    }

    #[test]
    fn hours_are_for_short_windows() {
        for window in [Window::Month, Window::All] {
            let now = Timestamp::from_millis(NOW);
            assert!(View::of(now, Some(&window), Some(&Bucket::Hour)).is_err());
        }
    }

    #[test]
    fn engagement_is_measured_by_views() {
        let tally = Tally { views: 4, likes: 2, replies: 1, reposts: -3, ..Tally::default() };
        let rate = |tally| together(&tally, None, Window::All, Vec::new()).engagement_rate;
        assert!((rate(tally) - 0.75).abs() < 1e-9);
        assert!((rate(Tally { views: 0, ..tally }) - 3.0).abs() < 1e-9);
    }
}
