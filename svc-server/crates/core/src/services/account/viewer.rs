//! Relationships between a viewer and other accounts, and lists of accounts as a viewer sees them.

use std::collections::{HashMap, HashSet};

use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::UserId;
use svc_types::api::relations::Relationship;
use svc_types::api::users::{User, UserRef, UserViewer};

use super::{Record, Short, own, select_accounts};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::owner;

/// The relationship of a viewer to an account.
#[expect(clippy::struct_excessive_bools, reason = "a row is what its statement selects")]
struct Row {
    id: UserId,
    is_suspended: bool,
    following: bool,
    followed_by: bool,
    blocking: bool,
    blocked_by: bool,
    muting: bool,
}
row!(Row {
    id: "a.id",
    is_suspended: "a.status = 'suspended'",
    following: "exists (select 1 from follow f where f.follower = $1 and f.followee = a.id)",
    followed_by: "exists (select 1 from follow f where f.follower = a.id and f.followee = $1)",
    blocking: "exists (select 1 from block b where b.blocker = $1 and b.blocked = a.id)",
    blocked_by: "exists (select 1 from block b where b.blocker = a.id and b.blocked = $1)",
    muting: "exists (
        select 1 from account_mute m
        where m.muter = $1 and m.muted = a.id and (m.expires_at is null or m.expires_at > $2)
    )",
});

/// The relationships of the caller to those of these accounts that it may know of, in this order.
pub fn relationships(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    ids: &[UserId],
) -> Result<Vec<Relationship>> {
    let sees_all = caller.is_moderator();
    let rows = rows(ctx, &caller.id, ids)?.into_iter();
    let known = rows.filter(|row| sees_all || !row.is_suspended || row.id == caller.id);
    Ok(known.map(Row::into_api).collect())
}

/// What `viewer` is to the accounts with these ids, in this order; unknown ids are skipped.
fn rows(ctx: &mut Ctx<'_, '_>, viewer: &UserId, ids: &[UserId]) -> Result<Vec<Row>> {
    let now = ctx.now();
    let mut found = HashMap::new();
    for some in ids.chunks(SLOTS) {
        let mut values = values![viewer, now].to_vec();
        values.extend(slots(some));
        let rows: Vec<Row> = ctx.tx.all(
            sql!(
                "select ",
                Row::COLUMNS,
                " from account a
                 where a.deleted_at is null and a.id in (",
                slots!(3),
                ")"
            ),
            &values,
        )?;
        found.extend(rows.into_iter().map(|row| (row.id.clone(), row)));
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

impl Row {
    fn into_api(self) -> Relationship {
        let Self { id: user_id, following, followed_by, blocking, blocked_by, muting, .. } = self;
        Relationship { user_id, following, followed_by, blocking, blocked_by, muting }
    }
}

/// The calling account as its owner sees it, without what its credential may not read.
pub fn me(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<User> {
    Ok(read_by(caller, own(ctx, &caller.id)?))
}

/// A view of an account by itself, without what its credential may not read.
fn read_by(caller: &Account, own: User) -> User {
    if caller.reads_email {
        return own;
    }
    User { email: None, email_verified: None, pending_email: None, ..own }
}

/// An account as `viewer` sees it.
pub fn seen(ctx: &mut Ctx<'_, '_>, viewer: Option<&Account>, record: Record) -> Result<User> {
    let user = seen_all(ctx, viewer, vec![record])?.pop();
    user.ok_or_else(|| Error::internal("an account was lost"))
}

/// The accounts among these that the viewer's feeds leave out: it mutes them, or one of the two blocks the other.
pub fn unwanted(ctx: &mut Ctx<'_, '_>, viewer: &UserId, ids: &[UserId]) -> Result<HashSet<UserId>> {
    let unwanted = rows(ctx, viewer, ids)?
        .into_iter()
        .filter(|one| one.blocking || one.blocked_by || one.muting);
    Ok(unwanted.map(|one| one.id).collect())
}

/// Accounts as `viewer` sees them, in their order.
pub fn seen_all(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    records: Vec<Record>,
) -> Result<Vec<User>> {
    let mut owners = owner::load_visible(ctx, viewer.map(|viewer| &viewer.id), &records)?;
    let mut users = without_owners(ctx, viewer, records)?;
    for user in &mut users {
        user.owner = owners.remove(&user.id);
    }
    Ok(users)
}

fn without_owners(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    records: Vec<Record>,
) -> Result<Vec<User>> {
    let Some(viewer) = viewer else {
        return Ok(records.into_iter().map(|record| record.public(ctx.app)).collect());
    };
    let ids: Vec<UserId> = records.iter().map(|record| record.id.clone()).collect();
    let rows = rows(ctx, &viewer.id, &ids)?.into_iter();
    let mut relationships: HashMap<UserId, UserViewer> =
        rows.map(|one| (one.id.clone(), as_viewer(&one))).collect();
    let (now, is_moderator) = (ctx.now(), viewer.is_moderator());
    let as_seen = |record: Record| {
        if record.id == viewer.id {
            return read_by(viewer, record.own(ctx.app, now));
        }
        let (viewer, status) = (relationships.remove(&record.id), record.own_status());
        User { viewer, status: is_moderator.then_some(status), ..record.public(ctx.app) }
    };
    Ok(records.into_iter().map(as_seen).collect())
}

const fn as_viewer(row: &Row) -> UserViewer {
    UserViewer {
        following: row.following,
        followed_by: row.followed_by,
        blocking: row.blocking,
        blocked_by: row.blocked_by,
        muting: row.muting,
    }
}

/// The accounts with these ids in short, without deleted and suspended ones.
pub fn refs(ctx: &mut Ctx<'_, '_>, ids: &[UserId]) -> Result<HashMap<UserId, UserRef>> {
    let mut found = HashMap::new();
    for some in ids.chunks(SLOTS) {
        let accounts: Vec<Short> = ctx.tx.all(
            sql!(
                "select ",
                Short::COLUMNS,
                " from account a
                 where a.deleted_at is null and a.status <> 'suspended' and a.id in (",
                slots!(1),
                ")"
            ),
            &slots(some),
        )?;
        found.extend(accounts.into_iter().map(|one| (one.id.clone(), one.into_api(ctx.app))));
    }
    Ok(found)
}

/// The accounts with these ids that `viewer` may know of, in this order.
pub fn load_visible(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    ids: &[UserId],
) -> Result<Vec<User>> {
    let mut found = HashMap::new();
    for some in ids.chunks(SLOTS) {
        let records: Vec<Record> = ctx.tx.all(
            select_accounts!("where a.deleted_at is null and a.id in (", slots!(1), ")"),
            &slots(some),
        )?;
        let visible = records.into_iter().filter(|record| record.is_visible_to(viewer));
        found.extend(visible.map(|record| (record.id.clone(), record)));
    }
    let records = ids.iter().filter_map(|id| found.remove(id)).collect();
    seen_all(ctx, viewer, records)
}
