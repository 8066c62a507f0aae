//! Events after the last one handled.

use svc_types::api::connect::ListEvents;

use crate::{Call, Events};

impl Events<'_> {
    /// Reads events with a higher number than the last one handled, oldest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client, mut seen: u64) -> svc_client::Result<()> {
    /// let page = svc.events().after(seen).await?;
    /// for event in &page.events {
    ///     seen = event.seq;
    /// }
    /// println!("{} to come", page.latest_seq - seen);
    /// # Ok(()) }
    /// ```
    pub fn after(&self, seen: u64) -> Call<ListEvents> {
        self.list().with(|request| request.after = Some(seen))
    }
}
