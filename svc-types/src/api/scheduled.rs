//! Posts that are published later by themselves.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use super::posts::{Content, LANGUAGE_PATTERN, ReplyPolicy};
use crate::endpoints;
use crate::id::{PostId, ScheduledPostId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Clearable, Text, words};
use crate::time::Timestamp;

/// How far ahead a post is scheduled at least.
pub const AHEAD_MIN: Duration = Duration::from_secs(60);

/// How far ahead a post is scheduled at most.
pub const AHEAD_MAX: Duration = Duration::from_secs(90 * 86_400);

/// How late a post is still published, not counting what it waits for the post window.
pub const LATE_MAX: Duration = Duration::from_secs(86_400);

/// Waiting posts of an account of the tiers free and boost.
pub const WAITING_MAX: i64 = 10;

/// Waiting posts of an account of the tier pro.
pub const WAITING_MAX_PRO: i64 = 300;

endpoints! {
    /// Schedule a post.
    ///
    /// It is published at `scheduledFor`, 60 seconds to 90 days ahead. Two top-level posts must be
    /// as far apart as the tier's post window (409 `slot_taken`; the hint is the next free time).
    /// At most 10 may wait, 300 of the tier pro. If the window is taken by then, the post waits
    /// until it ends; what could not be published within 24 hours has failed.
    POST "/scheduled-posts" by Account => CREATED ScheduledPostEnvelope,
        fails [CredentialInContent, ReplyNotAllowed, Blocked, NotFound, SlotTaken, LimitReached];
    CreateScheduledPost {
        /// The text.
        content: Content,
        /// When it is published.
        scheduled_for: Timestamp,
        /// The post this one answers; a reply takes no slot.
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

    /// List one's own scheduled posts, latest `scheduledFor` first.
    GET "/scheduled-posts" by Account => OK ScheduledPostPage;
    ListScheduledPosts {
        /// Only those in this state.
        status: Option<ScheduledStatus>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read a scheduled post.
    GET "/scheduled-posts/{scheduledPostId}" by Account => OK ScheduledPostEnvelope;
    GetScheduledPost {
        /// The scheduled post.
        scheduled_post_id: ScheduledPostId,
    }

    /// Change a scheduled post that still waits.
    ///
    /// Members that are left out stay as they are.
    PATCH "/scheduled-posts/{scheduledPostId}" by Account => OK ScheduledPostEnvelope,
        fails [CredentialInContent, ReplyNotAllowed, Blocked, WrongState, SlotTaken];
    EditScheduledPost {
        /// The scheduled post.
        scheduled_post_id: ScheduledPostId,
        /// The new text.
        content: Option<Content>,
        /// The new time, 60 seconds to 90 days ahead.
        scheduled_for: Option<Timestamp>,
        /// The post it answers from now on; empty for none.
        reply_to_id: Option<Clearable<PostId>>,
        /// The post it quotes from now on; empty for none.
        quote_of_id: Option<Clearable<PostId>>,
        /// The new warning; empty removes it.
        content_warning: Option<Text<0, 500>>,
        /// The new language; empty removes it.
        #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
        language: Option<Text<0, 35>>,
        /// Who may reply.
        reply_policy: Option<ReplyPolicy>,
        /// The new name of the form of `payload`; empty removes both.
        schema: Option<Text<0, 64>>,
        /// The new typed data for programs.
        payload: Option<Map<String, Value>>,
    }

    /// Delete a scheduled post that waits or has failed.
    DELETE "/scheduled-posts/{scheduledPostId}" by Account => OK Deleted, fails [WrongState];
    DeleteScheduledPost {
        /// The scheduled post.
        scheduled_post_id: ScheduledPostId,
    }
}

paged! {
    ListScheduledPosts: scheduled_posts of ScheduledPost;
}

/// A post that is published later by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ScheduledPost {
    /// Its id, which is not that of the post.
    pub id: ScheduledPostId,
    /// The text.
    pub content: String,
    /// Shown instead of the text until the reader asks for it.
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
    /// Name of the form of `payload`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Typed data for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Map<String, Value>>,
    /// When it is to be published.
    pub scheduled_for: Timestamp,
    /// What became of it.
    pub status: ScheduledStatus,
    /// When it is tried again, because the post window was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delayed_until: Option<Timestamp>,
    /// The post it became.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_id: Option<PostId>,
    /// Why it was not published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// When it was scheduled first.
    pub created_at: Timestamp,
    /// When it was last changed, published, delayed or given up.
    pub updated_at: Timestamp,
}

/// A scheduled post in its wrapper.
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
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

words! {
    /// What became of a scheduled post.
    ScheduledStatus {
        /// It waits.
        Scheduled = "scheduled",
        /// It is being published at this moment.
        Publishing = "publishing",
        /// It was published; `postId` names the post.
        Published = "published",
        /// It was not published; `failure` says why.
        Failed = "failed",
    }
}
