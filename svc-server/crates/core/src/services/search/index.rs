//! Indexing what was written: not where it is written, so that no reply waits for it.
//!
//! A change of a text records its id; a background task takes the notes from time to time. What
//! is visible is not indexed: a search checks it.

use std::collections::BTreeSet;

use svc_store::error::{Error, Result};
use svc_store::{select_free, sql, values};
use svc_types::api::posts::PostFormat;
use svc_types::{Id, PostId, ServiceId, UserId};

use super::query::{Kind, author_word, tag_word};
use super::words;
use crate::app::Ctx;
use crate::services::post::text;
use crate::services::{discovery, hashtag};

/// Documents indexed in one transaction, so that no other write waits long.
pub const BATCH: i64 = 100;

/// Bytes of text after which a transaction takes no further document. Cutting texts into words takes
/// about 0.1 ms per KB.
const BATCH_BYTES: usize = 16 * 1024;

/// Attempts to find a number that no other server takes at the same time.
const TRIES: usize = 10;

/// A note that texts have changed. One that waits is locked, so that it is not taken before this change is
/// committed.
pub const NOTE: &str = "insert into search_queue (id) values ($1)
    on conflict (id) do update set id = excluded.id";

/// Notes that the texts of a post, an account or a service have changed.
pub fn note(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    ctx.tx.write(sql!(NOTE), values![id])
}

/// Whether anything waits to be indexed.
pub fn is_waiting(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let sql = sql!("select id from search_queue where id > '' order by id limit 1");
    Ok(ctx.tx.optional::<String>(sql, &[])?.is_some())
}

/// Indexes some of what waits, oldest first, and returns how many documents it was. What another node
/// indexes now, or is still writing, waits on.
pub fn index(ctx: &mut Ctx<'_, '_>) -> Result<u64> {
    let free = select_free!("select id from search_queue where id > '' order by id limit $1");
    let waiting: Vec<String> = ctx.tx.take(free, values![BATCH])?;
    index_taken(ctx, &waiting)
}

/// What waits to be indexed after this id, in the order of ids.
pub fn waiting(ctx: &mut Ctx<'_, '_>, after: &str) -> Result<Vec<String>> {
    let sql = sql!("select id from search_queue where id > $1 order by id limit $2");
    ctx.tx.all(sql, values![after, BATCH])
}

/// Indexes this if it waits, and no other node does.
pub fn index_one(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    let free = select_free!("select id from search_queue where id = $1");
    let taken: Vec<String> = ctx.tx.take(free, values![id])?;
    index_taken(ctx, &taken).map(drop)
}

/// Indexes what was taken, until that is enough text; returns how many documents it was.
fn index_taken(ctx: &mut Ctx<'_, '_>, taken: &[String]) -> Result<u64> {
    let (mut indexed, mut bytes) = (0, 0);
    let mut tags = BTreeSet::new();
    for id in taken {
        if bytes > BATCH_BYTES {
            break;
        }
        bytes += index_text(ctx, id, &mut tags)?;
        indexed += 1;
    }
    // Hashtags are locked after all documents have their numbers: with one of them locked, this would wait for a number
    // that another node has taken, while that node waits for the hashtag.
    let tags: Vec<String> = tags.into_iter().collect();
    hashtag::note_use(ctx, &tags)?;
    Ok(indexed)
}

/// Indexes a text, and adds its hashtags to `tags`; returns its size.
fn index_text(ctx: &mut Ctx<'_, '_>, id: &str, tags: &mut BTreeSet<String>) -> Result<usize> {
    let mut bytes = 0;
    // The note is taken before the text is read: a change meanwhile leaves a new one.
    let taken = sql!("delete from search_queue where id = $1");
    ctx.tx.write(taken, values![id])?;
    match document(ctx, id)? {
        Some(document) => {
            let doc = number(ctx, id)?;
            ctx.tx.index(doc, document.words.iter().map(String::as_str))?;
            tags.extend(document.tags);
            bytes += document.bytes;
        }
        None => drop_document(ctx, id)?,
    }
    if id.starts_with(ServiceId::PREFIX) {
        bytes += discovery::index(ctx, &ServiceId::from(id))?;
    }
    Ok(bytes)
}

/// A text to index.
struct Document {
    /// Its size.
    bytes: usize,
    /// What it is found by.
    words: BTreeSet<String>,
    /// The hashtags of a post.
    tags: Vec<String>,
}

/// The text of what has this id, unless it is gone.
fn document(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<Document>> {
    match id.split('_').next() {
        Some("post") => post(ctx, &PostId::from(id)),
        Some("usr") => {
            let sql = sql!(
                "select username, display_name, bio from account
                 where id = $1 and deleted_at is null"
            );
            of_kind(ctx, Kind::Account, sql, id)
        }
        _ => {
            let sql = sql!(
                "select name, description, tags_key from service
                 where id = $1 and deleted_at is null"
            );
            of_kind(ctx, Kind::Service, sql, id)
        }
    }
}

/// A post is found by its words, its author and its hashtags.
fn post(ctx: &mut Ctx<'_, '_>, id: &PostId) -> Result<Option<Document>> {
    let found: Option<(UserId, String, PostFormat)> = ctx.tx.optional(
        sql!("select author, content, format from post where id = $1 and deleted_at is null"),
        values![id],
    )?;
    let Some((author, content, format)) = found else { return Ok(None) };
    let tags = text::hashtags(&text::without_code(&content, &format));
    let mut words = words::found_by(&content);
    words.insert(author_word(&author));
    words.extend(tags.iter().map(|tag| tag_word(tag)));
    Ok(Some(Document { bytes: content.len(), words, tags }))
}

/// Three texts, whose words are marked so that posts are found among posts only.
fn of_kind(
    ctx: &mut Ctx<'_, '_>,
    kind: Kind,
    sql: svc_store::db::Sql,
    id: &str,
) -> Result<Option<Document>> {
    let found: Option<(String, String, String)> = ctx.tx.optional(sql, values![id])?;
    Ok(found.map(|(one, two, three)| {
        let texts = [one, two, three];
        let words = texts.iter().flat_map(|text| words::found_by(text));
        let words = words.map(|word| format!("{}{word}", kind.mark())).collect();
        Document { bytes: texts.iter().map(String::len).sum(), words, tags: vec![] }
    }))
}

/// The number of a document; a new one, as most are, gets the next. Only for a new one does it wait for a node that has
/// just taken the same number.
fn number(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<i64> {
    for _ in 0..TRIES {
        let new: Option<i64> = ctx.tx.optional(
            sql!(
                "insert into search_doc (doc, id)
                 select (select coalesce(max(doc), 0) from search_doc) + 1, cast($1 as text)
                 where not exists (select 1 from search_doc where id = $1)
                 on conflict do nothing
                 returning doc"
            ),
            values![id],
        )?;
        if let Some(doc) = new {
            return Ok(doc);
        }
        let sql = sql!("select doc from search_doc where id = $1");
        if let Some(doc) = ctx.tx.optional(sql, values![id])? {
            return Ok(doc);
        }
    }
    Err(Error::internal("other servers took every number for a document"))
}

fn drop_document(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    let sql = sql!("delete from search_doc where id = $1 returning doc");
    match ctx.tx.optional(sql, values![id])? {
        Some(doc) => ctx.tx.unindex(doc),
        None => Ok(()),
    }
}
