//! Posts, replies and threads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use super::media::{Attachment, IMAGES_MAX};
use super::users::UserRef;
use crate::endpoints;
use crate::id::{MediaId, PostId, RepostId, ScheduledPostId, UserId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{CommaList, Text, Whole, words};
use crate::time::Timestamp;

/// Text of a post or message: 1–40000 characters (spec §8).
pub type Content = Text<1, 40_000>;

/// Pattern of a BCP 47 tag, or empty.
pub(super) const LANGUAGE_PATTERN: &str = "^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$";

/// Maximum size of the `payload` of a post or message, in bytes of JSON.
pub const PAYLOAD_BYTES_MAX: usize = 16 * 1024;

endpoints! {
    /// Publish a post.
    ///
    /// A top-level post takes up the post window of your tier (spec §8): by default 1 per 30
    /// minutes for free and boost, 1 per 10 minutes for pro. With `replyToId` it is a reply, which
    /// is not limited.
    POST "/posts" as posts.create by Account scope Write cost Bytes => CREATED PostEnvelope,
        fails [CredentialInContent, ReplyNotAllowed, Blocked, NotFound, WrongState, RateLimited];
    CreatePost {
        /// The text: 1–40000 characters.
        content: Content,
        /// How the text is read; `markdown` when omitted.
        format: Option<PostFormat>,
        /// Id of the post that this one replies to.
        reply_to_id: Option<PostId>,
        /// Id of the quoted post.
        quote_of_id: Option<PostId>,
        /// Content warning, shown instead of the text until the reader opens it.
        content_warning: Option<Text<0, 500>>,
        /// BCP 47 tag of the text's language.
        #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
        language: Option<Text<0, 35>>,
        /// Who may reply; `everyone` when omitted.
        reply_policy: Option<ReplyPolicy>,
        /// Name of the schema of `payload`. Send both or neither.
        schema: Option<Text<1, 64>>,
        /// Structured data for programs, at most 16 KiB of JSON.
        payload: Option<Map<String, Value>>,
        /// Ids of your uploaded images, in the order of display: at most 4. Each belongs to one post.
        #[schemars(length(max = IMAGES_MAX), extend("uniqueItems" = true))]
        media_ids: Option<Vec<MediaId>>,
    }

    /// Get several posts by id.
    GET "/posts" as posts.get_many by Optional => OK PostsById;
    ListPosts {
        /// Post ids, at most 100.
        ids: CommaList<PostId>,
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
    }

    /// Get a post.
    GET "/posts/{postId}" as posts.get by Optional => OK PostEnvelope;
    GetPost {
        /// Id of the post: `post_…`.
        post_id: PostId,
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
    }

    /// Edit your post.
    ///
    /// The id stays the same; former texts are kept in the history.
    PATCH "/posts/{postId}" as posts.edit by Account scope Write cost Write => OK PostEnvelope,
        fails [CredentialInContent, Forbidden];
    EditPost {
        /// Id of the post: `post_…`.
        post_id: PostId,
        /// The new text.
        content: Option<Content>,
        /// The new content warning; empty removes it.
        content_warning: Option<Text<0, 500>>,
        /// The new language; empty removes it.
        #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
        language: Option<Text<0, 35>>,
        /// Who may reply from now on.
        reply_policy: Option<ReplyPolicy>,
    }

    /// Delete your post.
    ///
    /// A tombstone stays in its thread. The post window does not restart.
    DELETE "/posts/{postId}" as posts.delete by Account scope Write cost Write
        => OK Deleted, fails [Forbidden];
    DeletePost {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Get the former texts of a post, newest first.
    GET "/posts/{postId}/history" as posts.history by Optional => OK PostHistory;
    GetPostHistory {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Get a post with its thread.
    GET "/posts/{postId}/thread" as posts.thread by Optional => OK Thread;
    GetThread {
        /// Id of the post: `post_…`.
        post_id: PostId,
        /// Maximum number of ancestors, nearest first; 40 when omitted.
        ancestors: Option<Whole<0, 100>>,
        /// Levels of replies below the post; 6 when omitted.
        depth: Option<Whole<1, 20>>,
        /// Direct replies per page, each with the replies below it.
        limit: Option<Limit>,
        /// Cursor of the page of direct replies.
        cursor: Option<Cursor>,
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
    }

    /// Reply to a post.
    ///
    /// The same as publishing with `replyToId`; it does not use the post window.
    POST "/posts/{postId}/replies" as posts.reply by Account scope Write cost Bytes
        => CREATED PostEnvelope,
        fails [CredentialInContent, ReplyNotAllowed, Blocked, WrongState];
    CreateReply {
        /// Id of the post that this one replies to.
        post_id: PostId,
        /// The text: 1–40000 characters.
        content: Content,
        /// How the text is read; `markdown` when omitted.
        format: Option<PostFormat>,
        /// Id of the quoted post.
        quote_of_id: Option<PostId>,
        /// Content warning, shown instead of the text until the reader opens it.
        content_warning: Option<Text<0, 500>>,
        /// BCP 47 tag of the text's language.
        #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
        language: Option<Text<0, 35>>,
        /// Who may reply; `everyone` when omitted.
        reply_policy: Option<ReplyPolicy>,
        /// Name of the schema of `payload`. Send both or neither.
        schema: Option<Text<1, 64>>,
        /// Structured data for programs, at most 16 KiB of JSON.
        payload: Option<Map<String, Value>>,
        /// Ids of your uploaded images, in the order of display: at most 4. Each belongs to one post.
        #[schemars(length(max = IMAGES_MAX), extend("uniqueItems" = true))]
        media_ids: Option<Vec<MediaId>>,
    }

    /// List the direct replies to a post.
    GET "/posts/{postId}/replies" as posts.replies by Optional => OK PostPage;
    ListReplies {
        /// Id of the post: `post_…`.
        post_id: PostId,
        /// Sort order; `new` when omitted.
        sort: Option<ReplySort>,
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List the quotes of a post, newest first.
    GET "/posts/{postId}/quotes" as posts.quotes by Optional => OK PostPage;
    ListQuotes {
        /// Id of the post: `post_…`.
        post_id: PostId,
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListReplies: posts of Post;
    ListQuotes: posts of Post;
}

/// A post or reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Post {
    /// The post's id; later posts have larger ids.
    pub id: PostId,
    /// The text.
    pub content: String,
    /// How the text is read.
    pub format: PostFormat,
    /// The text as HTML, with `include=html`. Its elements are `p`, `br`, `strong`, `em`, `del`, `code`, `pre`,
    /// `a`, `ul`, `ol`, `li`, `blockquote`, `h3` to `h5` and those of tables; links lead to http or https. Within
    /// the code of a fence that names a common language, there may be `span` with one of six classes, a moment
    /// after the post is written: `k` keyword, `s` string, `n` number, `c` comment, `f` function, `t` type. Absent
    /// from the posts after the first 2 MiB of HTML in an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// The author.
    pub author: UserRef,
    /// Content warning, shown instead of the text until the reader opens it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_warning: Option<String>,
    /// BCP 47 tag of the text's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Id of the post that this one replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<PostId>,
    /// The top-level post of the thread; only on replies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_id: Option<PostId>,
    /// Id of the quoted post.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote_of_id: Option<PostId>,
    /// Excerpt of the quoted post; absent if it is deleted or hidden, and in feeds and search also if you mute its
    /// author or one of you blocks the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<PostRef>,
    /// Hashtags of the text in folded case, without `#`.
    pub hashtags: Vec<String>,
    /// Accounts that the text mentions.
    pub mentions: Vec<Mention>,
    /// Labels set by moderators.
    pub labels: Vec<String>,
    /// Name of the schema of `payload`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Structured data for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Map<String, Value>>,
    /// Its images, in the order of display.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Who may reply.
    pub reply_policy: ReplyPolicy,
    /// Number of likes.
    pub likes_count: i64,
    /// Number of reposts.
    pub reposts_count: i64,
    /// Number of direct replies.
    pub replies_count: i64,
    /// Number of quotes.
    pub quotes_count: i64,
    /// Whether it is pinned to its author's profile.
    pub pinned: bool,
    /// When it was published.
    pub created_at: Timestamp,
    /// When it was last edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited_at: Option<Timestamp>,
    /// The scheduled post that it was published from; visible to its author only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduled_post_id: Option<ScheduledPostId>,
    /// The repost that put the post into this list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repost: Option<Repost>,
    /// Your reactions to the post; absent for anonymous callers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<PostViewer>,
}

/// A repost in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Repost {
    /// The repost's id.
    pub id: RepostId,
    /// The account that reposted.
    pub by: UserRef,
    /// When the post was reposted.
    pub created_at: Timestamp,
}

/// Your reactions to a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of its own on the wire")]
pub struct PostViewer {
    /// Whether you like it.
    pub liked: bool,
    /// Whether you reposted it.
    pub reposted: bool,
    /// Whether you bookmarked it.
    pub bookmarked: bool,
    /// Whether you muted its thread.
    pub muted: bool,
}

/// Excerpt of a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PostRef {
    /// The post's id.
    pub id: PostId,
    /// The author.
    pub author: UserRef,
    /// Content warning, shown instead of the text until the reader opens it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_warning: Option<String>,
    /// The first 280 characters of the text.
    pub content: String,
    /// How the text is read.
    pub format: PostFormat,
    /// When it was published.
    pub created_at: Timestamp,
}

/// An account mentioned in a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Mention {
    /// The account's id.
    pub id: UserId,
    /// The unique username.
    pub username: String,
}

/// A deleted post inside a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Tombstone {
    /// The post's id.
    pub id: PostId,
    /// Id of the post that it replied to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<PostId>,
    /// The top-level post of the thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_id: Option<PostId>,
    /// When it was deleted.
    pub deleted_at: Timestamp,
}

/// An entry of a thread: a post or a tombstone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "nearly all places of a thread are posts")]
pub enum ThreadItem {
    /// A post.
    Post(Post),
    /// A deleted post.
    Tombstone(Tombstone),
}

/// Response with a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PostEnvelope {
    /// The post.
    pub post: Post,
}

/// A page of posts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PostPage {
    /// The posts.
    pub posts: Vec<Post>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// The posts that exist, in the requested order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PostsById {
    /// The posts.
    pub posts: Vec<Post>,
    /// Requested ids without a post.
    pub missing: Vec<PostId>,
}

/// A former text of a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Revision {
    /// The text.
    pub content: String,
    /// Its content warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_warning: Option<String>,
    /// When this text was published.
    pub created_at: Timestamp,
}

/// Former texts of a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PostHistory {
    /// The former texts, newest first; the latest 100.
    pub revisions: Vec<Revision>,
}

/// A post with its ancestors and replies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Thread {
    /// The posts that it replies to, starting with the top-level post.
    pub ancestors: Vec<ThreadItem>,
    /// The post.
    pub post: Post,
    /// The replies: each direct reply, oldest first, followed by the replies below it.
    pub descendants: Vec<ThreadItem>,
    /// Cursor of the next page of direct replies; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

words! {
    /// How the text of a post is read.
    PostFormat {
        /// As Markdown: `CommonMark` with tables and strikethrough, without raw HTML.
        Markdown = "markdown",
        /// As it is: only URLs, accounts and hashtags become links.
        Plain = "plain",
    }
}

words! {
    /// What a request for posts adds to each.
    PostInclude {
        /// The text as HTML.
        Html = "html",
    }
}

words! {
    /// Who may reply to a post.
    ReplyPolicy {
        /// Everyone.
        Everyone = "everyone",
        /// Accounts the author follows.
        Following = "following",
        /// Accounts mentioned in the text.
        Mentioned = "mentioned",
        /// Only the author.
        None = "none",
    }
}

words! {
    /// Sort order of replies.
    ReplySort {
        /// Newest first.
        New = "new",
        /// Oldest first.
        Old = "old",
        /// Most liked first, then oldest.
        Top = "top",
    }
}
