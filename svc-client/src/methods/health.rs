//! `health`: written by `cargo document`; do not edit.

use svc_types::api::health::{GetHealth, GetLive, GetReady};

use crate::{Call, Health};

impl Health<'_> {
    /// Get the health of the server and its parts.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.health().read().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `StorageUnavailable`.
    pub fn read(&self) -> Call<GetHealth> {
        self.0.send(&GetHealth {})
    }

    /// Check whether the process runs.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let status = svc.health().live().await?.status;
    /// # Ok(()) }
    /// ```
    pub fn live(&self) -> Call<GetLive> {
        self.0.send(&GetLive {})
    }

    /// Check whether the server accepts requests.
    ///
    /// It does when the database answers, the server is not stopping, and it has the keys of the other nodes.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let status = svc.health().ready().await?.status;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `StorageUnavailable`.
    pub fn ready(&self) -> Call<GetReady> {
        self.0.send(&GetReady {})
    }
}
