//! `events`: written by `cargo document`; do not edit.

use svc_types::CommaList;
use svc_types::api::connect::{GetConnect, ListEvents};

use crate::{Call, Events};

impl Events<'_> {
    /// Read where to hear of things as they happen, over MQTT.
    ///
    /// Connect with MQTT 3.1.1 or 5, the API key as the password, and subscribe to the topics by
    /// their full names; wildcards are refused. What was missed is read by
    /// `GET /v1/connect/events`.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let connect = svc.events().connect().await?.connect;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`.
    pub fn connect(&self) -> Call<GetConnect> {
        self.0.send(&GetConnect {})
    }

    /// Read what happened to one's own account, oldest first.
    ///
    /// Events are numbered without gaps. Begin with `after` = the last number seen; the answer's
    /// `nextCursor` is the number to send next.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.events().list().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CursorExpired`.
    pub fn list(&self) -> Call<ListEvents> {
        self.0.send(&ListEvents { after: None, types: None, limit: None })
    }
}

impl Call<ListEvents> {
    /// Only events of these kinds.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.events().list().types(["escrow".into()]);
    /// # }
    /// ```
    pub fn types(mut self, types: impl IntoIterator<Item = String>) -> Self {
        self.request.types = Some(CommaList(types.into_iter().collect()));
        self
    }

    /// Items per page.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.events().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
