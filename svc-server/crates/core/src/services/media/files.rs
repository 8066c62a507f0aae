//! The files of images, which are rows of the database. Nothing else knows where they are kept.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::MediaId;

use crate::app::Ctx;
use crate::pictures::Picture;

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

pub(super) fn store(
    ctx: &mut Ctx<'_, '_>,
    id: &MediaId,
    size: Size,
    picture: &Picture,
) -> Result<()> {
    ctx.tx.write(
        sql!(
            "insert into media_file (media, size, hash, content_type, bytes)
             values ($1, $2, $3, $4, $5)"
        ),
        values![id, size.word(), picture.hash, picture.content_type, picture.bytes],
    )
}

pub(super) fn read(ctx: &mut Ctx<'_, '_>, id: &MediaId, size: Size) -> Result<Picture> {
    let sql =
        sql!("select hash, content_type, bytes from media_file where media = $1 and size = $2");
    // It may have been removed since the previous statement.
    ctx.tx.optional(sql, values![id, size.word()])?.ok_or_else(|| Error::not_found("image"))
}

pub(super) fn remove(ctx: &mut Ctx<'_, '_>, ids: &[MediaId]) -> Result<()> {
    ids.iter().try_for_each(|id| {
        ctx.tx.write(sql!("delete from media_file where media = $1"), values![id])
    })
}
