//! The post window of spec §8: one top-level post per tier and window.

use std::time::Duration;

use svc_store::error::{Refusal, Result, Window};
use svc_store::{sql, values};
use svc_types::api::users::Tier;
use svc_types::{Code, Timestamp};

use crate::app::{App, Ctx};
use crate::identity::Account;

/// Top-level posts per window.
const POSTS_PER_WINDOW: u64 = 1;

/// Takes the post slot of an account, or refuses with 429. The window starts at the last accepted
/// post. Also answers the tier, which does not change until the transaction ends.
///
/// The update itself is guarded, so of two simultaneous posts one is refused. A post that a wrong clock dated far
/// ahead does not count: the account would have to wait until then.
pub fn take_post_slot(ctx: &mut Ctx<'_, '_>, author: &Account) -> Result<(Window, Tier)> {
    let window = post_window(ctx.app, &author.tier);
    let now = ctx.now();
    let tier: Option<Tier> = ctx.tx.optional(
        sql!(
            "update account set last_post_at = $1, posts_count = posts_count + 1
             where id = $2 and (last_post_at is null or last_post_at <= $3 or last_post_at > $4)
             returning tier"
        ),
        values![now, author.id, now.minus(window), now.plus(window)],
    )?;
    if let Some(tier) = tier {
        return Ok((used(now.plus(window)), tier));
    }
    let sql = sql!("select last_post_at from account where id = $1");
    let last: Option<Timestamp> = ctx.tx.one(sql, values![author.id])?;
    let reset = last.unwrap_or(now).plus(window);
    let refusal = Refusal::new(Code::RateLimited, "you can't post again yet");
    let hint = "replies are unlimited; wait for retryAfter seconds";
    Err(refusal.hint(hint).window(used(reset), now).into())
}

/// The window with its one post used.
const fn used(reset: Timestamp) -> Window {
    Window { limit: POSTS_PER_WINDOW, remaining: 0, reset }
}

/// When an account whose latest top-level post is from `last` may publish again; `None` if it may
/// now.
pub fn next_post_at(
    app: &App,
    tier: &Tier,
    last: Option<Timestamp>,
    now: Timestamp,
) -> Option<Timestamp> {
    let window = post_window(app, tier);
    let last = last.filter(|last| *last <= now.plus(window));
    last.map(|last| last.plus(window)).filter(|next| *next > now)
}

/// Time between two top-level posts of an account of this tier.
pub const fn post_window(app: &App, tier: &Tier) -> Duration {
    let limits = &app.config.limits.posts;
    match tier {
        Tier::Pro => limits.pro_window,
        Tier::Boost => limits.boost_window,
        _ => limits.free_window,
    }
}
