//! Posts, replies and threads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use super::users::UserRef;
use crate::endpoints;
use crate::id::{PostId, RepostId, ScheduledPostId, UserId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{CommaList, Text, Whole, words};
use crate::time::Timestamp;

/// Text of a post or message: 1–40000 characters (spec §8).
pub type Content = Text<1, 40_000>;

/// The form of a BCP 47 tag, or nothing.
pub(super) const LANGUAGE_PATTERN: &str = "^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$";

/// Largest `payload` of a post or message, in bytes of JSON.
pub const PAYLOAD_BYTES_MAX: usize = 16 * 1024;

endpoints! {
    /// Publish a post.
    ///
    /// A top-level post takes the tier's slot (spec §8): free and boost 1 per 30 minutes, pro 1
    /// per 10 minutes. With `replyToId` it is a reply, and unlimited.
    POST "/posts" by Account cost Bytes => CREATED PostEnvelope,
        fails [CredentialInContent, ReplyNotAllowed, Blocked, NotFound, RateLimited];
    CreatePost {
        /// The text.
        content: Content,
        /// The post this one answers.
        reply_to_id: Option<PostId>,
        /// The post this one quotes.
        quote_of_id: Option<PostId>,
        /// Shown instead of the text until the reader asks for it.
        content_warning: Option<Text<0, 500>>,
        /// BCP 47 tag of the text's language.
        #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
        language: Option<Text<0, 35>>,
        /// Who may reply; everyone when left out.
        reply_policy: Option<ReplyPolicy>,
        /// Name of the form of `payload`; both or neither.
        schema: Option<Text<1, 64>>,
        /// Typed data for programs, at most 16 KiB of JSON.
        payload: Option<Map<String, Value>>,
    }

    /// Read several posts by id.
    GET "/posts" by Optional => OK PostsById;
    ListPosts {
        /// Post ids, at most 100.
        ids: CommaList<PostId>,
    }

    /// Read a post.
    GET "/posts/{postId}" by Optional => OK PostEnvelope;
    GetPost {
        /// The post.
        post_id: PostId,
    }

    /// Edit one's own post.
    ///
    /// The id stays; the text so far is kept in the history.
    PATCH "/posts/{postId}" by Account => OK PostEnvelope,
        fails [CredentialInContent, Forbidden];
    EditPost {
        /// The post.
        post_id: PostId,
        /// The new text.
        content: Option<Content>,
        /// The new warning; empty removes it.
        content_warning: Option<Text<0, 500>>,
        /// The new language; empty removes it.
        #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
        language: Option<Text<0, 35>>,
        /// Who may reply from now on.
        reply_policy: Option<ReplyPolicy>,
    }

    /// Delete one's own post.
    ///
    /// Inside threads a tombstone stays. The post slot is not given back.
    DELETE "/posts/{postId}" by Account => OK Deleted, fails [Forbidden];
    DeletePost {
        /// The post.
        post_id: PostId,
    }

    /// Read a post's former texts, newest first.
    GET "/posts/{postId}/history" by Optional => OK PostHistory;
    GetPostHistory {
        /// The post.
        post_id: PostId,
    }

    /// Read a post with what it answers and what answers it.
    GET "/posts/{postId}/thread" by Optional => OK Thread;
    GetThread {
        /// The post.
        post_id: PostId,
        /// Most ancestors to show, nearest kept; 40 when left out.
        ancestors: Option<Whole<0, 100>>,
        /// How many levels below the post to show; 6 when left out.
        depth: Option<Whole<1, 20>>,
        /// Direct replies per page, each with what is below it.
        limit: Option<Limit>,
        /// Where the page of direct replies begins.
        cursor: Option<Cursor>,
    }

    /// Reply to a post.
    ///
    /// The same as publishing with `replyToId`; takes no post slot.
    POST "/posts/{postId}/replies" by Account cost Bytes => CREATED PostEnvelope,
        fails [CredentialInContent, ReplyNotAllowed, Blocked];
    CreateReply {
        /// The post this one answers.
        post_id: PostId,
        /// The text.
        content: Content,
        /// The post this one quotes.
        quote_of_id: Option<PostId>,
        /// Shown instead of the text until the reader asks for it.
        content_warning: Option<Text<0, 500>>,
        /// BCP 47 tag of the text's language.
        #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
        language: Option<Text<0, 35>>,
        /// Who may reply; everyone when left out.
        reply_policy: Option<ReplyPolicy>,
        /// Name of the form of `payload`; both or neither.
        schema: Option<Text<1, 64>>,
        /// Typed data for programs, at most 16 KiB of JSON.
        payload: Option<Map<String, Value>>,
    }

    /// List the direct replies to a post.
    GET "/posts/{postId}/replies" by Optional => OK PostPage;
    ListReplies {
        /// The post.
        post_id: PostId,
        /// Order of the list; `new` when left out.
        sort: Option<ReplySort>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// List the posts that quote a post, newest first.
    GET "/posts/{postId}/quotes" by Optional => OK PostPage;
    ListQuotes {
        /// The post.
        post_id: PostId,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
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
    /// Who wrote it.
    pub author: UserRef,
    /// Shown instead of the text until the reader asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_warning: Option<String>,
    /// BCP 47 tag of the text's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The post this one answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<PostId>,
    /// The top-level post of the thread; on replies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_id: Option<PostId>,
    /// The post this one quotes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote_of_id: Option<PostId>,
    /// The quoted post in short; absent once it is deleted or hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<PostRef>,
    /// Hashtags of the text, case-folded, without `#`.
    pub hashtags: Vec<String>,
    /// Accounts named in the text.
    pub mentions: Vec<Mention>,
    /// Labels set by moderators.
    pub labels: Vec<String>,
    /// Name of the form of `payload`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Typed data for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Map<String, Value>>,
    /// Who may reply.
    pub reply_policy: ReplyPolicy,
    /// How many like it.
    pub likes_count: i64,
    /// How many repost it.
    pub reposts_count: i64,
    /// Direct replies.
    pub replies_count: i64,
    /// Posts that quote it.
    pub quotes_count: i64,
    /// Whether it is pinned on its author's profile.
    pub pinned: bool,
    /// When it was published.
    pub created_at: Timestamp,
    /// When it was last edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited_at: Option<Timestamp>,
    /// The scheduled post it was; for its author alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduled_post_id: Option<ScheduledPostId>,
    /// In lists that show reposts: the repost that brings the post there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repost: Option<Repost>,
    /// What the caller has done to it; absent for anonymous callers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<PostViewer>,
}

/// A repost, where it brings a post into a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Repost {
    /// The repost's id.
    pub id: RepostId,
    /// Who reposts.
    pub by: UserRef,
    /// When it was reposted.
    pub created_at: Timestamp,
}

/// What the caller has done to a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of its own on the wire")]
pub struct PostViewer {
    /// Whether the caller likes it.
    pub liked: bool,
    /// Whether the caller reposts it.
    pub reposted: bool,
    /// Whether it is among the caller's bookmarks.
    pub bookmarked: bool,
    /// Whether the caller has muted its thread.
    pub muted: bool,
}

/// A quoted post in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PostRef {
    /// The post's id.
    pub id: PostId,
    /// Who wrote it.
    pub author: UserRef,
    /// The first 280 characters of the text.
    pub content: String,
    /// When it was published.
    pub created_at: Timestamp,
}

/// An account named in a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Mention {
    /// The account's id.
    pub id: UserId,
    /// The unique name.
    pub username: String,
}

/// What is left of a deleted post inside a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Tombstone {
    /// The post's id.
    pub id: PostId,
    /// The post it answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<PostId>,
    /// The top-level post of the thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_id: Option<PostId>,
    /// When it was deleted.
    pub deleted_at: Timestamp,
}

/// A place in a thread: a post, or what is left of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "nearly all places of a thread are posts")]
pub enum ThreadItem {
    /// A post.
    Post(Post),
    /// A deleted post.
    Tombstone(Tombstone),
}

/// A post in its wrapper.
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
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// The posts that were found, in the order asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PostsById {
    /// The posts.
    pub posts: Vec<Post>,
    /// Ids without a post.
    pub missing: Vec<PostId>,
}

/// A former text of a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Revision {
    /// The text.
    pub content: String,
    /// The warning before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_warning: Option<String>,
    /// When this text was published.
    pub created_at: Timestamp,
}

/// A post's former texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PostHistory {
    /// The texts before the present one, newest first; the latest 100.
    pub revisions: Vec<Revision>,
}

/// A post with what it answers and what answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Thread {
    /// What it answers, the top-level post first.
    pub ancestors: Vec<ThreadItem>,
    /// The post.
    pub post: Post,
    /// What answers it: each direct reply, oldest first, followed by what is below it.
    pub descendants: Vec<ThreadItem>,
    /// Where the next page of direct replies begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

words! {
    /// Who may reply to a post.
    ReplyPolicy {
        /// Everybody.
        Everyone = "everyone",
        /// Accounts the author follows.
        Following = "following",
        /// Accounts named in the text.
        Mentioned = "mentioned",
        /// Nobody but the author.
        None = "none",
    }
}

words! {
    /// Order of a list of replies.
    ReplySort {
        /// Newest first.
        New = "new",
        /// Oldest first.
        Old = "old",
        /// Most liked first, then oldest.
        Top = "top",
    }
}
