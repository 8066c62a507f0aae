//! The files of images: rows, each with its bytes or the name of the object that holds them.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::MediaId;

use crate::app::Ctx;
use crate::services::blob::{self, File};

/// A version of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The largest one.
    Full,
    /// The one in lists.
    Thumb,
}

impl Size {
    const fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Thumb => "thumb",
        }
    }
}

pub(super) fn store(ctx: &mut Ctx<'_, '_>, id: &MediaId, size: Size, file: &File) -> Result<()> {
    let File { hash, content_type, blob } = file;
    blob::claim(ctx, blob)?;
    ctx.tx.write(
        sql!(
            "insert into media_file (media, size, hash, content_type, bytes, object)
             values ($1, $2, $3, $4, $5, $6)"
        ),
        values![id, size.word(), hash, content_type, blob.bytes(), blob.object()],
    )
}

pub(super) fn read(ctx: &mut Ctx<'_, '_>, id: &MediaId, size: Size) -> Result<File> {
    let sql = sql!("select ", File::COLUMNS, " from media_file where media = $1 and size = $2");
    // It may have been removed since the previous statement.
    ctx.tx.optional(sql, values![id, size.word()])?.ok_or_else(|| Error::not_found("image"))
}

pub(super) fn remove(ctx: &mut Ctx<'_, '_>, ids: &[MediaId]) -> Result<()> {
    ids.iter().try_for_each(|id| {
        let sql = sql!("delete from media_file where media = $1 returning object");
        let gone: Vec<Option<String>> = ctx.tx.all(sql, values![id])?;
        blob::discard(ctx, gone)
    })
}
