//! The posts with most engagement, of all times or of the days of a window.
//!
//! Each day has its own order along an index; the days of a window are merged, so that a page
//! reads at most its own length of each.

use std::time::Duration;

use svc_types::PostId;
use svc_types::api::feed::Window;

use super::global::Ask;
use crate::acts::post::{self, Record};
use crate::app::Cx;
use crate::error::Result;
use crate::{sql, values};

const DAY_MS: i64 = 86_400_000;

/// A post and its points.
type Place = (i64, PostId);

pub(super) fn posts(
    cx: &mut Cx<'_, '_>,
    ask: &Ask<'_>,
    window: Option<&Window>,
) -> Result<Vec<Record>> {
    let places = match length(window) {
        None => of_all_times(cx, ask)?,
        Some(length) => of_window(cx, ask, length)?,
    };
    let ids: Vec<PostId> = places.into_iter().map(|(_, id)| id).collect();
    post::visible_all(cx, ask.caller.account(), &ids)
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

fn of_all_times(cx: &mut Cx<'_, '_>, ask: &Ask<'_>) -> Result<Vec<Place>> {
    let (end, (points, id)) = (ask.end(), ask.after);
    cx.tx.all(
        sql!(
            "select p.points, p.id from post p join account a on a.id = p.author
             where p.hot is not null and (p.points, p.id) < ($1, $2) and p.id < $3
                and a.status = 'active' and (cast($4 as boolean) is null or a.is_agent = $4)
             order by p.points desc, p.id desc limit $5"
        ),
        values![points, id, end, ask.is_agent, ask.rows],
    )
}

fn of_window(cx: &mut Cx<'_, '_>, ask: &Ask<'_>, length: Duration) -> Result<Vec<Place>> {
    let since = ask.as_of.minus(length).as_millis();
    let (end, (points, id)) = (ask.end(), ask.after);
    let mut places: Vec<Place> = Vec::new();
    for day in since / DAY_MS..=ask.as_of.as_millis() / DAY_MS {
        let of_day: Vec<Place> = cx.tx.all(
            sql!(
                "select p.points, p.id from post p join account a on a.id = p.author
                 where p.hot is not null and p.created_at / 86400000 = $1
                    and (p.points, p.id) < ($2, $3) and p.id < $4 and p.created_at > $5
                    and a.status = 'active' and (cast($6 as boolean) is null or a.is_agent = $6)
                 order by p.points desc, p.id desc limit $7"
            ),
            values![day, points, id, end, since, ask.is_agent, ask.rows],
        )?;
        places.extend(of_day);
    }
    places.sort_by(|one, other| other.cmp(one));
    places.truncate(usize::try_from(ask.rows).unwrap_or(usize::MAX));
    Ok(places)
}
