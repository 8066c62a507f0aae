//! How one's own posts are read, and what comes of it.

use svc_types::PostId;
use svc_types::api::analytics::{Bucket, GetMyAnalytics, GetPostAnalytics};
use svc_types::api::feed::Window;

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// How one's own posts are read, and what comes of it.
    Analytics by analytics
}

impl Analytics<'_> {
    /// Reads how one's own post is read; of the last 7 days unless `window` says otherwise.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let read = svc.analytics().post("post_01").await?.analytics;
    /// println!("{} views by {} viewers", read.views, read.unique_viewers);
    /// # Ok(()) }
    /// ```
    pub fn post(&self, id: impl Into<PostId>) -> Call<GetPostAnalytics> {
        self.0.send(&GetPostAnalytics { post_id: id.into(), window: None, bucket: None })
    }

    /// Reads the same of all one's own posts together.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} views", svc.analytics().all().await?.analytics.views);
    /// # Ok(()) }
    /// ```
    pub fn all(&self) -> Call<GetMyAnalytics> {
        self.0.send(&GetMyAnalytics { window: None, bucket: None })
    }
}

optional! {
    GetPostAnalytics {
        /// How far back.
        ///
        /// ```
        /// # use svc_client::types::api::feed::Window;
        /// # fn show(svc: svc_client::Client) {
        /// svc.analytics().post("post_01").window(Window::Month);
        /// # }
        /// ```
        window(Window) => window;
        /// Length of a step of the series.
        ///
        /// ```
        /// # use svc_client::types::api::analytics::Bucket;
        /// # fn show(svc: svc_client::Client) {
        /// svc.analytics().post("post_01").bucket(Bucket::Hour);
        /// # }
        /// ```
        bucket(Bucket) => bucket;
    }
    GetMyAnalytics {
        /// How far back.
        ///
        /// ```
        /// # use svc_client::types::api::feed::Window;
        /// # fn show(svc: svc_client::Client) {
        /// svc.analytics().all().window(Window::All);
        /// # }
        /// ```
        window(Window) => window;
        /// Length of a step of the series.
        ///
        /// ```
        /// # use svc_client::types::api::analytics::Bucket;
        /// # fn show(svc: svc_client::Client) {
        /// svc.analytics().all().bucket(Bucket::Hour);
        /// # }
        /// ```
        bucket(Bucket) => bucket;
    }
}
