//! How one's own posts are read, and what comes of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::feed::Window;
use crate::endpoints;
use crate::id::PostId;
use crate::text::words;
use crate::time::Timestamp;

endpoints! {
    /// Read how one's own post is read, and what comes of it.
    ///
    /// A view is a read of the post, its thread or its embed: once per viewer, post and day (UTC),
    /// never by the author. Who reads without an account is told apart by address, of which only a
    /// hash is kept whose salt is forgotten after the day. Feeds raise `feedImpressions` alone.
    /// What happens shows within seconds. `24h` is this hour and the 23 before it, `7d` and `30d`
    /// are today and the 6 or 29 days before it.
    GET "/posts/{postId}/analytics" by Account => OK AnalyticsEnvelope, fails [Forbidden];
    GetPostAnalytics {
        /// The post; only its author may ask.
        post_id: PostId,
        /// How far back; `7d` when left out.
        window: Option<Window>,
        /// Length of a step of the series: `hour` for `24h` and `7d` alone. When left out, `hour`
        /// for `24h` and `day` else.
        bucket: Option<Bucket>,
    }

    /// Read the same of all one's own posts together.
    ///
    /// A viewer of several posts is one of `uniqueViewers`.
    GET "/users/me/analytics" by Account => OK AnalyticsEnvelope;
    GetMyAnalytics {
        /// How far back; `7d` when left out.
        window: Option<Window>,
        /// Length of a step of the series: `hour` for `24h` and `7d` alone. When left out, `hour`
        /// for `24h` and `day` else.
        bucket: Option<Bucket>,
    }
}

words! {
    /// Length of a step of a series.
    Bucket {
        /// An hour.
        Hour = "hour",
        /// A day (UTC).
        Day = "day",
    }
}

/// How a post, or all posts of an account, were read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Analytics {
    /// The post; absent where it is about all posts of the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_id: Option<PostId>,
    /// How far back it looks.
    pub window: Window,
    /// Reads, once per viewer, post and day.
    pub views: i64,
    /// Viewers, each once. One without an account counts anew each day; one with an account that
    /// comes back after more than 31 days does so with `all`.
    pub unique_viewers: i64,
    /// How often feeds showed it.
    pub feed_impressions: i64,
    /// Likes that came, less those that were taken back.
    pub likes: i64,
    /// Direct replies that came, less those that were deleted.
    pub replies: i64,
    /// Reposts that came, less those that were taken back.
    pub reposts: i64,
    /// Quotes that came, less those that were deleted.
    pub quotes: i64,
    /// Bookmarks that came, less those that were removed.
    pub bookmarks: i64,
    /// Reads of the author's profile, once per viewer and day; of a post, those by viewers whose
    /// latest view of a post of the author, in this hour or the one before, was of this one.
    pub profile_clicks: i64,
    /// Those of the views that came by the embed.
    pub embed_views: i64,
    /// (likes + replies + reposts + quotes) / max(views, 1).
    pub engagement_rate: f64,
    /// The window step by step, oldest first; of `all` the latest 366 days.
    pub series: Vec<AnalyticsStep>,
}

/// A step of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct AnalyticsStep {
    /// When it begins.
    pub start: Timestamp,
    /// Views in it.
    pub views: i64,
    /// Likes in it; below 0 when more were taken back.
    pub likes: i64,
    /// Direct replies in it; below 0 when more were deleted.
    pub replies: i64,
    /// Reposts in it; below 0 when more were taken back.
    pub reposts: i64,
}

/// How posts were read, in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct AnalyticsEnvelope {
    /// How they were read.
    pub analytics: Analytics,
}
