//! `analytics`: written by `cargo document`; do not edit.

use svc_types::PostId;
use svc_types::api::analytics::{Bucket, GetMyAnalytics, GetPostAnalytics};
use svc_types::api::feed::Window;

use crate::{Analytics, Call};

impl Analytics<'_> {
    /// Get post analytics.
    ///
    /// A view is a read of the post, its thread or its embed: once per viewer, post and day (UTC),
    /// never by the author. Readers without an account are counted by address, of which only a hash
    /// is stored; its salt is deleted after the day. Feeds only increase `feedImpressions`. Counts
    /// are updated within seconds. `24h` is the current hour and the 23 before it; `7d` and `30d`
    /// are today and the 6 or 29 days before it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let analytics = svc.analytics().post("post_01").await?.analytics;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn post(&self, post_id: impl Into<PostId>) -> Call<GetPostAnalytics> {
        self.0.send(&GetPostAnalytics { post_id: post_id.into(), window: None, bucket: None })
    }

    /// Get analytics of all your posts.
    ///
    /// A viewer of several posts counts once in `uniqueViewers`.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let analytics = svc.analytics().all().await?.analytics;
    /// # Ok(()) }
    /// ```
    pub fn all(&self) -> Call<GetMyAnalytics> {
        self.0.send(&GetMyAnalytics { window: None, bucket: None })
    }
}

impl Call<GetPostAnalytics> {
    /// Time window; `7d` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::feed::Window;
    /// # fn show(svc: svc_client::Client) {
    /// svc.analytics().post("post_01").window(Window::Day);
    /// # }
    /// ```
    pub fn window(mut self, window: Window) -> Self {
        self.request.window = Some(window);
        self
    }

    /// Step of the series. `hour` is available for `24h` and `7d`. When omitted: `hour` for `24h`,
    /// otherwise `day`.
    ///
    /// ```
    /// # use svc_client::types::api::analytics::Bucket;
    /// # fn show(svc: svc_client::Client) {
    /// svc.analytics().post("post_01").bucket(Bucket::Hour);
    /// # }
    /// ```
    pub fn bucket(mut self, bucket: Bucket) -> Self {
        self.request.bucket = Some(bucket);
        self
    }
}

impl Call<GetMyAnalytics> {
    /// Time window; `7d` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::feed::Window;
    /// # fn show(svc: svc_client::Client) {
    /// svc.analytics().all().window(Window::Month);
    /// # }
    /// ```
    pub fn window(mut self, window: Window) -> Self {
        self.request.window = Some(window);
        self
    }

    /// Step of the series. `hour` is available for `24h` and `7d`. When omitted: `hour` for `24h`,
    /// otherwise `day`.
    ///
    /// ```
    /// # use svc_client::types::api::analytics::Bucket;
    /// # fn show(svc: svc_client::Client) {
    /// svc.analytics().all().bucket(Bucket::Day);
    /// # }
    /// ```
    pub fn bucket(mut self, bucket: Bucket) -> Self {
        self.request.bucket = Some(bucket);
        self
    }
}
