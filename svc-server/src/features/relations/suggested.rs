//! Suggested accounts: first those followed by accounts you follow, then the most followed ones.

use std::collections::HashMap;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::ids;
use svc_core::page::Page;
use svc_core::services::account;
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::relations::ListSuggested;
use svc_types::api::users::UserPage;

/// How many of the accounts you followed last are considered, and how many of their latest follows.
const FOLLOWED: i64 = 50;
const FOLLOWS_OF_EACH: i64 = 50;

/// The two parts of the list, in order.
const FOLLOWED_BY_FOLLOWED: &str = "1";
const MOST_FOLLOWED: &str = "0";

/// Whether the caller `$1` could follow account `a`, and `a` is of kind `$2` if one is requested.
/// `$3` is the current time.
macro_rules! suggestible {
    () => {
        "a.deleted_at is null and a.status = 'active' and a.id <> $1
            and (cast($2 as boolean) is null or a.is_agent = $2)
            and not exists (select 1 from follow f where f.follower = $1 and f.followee = a.id)
            and not exists (select 1 from block b where b.blocker = $1 and b.blocked = a.id)
            and not exists (select 1 from block b where b.blocker = a.id and b.blocked = $1)
            and not exists (
                select 1 from account_mute m
                where m.muter = $1 and m.muted = a.id
                    and (m.expires_at is null or m.expires_at > $3)
            )"
    };
}

/// An account and its score.
type Place = (i64, UserId);

pub(super) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListSuggested,
) -> Result<UserPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 3)?;
    let near = near(ctx, caller, request.is_agent)?;
    let is_near: Vec<UserId> = near.iter().map(|(_, id)| id.clone()).collect();
    let after = place_after(&page)?;
    let mut places: Vec<(&str, Place)> = Vec::new();
    let most = usize::try_from(page.rows()).unwrap_or(usize::MAX);
    if after.0 == FOLLOWED_BY_FOLLOWED {
        let behind = near.into_iter().filter(|place| is_behind(place, (after.1, after.2)));
        places.extend(behind.take(most).map(|place| (FOLLOWED_BY_FOLLOWED, place)));
    }
    if places.len() < most {
        let after =
            if after.0 == MOST_FOLLOWED { (after.1, after.2) } else { (i64::MAX, ids::LAST) };
        let rows = page.rows() + i64::try_from(is_near.len()).unwrap_or_default();
        let popular = popular(ctx, caller, request.is_agent, after, rows)?;
        let others = popular.into_iter().filter(|(_, id)| !is_near.contains(id));
        places.extend(others.map(|place| (MOST_FOLLOWED, place)));
    }
    let next_cursor = page.cut(&mut places, |(part, (count, id))| {
        vec![(*part).to_owned(), count.to_string(), id.to_string()]
    });
    let ids: Vec<UserId> = places.into_iter().map(|(_, (_, id))| id).collect();
    Ok(UserPage {
        users: account::load_visible(ctx, Some(caller), &ids)?,
        missing: None,
        next_cursor,
    })
}

/// Part, score and id of the last account on the previous page.
fn place_after(page: &Page) -> Result<(&str, i64, &str)> {
    match page.after.as_deref() {
        Some([part, count, id]) => {
            let count = count.parse().map_err(|_| Page::damaged())?;
            Ok((part.as_str(), count, id.as_str()))
        }
        _ => Ok((FOLLOWED_BY_FOLLOWED, i64::MAX, ids::LAST)),
    }
}

/// Whether an entry comes after a score and an id, both in descending order.
fn is_behind((count, id): &Place, after: (i64, &str)) -> bool {
    (*count, id.as_str()) < after
}

/// Accounts followed by accounts that the caller follows, most frequent first.
fn near(ctx: &mut Ctx<'_, '_>, caller: &Account, is_agent: Option<bool>) -> Result<Vec<Place>> {
    let followed: Vec<UserId> = ctx.tx.all(
        sql!(
            "select f.followee from follow f cross join account a
             where f.follower = $1 and a.id = f.followee
                and a.deleted_at is null and a.status <> 'suspended'
             order by f.created_at desc, f.followee limit $2"
        ),
        values![caller.id, FOLLOWED],
    )?;
    let mut counts: HashMap<UserId, i64> = HashMap::new();
    for account in &followed {
        let answers: Vec<UserId> = ctx.tx.all(
            sql!(
                "select followee from follow where follower = $1
                 order by created_at desc, followee limit $2"
            ),
            values![account, FOLLOWS_OF_EACH],
        )?;
        for answer in answers {
            *counts.entry(answer).or_default() += 1;
        }
    }
    let mut places: Vec<Place> = counts.into_iter().map(|(id, count)| (count, id)).collect();
    places.sort_by(|one, other| other.cmp(one));
    let mut near = Vec::new();
    for some in places.chunks(SLOTS) {
        near.extend(open(ctx, caller, some, is_agent)?);
        if near.len() >= SLOTS {
            break;
        }
    }
    near.truncate(SLOTS);
    Ok(near)
}

/// Filters accounts that the caller could follow, in their order.
fn open(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    places: &[Place],
    is_agent: Option<bool>,
) -> Result<Vec<Place>> {
    let ids: Vec<&UserId> = places.iter().map(|(_, id)| id).collect();
    let now = ctx.now();
    let mut values = values![caller.id, is_agent, now].to_vec();
    values.extend(slots(&ids));
    let open: Vec<UserId> = ctx.tx.all(
        sql!("select a.id from account a where ", suggestible!(), " and a.id in (", slots!(4), ")"),
        &values,
    )?;
    Ok(places.iter().filter(|(_, id)| open.contains(id)).cloned().collect())
}

/// The most followed accounts that the caller could follow.
fn popular(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    is_agent: Option<bool>,
    (count, id): (i64, &str),
    rows: i64,
) -> Result<Vec<Place>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select a.followers_count, a.id from account a where ",
            suggestible!(),
            " and (a.followers_count, a.id) < ($4, $5)
             order by a.followers_count desc, a.id desc limit $6"
        ),
        values![caller.id, is_agent, now, count, id, rows],
    )
}
