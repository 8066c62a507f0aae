//! Health of the server.

use svc_types::api::health::{GetHealth, GetLive, GetReady};

use crate::call::Call;
use crate::group::group;

group! {
    /// Health of the server.
    Health by health
}

impl Health<'_> {
    /// Reads the health of the server and its parts.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.health().read().await?.status);
    /// # Ok(()) }
    /// ```
    pub fn read(&self) -> Call<GetHealth> {
        self.0.send(&GetHealth {})
    }

    /// Asks whether the process runs.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.health().live().await?;
    /// # Ok(()) }
    /// ```
    pub fn live(&self) -> Call<GetLive> {
        self.0.send(&GetLive {})
    }

    /// Asks whether the server takes requests.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.health().ready().no_retry().await?;
    /// # Ok(()) }
    /// ```
    pub fn ready(&self) -> Call<GetReady> {
        self.0.send(&GetReady {})
    }
}
