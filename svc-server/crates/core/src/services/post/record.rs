//! Posts as they are stored.

use svc_store::db::Sql;
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::posts::{PostFormat, ReplyPolicy, Tombstone};
use svc_types::api::users::Tier;
use svc_types::{PostId, ScheduledPostId, Timestamp, UserId};

use super::{Draft, rank};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account::Short;

/// A post's row with its author.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a row is what its statement selects")]
pub struct Record {
    /// Its id.
    pub id: PostId,
    /// Who wrote it.
    pub author: UserId,
    pub(super) username: String,
    display_name: String,
    avatar: Option<String>,
    is_agent: bool,
    /// Its author's subscription.
    pub tier: Tier,
    /// The text.
    pub content: String,
    /// How the text is read.
    pub format: PostFormat,
    /// Its content warning.
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
    /// Number of likes.
    pub likes_count: i64,
    /// Number of reposts.
    pub reposts_count: i64,
    /// Number of direct replies.
    pub replies_count: i64,
    pub(super) quotes_count: i64,
    /// Whether it is pinned on its author's profile.
    pub pinned: bool,
    /// When it was published.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub edited_at: Option<Timestamp>,
    /// When it or its author was deleted.
    pub deleted_at: Option<Timestamp>,
    /// Whether the viewer may know that the post exists or existed. Only the author and moderators
    /// may know of posts that a moderator hid or whose author is suspended.
    pub is_shown: bool,
    /// Twice its engagement.
    pub points: i64,
    /// Its key in the `hot` order, if it is ranked.
    pub hot: Option<i64>,
    pub(super) liked: bool,
    pub(super) reposted: bool,
    pub(super) bookmarked: bool,
    pub(super) muted: bool,
    pub(super) labelled: bool,
    /// Number of its images.
    pub images: i64,
    pub(super) scheduled_post: Option<ScheduledPostId>,
}
row!(Record {
    id: "p.id",
    author: "p.author",
    username: "a.username",
    display_name: "a.display_name",
    avatar: "a.avatar",
    is_agent: "a.is_agent",
    tier: "a.tier",
    content: "p.content",
    format: "p.format",
    content_warning: "p.content_warning",
    language: "p.language",
    reply_to: "p.reply_to",
    root: "p.root",
    quote_of: "p.quote_of",
    schema: "p.schema_name",
    payload: "p.payload",
    reply_policy: "p.reply_policy",
    likes_count: "p.likes_count",
    reposts_count: "p.reposts_count",
    replies_count: "p.replies_count",
    quotes_count: "p.quotes_count",
    pinned: "p.pinned",
    created_at: "p.created_at",
    edited_at: "p.edited_at",
    deleted_at: "coalesce(p.deleted_at, a.deleted_at)",
    is_shown: crate::shown_post!(),
    points: "p.points",
    hot: "p.hot",
    liked: "r.liked_at is not null",
    reposted: "r.repost is not null",
    bookmarked: "r.bookmarked_at is not null",
    muted: "exists (select 1 from thread_mute m where m.account = $1) and exists (
        select 1 from thread_mute m
        where m.account = $1 and m.root = coalesce(p.root, p.id)
    )",
    labelled: "p.labelled",
    images: "p.images",
    scheduled_post: "p.scheduled_post",
});

/// Whether the viewer, `$1`, may know of post `p` of account `a`; `$2` says whether it is a
/// moderator.
#[macro_export]
macro_rules! shown_post {
    () => {
        "(p.hidden = false and a.status <> 'suspended' or p.author = $1 or $2)"
    };
}

/// Whether the viewer may read post `p`: it may know of it, and neither the post nor its author was
/// deleted.
#[macro_export]
macro_rules! visible_post {
    () => {
        concat!("p.deleted_at is null and a.deleted_at is null and ", $crate::shown_post!())
    };
}

/// Whether a feed of the viewer includes posts of account `a`: neither blocks the other, and the
/// viewer does not mute it. `$3` is the current time.
///
/// Most accounts block and mute no one, so the uncorrelated `exists` runs once per statement and
/// skips the check of each post.
#[macro_export]
macro_rules! wanted_author {
    () => {
        "not (exists (select 1 from block b where b.blocker = $1)
                and exists (select 1 from block b where b.blocker = $1 and b.blocked = a.id))
            and not (exists (select 1 from block b where b.blocked = $1)
                and exists (select 1 from block b where b.blocker = a.id and b.blocked = $1))
            and not (exists (select 1 from account_mute m where m.muter = $1)
                and exists (
                    select 1 from account_mute m
                    where m.muter = $1 and m.muted = a.id
                        and (m.expires_at is null or m.expires_at > $3)
                ))"
    };
}

/// A statement that reads [`Record`]s as a viewer sees them: `select_posts!("where p.id = $3")`.
/// Its first two values are [`viewer_values`].
///
/// To start from another table, write `select_posts!(from "…", where "…")`.
#[macro_export]
macro_rules! select_posts {
    (from $($from:expr),+, where $($rest:expr),+ $(,)?) => {
        svc_store::sql!(
            "select ",
            $crate::services::post::Record::COLUMNS,
            " from ",
            $($from,)+
            " join account a on a.id = p.author
             left join reaction r on r.account = $1 and r.author = p.author and r.post = p.id ",
            $($rest),+
        )
    };
    ($($rest:expr),+ $(,)?) => {
        $crate::select_posts!(from "post p", where $($rest),+)
    };
}

/// The first two values of a `select_posts!` statement: the viewer's id (empty when anonymous)
/// and whether the viewer is a moderator.
pub fn viewer_values(viewer: Option<&Account>) -> (&str, bool) {
    let id = viewer.map_or("", |viewer| viewer.id.as_str());
    (id, viewer.is_some_and(Account::is_moderator))
}

impl Record {
    /// A new post, not inserted yet; `parent` is as its author sees it.
    pub(super) fn new(
        ctx: &Ctx<'_, '_>,
        author: &Account,
        draft: &Draft<'_>,
        parent: Option<&Self>,
        payload: Option<String>,
    ) -> Self {
        let given = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        Self {
            id: ctx.id(),
            author: author.id.clone(),
            username: author.username.clone(),
            display_name: author.display_name.clone(),
            avatar: author.avatar.clone(),
            is_agent: author.is_agent,
            tier: author.tier.clone(),
            content: draft.content.to_owned(),
            format: draft.format.cloned().unwrap_or(PostFormat::Markdown),
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
            created_at: ctx.now(),
            edited_at: None,
            deleted_at: None,
            is_shown: true,
            points: rank::POINTS_AT_FIRST,
            hot: None,
            liked: false,
            reposted: false,
            bookmarked: false,
            muted: parent.is_some_and(|parent| parent.muted),
            labelled: false,
            images: i64::try_from(draft.media_ids.len()).unwrap_or_default(),
            scheduled_post: draft.scheduled_post.cloned(),
        }
    }

    /// Whether the viewer may read it.
    pub const fn is_visible(&self) -> bool {
        self.is_shown && self.deleted_at.is_none()
    }

    /// Its author in short.
    pub(super) fn author(&self) -> Short {
        Short {
            id: self.author.clone(),
            username: self.username.clone(),
            display_name: self.display_name.clone(),
            avatar: self.avatar.clone(),
            is_agent: self.is_agent,
            tier: self.tier.clone(),
        }
    }

    /// What remains of it, if it is deleted.
    pub fn tombstone(&self) -> Option<Tombstone> {
        self.deleted_at.map(|deleted_at| Tombstone {
            id: self.id.clone(),
            reply_to_id: self.reply_to.clone(),
            root_id: self.root.clone(),
            deleted_at,
        })
    }
}

/// The post with this id as `viewer` sees it, even if it is deleted or hidden.
pub fn by_id(
    ctx: &mut Ctx<'_, '_>,
    id: &PostId,
    viewer: Option<&Account>,
) -> Result<Option<Record>> {
    let (viewer, is_moderator) = viewer_values(viewer);
    ctx.tx.optional(select_posts!("where p.id = $3"), values![viewer, is_moderator, id])
}

/// The post with this id that `viewer` may read, else 404.
pub fn visible(ctx: &mut Ctx<'_, '_>, id: &PostId, viewer: Option<&Account>) -> Result<Record> {
    let found = by_id(ctx, id, viewer)?.filter(Record::is_visible);
    found.ok_or_else(|| Error::not_found("post"))
}

/// A statement that reads a post as `select_posts!` does, and whether one of viewer and author blocks the other.
const SELECT_REFERRED: Sql = sql!(
    "select ",
    Record::COLUMNS,
    ", exists (select 1 from block where blocker = $1 and blocked = p.author)
        or exists (select 1 from block where blocker = p.author and blocked = $1)
     from post p
     join account a on a.id = p.author
     left join reaction r on r.account = $1 and r.author = p.author and r.post = p.id
     where p.id = $3"
);

/// The post with this id from the body that `viewer` may read, else 404, which names the member of the body; and
/// whether one of the two accounts blocks the other.
pub(super) fn referred_to(
    ctx: &mut Ctx<'_, '_>,
    field: &str,
    id: &PostId,
    viewer: &Account,
) -> Result<(Record, bool)> {
    let (account, is_moderator) = viewer_values(Some(viewer));
    let found: Option<(Record, bool)> =
        ctx.tx.optional(SELECT_REFERRED, values![account, is_moderator, id])?;
    let found = found.filter(|(post, _)| post.is_visible());
    found.ok_or_else(|| Error::not_found("post").about(field))
}
