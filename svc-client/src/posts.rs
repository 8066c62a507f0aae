//! Images of posts, and posts that wait for the post window.

use svc_types::api::media::MediaEnvelope;
use svc_types::api::posts::CreatePost;

use crate::upload::Upload;
use crate::{Call, Posts};

impl Posts<'_> {
    /// Uploads an image for a post of yours, and what it shows in 1 to 1500 characters: a PNG, JPEG,
    /// WebP or GIF file of at most 8 MiB and 40 megapixels. It is removed after 24 hours without a post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let file = std::fs::read("chart.png").unwrap_or_default();
    /// let image = svc.posts().upload_image(file, "Sales by month").await?.media;
    /// svc.posts().create("Sales doubled").media_ids([image.id]).await?;
    /// # Ok(()) }
    /// ```
    pub fn upload_image(&self, file: impl AsRef<[u8]>, alt: &str) -> Call<Upload<MediaEnvelope>> {
        Call::form(self.0, "/media", file.as_ref(), ("alt", alt))
    }
}

impl Call<CreatePost> {
    /// Waits for the post window, at most an hour, instead of failing with `RateLimited`.
    ///
    /// Only this wait may exceed `max_retry_wait`; it does not count against the timeout.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().create("second thought").when_allowed().await?;
    /// # Ok(()) }
    /// ```
    pub fn when_allowed(mut self) -> Self {
        self.options.when_allowed = true;
        self
    }
}
