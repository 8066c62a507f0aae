//! `analytics`: written by `cargo document`; do not edit.

use svc_types::PostId;
use svc_types::api::analytics::{Bucket, GetMyAnalytics, GetPostAnalytics};
use svc_types::api::feed::Window;

use crate::{Analytics, Call};

impl Analytics<'_> {
    /// Read how one's own post is read, and what comes of it.
    ///
    /// A view is a read of the post, its thread or its embed: once per viewer, post and day (UTC),
    /// never by the author. Who reads without an account is told apart by address, of which only a
    /// hash is kept whose salt is forgotten after the day. Feeds raise `feedImpressions` alone.
    /// What happens shows within seconds. `24h` is this hour and the 23 before it, `7d` and `30d`
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

    /// Read the same of all one's own posts together.
    ///
    /// A viewer of several posts is one of `uniqueViewers`.
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
    /// How far back; `7d` when left out.
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

    /// Length of a step of the series: `hour` for `24h` and `7d` alone. When left out, `hour` for
    /// `24h` and `day` else.
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
    /// How far back; `7d` when left out.
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

    /// Length of a step of the series: `hour` for `24h` and `7d` alone. When left out, `hour` for
    /// `24h` and `day` else.
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
