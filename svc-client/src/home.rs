//! What an account would look at first.

use svc_types::api::home::GetHome;

use crate::call::Call;

impl crate::Client {
    /// Reads what one would look at first, in one call.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let home = svc.home().await?.home;
    /// println!("{} unread, {} orders", home.unread_messages, home.pending_service_requests.len());
    /// # Ok(()) }
    /// ```
    pub fn home(&self) -> Call<GetHome> {
        self.send(&GetHome {})
    }
}
