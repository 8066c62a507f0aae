//! Files that move from the database to a store, or back. Exports stay where they are: they end after some days.

use svc_store::db::Sql;
use svc_store::error::Result;
use svc_store::{row, sql, values};

use super::{Blob, Kind, claim, discard};
use crate::app::Ctx;

/// A table of files.
#[derive(Debug)]
pub struct Table {
    /// What its files are.
    pub kind: Kind,
    next: Sql,
    replace: Sql,
}

/// The tables whose files move.
pub static TABLES: [Table; 2] = [
    Table {
        kind: Kind::Avatar,
        next: sql!(
            "select hash, '', hash, bytes, object from avatar
             where (hash, '') > ($1, $2) and (object is null) = $3 order by hash limit 1"
        ),
        replace: sql!(
            "update avatar set bytes = $1, object = $2
             where hash = $3 and cast($4 as text) = '' and (object is null) = $5"
        ),
    },
    Table {
        kind: Kind::Image,
        next: sql!(
            "select media, size, hash, bytes, object from media_file
             where (media, size) > ($1, $2) and (object is null) = $3 order by media, size limit 1"
        ),
        replace: sql!(
            "update media_file set bytes = $1, object = $2
             where media = $3 and size = $4 and (object is null) = $5"
        ),
    },
];

/// What identifies a file in its table.
pub type Key = (String, String);

/// A file that has to move.
#[derive(Clone, Debug)]
pub struct Movable {
    /// What identifies it.
    pub key: Key,
    /// Hash of its bytes.
    pub hash: String,
    /// Where its bytes are.
    pub blob: Blob,
}
row!(Movable { key, hash, blob });

/// The file after this one that is in the database, or else in the store.
pub fn next(
    ctx: &mut Ctx<'_, '_>,
    table: &Table,
    after: &Key,
    is_in_database: bool,
) -> Result<Option<Movable>> {
    ctx.tx.optional(table.next, values![after.0, after.1, is_in_database])
}

/// Refers to the bytes where they are now; false if the file was removed or moved meanwhile.
pub fn replace(ctx: &mut Ctx<'_, '_>, table: &Table, old: &Movable, blob: &Blob) -> Result<bool> {
    let was_in_database = old.blob.object().is_none();
    let (first, second) = &old.key;
    let rows = ctx.tx.execute(
        table.replace,
        values![blob.bytes(), blob.object(), first, second, was_in_database],
    )?;
    if rows == 0 {
        return Ok(false);
    }
    claim(ctx, blob)?;
    discard(ctx, vec![old.blob.object().map(str::to_owned)])?;
    Ok(true)
}
