//! Avatars: upload, removal, download.

use crate::app::Ctx;
use crate::identity::{Account, hold_active};
use crate::pictures::hash;
use crate::services::account;
use crate::services::attempt::Counter;
use crate::services::blob::{self, Blob, File};
use crate::services::budget::{self, Class};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::users::{DeleteAvatar, UserEnvelope};

/// Counts an upload before its slow decoding, so that concurrent uploads can't pass the limit; 429
/// above it.
pub fn count(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    budget::pay(ctx, caller, &[Class::Writes])?;
    match Counter::uploads(ctx, &caller.id) {
        Some(counter) => counter.take(ctx).map(|_| ()),
        None => Ok(()),
    }
}

/// Sets the avatar to a re-encoded picture.
pub fn set(ctx: &mut Ctx<'_, '_>, caller: &Account, picture: &File) -> Result<UserEnvelope> {
    let former = held(ctx, &caller.id)?;
    if former.as_ref() != Some(&picture.hash) {
        keep(ctx, picture)?;
        replace(ctx, &caller.id, Some(&picture.hash), former.as_deref())?;
    }
    Ok(UserEnvelope { user: account::me(ctx, caller)? })
}

/// Restores the default avatar.
pub fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &DeleteAvatar) -> Result<UserEnvelope> {
    remove(ctx, &caller.id)?;
    Ok(UserEnvelope { user: account::me(ctx, caller)? })
}

/// Removes an account's avatar.
fn remove(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    match held(ctx, account)? {
        Some(former) => replace(ctx, account, None, Some(&former)),
        None => Ok(()),
    }
}

/// Removes the avatar of an account that is erased; its row is locked.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!("select avatar from account where id = $1");
    match ctx.tx.one::<Option<String>>(sql, values![account])? {
        Some(former) => replace(ctx, account, None, Some(&former)),
        None => Ok(()),
    }
}

/// The avatar of an account, locked until the transaction ends.
fn held(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<String>> {
    hold_active(ctx, account)?;
    ctx.tx.one(sql!("select avatar from account where id = $1"), values![account])
}

/// Stores a picture once. An existing row is locked, so that no concurrent transaction removes it
/// before this account refers to it; then the object of this picture is not used.
fn keep(ctx: &mut Ctx<'_, '_>, picture: &File) -> Result<()> {
    let File { hash, content_type, blob } = picture;
    let object: Option<String> = ctx.tx.one(
        sql!(
            "insert into avatar (hash, content_type, bytes, object) values ($1, $2, $3, $4)
             on conflict (hash) do update set content_type = excluded.content_type
             returning object"
        ),
        values![hash, content_type, blob.bytes(), blob.object()],
    )?;
    if object.as_deref() == blob.object() { blob::claim(ctx, blob) } else { Ok(()) }
}

/// Replaces or removes the avatar, and deletes the old picture if no account uses it.
fn replace(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    hash: Option<&str>,
    former: Option<&str>,
) -> Result<()> {
    let now = ctx.now();
    let sql = sql!("update account set avatar = $1, updated_at = $2 where id = $3");
    ctx.tx.execute(sql, values![hash, now, account])?;
    let Some(former) = former else {
        return Ok(());
    };
    // A concurrent upload of the same picture holds the lock; its row is visible below.
    ctx.tx.lock(sql!("select hash from avatar where hash = $1 for update"), values![former])?;
    let gone: Vec<Option<String>> = ctx.tx.all(
        sql!(
            "delete from avatar
             where hash = $1 and not exists (select 1 from account where avatar = $1)
             returning object"
        ),
        values![former],
    )?;
    blob::discard(ctx, gone)
}

/// The avatar of an account: the uploaded picture, else a drawn letter.
pub fn picture(ctx: &mut Ctx<'_, '_>, handle: &str) -> Result<File> {
    let record = account::find_visible(ctx, handle, None)?;
    let Some(hash) = record.avatar else {
        return Ok(letter(&record.username, &record.id));
    };
    let sql = sql!("select ", File::COLUMNS, " from avatar where hash = $1");
    // It may have been replaced since the previous statement.
    ctx.tx.optional(sql, values![hash])?.ok_or_else(|| Error::not_found("picture"))
}

/// The uploaded picture of an account, if it has one.
pub fn uploaded(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<File>> {
    let sql = sql!(
        "select ",
        File::COLUMNS,
        " from avatar where hash = (select avatar from account where id = $1)"
    );
    ctx.tx.optional(sql, values![account])
}

/// The first letter of the name, on a colour derived from the id.
fn letter(username: &str, id: &UserId) -> File {
    // Names contain only a-z, 0-9 and _, so nothing needs escaping.
    let letter = username.chars().next().unwrap_or('?').to_ascii_uppercase();
    let hue = crc32fast::hash(id.as_str().as_bytes()) % 360;
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 96 96\" width=\"96\" height=\"96\">\
         <rect width=\"96\" height=\"96\" fill=\"hsl({hue} 45% 40%)\"/>\
         <text x=\"48\" y=\"64\" font-family=\"sans-serif\" font-size=\"48\" fill=\"#fff\" \
         text-anchor=\"middle\">{letter}</text></svg>"
    );
    let bytes = svg.into_bytes();
    let (hash, content_type) = (hash(&bytes), "image/svg+xml".to_owned());
    File { hash, content_type, blob: Blob::Bytes(bytes) }
}
