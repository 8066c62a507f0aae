//! How many posts may wait, and how close together.

use std::time::Duration;

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::scheduled::{WAITING_MAX, WAITING_MAX_PRO};
use svc_types::api::users::Tier;
use svc_types::{Code, ScheduledPostId, Timestamp};

use crate::app::Ctx;
use crate::identity::Account;
use crate::limits;

/// Refuses one more than may wait.
pub fn refuse_too_many(ctx: &mut Ctx<'_, '_>, author: &Account) -> Result<()> {
    let most = if author.tier == Tier::Pro { WAITING_MAX_PRO } else { WAITING_MAX };
    let waiting: i64 = ctx.tx.one(
        sql!("select count(*) from scheduled_post where author = $1 and status = 'scheduled'"),
        values![author.id],
    )?;
    if waiting < most {
        return Ok(());
    }
    let message = format!("at most {most} posts may wait in the tier {}", author.tier);
    Err(Refusal::new(Code::LimitReached, message).hint("delete one that waits").into())
}

/// Refuses a time too close to another top-level post of the account that waits. `except` is the
/// one that is moved there.
pub fn refuse_taken(
    ctx: &mut Ctx<'_, '_>,
    author: &Account,
    at: Timestamp,
    except: Option<&ScheduledPostId>,
) -> Result<()> {
    let window = limits::post_window(ctx.app, &author.tier);
    let near: Vec<Timestamp> = ctx.tx.all(
        sql!(
            "select scheduled_for from scheduled_post
             where author = $1 and status = 'scheduled' and scheduled_for > $2
                and reply_to is null and (cast($3 as text) is null or id <> $3)
             order by scheduled_for, id limit $4"
        ),
        values![author.id, at.minus(window), except, WAITING_MAX_PRO],
    )?;
    let free = next_free(&near, at, window);
    if free == at {
        return Ok(());
    }
    let message = format!(
        "scheduledFor must be {} minutes or more away from your other scheduled posts",
        window.as_secs().div_ceil(60)
    );
    let refusal = Refusal::new(Code::SlotTaken, message).field("scheduledFor");
    Err(refusal.hint(free.to_string()).into())
}

/// The first instant from `at` on that is a window away from all of `taken`, which are sorted.
fn next_free(taken: &[Timestamp], at: Timestamp, window: Duration) -> Timestamp {
    let mut free = at;
    for other in taken {
        if *other >= free.plus(window) {
            break;
        }
        if other.plus(window) > free {
            free = other.plus(window);
        }
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next free second, with a window of 10.
    fn free(taken: &[i64], at: i64) -> i64 {
        let second = |at: &i64| Timestamp::from_millis(at * 1000);
        let taken: Vec<_> = taken.iter().map(second).collect();
        next_free(&taken, second(&at), Duration::from_secs(10)).as_millis() / 1000
    }

    #[test]
    fn one_window_apart_is_free_and_less_is_not() {
        assert_eq!(free(&[100], 110), 110);
        assert_eq!(free(&[100], 90), 90);
        assert_eq!(free(&[100], 109), 110);
        assert_eq!(free(&[100], 91), 110);
        assert_eq!(free(&[], 5), 5);
    }

    #[test]
    fn the_next_free_instant_lies_in_the_first_gap_that_is_wide_enough() {
        assert_eq!(free(&[100, 110, 125, 150], 100), 135);
        assert_eq!(free(&[100, 119], 101), 129);
        assert_eq!(free(&[100, 119, 138, 170], 101), 148);
    }
}
