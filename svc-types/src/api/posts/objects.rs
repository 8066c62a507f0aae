//! Posts, pages of them, and threads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::words::{PostFormat, ReplyPolicy};
use crate::api::media::Attachment;
use crate::api::users::UserRef;
use crate::id::{PostId, RepostId, ScheduledPostId, UserId};
use crate::page::Cursor;
use crate::time::Timestamp;

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
