//! Exports: who may ask, which node makes the file, and the pieces it is stored in.
//!
//! The row of an account is a queue of one. A node takes it for the time of a lease, which it renews
//! with each piece that it stores; when the node crashes, another one begins again. A piece carries
//! the number of its attempt, so that an attempt whose lease was lost adds nothing to a later file.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::export::{Export, ExportFailure, ExportState};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, Scope, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::blob::{self, Blob};
use crate::services::security::{self, About};

/// How long a file is kept.
pub const KEPT: Duration = Duration::from_hours(7 * 24);

/// Time between two requests of an account.
pub const EVERY: Duration = Duration::from_hours(24);

/// Size of a stored piece; only the last one may be smaller.
pub const PIECE_BYTES: usize = 1024 * 1024;

/// How long a node may be silent before another one takes over.
pub const LEASE: Duration = Duration::from_mins(2);

/// Attempts before an export fails.
const TRIES: i64 = 5;

/// Pieces deleted in one transaction, so that no other write waits long.
const BATCH: i64 = 16;

/// 403 for a credential that may not read what the file contains, such as messages.
pub fn require_reader(caller: &Account) -> Result<()> {
    caller.require_one(&Scope::Read)?;
    caller.require_one(&Scope::Dm)
}

/// Asks for an export; 409 within a day after the last request. One that a wrong clock dated far ahead does not count:
/// the account would have to wait until then.
pub fn request(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Export> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into export (account, state, build, tries, due_at, created_at)
             values ($1, $2, 0, 0, $3, $3)
             on conflict (account) do update
             set state = excluded.state, reason = null, tries = 0, due_at = excluded.due_at,
                bytes = null, created_at = excluded.created_at, expires_at = null
             where (export.created_at <= $4 or export.created_at > $5) and export.state <> $2"
        ),
        values![account, ExportState::Working, now, now.minus(EVERY), now.plus(EVERY)],
    )?;
    if rows == 0 {
        return Err(too_soon(ctx, account)?);
    }
    security::note(ctx, account, &SecurityAction::ExportRequested, About::default())?;
    state(ctx, account)
}

/// 409: there was a request within a day, or its file is still being made.
fn too_soon(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Error> {
    let sql = sql!("select created_at from export where account = $1");
    let created_at: Timestamp = ctx.tx.one(sql, values![account])?;
    let refusal = Refusal::new(Code::LimitReached, "an account can ask for one export a day");
    let next = created_at.plus(EVERY).max(ctx.now());
    Ok(refusal.hint(format!("GET /users/me/export has the latest; ask again after {next}")).into())
}

struct Record {
    state: ExportState,
    reason: Option<ExportFailure>,
    bytes: Option<i64>,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
}
row!(Record {
    state: "state",
    reason: "reason",
    bytes: "bytes",
    created_at: "created_at",
    expires_at: "expires_at",
});

/// The latest export of an account; 404 without one, and once it has expired.
pub fn state(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Export> {
    let now = ctx.now();
    let found: Option<Record> = ctx.tx.optional(
        sql!(
            "select ",
            Record::COLUMNS,
            " from export where account = $1 and (expires_at is null or expires_at > $2)"
        ),
        values![account, now],
    )?;
    let Record { state, reason, bytes, created_at, expires_at } = found.ok_or_else(none)?;
    let expires_at = expires_at.filter(|_| state == ExportState::Ready);
    Ok(Export { state, created_at, bytes, expires_at, reason })
}

fn none() -> Error {
    Refusal::new(Code::NotFound, "there is no export")
        .hint("POST /users/me/export asks for one")
        .into()
}

/// A file that can be downloaded.
#[derive(Clone, Debug)]
pub struct File {
    build: i64,
    /// Its size.
    pub bytes: i64,
    /// When it was asked for.
    pub created_at: Timestamp,
}
row!(File { build: "build", bytes: "bytes", created_at: "created_at" });

/// The file of an account; 404 unless it is ready.
pub fn file(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<File> {
    let now = ctx.now();
    let found = ctx.tx.optional(
        sql!(
            "select ",
            File::COLUMNS,
            " from export where account = $1 and state = $2 and expires_at > $3"
        ),
        values![account, ExportState::Ready, now],
    )?;
    found.ok_or_else(|| match state(ctx, account) {
        Ok(export) => {
            let refusal = Refusal::new(Code::NotFound, format!("the export is {}", export.state));
            refusal.hint("GET /users/me/export says when it is ready").into()
        }
        Err(error) => error,
    })
}

/// A piece of a file; `None` once the file is deleted or replaced.
pub fn piece(ctx: &mut Ctx<'_, '_>, account: &UserId, file: &File, n: i64) -> Result<Option<Blob>> {
    ctx.tx.optional(
        sql!(
            "select ",
            Blob::COLUMNS,
            " from export_chunk where account = $1 and build = $2 and n = $3"
        ),
        values![account, file.build, n],
    )
}

/// An attempt to make a file, which one node has taken.
#[derive(Clone, Debug)]
pub struct Build {
    /// The account.
    pub account: UserId,
    number: i64,
    /// When the export was asked for.
    pub created_at: Timestamp,
}

/// A request that waits, or whose lease has ended.
struct Waiting {
    account: UserId,
    build: i64,
    tries: i64,
    created_at: Timestamp,
}
row!(Waiting {
    account: "e.account",
    build: "e.build",
    tries: "e.tries",
    created_at: "e.created_at",
});

/// The request that has waited longest. Those of deleted accounts wait for their restoration.
fn waiting(ctx: &mut Ctx<'_, '_>) -> Result<Option<Waiting>> {
    let now = ctx.now();
    ctx.tx.optional(
        sql!(
            "select ",
            Waiting::COLUMNS,
            " from export e join account a on a.id = e.account
             where e.due_at is not null and e.due_at <= $1 and a.deleted_at is null
             order by e.due_at, e.account limit 1"
        ),
        values![now],
    )
}

/// Whether a request waits for a node.
pub fn is_waiting(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    waiting(ctx).map(|found| found.is_some())
}

/// Takes the next request. One that was tried too often fails instead.
pub fn take(ctx: &mut Ctx<'_, '_>) -> Result<Option<Build>> {
    while let Some(Waiting { account, build, tries, created_at }) = waiting(ctx)? {
        let build = Build { account, number: build, created_at };
        if tries >= TRIES {
            fail(ctx, &build, &ExportFailure::Internal)?;
        } else if let Some(build) = lease(ctx, build)? {
            return Ok(Some(build));
        }
    }
    Ok(None)
}

/// Begins the next attempt, unless another node was quicker.
fn lease(ctx: &mut Ctx<'_, '_>, last: Build) -> Result<Option<Build>> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update export set build = build + 1, tries = tries + 1, due_at = $1
             where account = $2 and build = $3 and due_at <= $4"
        ),
        values![now.plus(LEASE), last.account, last.number, now],
    )?;
    Ok((rows == 1).then(|| Build { number: last.number + 1, ..last }))
}

/// Renews the lease of an attempt; false if it was lost, or the account deleted.
pub fn renew(ctx: &mut Ctx<'_, '_>, build: &Build) -> Result<bool> {
    let until = ctx.now().plus(LEASE);
    let rows = ctx.tx.execute(
        sql!(
            "update export set due_at = $1
             where account = $2 and build = $3 and due_at is not null and exists (
                select 1 from account a where a.id = export.account and a.deleted_at is null)"
        ),
        values![until, build.account, build.number],
    )?;
    Ok(rows == 1)
}

/// Stores a piece, and renews the lease; false if it was lost.
pub fn store(ctx: &mut Ctx<'_, '_>, build: &Build, n: i64, piece: &Blob) -> Result<bool> {
    if !renew(ctx, build)? {
        return Ok(false);
    }
    blob::claim(ctx, piece)?;
    ctx.tx.execute(
        sql!(
            "insert into export_chunk (account, build, n, bytes, object)
             values ($1, $2, $3, $4, $5)"
        ),
        values![build.account, build.number, n, piece.bytes(), piece.object()],
    )?;
    Ok(true)
}

/// Does not count an attempt that could not store its pieces; the next one begins when its lease ends.
pub fn put_off(ctx: &mut Ctx<'_, '_>, build: &Build) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update export set tries = tries - 1
             where account = $1 and build = $2 and due_at is not null"
        ),
        values![build.account, build.number],
    )
}

/// Offers the file of an attempt for download; false if the lease was lost.
pub fn finish(ctx: &mut Ctx<'_, '_>, build: &Build, bytes: i64) -> Result<bool> {
    let expires_at = ctx.now().plus(KEPT);
    let rows = ctx.tx.execute(
        sql!(
            "update export set state = $1, bytes = $2, due_at = null, expires_at = $3
             where account = $4 and build = $5 and due_at is not null"
        ),
        values![ExportState::Ready, bytes, expires_at, build.account, build.number],
    )?;
    Ok(rows == 1)
}

/// Gives an export up.
pub fn fail(ctx: &mut Ctx<'_, '_>, build: &Build, why: &ExportFailure) -> Result<()> {
    let expires_at = ctx.now().plus(KEPT);
    ctx.tx.execute(
        sql!(
            "update export set state = $1, reason = $2, due_at = null, expires_at = $3
             where account = $4 and build = $5 and due_at is not null"
        ),
        values![ExportState::Failed, why, expires_at, build.account, build.number],
    )?;
    Ok(())
}

/// Deletes some pieces that earlier attempts left; whether there may be more.
pub fn tidy(ctx: &mut Ctx<'_, '_>, build: &Build) -> Result<bool> {
    let gone = ctx.tx.all(
        sql!(
            "delete from export_chunk where account = $1 and (build, n) in (
                select build, n from export_chunk
                where account = $1 and build < $2 order by build, n limit $3)
             returning object"
        ),
        values![build.account, build.number, BATCH],
    )?;
    discard(ctx, gone)
}

/// Ends a batch of pieces that were deleted; whether there may be more.
fn discard(ctx: &mut Ctx<'_, '_>, gone: Vec<Option<String>>) -> Result<bool> {
    let is_full = gone.len() as u64 == BATCH.unsigned_abs();
    blob::discard(ctx, gone)?;
    Ok(is_full)
}

/// Deletes some of what has expired; whether there may be more.
pub fn expire(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let now = ctx.now();
    let expired: Option<UserId> = ctx.tx.optional(
        sql!(
            "select account from export where expires_at is not null and expires_at <= $1
             order by expires_at, account limit 1"
        ),
        values![now],
    )?;
    let Some(account) = expired else { return Ok(false) };
    if !forget_some(ctx, &account)? {
        let sql = sql!("delete from export where account = $1 and expires_at <= $2");
        ctx.tx.execute(sql, values![account, now])?;
    }
    Ok(true)
}

/// Deletes some pieces of an account's file; whether there may be more. The row is locked first, so
/// that no piece is added meanwhile.
pub fn forget_some(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    ctx.tx
        .lock(sql!("select account from export where account = $1 for update"), values![account])?;
    let gone = ctx.tx.all(
        sql!(
            "delete from export_chunk where account = $1 and (build, n) in (
                select build, n from export_chunk where account = $1 order by build, n limit $2)
             returning object"
        ),
        values![account, BATCH],
    )?;
    discard(ctx, gone)
}

/// Deletes some of the export of an account that is erased; whether there may be more. What makes it
/// has lost its lease with the account's deletion.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let is_more = forget_some(ctx, account)?;
    if !is_more {
        ctx.tx.execute(sql!("delete from export where account = $1"), values![account])?;
    }
    Ok(is_more)
}
