//! Posts as they are shown: a page at a time, in a bounded number of statements.

use std::collections::HashMap;

use serde_json::{Map, Value};
use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::media::Attachment;
use svc_types::api::posts::{Mention, Post, PostRef, PostViewer};
use svc_types::{PostId, UserId};

use super::record::{Record, viewer_values};
use super::{html, text};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::{account, media};
use crate::{select_posts, visible_post};

/// A post as the wire has it.
pub fn to_api(ctx: &mut Ctx<'_, '_>, viewer: Option<&Account>, record: Record) -> Result<Post> {
    let mut posts = to_api_all(ctx, viewer, vec![record])?;
    posts.pop().ok_or_else(|| Error::internal("a post was lost"))
}

/// Posts as the wire has them, in their order.
pub fn to_api_all(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    records: Vec<Record>,
) -> Result<Vec<Post>> {
    let mut mentions = mentions(ctx, &records)?;
    let mut tags = stored_tags(ctx, &records)?;
    let quotes = quotes(ctx, viewer, &records)?;
    let mut labels = labels(ctx, &records)?;
    let mut images = media::of_posts(ctx, &records)?;
    let to_wire = |record: Record| {
        let mentions = mentions.remove(&record.id).unwrap_or_default();
        let tags = tags.remove(&record.id);
        let quote = record.quote_of.as_ref().and_then(|id| quotes.get(id)).cloned();
        let labels = labels.remove(&record.id).unwrap_or_default();
        let attachments = images.remove(&record.id).unwrap_or_default();
        one(ctx, viewer, record, Around { mentions, tags, quote, labels, attachments })
    };
    let mut posts: Vec<Post> = records.into_iter().map(to_wire).collect::<Result<_>>()?;
    html::add(ctx, &mut posts)?;
    Ok(posts)
}

/// The posts with these ids that `viewer` may read, in this order.
pub fn load_visible(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    ids: &[PostId],
) -> Result<Vec<Post>> {
    let records = visible_records(ctx, viewer, ids)?;
    to_api_all(ctx, viewer, records)
}

/// Posts of a feed, without what they quote of accounts whose posts the feed leaves out.
pub fn without_unwanted_quotes(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    mut posts: Vec<Post>,
) -> Result<Vec<Post>> {
    let Some(viewer) = viewer else { return Ok(posts) };
    let quoted = posts.iter().filter_map(|post| post.quote.as_ref());
    let authors = quoted.map(|quote| quote.author.id.clone());
    let mut authors: Vec<UserId> = authors.filter(|author| *author != viewer.id).collect();
    authors.sort();
    authors.dedup();
    let unwanted = account::unwanted(ctx, &viewer.id, &authors)?;
    for post in &mut posts {
        post.quote.take_if(|quote| unwanted.contains(&quote.author.id));
    }
    Ok(posts)
}

/// The same as [`load_visible`], with a gap for each post that `viewer` may not read.
pub fn load_each_visible(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    ids: &[PostId],
) -> Result<Vec<Option<Post>>> {
    let posts = load_visible(ctx, viewer, ids)?;
    let mut by_id: HashMap<PostId, Post> =
        posts.into_iter().map(|post| (post.id.clone(), post)).collect();
    Ok(ids.iter().map(|id| by_id.remove(id)).collect())
}

/// The records of [`load_visible`].
pub fn visible_records(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    ids: &[PostId],
) -> Result<Vec<Record>> {
    let (id, is_moderator) = viewer_values(viewer);
    let mut found = HashMap::new();
    for some in ids.chunks(SLOTS) {
        let mut values = values![id, is_moderator].to_vec();
        values.extend(slots(some));
        let records: Vec<Record> = ctx
            .tx
            .all(select_posts!("where p.id in (", slots!(3), ") and ", visible_post!()), &values)?;
        found.extend(records.into_iter().map(|record| (record.id.clone(), record)));
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// What stands around a post.
struct Around {
    mentions: Vec<Mention>,
    /// Its hashtags, if they were read.
    tags: Option<Vec<String>>,
    quote: Option<PostRef>,
    labels: Vec<String>,
    attachments: Vec<Attachment>,
}

fn one(
    ctx: &Ctx<'_, '_>,
    viewer: Option<&Account>,
    record: Record,
    around: Around,
) -> Result<Post> {
    let payload = record.payload.as_deref().map(read_payload).transpose()?;
    let is_own = viewer.is_some_and(|viewer| viewer.id == record.author);
    let viewer = viewer.map(|_| post_viewer(&record));
    Ok(Post {
        hashtags: hashtags(&record.content, around.tags),
        mentions: around.mentions,
        labels: around.labels,
        attachments: around.attachments,
        quote: around.quote,
        payload,
        author: record.author().into_api(ctx.app),
        id: record.id,
        content: record.content,
        format: record.format,
        html: None,
        content_warning: record.content_warning,
        language: record.language,
        reply_to_id: record.reply_to,
        root_id: record.root,
        quote_of_id: record.quote_of,
        schema: record.schema,
        reply_policy: record.reply_policy,
        likes_count: record.likes_count,
        reposts_count: record.reposts_count,
        replies_count: record.replies_count,
        quotes_count: record.quotes_count,
        pinned: record.pinned,
        created_at: record.created_at,
        edited_at: record.edited_at,
        scheduled_post_id: record.scheduled_post.filter(|_| is_own),
        repost: None,
        viewer,
    })
}

/// The hashtags of a text, which are among the stored ones if only its Markdown says what a hashtag is.
fn hashtags(content: &str, stored: Option<Vec<String>>) -> Vec<String> {
    stored.map_or_else(|| text::hashtags(content), |stored| text::hashtags_among(content, &stored))
}

const fn post_viewer(record: &Record) -> PostViewer {
    PostViewer {
        liked: record.liked,
        reposted: record.reposted,
        bookmarked: record.bookmarked,
        muted: record.muted,
    }
}

pub(in crate::services) fn read_payload(text: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(text).map_err(Error::internal)
}

/// The accounts that posts name; only posts with an `@` can name one.
fn mentions(ctx: &mut Ctx<'_, '_>, posts: &[Record]) -> Result<HashMap<PostId, Vec<Mention>>> {
    let naming = posts.iter().filter(|post| post.content.contains('@'));
    let ids: Vec<&PostId> = naming.map(|post| &post.id).collect();
    let mut found: HashMap<PostId, Vec<Mention>> = HashMap::new();
    for some in ids.chunks(SLOTS) {
        let rows: Vec<(PostId, UserId, String)> = ctx.tx.all(
            sql!(
                "select m.post, a.id, a.username
                 from post_mention m join account a on a.id = m.account
                 where m.post in (",
                slots!(1),
                ") and a.deleted_at is null and a.status <> 'suspended'
                 order by m.post, m.account"
            ),
            &slots(some),
        )?;
        for (post, id, username) in rows {
            found.entry(post).or_default().push(Mention { id, username });
        }
    }
    Ok(found)
}

/// The hashtags of posts of which only their Markdown says what a hashtag is. All others are read off their texts.
fn stored_tags(ctx: &mut Ctx<'_, '_>, posts: &[Record]) -> Result<HashMap<PostId, Vec<String>>> {
    let is_doubtful = |post: &&Record| {
        post.content.contains('#') && text::may_have_markup(&post.content, &post.format)
    };
    let ids: Vec<&PostId> = posts.iter().filter(is_doubtful).map(|post| &post.id).collect();
    let none = |id: &&PostId| ((*id).clone(), Vec::new());
    let mut found: HashMap<PostId, Vec<String>> = ids.iter().map(none).collect();
    for some in ids.chunks(SLOTS) {
        let rows: Vec<(PostId, String)> = ctx.tx.all(
            sql!("select post, tag from post_hashtag where post in (", slots!(1), ")"),
            &slots(some),
        )?;
        for (post, tag) in rows {
            found.entry(post).or_default().push(tag);
        }
    }
    Ok(found)
}

/// The labels moderators put on posts.
fn labels(ctx: &mut Ctx<'_, '_>, posts: &[Record]) -> Result<HashMap<PostId, Vec<String>>> {
    let labelled = posts.iter().filter(|post| post.labelled);
    let ids: Vec<&PostId> = labelled.map(|post| &post.id).collect();
    let mut found: HashMap<PostId, Vec<String>> = HashMap::new();
    for some in ids.chunks(SLOTS) {
        let rows: Vec<(PostId, String)> = ctx.tx.all(
            sql!(
                "select subject, label from measure
                 where kind = 'label' and subject in (",
                slots!(1),
                ")
                 order by subject, label"
            ),
            &slots(some),
        )?;
        for (post, label) in rows {
            found.entry(post).or_default().push(label);
        }
    }
    Ok(found)
}

/// The posts that others quote, in short, where `viewer` may read them.
fn quotes(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    posts: &[Record],
) -> Result<HashMap<PostId, PostRef>> {
    let mut ids: Vec<PostId> = posts.iter().filter_map(|post| post.quote_of.clone()).collect();
    ids.sort();
    ids.dedup();
    let quoted = visible_records(ctx, viewer, &ids)?;
    let in_short = |post: Record| {
        let quote = PostRef {
            id: post.id.clone(),
            author: post.author().into_api(ctx.app),
            content_warning: post.content_warning,
            content: post.content.chars().take(text::EXCERPT_LENGTH).collect(),
            format: post.format,
            created_at: post.created_at,
        };
        (post.id, quote)
    };
    Ok(quoted.into_iter().map(in_short).collect())
}
