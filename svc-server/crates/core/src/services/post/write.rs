//! Publishing a post or a reply.

use std::collections::HashSet;

use serde_json::{Map, Value};
use svc_store::db::Together;
use svc_store::error::{Error, Refusal, Result, Window};
use svc_store::{sql, together, values};
use svc_types::api::posts::{PAYLOAD_BYTES_MAX, ReplyPolicy};
use svc_types::api::users::Tier;
use svc_types::{Code, UserId};

use super::draft::Draft;
use super::rank::{self, Change};
use super::record::{self, Record};
use super::{code, notify, text};
use crate::app::Ctx;
use crate::identity::Account;
use crate::limits;
use crate::services::visibility::{self, Counted, Counts};
use crate::services::{account, hashtag, media, search};

/// Earlier texts of a post, the newest first, that an edit reads for the accounts that they name.
const EARLIER_MAX: i64 = 100;

/// Bytes of them that are read as Markdown. In the others, names in code count as well.
const EARLIER_BYTES: usize = 64 * 1024;

/// The posts that a draft answers and quotes.
#[derive(Debug)]
pub struct Context {
    parent: Option<Record>,
    quoted: Option<Record>,
}

/// Publishes a post. A top-level post counts against the author's post window, which is returned.
pub fn create(
    ctx: &mut Ctx<'_, '_>,
    author: &Account,
    draft: &Draft<'_>,
) -> Result<(Record, Option<Window>)> {
    let payload = accept_text(draft)?;
    let context = find_context(ctx, author, draft)?;
    let Standing { counts, window, tier } = count_with_author(ctx, author, &context)?;
    let Context { parent, quoted } = context;
    let mut record = Record::new(ctx, author, draft, parent.as_ref(), payload);
    record.tier = tier;
    rank::lock(ctx, parent.iter().chain(&quoted))?;
    insert(ctx, &record)?;
    media::attach(ctx, &author.id, draft.media_ids, &record.id)?;
    let named = insert_words(ctx, &record)?;
    code::note(ctx, &record)?;
    if let Some(counts) = counts {
        count(ctx, &counts, &record, [parent.as_ref(), quoted.as_ref()])?;
    }
    notify::published(ctx, &record, parent.as_ref(), quoted.as_ref(), &named)?;
    notify::subscribers(ctx, author, &record)?;
    Ok((record, window))
}

/// Checks what does not depend on other rows; returns the payload as it is stored.
pub fn accept_text(draft: &Draft<'_>) -> Result<Option<String>> {
    let payload = attachment(draft.schema, draft.payload)?;
    refuse_blank_warning(draft.content_warning)?;
    if draft.media_ids.is_empty() && payload.is_none() {
        refuse_blank(draft.content)?;
    }
    refuse_language(draft.language)?;
    media::accept(draft.media_ids)?;
    Ok(payload)
}

/// Refuses an edit that leaves a post with nothing to see.
pub fn accept_edit(record: &Record, content: Option<&str>) -> Result<()> {
    match content {
        Some(content) if record.images == 0 && record.payload.is_none() => refuse_blank(content),
        _ => Ok(()),
    }
}

/// Refuses a text of white space and invisible characters, where nothing else stands beside it.
pub fn refuse_blank(content: &str) -> Result<()> {
    if text::is_blank(content) {
        return Err(Error::invalid("content", "content must have at least one visible character"));
    }
    Ok(())
}

/// Refuses a content warning that nobody would see: it is all that is shown of the post. An empty one is none.
pub fn refuse_blank_warning(warning: Option<&str>) -> Result<()> {
    account::refuse_blank_name("contentWarning", warning.filter(|warning| !warning.is_empty()))
}

/// Finds the posts that a draft answers and quotes, if its author may do that.
pub fn find_context(ctx: &mut Ctx<'_, '_>, author: &Account, draft: &Draft<'_>) -> Result<Context> {
    let parent = match draft.reply_to {
        Some((field, id)) => Some(record::referred_to(ctx, field, id, author)?),
        None => None,
    };
    let quoted = match draft.quote_of {
        Some(id) => Some(record::referred_to(ctx, "quoteOfId", id, author)?),
        None => None,
    };
    if parent.iter().chain(&quoted).any(|(_, is_blocked)| *is_blocked) {
        return Err(account::blocked());
    }
    let [parent, quoted] = [parent, quoted].map(|found| found.map(|(post, _)| post));
    if let Some(parent) = &parent {
        refuse_reply(ctx, author, parent)?;
    }
    Ok(Context { parent, quoted })
}

const POST: &str =
    "insert into post (id, author, content, content_warning, language, reply_to, root,
        quote_of, schema_name, payload, reply_policy, likes_count, reposts_count,
        replies_count, quotes_count, pinned, created_at, hidden, points, hot,
        scheduled_post, images, format)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0, 0, 0, false, $12, false,
        $13, $14, $15, $16, $17)";

/// A post that waits to be indexed.
const NOTED: Together<2> = together!(POST, search::NOTE);

/// Inserts a post and notes that it is to be indexed.
fn insert(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    let is_top_level = record.reply_to.is_none();
    let points = rank::POINTS_AT_FIRST;
    let hot = is_top_level.then(|| rank::hot(points, record.created_at, &record.tier));
    let post = values![
        record.id,
        record.author,
        record.content,
        record.content_warning,
        record.language,
        record.reply_to,
        record.root,
        record.quote_of,
        record.schema,
        record.payload,
        record.reply_policy,
        record.created_at,
        points,
        hot,
        record.scheduled_post,
        record.images,
        record.format
    ];
    ctx.tx.write_together(NOTED, [post, values![record.id]])?;
    if is_top_level { rank::enlist(ctx, &record.id, &record.author) } else { Ok(()) }
}

/// The author of a new post, whose row is locked.
struct Standing {
    /// How far counts include what it did, if its post counts elsewhere.
    counts: Option<Counts>,
    /// The post window, for a top-level post.
    window: Option<Window>,
    tier: Tier,
}

/// Counts a post with its author, whose row stays locked until the transaction ends; a top-level post takes the post
/// slot. Its rank depends on the tier, which may have changed since the author was read.
fn count_with_author(
    ctx: &mut Ctx<'_, '_>,
    author: &Account,
    context: &Context,
) -> Result<Standing> {
    if context.parent.is_some() {
        let counts = Some(visibility::count_reply(ctx, author)?);
        return Ok(Standing { counts, window: None, tier: author.tier.clone() });
    }
    let counts = if context.quoted.is_some() {
        Some(visibility::keep_counted(ctx, author)?)
    } else {
        visibility::keep(ctx, author)?;
        None
    };
    let (window, tier) = limits::take_post_slot(ctx, author)?;
    Ok(Standing { counts, window: Some(window), tier })
}

/// Counts a post as a reply and a quote.
fn count(
    ctx: &mut Ctx<'_, '_>,
    counts: &Counts,
    post: &Record,
    [parent, quoted]: [Option<&Record>; 2],
) -> Result<()> {
    let mut changes: Vec<(&Record, Change)> = Vec::new();
    if let Some(parent) = parent {
        changes.push((parent, rank::count_reply(ctx, &post.author, parent)?));
    }
    if let Some(quoted) = quoted {
        changes.push((quoted, rank::count_quote(ctx, &post.author, quoted)?));
    }
    changes.retain(|(other, _)| counts.include(Counted::reference(&post.author, &post.id, other)));
    rank::change_all(ctx, changes)
}

/// Stores the hashtags and mentions of a post; returns the mentioned accounts.
fn insert_words(ctx: &mut Ctx<'_, '_>, post: &Record) -> Result<Vec<UserId>> {
    let content = text::without_code(&post.content, &post.format);
    let is_reply = post.reply_to.is_some();
    for tag in text::hashtags(&content) {
        let sql = sql!(
            "insert into post_hashtag (post, tag, of_reply) values ($1, $2, $3)
             on conflict do nothing"
        );
        ctx.tx.write(sql, values![post.id, tag, is_reply])?;
    }
    let mut named = Vec::new();
    for name in text::names(&content) {
        let account: Option<UserId> = ctx.tx.optional(
            sql!(
                "insert into post_mention (post, account)
                 select cast($1 as text), id from account where username = $2 and deleted_at is null
                 on conflict do nothing
                 returning account"
            ),
            values![post.id, name],
        )?;
        named.extend(account);
    }
    Ok(named)
}

/// Replaces hashtags and mentions after an edit, and notifies accounts that the post mentions for the
/// first time.
pub fn edit_texts(ctx: &mut Ctx<'_, '_>, replaced: &Record, post: &Record) -> Result<()> {
    let before: Vec<UserId> =
        ctx.tx.all(sql!("select account from post_mention where post = $1"), values![post.id])?;
    // The task that indexes texts locks their notes before hashtags.
    search::note(ctx, post.id.as_str())?;
    hashtag::note_change(ctx, &post.id)?;
    ctx.tx.write(sql!("delete from post_hashtag where post = $1"), values![post.id])?;
    ctx.tx.write(sql!("delete from post_mention where post = $1"), values![post.id])?;
    let mut named = insert_words(ctx, post)?;
    code::note_edit(ctx, replaced, post)?;
    named.retain(|account| !before.contains(account));
    // An edit of a hidden post notifies no one.
    if visibility::is_hidden(ctx, &post.id)? {
        return Ok(());
    }
    let named = first_named(ctx, post, named)?;
    notify::named(ctx, post, &named)
}

/// Of these accounts, those that no earlier text of a post names: the others were notified of it.
fn first_named(ctx: &mut Ctx<'_, '_>, post: &Record, named: Vec<UserId>) -> Result<Vec<UserId>> {
    if named.is_empty() {
        return Ok(named);
    }
    let texts: Vec<String> = ctx.tx.all(
        sql!("select content from post_revision where post = $1 order by n desc limit $2"),
        values![post.id, EARLIER_MAX],
    )?;
    let (mut earlier, mut room): (HashSet<String>, _) = (HashSet::new(), EARLIER_BYTES);
    for content in texts {
        room = room.saturating_sub(content.len());
        let found = match room {
            0 => text::names(&content),
            _ => text::names(&text::without_code(&content, &post.format)),
        };
        earlier.extend(found);
    }
    let mut first = Vec::with_capacity(named.len());
    for account in named {
        let sql = sql!("select username from account where id = $1");
        if !earlier.contains(&ctx.tx.one::<String>(sql, values![account])?) {
            first.push(account);
        }
    }
    Ok(first)
}

/// Checks that schema and payload come together and that the payload is within its limit; returns
/// the payload as it is stored.
pub fn attachment(
    schema: Option<&str>,
    payload: Option<&Map<String, Value>>,
) -> Result<Option<String>> {
    let payload = match (schema, payload) {
        (None, None) => return Ok(None),
        (Some(_), Some(payload)) => payload,
        (Some(_), None) => {
            return Err(Error::invalid("payload", "payload is required with schema"));
        }
        (None, Some(_)) => return Err(Error::invalid("schema", "schema is required with payload")),
    };
    let text = serde_json::to_string(payload).map_err(Error::internal)?;
    if text.len() > PAYLOAD_BYTES_MAX {
        let message = format!("payload must have at most {PAYLOAD_BYTES_MAX} bytes of JSON");
        return Err(Error::invalid("payload", message));
    }
    if text.contains("\\u0000") && holds_nul(payload) {
        return Err(Error::invalid("payload", "payload must not hold the character U+0000"));
    }
    Ok(Some(text))
}

/// Whether a text in it contains U+0000; `\\u0000` in JSON may also be an escaped backslash.
fn holds_nul(payload: &Map<String, Value>) -> bool {
    let mut rest: Vec<&Value> = payload.values().collect();
    let mut found = payload.keys().any(|key| key.contains('\0'));
    while let Some(value) = rest.pop() {
        match value {
            Value::String(text) => found |= text.contains('\0'),
            Value::Array(values) => rest.extend(values),
            Value::Object(members) => {
                found |= members.keys().any(|key| key.contains('\0'));
                rest.extend(members.values());
            }
            _ => {}
        }
    }
    found
}

/// Refuses a language that is neither empty nor has the form of a BCP 47 tag.
pub fn refuse_language(language: Option<&str>) -> Result<()> {
    if language.is_none_or(|tag| tag.is_empty() || is_language(tag)) {
        Ok(())
    } else {
        Err(Error::invalid("language", "language must be a BCP 47 tag such as en or pt-BR"))
    }
}

/// Whether a text has the form of a BCP 47 tag.
pub fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let first = parts.next().unwrap_or("");
    (2..=8).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

/// Applies the parent's reply policy; its author may always reply.
fn refuse_reply(ctx: &mut Ctx<'_, '_>, author: &Account, parent: &Record) -> Result<()> {
    if parent.author == author.id {
        return Ok(());
    }
    let allowed = match &parent.reply_policy {
        ReplyPolicy::Everyone => true,
        ReplyPolicy::Following => account::follows(ctx, &parent.author, &author.id)?,
        ReplyPolicy::Mentioned => {
            let sql = sql!("select 1 from post_mention where post = $1 and account = $2");
            ctx.tx.optional::<i64>(sql, values![parent.id, author.id])?.is_some()
        }
        _ => false,
    };
    if allowed {
        return Ok(());
    }
    let refusal = Refusal::new(Code::ReplyNotAllowed, "the author limits who may reply");
    Err(refusal.hint(format!("replyPolicy is {}", parent.reply_policy)).into())
}
