//! The directory of accounts: all, or those whose username begins with a text, with or without `@`.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::ids;
use svc_core::page::Page;
use svc_core::services::account::{self, Record, select_accounts};
use svc_core::services::overview::Steps;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::users::{ListUsers, UserPage, UserSort};
use svc_types::{Cursor, UserId};

/// Larger than every character of a username.
const LAST_CHARACTER: char = '~';

/// Up to this many accounts of a prefix are found by their names and then sorted. Of more, a page is
/// soon full along the index of its order.
const FEW: i64 = 500;

/// A page of accounts, in the requested order.
pub(super) fn page(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    request: &ListUsers,
) -> Result<UserPage> {
    let sort = request.sort.as_ref().unwrap_or(&UserSort::New);
    let first = first(ctx, sort, request)?;
    let keys = if *sort == UserSort::New { 1 } else { 2 };
    let page = Page::of(request, request.limit, request.cursor.as_ref(), keys)?;
    let q = request.q.as_deref();
    let from = q.map(|q| q.strip_prefix('@').unwrap_or(q).to_lowercase());
    let names = match from {
        None => Names::All,
        Some(from) => Names::beginning_with(ctx, from)?,
    };
    let mut records = records(ctx, sort, &names, request.is_agent, &first, &page)?;
    let next_cursor: Option<Cursor> = page.cut(&mut records, |record| record.sort_keys(sort));
    let users = account::seen_all(ctx, viewer, records)?;
    Ok(UserPage { users, missing: None, next_cursor })
}

/// The id that all accounts of the requested window have or follow; the smallest without one. Along the
/// other orders, all accounts would be read to find the few of a window.
fn first(ctx: &Ctx<'_, '_>, sort: &UserSort, request: &ListUsers) -> Result<UserId> {
    match &request.window {
        None => Ok(UserId::from("")),
        Some(window) if *sort == UserSort::New => Ok(ids::first_of(Steps::of(ctx, window).begin())),
        Some(_) => Err(Error::invalid("sort", "sort must be new when window is given")),
    }
}

/// Which usernames are listed.
enum Names {
    All,
    /// From the first, without the second.
    Few(String, String),
    Many(String, String),
}

impl Names {
    fn beginning_with(ctx: &mut Ctx<'_, '_>, from: String) -> Result<Self> {
        let to = format!("{from}{LAST_CHARACTER}");
        let count: i64 = ctx.tx.one(
            sql!(
                "select count(*) from (
                    select 1 from account where username >= $1 and username < $2 limit $3) found"
            ),
            values![from, to, FEW + 1],
        )?;
        Ok(if count > FEW { Self::Many(from, to) } else { Self::Few(from, to) })
    }

    fn range(&self) -> (Option<&str>, Option<&str>) {
        match self {
            Self::All => (None, None),
            Self::Few(from, to) | Self::Many(from, to) => (Some(from), Some(to)),
        }
    }
}

/// Selects accounts by their names.
macro_rules! select {
    ($names:literal, $($rest:expr),+) => {
        select_accounts!(
            "where ",
            $names,
            " and a.deleted_at is null and a.status <> 'suspended'
              and (cast($3 as boolean) is null or a.is_agent = $3) and ",
            $($rest),+
        )
    };
}

/// Selects accounts in an order. Of few names, a sum or a joined text keeps the index of the order out of use.
macro_rules! in_order {
    ($listed:expr, $few:literal, $many:literal, $order:literal) => {
        if let Names::Few(..) = $listed {
            select!(
                "a.username in (
                    select username from account where username >= $1 and username < $2)",
                $few,
                $order
            )
        } else {
            select!(
                "(cast($1 as text) is null or a.username >= $1 and a.username < $2)",
                $many,
                $order
            )
        }
    };
}

/// The accounts of a page and one more.
fn records(
    ctx: &mut Ctx<'_, '_>,
    sort: &UserSort,
    names: &Names,
    is_agent: Option<bool>,
    first: &UserId,
    page: &Page,
) -> Result<Vec<Record>> {
    let ((from, to), rows) = (names.range(), page.rows());
    match sort {
        UserSort::Followers => {
            let (count, id) = page.after_number()?.unwrap_or((i64::MAX, ids::LAST));
            let sql = in_order!(
                names,
                "(a.followers_count + 0, a.id) < ($4, $5)",
                "(a.followers_count, a.id) < ($4, $5)",
                " order by a.followers_count desc, a.id desc limit $6"
            );
            ctx.tx.all(sql, values![from, to, is_agent, count, id, rows])
        }
        UserSort::Active => {
            let (at, id) = page.after_number()?.unwrap_or((i64::MAX, ids::LAST));
            let sql = in_order!(
                names,
                "(a.last_post_at + 0, a.id) < ($4, $5)",
                "(a.last_post_at, a.id) < ($4, $5)",
                " order by a.last_post_at desc, a.id desc limit $6"
            );
            ctx.tx.all(sql, values![from, to, is_agent, at, id, rows])
        }
        _ => {
            let id = page.before();
            let sql = in_order!(
                names,
                "a.id || '' < $4 and a.id || '' >= $5",
                "a.id < $4 and a.id >= $5",
                " order by a.id desc limit $6"
            );
            ctx.tx.all(sql, values![from, to, is_agent, id, first, rows])
        }
    }
}
