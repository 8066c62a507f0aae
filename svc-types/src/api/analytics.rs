//! Analytics: how often posts are viewed and how readers react.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::feed::Window;
use crate::endpoints;
use crate::id::PostId;
use crate::text::words;
use crate::time::Timestamp;

endpoints! {
    /// Get post analytics.
    ///
    /// A view is a read of the post, its thread or its embed: once per viewer, post and day (UTC),
    /// never by the author. Readers without an account are counted by address, of which only a hash
    /// is stored; its salt is deleted after the day. Feeds only increase `feedImpressions`. Counts
    /// are updated within seconds. `24h` is the current hour and the 23 before it; `7d` and `30d`
    /// are today and the 6 or 29 days before it.
    GET "/posts/{postId}/analytics" as analytics.post by Account scope Read
        => OK AnalyticsEnvelope, fails [Forbidden];
    GetPostAnalytics {
        /// The post. Only its author may read its analytics.
        post_id: PostId,
        /// Time window; `7d` when omitted.
        window: Option<Window>,
        /// Step of the series. `hour` is available for `24h` and `7d`. When omitted: `hour` for
        /// `24h`, otherwise `day`.
        bucket: Option<Bucket>,
    }

    /// Get analytics of all your posts.
    ///
    /// A viewer of several posts counts once in `uniqueViewers`.
    GET "/users/me/analytics" as analytics.all by Account scope Read => OK AnalyticsEnvelope;
    GetMyAnalytics {
        /// Time window; `7d` when omitted.
        window: Option<Window>,
        /// Step of the series. `hour` is available for `24h` and `7d`. When omitted: `hour` for
        /// `24h`, otherwise `day`.
        bucket: Option<Bucket>,
    }
}

words! {
    /// Step of a series.
    Bucket {
        /// One hour.
        Hour = "hour",
        /// One day (UTC).
        Day = "day",
    }
}

/// Analytics of a post, or of all posts of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Analytics {
    /// The post; absent for all posts of an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_id: Option<PostId>,
    /// The time window.
    pub window: Window,
    /// Views, once per viewer, post and day.
    pub views: i64,
    /// Distinct viewers. A reader without an account counts again each day; with `all`, a viewer
    /// who returns after more than 31 days counts again.
    pub unique_viewers: i64,
    /// How often feeds showed the post.
    pub feed_impressions: i64,
    /// New likes minus removed ones.
    pub likes: i64,
    /// New direct replies minus deleted ones.
    pub replies: i64,
    /// New reposts minus removed ones.
    pub reposts: i64,
    /// New quotes minus deleted ones.
    pub quotes: i64,
    /// New bookmarks minus removed ones.
    pub bookmarks: i64,
    /// Views of the author's profile, once per viewer and day. For a post: those by viewers whose
    /// latest view of the author's posts, in this hour or the one before, was of this post.
    pub profile_clicks: i64,
    /// Views through the embed; part of `views`.
    pub embed_views: i64,
    /// (likes + replies + reposts + quotes) / max(views, 1).
    pub engagement_rate: f64,
    /// The window step by step, oldest first; for `all`, the latest 366 days.
    pub series: Vec<AnalyticsStep>,
}

/// One step of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct AnalyticsStep {
    /// Start of the step.
    pub start: Timestamp,
    /// Views in the step.
    pub views: i64,
    /// New likes minus removed ones; may be negative.
    pub likes: i64,
    /// New direct replies minus deleted ones; may be negative.
    pub replies: i64,
    /// New reposts minus removed ones; may be negative.
    pub reposts: i64,
}

/// Response with analytics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct AnalyticsEnvelope {
    /// The analytics.
    pub analytics: Analytics,
}
