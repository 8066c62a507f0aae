//! Images of posts: uploaded, attached to a post, read, removed.

mod files;

use std::collections::HashMap;
use std::time::Duration;

use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::media::{Attachment, IMAGES_MAX, MediaEnvelope};
use svc_types::{Code, MediaId, PostId, UserId};

use crate::app::{App, Ctx};
use crate::identity::{Account, hold_active};
use crate::pictures::Image;
use crate::services::blob::File;
use crate::services::post::{self, Record};
use crate::services::secrets;

pub use files::Size;

/// Most bytes that the images of an account take.
pub const SPACE_BYTES_MAX: i64 = 200 * 1024 * 1024;

/// What an image counts for at least, so that the number of an account's images is bounded too.
const COUNTED_BYTES_MIN: i64 = 16 * 1024;

/// How long an image waits for a post.
const UNATTACHED_LIFE: Duration = Duration::from_hours(24);

/// Images erased in one transaction; each may have megabytes.
const BATCH: i64 = 20;

/// Stores an uploaded image, which only its owner can read until a post has it.
pub fn add(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    image: &Image<File>,
    alt: &str,
) -> Result<MediaEnvelope> {
    secrets::refuse_in(ctx, "alt", alt)?;
    let bytes = i64::try_from(image.bytes).map_err(Error::internal)?.max(COUNTED_BYTES_MIN);
    // Concurrent uploads count one after the other.
    hold_active(ctx, &caller.id)?;
    refuse_full(ctx, &caller.id, bytes)?;
    let (id, now): (MediaId, _) = (ctx.id(), ctx.now());
    let (width, height) = (i64::from(image.width), i64::from(image.height));
    ctx.tx.write(
        sql!(
            "insert into media (id, owner, alt, width, height, bytes, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)"
        ),
        values![id, caller.id, alt, width, height, bytes, now],
    )?;
    files::store(ctx, &id, Size::Full, &image.full)?;
    files::store(ctx, &id, Size::Thumb, &image.thumb)?;
    let row = Row { id, post: None, alt: alt.to_owned(), width, height };
    Ok(MediaEnvelope { media: row.into_api(ctx.app)? })
}

/// Refuses an image that the space of the locked account has no room for.
fn refuse_full(ctx: &mut Ctx<'_, '_>, owner: &UserId, bytes: i64) -> Result<()> {
    let sql = sql!("select cast(coalesce(sum(bytes), 0) as bigint) from media where owner = $1");
    let used: i64 = ctx.tx.one(sql, values![owner])?;
    let left = SPACE_BYTES_MAX.saturating_sub(used).max(0);
    if bytes <= left {
        return Ok(());
    }
    let max = SPACE_BYTES_MAX / 1024 / 1024;
    let message = format!(
        "the images of an account must take at most {max} MiB; this one takes {bytes} bytes, and \
         {left} are left"
    );
    let hint = "send a smaller image, or delete posts with images";
    Err(Refusal::new(Code::LimitReached, message).hint(hint).into())
}

/// Checks what does not depend on other rows.
pub fn accept(ids: &[MediaId]) -> Result<()> {
    if ids.len() > IMAGES_MAX {
        let message = format!("mediaIds must have at most {IMAGES_MAX} ids");
        return Err(Error::invalid("mediaIds", message));
    }
    if ids.iter().enumerate().any(|(n, id)| ids[..n].contains(id)) {
        return Err(Error::invalid("mediaIds", "mediaIds must name each image once"));
    }
    Ok(())
}

/// Makes images of the account part of its new post, in this order.
pub fn attach(ctx: &mut Ctx<'_, '_>, owner: &UserId, ids: &[MediaId], post: &PostId) -> Result<()> {
    for (place, id) in (0_i64..).zip(ids) {
        let rows = ctx.tx.execute(
            sql!(
                "update media set post = $1, place = $2
                 where id = $3 and owner = $4 and post is null"
            ),
            values![post, place, id, owner],
        )?;
        if rows == 0 {
            return Err(unusable(ctx, owner, id)?);
        }
    }
    Ok(())
}

/// Why an image can't be part of a new post.
fn unusable(ctx: &mut Ctx<'_, '_>, owner: &UserId, id: &MediaId) -> Result<Error> {
    let sql = sql!("select post from media where id = $1 and owner = $2");
    let found: Option<Option<PostId>> = ctx.tx.optional(sql, values![id, owner])?;
    let Some(post) = found.flatten() else {
        return Ok(Error::not_found("image").about("mediaIds"));
    };
    let message = format!("the image {id} is part of a post already; upload it again");
    Ok(Refusal::new(Code::WrongState, message).field("mediaIds").hint(post.to_string()).into())
}

struct Row {
    id: MediaId,
    post: Option<PostId>,
    alt: String,
    width: i64,
    height: i64,
}
row!(Row { id: "id", post: "post", alt: "alt", width: "width", height: "height" });

impl Row {
    fn into_api(self, app: &App) -> Result<Attachment> {
        let url = format!("{}/api/media/{}", app.public_url, self.id);
        Ok(Attachment {
            thumb_url: format!("{url}/thumb"),
            url,
            id: self.id,
            alt: self.alt,
            width: u32::try_from(self.width).map_err(Error::internal)?,
            height: u32::try_from(self.height).map_err(Error::internal)?,
        })
    }
}

/// The images of posts.
pub fn of_posts(
    ctx: &mut Ctx<'_, '_>,
    posts: &[Record],
) -> Result<HashMap<PostId, Vec<Attachment>>> {
    let with_images = posts.iter().filter(|post| post.images > 0);
    let ids: Vec<&PostId> = with_images.map(|post| &post.id).collect();
    let mut found: HashMap<PostId, Vec<Attachment>> = HashMap::new();
    for some in ids.chunks(SLOTS) {
        let rows: Vec<Row> = ctx.tx.all(
            sql!(
                "select ",
                Row::COLUMNS,
                " from media where post in (",
                slots!(1),
                ") order by post, place"
            ),
            &slots(some),
        )?;
        for row in rows {
            let Some(post) = row.post.clone() else { continue };
            found.entry(post).or_default().push(row.into_api(ctx.app)?);
        }
    }
    Ok(found)
}

/// The file of an image, and whether everybody may read it. An image is as visible as its post; only its owner may read
/// one without a post.
pub fn file(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    id: &MediaId,
    size: Size,
) -> Result<(File, bool)> {
    let sql = sql!("select owner, post from media where id = $1");
    let found: Option<(UserId, Option<PostId>)> = ctx.tx.optional(sql, values![id])?;
    let (owner, post) = found.ok_or_else(|| Error::not_found("image"))?;
    let (is_public, may_read) = match post {
        None => (false, viewer.is_some_and(|viewer| viewer.id == owner)),
        Some(post) if is_visible(ctx, &post, None)? => (true, true),
        Some(post) => (false, viewer.is_some() && is_visible(ctx, &post, viewer)?),
    };
    if !may_read {
        return Err(Error::not_found("image"));
    }
    Ok((files::read(ctx, id, size)?, is_public))
}

fn is_visible(ctx: &mut Ctx<'_, '_>, post: &PostId, viewer: Option<&Account>) -> Result<bool> {
    Ok(post::by_id(ctx, post, viewer)?.is_some_and(|record| record.is_visible()))
}

/// The next image of an account after this one, with its file.
pub fn next_of(
    ctx: &mut Ctx<'_, '_>,
    owner: &UserId,
    after: &str,
) -> Result<Option<(MediaId, File)>> {
    let sql = sql!("select id from media where owner = $1 and id > $2 order by id limit 1");
    let Some(id) = ctx.tx.optional::<MediaId>(sql, values![owner, after])? else {
        return Ok(None);
    };
    let file = files::read(ctx, &id, Size::Full)?;
    Ok(Some((id, file)))
}

/// Removes the images of a deleted post.
pub fn remove_of_post(ctx: &mut Ctx<'_, '_>, post: &PostId) -> Result<()> {
    let gone: Vec<MediaId> =
        ctx.tx.all(sql!("delete from media where post = $1 returning id"), values![post])?;
    files::remove(ctx, &gone)
}

/// Removes some images of an erased account; false when there are none left.
pub fn erase(ctx: &mut Ctx<'_, '_>, owner: &UserId) -> Result<bool> {
    let gone: Vec<MediaId> = ctx.tx.all(
        sql!(
            "delete from media where id in (
                select id from media where owner = $1 order by id limit $2)
             returning id"
        ),
        values![owner, BATCH],
    )?;
    files::remove(ctx, &gone)?;
    Ok(!gone.is_empty())
}

/// Removes images that waited too long for a post. One that gets a post meanwhile stays.
pub fn forget_unattached(ctx: &mut Ctx<'_, '_>, limit: i64) -> Result<u64> {
    let before = ctx.now().minus(UNATTACHED_LIFE);
    let gone: Vec<MediaId> = ctx.tx.all(
        sql!(
            "delete from media where post is null and id in (
                select id from media where post is null and created_at <= $1
                order by created_at limit $2)
             returning id"
        ),
        values![before, limit],
    )?;
    files::remove(ctx, &gone)?;
    Ok(gone.len() as u64)
}
