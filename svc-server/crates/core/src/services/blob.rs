//! Blobs: the bytes of avatars, images and exports. The row of a file has them, or names an object in a store outside
//! of the database that does.
//!
//! The name of an object is recorded before its bytes go up, with the time at which it is deleted. The transaction
//! that refers to it cancels that, and the one that removes the reference has it deleted at once. So each object has
//! its row, whatever ends halfway, and nobody has to list the store.

pub mod moving;

use std::time::Duration;

use svc_store::db::{FromRow, Row};
use svc_store::error::{Error, Result};
use svc_store::{row, select_free, sql, values};

use crate::app::Ctx;
use crate::{backoff, ids, keys};

/// How long an object waits for a row that refers to it.
const UNUSED_LIFE: Duration = Duration::from_hours(24);

/// Time until an object is tried again that could not be deleted. It doubles with each attempt, up to the longest;
/// the first is longer than a round of deletions takes.
const PAUSE: Duration = Duration::from_mins(2);
const PAUSE_MAX: Duration = Duration::from_hours(1);

/// Objects that are counted at most.
const COUNTED_MAX: i64 = 10_000;

/// Where the bytes of a file are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blob {
    /// In its row.
    Bytes(Vec<u8>),
    /// In the object of this name.
    Object(String),
}

impl Blob {
    /// The columns that it is read from.
    pub const COLUMNS: &'static str = "bytes, object";

    /// What the column `bytes` holds.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Object(_) => &[],
        }
    }

    /// What the column `object` holds.
    pub fn object(&self) -> Option<&str> {
        match self {
            Self::Bytes(_) => None,
            Self::Object(name) => Some(name),
        }
    }
}

impl FromRow for Blob {
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        let (bytes, object): (Vec<u8>, Option<String>) = row.read()?;
        Ok(object.map_or(Self::Bytes(bytes), Self::Object))
    }
}

/// A picture as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Hash of its bytes, in hexadecimal digits.
    pub hash: String,
    /// Its media type.
    pub content_type: String,
    /// Where its bytes are.
    pub blob: Blob,
}
row!(File { hash: "hash", content_type: "content_type", blob: Blob::COLUMNS });

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The picture of an account.
    Avatar,
    /// An image of a post.
    Image,
    /// A piece of an export.
    Export,
}

impl Kind {
    const fn folder(self) -> &'static str {
        match self {
            Self::Avatar => "avatars",
            Self::Image => "images",
            Self::Export => "exports",
        }
    }
}

/// The name of a new object with bytes of this hash. Each upload has its own, so that deleting an object never takes
/// the bytes of another; nobody can guess it.
pub fn name(kind: Kind, hash: &str) -> String {
    format!("{}/{hash}-{}", kind.folder(), keys::hex(&ids::random::<16>()))
}

/// Notes an object that is about to be made. It is deleted after a day unless a row refers to it by then.
pub fn record(ctx: &mut Ctx<'_, '_>, name: &str) -> Result<()> {
    let delete_at = ctx.now().plus(UNUSED_LIFE);
    let sql = sql!("insert into object (name, delete_at) values ($1, $2)");
    ctx.tx.write(sql, values![name, delete_at])
}

/// Keeps the object of a blob, if it is in one: a row of this transaction refers to it.
pub fn claim(ctx: &mut Ctx<'_, '_>, blob: &Blob) -> Result<()> {
    let Some(name) = blob.object() else { return Ok(()) };
    let sql = sql!(
        "update object set delete_at = null
         where name = $1 and delete_at is not null and tries = 0"
    );
    if ctx.tx.execute(sql, values![name])? == 1 {
        return Ok(());
    }
    Err(Error::internal(format!("the object {name} waited too long and is being deleted")))
}

/// Has objects deleted, as far as these files were in any: no row refers to them any more.
pub fn discard(ctx: &mut Ctx<'_, '_>, files: Vec<Option<String>>) -> Result<()> {
    let now = ctx.now();
    files.into_iter().flatten().try_for_each(|name| {
        let sql = sql!("update object set delete_at = $1 where name = $2 and delete_at is null");
        ctx.tx.write(sql, values![now, name])
    })
}

/// Whether there are objects, or were until a moment ago.
pub fn is_any(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    Ok(ctx.tx.optional::<i64>(sql!("select 1 from object limit 1"), &[])?.is_some())
}

/// Whether an object is to be deleted now.
pub fn is_due(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let now = ctx.now();
    let sql = sql!("select 1 from object where delete_at <= $1 limit 1");
    Ok(ctx.tx.optional::<i64>(sql, values![now])?.is_some())
}

/// Takes some objects that are to be deleted. Those that are still there after a pause are taken again.
pub fn lease(ctx: &mut Ctx<'_, '_>, limit: i64) -> Result<Vec<String>> {
    let now = ctx.now();
    let free = select_free!(
        "select name, tries from object where delete_at <= $1 order by delete_at limit $2"
    );
    let due: Vec<(String, i64)> = ctx.tx.take(free, values![now, limit])?;
    for (name, tries) in &due {
        let sql = sql!("update object set delete_at = $1, tries = tries + 1 where name = $2");
        ctx.tx.write(sql, values![now.plus(backoff::pause(PAUSE, *tries, PAUSE_MAX)), name])?;
    }
    Ok(due.into_iter().map(|(name, _)| name).collect())
}

/// Forgets objects that are deleted.
pub fn forget(ctx: &mut Ctx<'_, '_>, names: &[String]) -> Result<()> {
    names.iter().try_for_each(|name| {
        let sql = sql!("delete from object where name = $1 and delete_at is not null");
        ctx.tx.write(sql, values![name])
    })
}

/// How many objects wait until they are deleted, counted up to a limit. Uploads that may still get a row are left out.
pub fn waiting(ctx: &mut Ctx<'_, '_>) -> Result<i64> {
    let now = ctx.now();
    ctx.tx.one(
        sql!(
            "select count(*) from (
                select 1 as one from object
                where delete_at is not null and (delete_at <= $1 or tries > 0) limit $2
             ) waiting"
        ),
        values![now, COUNTED_MAX],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_say_nothing_of_accounts() {
        let hash = "0a".repeat(32);
        let [one, other] = [name(Kind::Image, &hash), name(Kind::Image, &hash)];
        assert_ne!(one, other);
        let (folder, rest) = one.split_once('/').unwrap();
        let (of, random) = rest.split_once('-').unwrap();
        assert_eq!((folder, of, random.len()), ("images", &*hash, 32));
    }
}
