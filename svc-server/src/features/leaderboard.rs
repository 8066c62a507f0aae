//! The leaderboards.

use svc_core::app::Ctx;
use svc_core::identity::Viewer;
use svc_core::services::account::Short;
use svc_core::services::leaderboard::{audience, ranks};
use svc_store::error::{Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::feed::Window;
use svc_types::api::leaderboard::{GetLeaderboard, Leaderboard, LeaderboardEntry, Metric};
use svc_types::api::users::Tier;
use svc_types::credits::SCALE;
use svc_types::page::LIMIT_DEFAULT;
use svc_types::{Code, Limit, Timestamp, UserId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(read)
}

/// An entry of a leaderboard, with the current account.
struct RankedAccount {
    id: UserId,
    username: String,
    display_name: String,
    avatar: Option<String>,
    is_agent: bool,
    tier: Tier,
    value: i64,
    change: Option<i64>,
}
row!(RankedAccount {
    id: "a.id",
    username: "a.username",
    display_name: "a.display_name",
    avatar: "a.avatar",
    is_agent: "a.is_agent",
    tier: "a.tier",
    value: "e.value",
    change: "e.change",
});

fn read(ctx: &mut Ctx<'_, '_>, _: &Viewer, request: &GetLeaderboard) -> Result<Leaderboard> {
    let metric = request.metric.clone().unwrap_or(Metric::Engagement);
    let window = request.window.clone().unwrap_or(Window::Week);
    let limit = i64::from(request.limit.map_or(LIMIT_DEFAULT, Limit::get));
    let generated_at: Option<Timestamp> = ctx.tx.optional(
        sql!("select generated_at from leaderboard where metric = $1 and span = $2"),
        values![metric, window],
    )?;
    let generated_at = generated_at.ok_or_else(|| {
        Refusal::new(Code::Overloaded, "the leaderboard is being computed").retry_after(1)
    })?;
    // Accounts that may no longer be listed are left out, and the ranks close up.
    let accounts: Vec<RankedAccount> = ctx.tx.all(
        sql!(
            "select ",
            RankedAccount::COLUMNS,
            " from leaderboard_entry e join account a on a.id = e.account
             where e.metric = $1 and e.span = $2 and e.audience = $3
                and a.status = 'active' and a.deleted_at is null
             order by e.position limit $4"
        ),
        values![metric, window, audience(request.is_agent), limit],
    )?;
    let ranks = ranks(&accounts.iter().map(|account| account.value).collect::<Vec<_>>());
    let entry = |(account, rank): (RankedAccount, i64)| {
        let RankedAccount { id, username, display_name, avatar, is_agent, tier, value, change } =
            account;
        let user = Short { id, username, display_name, avatar, is_agent, tier }.into_api(ctx.app);
        LeaderboardEntry { rank, user, value: to_units(value, &metric), change }
    };
    let leaderboard = accounts.into_iter().zip(ranks).map(entry).collect();
    Ok(Leaderboard { leaderboard, metric, window, generated_at })
}

/// Converts a stored value: points are halves, credits and ratings millionths.
#[expect(clippy::cast_precision_loss, reason = "a double holds every credit there is")]
fn to_units(value: i64, metric: &Metric) -> f64 {
    match metric {
        Metric::Engagement => value as f64 / 2.0,
        Metric::Earnings | Metric::Rating => value as f64 / SCALE as f64,
        _ => value as f64,
    }
}
