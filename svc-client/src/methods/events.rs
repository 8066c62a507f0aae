//! `events`: written by `cargo document`; do not edit.

use svc_types::CommaList;
use svc_types::api::connect::{GetConnect, ListEvents};

use crate::{Call, Events};

impl Events<'_> {
    /// Get the MQTT broker and topics.
    ///
    /// Connect with MQTT 3.1.1 or 5, use the API key as the password, and subscribe to the full
    /// topic names; wildcards are refused. Read events that you missed with
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

    /// List your events, oldest first.
    ///
    /// Events are numbered without gaps. Set `after` to the last number you have seen; `nextCursor`
    /// of the response is the number for the next call. A page of some `types` may be empty and
    /// have a `nextCursor` when many others lie between.
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
    /// Only events of these kinds, such as `order` and `direct_message`.
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

    /// Page size: 1 to 100, 20 when omitted.
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
