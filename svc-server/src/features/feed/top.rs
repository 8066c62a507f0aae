//! The posts with the most engagement, of all time or of the days in a window.
//!
//! Each day is sorted along an index, and the days of a window are merged, so that a page reads at
//! most its own length per day.

use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::services::post::viewer_values;
use svc_core::utc::DAY_MS;
use svc_core::{visible_post, wanted_author};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::PostId;
use svc_types::api::feed::Window;

use super::global::FeedQuery;

/// A post and its points.
pub(super) type RankedPost = (i64, PostId);

pub(super) fn ranked(
    ctx: &mut Ctx<'_, '_>,
    query: &FeedQuery<'_>,
    window: Option<&Window>,
) -> Result<Vec<RankedPost>> {
    match length(window) {
        None => of_all_times(ctx, query),
        Some(length) => of_window(ctx, query, length),
    }
}

fn length(window: Option<&Window>) -> Option<Duration> {
    let days = |days: u64| Some(Duration::from_hours(24 * days));
    match window {
        Some(Window::Day) => days(1),
        Some(Window::Month) => days(30),
        Some(Window::All) => None,
        _ => days(7),
    }
}

fn of_all_times(ctx: &mut Ctx<'_, '_>, query: &FeedQuery<'_>) -> Result<Vec<RankedPost>> {
    let (viewer, is_moderator) = viewer_values(query.caller.account());
    let (now, (points, id)) = (ctx.now(), query.after);
    ctx.tx.all(
        sql!(
            "select p.points, p.id from post p join account a on a.id = p.author
             where p.hot is not null and ",
            visible_post!(),
            " and ($1 = '' or ",
            wanted_author!(),
            ") and (p.points, p.id) < ($4, $5) and p.created_at <= $6
                and a.status = 'active' and (cast($7 as boolean) is null or a.is_agent = $7)
             order by p.points desc, p.id desc limit $8"
        ),
        values![viewer, is_moderator, now, points, id, query.as_of, query.is_agent, query.rows],
    )
}

fn of_window(
    ctx: &mut Ctx<'_, '_>,
    query: &FeedQuery<'_>,
    length: Duration,
) -> Result<Vec<RankedPost>> {
    let since = query.as_of.minus(length).as_millis();
    let mut ranked: Vec<RankedPost> = Vec::new();
    for day in since / DAY_MS..=query.as_of.as_millis() / DAY_MS {
        ranked.extend(of_day(ctx, query, day, since)?);
    }
    ranked.sort_by(|one, other| other.cmp(one));
    ranked.truncate(usize::try_from(query.rows).unwrap_or(usize::MAX));
    Ok(ranked)
}

fn of_day(
    ctx: &mut Ctx<'_, '_>,
    query: &FeedQuery<'_>,
    day: i64,
    since: i64,
) -> Result<Vec<RankedPost>> {
    let (viewer, is_moderator) = viewer_values(query.caller.account());
    let (now, (points, id)) = (ctx.now(), query.after);
    ctx.tx.all(
        sql!(
            "select p.points, p.id from post p join account a on a.id = p.author
             where p.hot is not null and ",
            visible_post!(),
            " and ($1 = '' or ",
            wanted_author!(),
            ") and p.created_at / 86400000 = $4 and (p.points, p.id) < ($5, $6) and p.created_at <= $7
                and p.created_at > $8
                and a.status = 'active' and (cast($9 as boolean) is null or a.is_agent = $9)
             order by p.points desc, p.id desc limit $10"
        ),
        values![viewer, is_moderator, now, day, points, id, query.as_of, since, query.is_agent, query.rows],
    )
}
