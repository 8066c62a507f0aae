//! The home feed: a merge of the timelines of followed accounts and hashtags.
//!
//! A post is not copied to followers. An account that follows many others finds a page among the
//! latest entries of all accounts. Otherwise the followed accounts with the newest entries are
//! looked up, and only their entries are read. Either way the cost of a page does not depend on the
//! number of posts, even if the only followed account has been silent for years.

mod hashtags;

use std::collections::{HashMap, HashSet};

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::posts::{Post, PostPage, Repost};
use svc_types::{Cursor, PostId, RepostId, UserId};

use super::scan::{self, Step};
use super::{account, analytics, post};
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::page::Page;

/// Latest entries of all accounts that are searched first.
const LATEST: i64 = 500;

/// With fewer followed accounts, a page is unlikely to be found there.
pub const MANY: i64 = 50;

/// Entries that are read at once where some are passed over: each followed hashtag may have as many.
const AT_ONCE: i64 = 150;

/// An item of the feed: a post, and the account that posted or reposted it.
struct Item {
    entry: String,
    account: UserId,
    post: PostId,
    repost: Option<RepostId>,
    /// Whether it comes from a followed hashtag.
    is_tagged: bool,
    /// Whether it is skipped when the page is shown.
    is_unwanted: bool,
}
row!(Item {
    entry: "entry",
    account: "account",
    post: "post",
    repost: "repost",
    is_tagged: "false",
    is_unwanted: "false",
});

/// A page of the caller's home feed.
pub fn page(ctx: &mut Ctx<'_, '_>, caller: &Account, page: &Page) -> Result<PostPage> {
    let (items, next_cursor) = wanted_items(ctx, caller, page)?;
    let posts = posts_at(ctx, caller, items)?;
    analytics::note_shown(ctx, Some(caller), page, &posts);
    Ok(PostPage { posts, next_cursor })
}

/// The entries of a page. If some are passed over, the page goes on behind them: otherwise one limited account could
/// fill it with posts that have a followed hashtag.
fn wanted_items(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    page: &Page,
) -> Result<(Vec<Item>, Option<Cursor>)> {
    let mut first = items(ctx, caller, page.before(), page.rows())?;
    if !first.iter().any(|item| item.is_unwanted) {
        let next_cursor = page.cut(&mut first, |item| vec![item.entry.clone()]);
        return Ok((first, next_cursor));
    }
    scan::page_within(ctx, page, AT_ONCE, |ctx, before, most| {
        let items = items(ctx, caller, before.unwrap_or(ids::LAST), most)?;
        let step = |item: Item| Step {
            key: item.entry.clone(),
            item: (!item.is_unwanted).then_some(item),
        };
        Ok(items.into_iter().map(step).collect())
    })
}

/// Entries from followed accounts and hashtags, newest first.
fn items(ctx: &mut Ctx<'_, '_>, caller: &Account, after: &str, rows: i64) -> Result<Vec<Item>> {
    let mut items = of_accounts(ctx, caller, after, rows)?;
    items.extend(hashtags::items(ctx, caller, after, rows)?);
    items.sort_by(|one, other| {
        other.entry.cmp(&one.entry).then(one.is_tagged.cmp(&other.is_tagged))
    });
    items.dedup_by(|one, other| one.entry == other.entry);
    items.truncate(usize::try_from(rows).unwrap_or(usize::MAX));
    Ok(items)
}

fn of_accounts(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    after: &str,
    rows: i64,
) -> Result<Vec<Item>> {
    let (following, sets_apart): (i64, bool) = ctx.tx.one(
        sql!(
            "select following_count,
                exists (select 1 from list where owner = account.id and exclusive = true)
             from account where id = $1"
        ),
        values![caller.id],
    )?;
    if following >= MANY {
        let items = among_latest(ctx, caller, sets_apart, after, rows)?;
        if items.len() == usize::try_from(rows).unwrap_or(usize::MAX) {
            return Ok(items);
        }
    }
    merged(ctx, caller, sets_apart, after, rows)
}

/// The entries of followed accounts among the latest of all accounts. `sets_apart` says whether the
/// caller has lists whose members are excluded from the home feed.
fn among_latest(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    sets_apart: bool,
    after: &str,
    rows: i64,
) -> Result<Vec<Item>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select ",
            Item::COLUMNS,
            " from (
                select entry as latest_entry, account as latest_account from timeline
                where entry < $1 order by entry desc limit $2
             ) latest
             join timeline t on t.account = latest_account and t.entry = latest_entry
             where exists (
                    select 1 from follow f
                    where f.follower = $3 and f.followee = latest_account
                )
                and not exists (
                    select 1 from account_mute m
                    where m.muter = $3 and m.muted = latest_account
                        and (m.expires_at is null or m.expires_at > $4)
                )
                and ($5 = false or not exists (
                    select 1 from list_member o join list l on l.id = o.list
                    where o.member = latest_account and l.owner = $3 and l.exclusive = true
                ))
             order by latest_entry desc limit $6"
        ),
        values![after, LATEST, caller.id, now, sets_apart, rows],
    )
}

/// Merges the timelines of the followed accounts with the newest entries; no other account can be
/// on the page.
fn merged(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    sets_apart: bool,
    after: &str,
    rows: i64,
) -> Result<Vec<Item>> {
    let newest = newest(ctx, caller, sets_apart, after, rows)?;
    let most = usize::try_from(rows).unwrap_or(usize::MAX);
    let first = match newest.last() {
        Some((_, oldest)) if newest.len() == most => oldest.clone(),
        _ => String::new(),
    };
    let mut items: Vec<Item> = Vec::new();
    for (account, _) in newest {
        let of_account: Vec<Item> = ctx.tx.all(
            sql!(
                "select ",
                Item::COLUMNS,
                " from timeline
                 where account = $1 and entry < $2 and entry >= $3
                 order by entry desc limit $4"
            ),
            values![account, after, first, rows],
        )?;
        items.extend(of_account);
    }
    items.sort_by(|one, other| other.entry.cmp(&one.entry));
    items.truncate(most);
    Ok(items)
}

/// The followed accounts whose newest entry before `after` is newest, each with this entry.
fn newest(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    sets_apart: bool,
    after: &str,
    rows: i64,
) -> Result<Vec<(UserId, String)>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select followee, newest from (
                select f.followee, (
                    select max(t.entry) from timeline t
                    where t.account = f.followee and t.entry < $1
                ) as newest
                from follow f
                where f.follower = $2 and not exists (
                    select 1 from account_mute m
                    where m.muter = $2 and m.muted = f.followee
                        and (m.expires_at is null or m.expires_at > $3)
                )
                and ($4 = false or not exists (
                    select 1 from list_member o join list l on l.id = o.list
                    where o.member = f.followee and l.owner = $2 and l.exclusive = true
                ))
             ) each_newest
             where newest is not null order by newest desc limit $5"
        ),
        values![after, caller.id, now, sets_apart, rows],
    )
}

/// The posts of these entries that the caller may read and wants to see, each once.
fn posts_at(ctx: &mut Ctx<'_, '_>, caller: &Account, items: Vec<Item>) -> Result<Vec<Post>> {
    let ids: Vec<PostId> = items.iter().map(|item| item.post.clone()).collect();
    let mut posts: HashMap<PostId, Post> = post::load_visible(ctx, Some(caller), &ids)?
        .into_iter()
        .map(|post| (post.id.clone(), post))
        .collect();
    let reposters: Vec<UserId> = items
        .iter()
        .filter(|item| item.repost.is_some())
        .map(|item| item.account.clone())
        .collect();
    let reposters = account::refs(ctx, &reposters)?;
    let unwanted = unwanted(ctx, caller, &items, &posts)?;
    let mut shown = Vec::new();
    for Item { account, post, repost, .. } in items {
        let by = reposters.get(&account);
        // A repost by an invisible account is skipped; the post may have another entry on the page.
        if repost.is_some() && by.is_none() {
            continue;
        }
        let Some(post) = posts.remove(&post) else { continue };
        if unwanted.contains(&post.author.id) {
            continue;
        }
        let repost = repost.zip(by.cloned()).map(|(id, by)| {
            let created_at = ids::instant_of(id.as_str());
            Repost { id, by, created_at }
        });
        shown.push(Post { repost, ..post });
    }
    post::without_unwanted_quotes(ctx, Some(caller), shown)
}

/// Authors of reposted and tagged posts that the caller mutes, or where one blocks the other.
fn unwanted(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    items: &[Item],
    posts: &HashMap<PostId, Post>,
) -> Result<HashSet<UserId>> {
    let brought = items.iter().filter(|item| item.repost.is_some() || item.is_tagged);
    let authors: Vec<UserId> = brought
        .filter_map(|item| posts.get(&item.post))
        .map(|post| post.author.id.clone())
        .filter(|author| *author != caller.id)
        .collect();
    account::unwanted(ctx, &caller.id, &authors)
}
