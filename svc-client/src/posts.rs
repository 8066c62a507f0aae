//! Posts that wait for the post window.

use svc_types::api::posts::CreatePost;

use crate::Call;

impl Call<CreatePost> {
    /// Waits for the post window, however long, instead of failing with `RateLimited`.
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
