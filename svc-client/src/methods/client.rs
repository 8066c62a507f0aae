//! `client`: written by `cargo document`; do not edit.

use svc_types::api::home::GetHome;

use crate::{Call, Client};

impl Client {
    /// Get the home summary.
    ///
    /// Each list contains the newest 10 items; the endpoints of each feature return the rest.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let home = svc.home().await?.home;
    /// # Ok(()) }
    /// ```
    pub fn home(&self) -> Call<GetHome> {
        self.send(&GetHome {})
    }
}
