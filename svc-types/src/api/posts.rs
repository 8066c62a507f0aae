//! Posts, replies and threads.

mod objects;
mod words;

pub use objects::{
    Mention, Post, PostEnvelope, PostHistory, PostPage, PostRef, PostViewer, PostsById, Repost,
    Revision, Thread, ThreadItem, Tombstone,
};
pub use words::{PostFormat, PostInclude, ReplyPolicy, ReplySort};

use serde_json::{Map, Value};

use super::Deleted;
use super::media::IMAGES_MAX;
use crate::endpoints;
use crate::id::{MediaId, PostId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{CommaList, Text, Whole};

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
