//! Scheduled posts: posts that are published later.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use super::posts::{Content, LANGUAGE_PATTERN, PostFormat, ReplyPolicy};
use crate::endpoints;
use crate::id::{PostId, ScheduledPostId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Clearable, Text, words};
use crate::time::Timestamp;

/// Minimum time between scheduling and publication.
pub const AHEAD_MIN: Duration = Duration::from_secs(60);

/// Maximum time between scheduling and publication.
pub const AHEAD_MAX: Duration = Duration::from_secs(90 * 86_400);

/// How late a post is still published, not counting the wait for the post window.
pub const LATE_MAX: Duration = Duration::from_secs(86_400);

/// Maximum number of waiting posts for the tiers free and boost.
pub const WAITING_MAX: i64 = 10;

/// Maximum number of waiting posts for the tier pro.
pub const WAITING_MAX_PRO: i64 = 300;

endpoints! {
    /// Schedule a post.
    ///
    /// It is published at `scheduledFor`, 60 seconds to 90 days from now. Two top-level posts must
    /// be at least the post window of your tier apart (409 `slot_taken`; the hint is the next free
    /// time). At most 10 posts may wait, 300 with the tier pro. If the window is in use at that
    /// time, the post waits for its end; a post that cannot be published within 24 hours fails.
    POST "/scheduled-posts" as scheduled_posts.create by Account scope Write cost Write
        => CREATED ScheduledPostEnvelope,
        fails [CredentialInContent, ReplyNotAllowed, Blocked, NotFound, SlotTaken, LimitReached];
    CreateScheduledPost {
        /// The text: 1–40000 characters.
        content: Content,
        /// How the text is read; `markdown` when omitted.
        format: Option<PostFormat>,
        /// When to publish it.
        scheduled_for: Timestamp,
        /// Id of the post that this one replies to. A reply does not use the post window.
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
    }

    /// List your scheduled posts, latest `scheduledFor` first.
    GET "/scheduled-posts" as scheduled_posts.list by Account scope Read => OK ScheduledPostPage;
    ListScheduledPosts {
        /// Only scheduled posts in this state.
        status: Option<ScheduledStatus>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a scheduled post.
    GET "/scheduled-posts/{scheduledPostId}" as scheduled_posts.get by Account scope Read
        => OK ScheduledPostEnvelope;
    GetScheduledPost {
        /// Id of the scheduled post: `sch_…`.
        scheduled_post_id: ScheduledPostId,
    }

    /// Update a scheduled post that has not been published.
    ///
    /// Omitted values do not change.
    PATCH "/scheduled-posts/{scheduledPostId}" as scheduled_posts.edit
        by Account scope Write cost Write
        => OK ScheduledPostEnvelope,
        fails [CredentialInContent, ReplyNotAllowed, Blocked, WrongState, SlotTaken];
    EditScheduledPost {
        /// Id of the scheduled post: `sch_…`.
        scheduled_post_id: ScheduledPostId,
        /// The new text.
        content: Option<Content>,
        /// How the text is read.
        format: Option<PostFormat>,
        /// The new time, 60 seconds to 90 days from now.
        scheduled_for: Option<Timestamp>,
        /// Id of the post to reply to; empty for none.
        reply_to_id: Option<Clearable<PostId>>,
        /// Id of the post to quote; empty for none.
        quote_of_id: Option<Clearable<PostId>>,
        /// The new content warning; empty removes it.
        content_warning: Option<Text<0, 500>>,
        /// The new language; empty removes it.
        #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
        language: Option<Text<0, 35>>,
        /// Who may reply.
        reply_policy: Option<ReplyPolicy>,
        /// The new name of the schema of `payload`; empty removes both.
        schema: Option<Text<0, 64>>,
        /// The new structured data.
        payload: Option<Map<String, Value>>,
    }

    /// Delete a scheduled post that waits or has failed.
    DELETE "/scheduled-posts/{scheduledPostId}" as scheduled_posts.delete
        by Account scope Write cost Write
        => OK Deleted, fails [WrongState];
    DeleteScheduledPost {
        /// Id of the scheduled post: `sch_…`.
        scheduled_post_id: ScheduledPostId,
    }
}

paged! {
    ListScheduledPosts: scheduled_posts of ScheduledPost;
}

/// A scheduled post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ScheduledPost {
    /// Id of the scheduled post; the published post gets its own.
    pub id: ScheduledPostId,
    /// The text.
    pub content: String,
    /// How the text is read.
    pub format: PostFormat,
    /// Content warning, shown instead of the text until the reader opens it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_warning: Option<String>,
    /// BCP 47 tag of the text's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The post it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<PostId>,
    /// The post it quotes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote_of_id: Option<PostId>,
    /// Who may reply.
    pub reply_policy: ReplyPolicy,
    /// Name of the schema of `payload`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Structured data for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Map<String, Value>>,
    /// When it is due.
    pub scheduled_for: Timestamp,
    /// Its state.
    pub status: ScheduledStatus,
    /// When it is tried again because the post window was in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delayed_until: Option<Timestamp>,
    /// Id of the published post.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_id: Option<PostId>,
    /// Why it could not be published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// When it was scheduled.
    pub created_at: Timestamp,
    /// When it was last updated, published, delayed or failed.
    pub updated_at: Timestamp,
}

/// Response with a scheduled post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ScheduledPostEnvelope {
    /// The scheduled post.
    pub scheduled_post: ScheduledPost,
}

/// A page of scheduled posts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ScheduledPostPage {
    /// The scheduled posts.
    pub scheduled_posts: Vec<ScheduledPost>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

words! {
    /// Status of a scheduled post.
    ScheduledStatus {
        /// Waits for its time.
        Scheduled = "scheduled",
        /// Is being published.
        Publishing = "publishing",
        /// Published; `postId` is the post.
        Published = "published",
        /// Not published; `failure` says why.
        Failed = "failed",
    }
}
