//! How many unread notifications of each type an account has: counted as they come and as they are
//! read.

use std::collections::BTreeMap;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::notifications::{NotificationType, UNREAD_COUNT_MAX};

use super::may_read;
use crate::app::Ctx;
use crate::identity::Account;

/// Counts a new notification.
pub(super) const ADD: &str =
    "insert into notification_count (account, type, unread) values ($1, $2, 1)
    on conflict (account, type) do update set unread = notification_count.unread + 1";

/// Subtracts notifications that are no longer unread, each given by account and type. Counts are
/// locked in one order.
pub(crate) fn subtract_each(
    ctx: &mut Ctx<'_, '_>,
    read: impl IntoIterator<Item = (UserId, String)>,
) -> Result<()> {
    let mut counts: BTreeMap<(UserId, String), i64> = BTreeMap::new();
    for notification in read {
        *counts.entry(notification).or_default() += 1;
    }
    counts.iter().try_for_each(|((account, kind), count)| subtract(ctx, account, kind, *count))
}

/// Subtracts notifications of one type from the count.
pub(super) fn subtract(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    kind: &str,
    count: i64,
) -> Result<()> {
    let sql =
        sql!("update notification_count set unread = unread - $1 where account = $2 and type = $3");
    ctx.tx.write(sql, values![count, account, kind])
}

/// The number of unread notifications of each type that has any.
fn by_type(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<BTreeMap<String, u32>> {
    let sql = sql!("select type, unread from notification_count where account = $1 and unread > 0");
    let rows: Vec<(String, i64)> = ctx.tx.all(sql, values![account])?;
    let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(rows.into_iter().map(|(kind, unread)| (kind, count(unread))).collect())
}

/// The same of some types only.
pub fn of_types(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    types: Option<&[NotificationType]>,
) -> Result<BTreeMap<String, u32>> {
    let mut counts = by_type(ctx, account)?;
    let is_wanted =
        |word: &str| types.is_none_or(|types| types.iter().any(|kind| kind.as_str() == word));
    counts.retain(|word, _| is_wanted(word));
    Ok(counts)
}

/// The number of unread notifications that the caller may read, at most [`UNREAD_COUNT_MAX`].
pub fn total(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<u32> {
    let mut counts = by_type(ctx, &caller.id)?;
    counts.retain(|word, _| may_read(caller, &NotificationType::from(word.as_str())));
    let total = counts.values().fold(0, |sum: u32, count| sum.saturating_add(*count));
    Ok(total.min(UNREAD_COUNT_MAX))
}
