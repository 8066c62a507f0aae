//! Posts as they are stored, and as they are shown.

use serde_json::{Map, Value};
use svc_types::api::posts::{Mention, Post, PostRef, ReplyPolicy, Tombstone};
use svc_types::{PostId, Timestamp, UserId};

use super::{Draft, text};
use crate::acts::account::Short;
use crate::app::Cx;
use crate::error::{Error, Result};
use crate::http::Account;
use crate::{row, sql, values};

/// Characters of a quoted post that are shown.
const QUOTE_LENGTH: usize = 280;

/// A post's row with its author's.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: PostId,
    /// Who wrote it.
    pub author: UserId,
    username: String,
    display_name: String,
    avatar: Option<String>,
    is_agent: bool,
    tier: svc_types::api::users::Tier,
    /// The text.
    pub content: String,
    /// The warning before it.
    pub content_warning: Option<String>,
    pub(super) language: Option<String>,
    /// The post it answers.
    pub reply_to: Option<PostId>,
    /// The top-level post of the thread.
    pub root: Option<PostId>,
    /// The post it quotes.
    pub quote_of: Option<PostId>,
    pub(super) schema: Option<String>,
    pub(super) payload: Option<String>,
    /// Who may reply.
    pub reply_policy: ReplyPolicy,
    /// How many like it.
    pub likes_count: i64,
    reposts_count: i64,
    /// Direct replies.
    pub replies_count: i64,
    quotes_count: i64,
    pinned: bool,
    /// When it was published.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub edited_at: Option<Timestamp>,
    /// When it, or its author, was deleted.
    pub deleted_at: Option<Timestamp>,
    /// Whether a moderator hid it, or suspended its author.
    hidden: bool,
}
row!(Record {
    id,
    author,
    username,
    display_name,
    avatar,
    is_agent,
    tier,
    content,
    content_warning,
    language,
    reply_to,
    root,
    quote_of,
    schema,
    payload,
    reply_policy,
    likes_count,
    reposts_count,
    replies_count,
    quotes_count,
    pinned,
    created_at,
    edited_at,
    deleted_at,
    hidden,
});

/// A statement that reads post [`Record`]s: `select_posts!("where p.id = $1")`.
///
/// Where the order of the tables matters, it is spelled out: `select_posts!("… p … a", "where …")`.
#[macro_export]
macro_rules! select_posts {
    ($rest:literal) => {
        $crate::select_posts!("post p join account a on a.id = p.author", $rest)
    };
    ($from:literal, $rest:literal) => {
        $crate::sql!(concat!(
            "select p.id, p.author, a.username, a.display_name, a.avatar, a.is_agent, a.tier,
                p.content, p.content_warning, p.language, p.reply_to, p.root, p.quote_of, p.schema_name,
                p.payload, p.reply_policy, p.likes_count, p.reposts_count, p.replies_count,
                p.quotes_count, p.pinned, p.created_at, p.edited_at,
                coalesce(p.deleted_at, a.deleted_at),
                p.hidden = true or a.status = 'suspended'
             from ",
            $from,
            " ",
            $rest
        ))
    };
}

impl Record {
    /// A post as it is about to be inserted.
    pub(super) fn new(
        cx: &Cx<'_, '_>,
        author: &Account,
        draft: &Draft<'_>,
        parent: Option<&Self>,
        payload: Option<String>,
    ) -> Self {
        let given = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        Self {
            id: cx.id(),
            author: author.id.clone(),
            username: author.username.clone(),
            display_name: author.display_name.clone(),
            avatar: author.avatar.clone(),
            is_agent: author.is_agent,
            tier: author.tier.clone(),
            content: draft.content.to_owned(),
            content_warning: given(draft.content_warning),
            language: given(draft.language),
            reply_to: parent.map(|parent| parent.id.clone()),
            root: parent.map(|parent| parent.root.as_ref().unwrap_or(&parent.id).clone()),
            quote_of: draft.quote_of.cloned(),
            schema: draft.schema.map(str::to_owned),
            payload,
            reply_policy: draft.reply_policy.cloned().unwrap_or(ReplyPolicy::Everyone),
            likes_count: 0,
            reposts_count: 0,
            replies_count: 0,
            quotes_count: 0,
            pinned: false,
            created_at: cx.now(),
            edited_at: None,
            deleted_at: None,
            hidden: false,
        }
    }

    /// Whether `viewer` may read it: deleted posts nobody, hidden ones author and moderators.
    pub fn is_visible_to(&self, viewer: Option<&Account>) -> bool {
        self.deleted_at.is_none() && self.is_shown_to(viewer)
    }

    /// Whether `viewer` may know that it is or was there.
    pub fn is_shown_to(&self, viewer: Option<&Account>) -> bool {
        !self.hidden
            || viewer.is_some_and(|viewer| viewer.id == self.author || viewer.is_moderator())
    }

    /// The post as the wire has it.
    pub fn wire(self, cx: &mut Cx<'_, '_>, viewer: Option<&Account>) -> Result<Post> {
        let mentions = mentions(cx, &self)?;
        let quote = match &self.quote_of {
            Some(id) => in_short(cx, id, viewer)?,
            None => None,
        };
        let payload = self.payload.as_deref().map(read_payload).transpose()?;
        Ok(Post {
            hashtags: text::hashtags(&self.content),
            mentions,
            labels: Vec::new(),
            quote,
            payload,
            author: Short {
                id: self.author,
                username: self.username,
                display_name: self.display_name,
                avatar: self.avatar,
                is_agent: self.is_agent,
                tier: self.tier,
            }
            .wire(cx.app),
            id: self.id,
            content: self.content,
            content_warning: self.content_warning,
            language: self.language,
            reply_to_id: self.reply_to,
            root_id: self.root,
            quote_of_id: self.quote_of,
            schema: self.schema,
            reply_policy: self.reply_policy,
            likes_count: self.likes_count,
            reposts_count: self.reposts_count,
            replies_count: self.replies_count,
            quotes_count: self.quotes_count,
            pinned: self.pinned,
            created_at: self.created_at,
            edited_at: self.edited_at,
        })
    }

    /// What is left of it, if it is deleted.
    pub fn tombstone(&self) -> Option<Tombstone> {
        self.deleted_at.map(|deleted_at| Tombstone {
            id: self.id.clone(),
            reply_to_id: self.reply_to.clone(),
            root_id: self.root.clone(),
            deleted_at,
        })
    }
}

fn read_payload(text: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(text).map_err(Error::internal)
}

/// The accounts a post names; only posts with an `@` can name one.
fn mentions(cx: &mut Cx<'_, '_>, post: &Record) -> Result<Vec<Mention>> {
    if !post.content.contains('@') {
        return Ok(Vec::new());
    }
    let rows: Vec<(UserId, String)> = cx.tx.all(
        sql!(
            "select a.id, a.username from post_mention m join account a on a.id = m.account
             where m.post = $1 and a.deleted_at is null
             order by m.account"
        ),
        values![post.id],
    )?;
    Ok(rows.into_iter().map(|(id, username)| Mention { id, username }).collect())
}

/// The post with this id, whatever became of it.
pub fn by_id(cx: &mut Cx<'_, '_>, id: &PostId) -> Result<Option<Record>> {
    cx.tx.optional(select_posts!("where p.id = $1"), values![id])
}

/// The post with this id that `viewer` may read, else 404.
pub fn visible(cx: &mut Cx<'_, '_>, id: &PostId, viewer: Option<&Account>) -> Result<Record> {
    let found = by_id(cx, id)?.filter(|post| post.is_visible_to(viewer));
    found.ok_or_else(|| Error::not_found("post"))
}

/// The same for an id from the body, whose member is named in the 404.
pub fn by_id_for(
    cx: &mut Cx<'_, '_>,
    field: &str,
    id: &PostId,
    viewer: &Account,
) -> Result<Record> {
    visible(cx, id, Some(viewer)).map_err(|error| error.about(field))
}

/// A quoted post in short, if `viewer` may read it.
fn in_short(cx: &mut Cx<'_, '_>, id: &PostId, viewer: Option<&Account>) -> Result<Option<PostRef>> {
    let found = by_id(cx, id)?.filter(|post| post.is_visible_to(viewer));
    Ok(found.map(|post| PostRef {
        content: post.content.chars().take(QUOTE_LENGTH).collect(),
        author: Short {
            id: post.author,
            username: post.username,
            display_name: post.display_name,
            avatar: post.avatar,
            is_agent: post.is_agent,
            tier: post.tier,
        }
        .wire(cx.app),
        id: post.id,
        created_at: post.created_at,
    }))
}
