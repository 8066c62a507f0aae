//! The locks of a batch: the accounts and posts it names, in the order of their ids.
//!
//! Its operations take locks one after the other, so two batches that name the same rows in
//! different orders would deadlock. Locking first makes the later one wait. Lists belong to the caller
//! or to accounts that it blocks, all of which are locked.

use std::collections::BTreeSet;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::account;
use svc_store::db::slots;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::batch::Operation;
use svc_types::{Handle, Id, PostId, UserId};

/// Locks what the operations name. A single operation can't deadlock.
pub(super) fn take(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    operations: &[Operation],
) -> Result<()> {
    if operations.len() < 2 {
        return Ok(());
    }
    let mut accounts = named(ctx, operations)?;
    accounts.insert(caller.id.clone());
    let posts: Vec<&PostId> = operations.iter().flat_map(posts).flatten().collect();
    let authors: Vec<UserId> = ctx.tx.all(
        sql!("select author from post where id in (", svc_store::slots!(1), ")"),
        &slots(&posts),
    )?;
    accounts.extend(authors);
    for account in accounts {
        account::lock(ctx, &account)?;
    }
    let posts: BTreeSet<&PostId> = posts.into_iter().collect();
    for post in posts {
        let sql = sql!("select id from post where id = $1 for no key update");
        ctx.tx.lock(sql, values![post])?;
    }
    Ok(())
}

/// The accounts named by operations, by username or by id.
fn named(ctx: &mut Ctx<'_, '_>, operations: &[Operation]) -> Result<BTreeSet<UserId>> {
    let handles = operations.iter().filter_map(account).map(Handle::as_str);
    let (ids, names): (Vec<&str>, Vec<&str>) =
        handles.partition(|handle| handle.starts_with(UserId::PREFIX));
    let names: Vec<String> = names.into_iter().map(str::to_ascii_lowercase).collect();
    let found: Vec<UserId> = ctx.tx.all(
        sql!("select id from account where username in (", svc_store::slots!(1), ")"),
        &slots(&names),
    )?;
    Ok(found.into_iter().chain(ids.into_iter().map(UserId::from)).collect())
}

const fn account(operation: &Operation) -> Option<&Handle> {
    match operation {
        Operation::Follow(request) => Some(&request.username),
        Operation::Unfollow(request) => Some(&request.username),
        Operation::Mute(request) => Some(&request.username),
        Operation::Unmute(request) => Some(&request.username),
        Operation::Block(request) => Some(&request.username),
        Operation::Unblock(request) => Some(&request.username),
        Operation::SendMessage(request) => Some(&request.recipient_username),
        Operation::AddListMember(request) => Some(&request.username),
        Operation::RemoveListMember(request) => Some(&request.username),
        _ => None,
    }
}

/// The posts that an operation names, at most two.
const fn posts(operation: &Operation) -> [Option<&PostId>; 2] {
    match operation {
        Operation::Like(request) => [Some(&request.post_id), None],
        Operation::Unlike(request) => [Some(&request.post_id), None],
        Operation::Repost(request) => [Some(&request.post_id), None],
        Operation::Unrepost(request) => [Some(&request.post_id), None],
        Operation::Bookmark(request) => [Some(&request.post_id), None],
        Operation::Unbookmark(request) => [Some(&request.post_id), None],
        Operation::DeletePost(request) => [Some(&request.post_id), None],
        Operation::CreateReply(request) => {
            [Some(&request.reply_to_id), request.quote_of_id.as_ref()]
        }
        _ => [None, None],
    }
}
